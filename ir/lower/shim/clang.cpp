// clang 19 in this process: one command line of the driver to a module in memory. What `clang ARGS -emit-llvm -c` does,
// without its start, the file between it and the lowering, and code generation. Every case that is not one plain compile
// is left to the real clang.
#include "llvm-c/Core.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/Version.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Options.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/TargetParser/Host.h"

using namespace clang;

// Debian links its clang with Polly, whose library is not installed with the others. No pass runs here.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "0", [](llvm::PassBuilder &) {}};
}

namespace {
enum Answer { Done = 0, Rejected = 1, NotHere = 3 };

struct Silent final : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo &) override { return true; }
};
} // namespace

// Compiles as the clang at `Clang` would: 0 and a module, 1 when the source is rejected (said on standard error), 3 when
// the command is not for this.
extern "C" int vs_compile(const char *Clang, const char *const *Argv, size_t Count, LLVMContextRef *OutCtx,
                          LLVMModuleRef *OutMod) {
  // The libraries and the program are of different packages, and only one may have been brought up to date.
  if (getClangFullVersion() != LINKED_VERSION)
    return NotHere;
  llvm::BumpPtrAllocator Alloc;
  SmallVector<const char *, 128> Args{Clang};
  Args.append(Argv, Argv + Count);
  llvm::cl::ExpansionContext Expansion(Alloc, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error E = Expansion.expandResponseFiles(Args)) {
    llvm::consumeError(std::move(E));
    return NotHere;
  }

  unsigned Missing, MissingCount;
  llvm::opt::InputArgList Parsed = driver::getDriverOptTable().ParseArgs(
      llvm::ArrayRef(Args).slice(1), Missing, MissingCount, llvm::opt::Visibility(driver::options::ClangOption));
  IntrusiveRefCntPtr<DiagnosticOptions> Options = new DiagnosticOptions();
  (void)ParseDiagnosticArgs(*Options, Parsed);
  DiagnosticsEngine Diags(new DiagnosticIDs(), Options, new TextDiagnosticPrinter(llvm::errs(), &*Options));
  ProcessWarningOptions(Diags, *Options, /*ReportDiags=*/false);

  driver::Driver Driver(Clang, llvm::sys::getDefaultTargetTriple(), Diags);
  std::unique_ptr<driver::Compilation> Compilation(Driver.BuildCompilation(Args));
  if (!Compilation || Diags.hasErrorOccurred() || Compilation->getJobs().size() != 1)
    return NotHere;
  const driver::Command &Job = *Compilation->getJobs().begin();
  const llvm::opt::ArgStringList &Words = Job.getArguments();
  if (StringRef(Job.getCreator().getName()) != "clang" || Words.empty() || StringRef(Words[0]) != "-cc1")
    return NotHere;

  CompilerInstance Instance;
  if (!CompilerInvocation::CreateFromArgs(Instance.getInvocation(), llvm::ArrayRef(Words).slice(1), Diags, Clang))
    return NotHere;
  const FrontendOptions &Frontend = Instance.getFrontendOpts();
  if (Frontend.ProgramAction != frontend::EmitBC || !Frontend.LLVMArgs.empty() || !Frontend.Plugins.empty() ||
      !Frontend.AddPluginActions.empty() || Frontend.ShowHelp || Frontend.ShowVersion ||
      !Instance.getCodeGenOpts().DisableLLVMPasses)
    return NotHere;
  Instance.createDiagnostics();
  if (!Instance.hasDiagnostics())
    return NotHere;

  auto *Ctx = new llvm::LLVMContext();
  Ctx->setDiscardValueNames(true);
  EmitLLVMOnlyAction Action(Ctx);
  bool Went = Instance.ExecuteAction(Action);
  std::unique_ptr<llvm::Module> Module = Went ? Action.takeModule() : nullptr;
  if (!Module)
    return Rejected;
  Ctx->setDiagnosticHandler(std::make_unique<Silent>());
  Module->setIsNewDbgInfoFormat(false);
  *OutCtx = llvm::wrap(Ctx);
  *OutMod = llvm::wrap(Module.release());
  return Done;
}
