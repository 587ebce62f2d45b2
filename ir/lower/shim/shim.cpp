// What LLVM 19's C API lacks: debug information readers, one-call instruction and call-site summaries, constants of
// any width, and a bitcode reader that reports errors instead of aborting where LLVM lets it. Plain data out, no
// ownership except the context and module made by vs_parse. Every function tolerates a value of the wrong kind: it
// answers with zeros, so that the safe wrapper above needs no preconditions.
#include "llvm-c/Core.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Comdat.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

using namespace llvm;

namespace {
struct Collect final : DiagnosticHandler {
  std::string *Out;
  explicit Collect(std::string *O) : Out(O) {}
  bool handleDiagnostics(const DiagnosticInfo &D) override {
    if (D.getSeverity() == DS_Error && Out->empty()) {
      raw_string_ostream S(*Out);
      DiagnosticPrinterRawOStream P(S);
      D.print(P);
    }
    return true;
  }
};

// LLVM gives up: the process ends with one line and status 1 instead of a core dump.
void onFatal(void *, const char *Reason, bool) {
  fprintf(stderr, "verify-lower: LLVM: %s\n", Reason);
  fflush(stderr);
  _exit(1);
}

bool isByteSized(uint64_t Bits) { return Bits % 8 == 0; }
} // namespace

extern "C" {

struct VsStr {
  const char *Ptr;
  size_t Len;
};
static VsStr str(StringRef S) { return {S.data(), S.size()}; }

// ---- Modules -------------------------------------------------------------------------------------------------------

// 0: ok. 1: error, a malloc'ed message in *Err.
int vs_parse(const char *Data, size_t Len, const char *Name, LLVMContextRef *OutCtx, LLVMModuleRef *OutMod, char **Err) {
  static bool Installed = false;
  if (!Installed) {
    install_fatal_error_handler(onFatal, nullptr);
    Installed = true;
  }
  auto *Ctx = new LLVMContext();
  std::string Msg;
  Ctx->setDiscardValueNames(true);
  Ctx->setDiagnosticHandler(std::make_unique<Collect>(&Msg));
  auto M = parseBitcodeFile(MemoryBufferRef(StringRef(Data, Len), Name), *Ctx);
  if (!M || !Msg.empty()) {
    if (!M) {
      std::string E = toString(M.takeError());
      if (Msg.empty())
        Msg = E;
    }
    *Err = strdup(Msg.c_str());
    if (M)
      M->reset();
    delete Ctx;
    return 1;
  }
  Ctx->setDiagnosticHandler(std::make_unique<DiagnosticHandler>());
  (*M)->setIsNewDbgInfoFormat(false);
  *OutCtx = wrap(Ctx);
  *OutMod = wrap(M->release());
  return 0;
}

void vs_free(char *P) { free(P); }

VsStr vs_module_source(LLVMModuleRef M) { return str(unwrap(M)->getSourceFileName()); }

// ---- Instructions and constant expressions -------------------------------------------------------------------------

struct VsInst {
  uint32_t Opcode; // LLVMOpcode
  uint32_t Sub;    // predicate, RMW operation
  uint32_t Flags;  // below
  uint32_t NOps;
  uint64_t Align;
  LLVMTypeRef Ty;
  LLVMTypeRef Aux; // GEP source, allocated type, function type of a call
  LLVMMetadataRef Loc;
};
enum {
  NSW = 1, NUW = 2, EXACT = 4, INBOUNDS = 8, VOLATILE = 16, ATOMIC = 32, NORETURN = 64, RETURNS_TWICE = 128,
  DBG = 256, INTRINSIC = 512, WEAK = 1024,
  ORDER = 16, // memory order of an atomic access or a fence: 9 bits from here
};

// Orders of success and failure, and whether only one thread is synchronised.
static uint32_t order(AtomicOrdering Success, SyncScope::ID Scope, AtomicOrdering Failure = AtomicOrdering::NotAtomic) {
  return ((uint32_t)Success | (uint32_t)Failure << 4 | (uint32_t)(Scope == SyncScope::SingleThread) << 8) << ORDER;
}

void vs_inst(LLVMValueRef V, VsInst *O) {
  memset(O, 0, sizeof *O);
  auto *U = dyn_cast<User>(unwrap(V));
  if (!U)
    return;
  O->Ty = wrap(U->getType());
  O->NOps = U->getNumOperands();
  if (isa<Instruction>(U))
    O->Opcode = LLVMGetInstructionOpcode(V);
  else if (isa<ConstantExpr>(U))
    O->Opcode = LLVMGetConstOpcode(V);
  else
    return;
  if (auto *B = dyn_cast<OverflowingBinaryOperator>(U))
    O->Flags |= (B->hasNoSignedWrap() ? NSW : 0) | (B->hasNoUnsignedWrap() ? NUW : 0);
  if (auto *B = dyn_cast<PossiblyExactOperator>(U))
    O->Flags |= B->isExact() ? EXACT : 0;
  if (auto *G = dyn_cast<GEPOperator>(U)) {
    O->Aux = wrap(G->getSourceElementType());
    O->Flags |= G->isInBounds() ? INBOUNDS : 0;
  }
  auto *I = dyn_cast<Instruction>(U);
  if (!I)
    return;
  O->Loc = wrap((Metadata *)I->getDebugLoc().getAsMDNode());
  if (auto *L = dyn_cast<LoadInst>(I)) {
    O->Align = L->getAlign().value();
    O->Flags |= (L->isVolatile() ? VOLATILE : 0) | (L->isAtomic() ? ATOMIC | order(L->getOrdering(), L->getSyncScopeID()) : 0);
  } else if (auto *S = dyn_cast<StoreInst>(I)) {
    O->Align = S->getAlign().value();
    O->Flags |= (S->isVolatile() ? VOLATILE : 0) | (S->isAtomic() ? ATOMIC | order(S->getOrdering(), S->getSyncScopeID()) : 0);
  } else if (auto *A = dyn_cast<AllocaInst>(I)) {
    O->Align = A->getAlign().value();
    O->Aux = wrap(A->getAllocatedType());
  } else if (auto *C = dyn_cast<CmpInst>(I)) {
    O->Sub = C->getPredicate();
  } else if (auto *R = dyn_cast<AtomicRMWInst>(I)) {
    O->Sub = R->getOperation();
    O->Align = R->getAlign().value();
    O->Flags |= (R->isVolatile() ? VOLATILE : 0) | order(R->getOrdering(), R->getSyncScopeID());
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(I)) {
    O->Align = X->getAlign().value();
    O->Flags |= (X->isVolatile() ? VOLATILE : 0) | (X->isWeak() ? WEAK : 0) |
                order(X->getSuccessOrdering(), X->getSyncScopeID(), X->getFailureOrdering());
  } else if (auto *F = dyn_cast<FenceInst>(I)) {
    O->Flags |= order(F->getOrdering(), F->getSyncScopeID());
  } else if (auto *C = dyn_cast<CallBase>(I)) {
    O->Aux = wrap((Type *)C->getFunctionType());
    O->Flags |= C->doesNotReturn() ? NORETURN : 0;
    O->Flags |= C->hasFnAttr(Attribute::ReturnsTwice) ? RETURNS_TWICE : 0;
    if (isa<DbgInfoIntrinsic>(I))
      O->Flags |= DBG;
    if (isa<IntrinsicInst>(I))
      O->Flags |= INTRINSIC;
  }
}

// The number of arguments and the called operand of a call, invoke or callbr.
uint32_t vs_call_args(LLVMValueRef V) {
  auto *C = dyn_cast<CallBase>(unwrap(V));
  return C ? C->arg_size() : 0;
}
LLVMValueRef vs_call_callee(LLVMValueRef V) {
  auto *C = dyn_cast<CallBase>(unwrap(V));
  return C ? wrap(C->getCalledOperand()) : nullptr;
}

// dbg.declare / dbg.value / dbg.assign: 1 / 2 / 3, else 0. Location is null when it is not a single value.
int vs_dbg(LLVMValueRef V, LLVMValueRef *Location, LLVMMetadataRef *Variable, int *Plain) {
  auto *D = dyn_cast<DbgVariableIntrinsic>(unwrap(V));
  if (!D)
    return 0;
  *Location = D->getNumVariableLocationOps() == 1 ? wrap(D->getVariableLocationOp(0)) : nullptr;
  *Variable = wrap((Metadata *)D->getVariable());
  // 1: the location itself; 2: what the pointer there points to (DW_OP_deref: a returned struct in the caller's memory).
  ArrayRef<uint64_t> E = D->getExpression()->getElements();
  *Plain = E.empty() ? 1 : E.size() == 1 && E[0] == 0x06 ? 2 : 0;
  if (isa<DbgDeclareInst>(D))
    return 1;
  return isa<DbgAssignIntrinsic>(D) ? 3 : 2;
}

// ---- Values --------------------------------------------------------------------------------------------------------

LLVMValueRef vs_operand(LLVMValueRef V, uint32_t I) {
  auto *U = dyn_cast<User>(unwrap(V));
  return U && I < U->getNumOperands() ? wrap(U->getOperand(I)) : nullptr;
}
uint32_t vs_successor_count(LLVMValueRef V) {
  auto *I = dyn_cast<Instruction>(unwrap(V));
  return I && I->isTerminator() ? I->getNumSuccessors() : 0;
}
LLVMBasicBlockRef vs_successor(LLVMValueRef V, uint32_t N) {
  auto *I = dyn_cast<Instruction>(unwrap(V));
  return I && I->isTerminator() && N < I->getNumSuccessors() ? wrap(I->getSuccessor(N)) : nullptr;
}
uint32_t vs_phi_count(LLVMValueRef V) {
  auto *P = dyn_cast<PHINode>(unwrap(V));
  return P ? P->getNumIncomingValues() : 0;
}
LLVMValueRef vs_phi(LLVMValueRef V, uint32_t I, LLVMBasicBlockRef *B) {
  auto *P = dyn_cast<PHINode>(unwrap(V));
  if (!P || I >= P->getNumIncomingValues())
    return nullptr;
  *B = wrap(P->getIncomingBlock(I));
  return wrap(P->getIncomingValue(I));
}
uint32_t vs_mask(LLVMValueRef V, const int **Mask) {
  auto *S = dyn_cast<ShuffleVectorInst>(unwrap(V));
  if (!S)
    return 0;
  *Mask = S->getShuffleMask().data();
  return S->getShuffleMask().size();
}
uint32_t vs_indices(LLVMValueRef V, const unsigned **Ix) {
  if (auto *E = dyn_cast<ExtractValueInst>(unwrap(V))) {
    *Ix = E->getIndices().data();
    return E->getIndices().size();
  }
  if (auto *E = dyn_cast<InsertValueInst>(unwrap(V))) {
    *Ix = E->getIndices().data();
    return E->getIndices().size();
  }
  return 0;
}
LLVMValueRef vs_initializer(LLVMValueRef V) {
  auto *G = dyn_cast<GlobalVariable>(unwrap(V));
  return G && G->hasInitializer() ? wrap((Value *)G->getInitializer()) : nullptr;
}
LLVMTypeRef vs_value_type(LLVMValueRef V) {
  auto *G = dyn_cast<GlobalValue>(unwrap(V));
  return G ? wrap(G->getValueType()) : nullptr;
}
LLVMValueRef vs_parameter(LLVMValueRef V, uint32_t I) {
  auto *F = dyn_cast<Function>(unwrap(V));
  return F && I < F->arg_size() ? wrap((Value *)F->getArg(I)) : nullptr;
}
LLVMBasicBlockRef vs_first_block(LLVMValueRef V) {
  auto *F = dyn_cast<Function>(unwrap(V));
  return F && !F->empty() ? wrap(&F->front()) : nullptr;
}

struct VsType {
  uint32_t Kind;  // LLVMTypeKind
  uint32_t Width; // integer width, address space of a pointer, variadic of a function
  uint64_t Count; // elements, parameters
  LLVMTypeRef Elem; // element type, return type
  VsStr Name;
  uint64_t AllocSize, StoreSize, Align, Bits; // 0 when not sized
  uint32_t Sized;
};
void vs_type(LLVMModuleRef M, LLVMTypeRef T, VsType *O) {
  memset(O, 0, sizeof *O);
  Type *X = unwrap(T);
  O->Kind = LLVMGetTypeKind(T);
  if (auto *I = dyn_cast<IntegerType>(X))
    O->Width = I->getBitWidth();
  else if (auto *P = dyn_cast<PointerType>(X))
    O->Width = P->getAddressSpace();
  else if (auto *S = dyn_cast<StructType>(X)) {
    O->Count = S->getNumElements();
    O->Name = S->hasName() ? str(S->getName()) : VsStr{nullptr, 0};
  } else if (auto *A = dyn_cast<ArrayType>(X)) {
    O->Count = A->getNumElements();
    O->Elem = wrap(A->getElementType());
  } else if (auto *V = dyn_cast<FixedVectorType>(X)) {
    O->Count = V->getNumElements();
    O->Elem = wrap(V->getElementType());
  } else if (auto *F = dyn_cast<FunctionType>(X)) {
    O->Count = F->getNumParams();
    O->Elem = wrap(F->getReturnType());
    O->Width = F->isVarArg();
  }
  if (X->isSized() && !X->isScalableTy()) {
    const DataLayout &D = unwrap(M)->getDataLayout();
    O->Sized = 1;
    O->AllocSize = D.getTypeAllocSize(X).getFixedValue();
    O->StoreSize = D.getTypeStoreSize(X).getFixedValue();
    O->Bits = D.getTypeSizeInBits(X).getFixedValue();
    O->Align = D.getABITypeAlign(X).value();
  }
}
// The I-th field of a struct (with its byte offset) or parameter of a function type.
LLVMTypeRef vs_type_at(LLVMModuleRef M, LLVMTypeRef T, uint32_t I, uint64_t *Offset) {
  *Offset = 0;
  if (auto *S = dyn_cast<StructType>(unwrap(T))) {
    if (I >= S->getNumElements())
      return nullptr;
    if (S->isSized() && !S->isScalableTy())
      *Offset = unwrap(M)->getDataLayout().getStructLayout(S)->getElementOffset(I).getFixedValue();
    return wrap(S->getElementType(I));
  }
  if (auto *F = dyn_cast<FunctionType>(unwrap(T)))
    return I < F->getNumParams() ? wrap(F->getParamType(I)) : nullptr;
  return nullptr;
}
uint32_t vs_pointer_bits(LLVMModuleRef M) { return unwrap(M)->getDataLayout().getPointerSizeInBits(0); }
int vs_big_endian(LLVMModuleRef M) { return unwrap(M)->getDataLayout().isBigEndian(); }

// ---- Attributes ----------------------------------------------------------------------------------------------------

struct VsParam {
  LLVMTypeRef ByVal, SRet, Elem;
  uint64_t Align;
  uint32_t NonNull, NoAlias, Unusual; // Unusual: inalloca, preallocated, byref
  uint32_t Extension, InReg;          // Extension: 1 by the sign, 2 by zeros
};

static void param(const AttributeSet &A, VsParam *O) {
  memset(O, 0, sizeof *O);
  O->ByVal = wrap(A.getByValType());
  O->SRet = wrap(A.getStructRetType());
  O->Elem = wrap(A.getElementType());
  O->Align = A.getAlignment() ? A.getAlignment()->value() : 0;
  O->NonNull = A.hasAttribute(Attribute::NonNull);
  O->NoAlias = A.hasAttribute(Attribute::NoAlias);
  O->Unusual = A.hasAttribute(Attribute::InAlloca) || A.hasAttribute(Attribute::Preallocated) ||
               A.hasAttribute(Attribute::ByRef);
  O->Extension = A.hasAttribute(Attribute::SExt) ? 1 : A.hasAttribute(Attribute::ZExt) ? 2 : 0;
  O->InReg = A.hasAttribute(Attribute::InReg);
}
static AttributeList attrs(LLVMValueRef V) {
  if (auto *F = dyn_cast<Function>(unwrap(V)))
    return F->getAttributes();
  if (auto *C = dyn_cast<CallBase>(unwrap(V)))
    return C->getAttributes();
  return {};
}
// Of a function or call site; index -1 is the return value.
void vs_param(LLVMValueRef V, int Index, VsParam *O) {
  AttributeList A = attrs(V);
  param(Index < 0 ? A.getRetAttrs() : A.getParamAttrs(Index), O);
}

struct VsFn {
  uint32_t NoReturn, ReturnsTwice, Naked, Malloc, ReturnsNonNull, NoMemory, ReadOnly;
  int32_t AllocElem, AllocNum; // -1: none
};
void vs_fn(LLVMValueRef V, VsFn *O) {
  memset(O, 0, sizeof *O);
  O->AllocElem = O->AllocNum = -1;
  auto *F = dyn_cast<Function>(unwrap(V));
  if (!F)
    return;
  O->NoReturn = F->doesNotReturn();
  O->ReturnsTwice = F->hasFnAttribute(Attribute::ReturnsTwice);
  O->Naked = F->hasFnAttribute(Attribute::Naked);
  O->Malloc = F->hasRetAttribute(Attribute::NoAlias);
  O->ReturnsNonNull = F->hasRetAttribute(Attribute::NonNull);
  O->NoMemory = F->doesNotAccessMemory();
  O->ReadOnly = F->onlyReadsMemory();
  auto A = F->getFnAttribute(Attribute::AllocSize);
  if (A.isValid()) {
    auto P = A.getAllocSizeArgs();
    O->AllocElem = P.first;
    O->AllocNum = P.second ? (int32_t)*P.second : -1;
  }
}

// A string attribute of a function.
VsStr vs_fn_string_attr(LLVMValueRef V, const char *Name) {
  auto *F = dyn_cast<Function>(unwrap(V));
  if (!F)
    return {nullptr, 0};
  return str(F->getFnAttribute(Name).getValueAsString());
}

// ---- Inline assembly -----------------------------------------------------------------------------------------------

struct VsAsm {
  VsStr Template, Constraints;
  uint32_t SideEffects;
};
int vs_asm(LLVMValueRef V, VsAsm *O) {
  memset(O, 0, sizeof *O);
  auto *A = dyn_cast<InlineAsm>(unwrap(V));
  if (!A)
    return 0;
  O->Template = str(A->getAsmString());
  O->Constraints = str(A->getConstraintString());
  O->SideEffects = A->hasSideEffects();
  return 1;
}

// ---- Globals -------------------------------------------------------------------------------------------------------

struct VsGlobal {
  VsStr Name, Section, Comdat;
  uint32_t Linkage;    // LLVMLinkage
  uint32_t Visibility; // 0 default, 1 hidden, 2 protected
  uint32_t Constant, ThreadLocal, Declaration, AddrSpace;
  uint64_t Align;
};
void vs_global(LLVMValueRef V, VsGlobal *O) {
  memset(O, 0, sizeof *O);
  auto *G = dyn_cast<GlobalValue>(unwrap(V));
  if (!G)
    return;
  O->Name = str(G->getName());
  O->Linkage = LLVMGetLinkage(V);
  O->Visibility = G->getVisibility();
  O->ThreadLocal = G->isThreadLocal();
  O->Declaration = G->isDeclaration();
  O->AddrSpace = G->getAddressSpace();
  if (auto *C = G->getComdat())
    O->Comdat = str(C->getName());
  if (auto *B = dyn_cast<GlobalObject>(G)) {
    O->Section = str(B->getSection());
    O->Align = B->getAlign() ? B->getAlign()->value() : 0;
  }
  if (auto *X = dyn_cast<GlobalVariable>(G))
    O->Constant = X->isConstant();
}
// The first DIGlobalVariableExpression of a global variable, or the DISubprogram of a function.
LLVMMetadataRef vs_global_di(LLVMValueRef V) {
  if (auto *G = dyn_cast<GlobalVariable>(unwrap(V))) {
    SmallVector<DIGlobalVariableExpression *, 1> E;
    G->getDebugInfo(E);
    return E.empty() ? nullptr : wrap((Metadata *)E[0]->getVariable());
  }
  if (auto *F = dyn_cast<Function>(unwrap(V)))
    return wrap((Metadata *)F->getSubprogram());
  return nullptr;
}
LLVMValueRef vs_alias_target(LLVMValueRef V) {
  if (auto *A = dyn_cast<GlobalAlias>(unwrap(V)))
    return wrap(A->getAliasee());
  if (auto *A = dyn_cast<GlobalIFunc>(unwrap(V)))
    return wrap(A->getResolver());
  if (auto *A = dyn_cast<DSOLocalEquivalent>(unwrap(V)))
    return wrap((Value *)A->getGlobalValue());
  if (auto *A = dyn_cast<NoCFIValue>(unwrap(V)))
    return wrap((Value *)A->getGlobalValue());
  return nullptr;
}
int vs_block_address(LLVMValueRef V, LLVMValueRef *F, LLVMBasicBlockRef *B) {
  auto *A = dyn_cast<BlockAddress>(unwrap(V));
  if (!A)
    return 0;
  *F = wrap((Value *)A->getFunction());
  *B = wrap(A->getBasicBlock());
  return 1;
}
int vs_block_has_address_taken(LLVMBasicBlockRef B) { return unwrap(B)->hasAddressTaken(); }

// ---- Constants -----------------------------------------------------------------------------------------------------

// Bits of an integer or floating-point constant, least significant word first. Returns the width, 0 if neither.
uint32_t vs_const_bits(LLVMValueRef V, const uint64_t **Words, uint64_t Inline[4]) {
  if (auto *I = dyn_cast<ConstantInt>(unwrap(V))) {
    *Words = I->getValue().getRawData();
    return I->getValue().getBitWidth();
  }
  if (auto *F = dyn_cast<ConstantFP>(unwrap(V))) {
    APInt B = F->getValueAPF().bitcastToAPInt();
    memset(Inline, 0, 4 * sizeof(uint64_t));
    memcpy(Inline, B.getRawData(), std::min<size_t>(B.getNumWords(), 4) * sizeof(uint64_t));
    *Words = Inline;
    return B.getBitWidth();
  }
  return 0;
}

// Elements of a ConstantDataSequential: count, bytes per element, raw data in host byte order.
int vs_const_data(LLVMValueRef V, VsStr *Raw, uint32_t *ElemBytes) {
  auto *D = dyn_cast<ConstantDataSequential>(unwrap(V));
  if (!D)
    return 0;
  *Raw = str(D->getRawDataValues());
  *ElemBytes = D->getElementByteSize();
  return 1;
}
LLVMValueRef vs_const_element(LLVMValueRef V, uint32_t I) {
  auto *C = dyn_cast<Constant>(unwrap(V));
  return C ? wrap((Value *)C->getAggregateElement(I)) : nullptr;
}

// ---- Debug information ---------------------------------------------------------------------------------------------

struct VsDi {
  uint32_t Kind, Tag, Line, Column, Flags, Align, Encoding, Arg, Unsigned, Spare;
  uint64_t Size, Offset;
  uint64_t Value[2];
  VsStr Name, Linkage, Text, Text2;
  LLVMMetadataRef Scope, File, Type, Elements, Other;
};
enum {
  K_OTHER = 0, K_BASIC = 1, K_DERIVED = 2, K_COMPOSITE = 3, K_SUBROUTINE = 4, K_SUBRANGE = 5, K_ENUMERATOR = 6,
  K_LOCAL = 7, K_GLOBAL = 8, K_SUBPROGRAM = 9, K_SCOPE = 10, K_FILE = 11, K_CU = 12, K_MACRO = 13, K_MACRO_FILE = 14,
  K_LOCATION = 15, K_TUPLE = 16, K_STRING_TYPE = 17,
};
static LLVMMetadataRef md(const Metadata *M) { return wrap(const_cast<Metadata *>(M)); }
static void apint(const APInt &A, uint64_t Out[2]) {
  APInt X = A.getBitWidth() >= 128 ? A.trunc(128) : A;
  (void)isByteSized;
  Out[0] = X.getRawData()[0];
  Out[1] = X.getNumWords() > 1 ? X.getRawData()[1] : 0;
}

void vs_di(LLVMMetadataRef R, VsDi *O) {
  memset(O, 0, sizeof *O);
  Metadata *M = unwrap(R);
  if (!M)
    return;
  if (auto *T = dyn_cast<DIType>(M)) {
    O->Tag = T->getTag();
    O->Line = T->getLine();
    O->Flags = T->getFlags();
    O->Align = T->getAlignInBits();
    O->Size = T->getSizeInBits();
    O->Offset = T->getOffsetInBits();
    O->Name = str(T->getName());
    O->Scope = md(T->getRawScope());
    O->File = md(T->getRawFile());
    if (auto *B = dyn_cast<DIBasicType>(T)) {
      O->Kind = K_BASIC;
      O->Encoding = B->getEncoding();
    } else if (auto *D = dyn_cast<DIDerivedType>(T)) {
      O->Kind = K_DERIVED;
      O->Type = md(D->getRawBaseType());
    } else if (auto *C = dyn_cast<DICompositeType>(T)) {
      O->Kind = K_COMPOSITE;
      O->Type = md(C->getRawBaseType());
      O->Elements = md(C->getRawElements());
    } else if (auto *S = dyn_cast<DISubroutineType>(T)) {
      O->Kind = K_SUBROUTINE;
      O->Elements = md(S->getRawTypeArray());
    } else {
      O->Kind = K_STRING_TYPE;
    }
  } else if (auto *S = dyn_cast<DISubrange>(M)) {
    O->Kind = K_SUBRANGE;
    O->Arg = 0; // 1: constant count
    if (auto *C = dyn_cast_if_present<ConstantInt *>(S->getCount())) {
      O->Arg = 1;
      O->Value[0] = C->getSExtValue();
    } else if (auto *U = dyn_cast_if_present<ConstantInt *>(S->getUpperBound())) {
      O->Arg = 1;
      O->Value[0] = U->getSExtValue() + 1;
    }
  } else if (auto *E = dyn_cast<DIEnumerator>(M)) {
    O->Kind = K_ENUMERATOR;
    O->Name = str(E->getName());
    O->Unsigned = E->isUnsigned();
    apint(E->isUnsigned() ? E->getValue().zext(std::max(128u, E->getValue().getBitWidth()))
                          : E->getValue().sext(std::max(128u, E->getValue().getBitWidth())),
          O->Value);
  } else if (auto *L = dyn_cast<DILocalVariable>(M)) {
    O->Kind = K_LOCAL;
    O->Name = str(L->getName());
    O->Line = L->getLine();
    O->Arg = L->getArg();
    O->Flags = L->getFlags();
    O->Type = md(L->getRawType());
    O->Scope = md(L->getRawScope());
    O->File = md(L->getRawFile());
  } else if (auto *G = dyn_cast<DIGlobalVariable>(M)) {
    O->Kind = K_GLOBAL;
    O->Name = str(G->getName());
    O->Linkage = str(G->getLinkageName());
    O->Line = G->getLine();
    O->Type = md(G->getRawType());
    O->Scope = md(G->getRawScope());
    O->File = md(G->getRawFile());
  } else if (auto *P = dyn_cast<DISubprogram>(M)) {
    O->Kind = K_SUBPROGRAM;
    O->Name = str(P->getName());
    O->Linkage = str(P->getLinkageName());
    O->Line = P->getLine();
    O->Flags = P->getFlags();
    O->Type = md(P->getRawType());
    O->Scope = md(P->getRawScope());
    O->File = md(P->getRawFile());
    O->Elements = md(P->getRawRetainedNodes());
  } else if (auto *F = dyn_cast<DIFile>(M)) {
    O->Kind = K_FILE;
    O->Name = str(F->getFilename());
    O->Text = str(F->getDirectory());
  } else if (auto *C = dyn_cast<DICompileUnit>(M)) {
    O->Kind = K_CU;
    O->File = md(C->getFile());
    O->Text = str(C->getProducer());
    O->Text2 = str(C->getFlags());
    O->Encoding = C->getSourceLanguage();
    O->Other = md(C->getRawMacros());
    O->Elements = md(C->getRawRetainedTypes());
    O->Type = md(C->getRawEnumTypes());
  } else if (auto *A = dyn_cast<DIMacro>(M)) {
    O->Kind = K_MACRO;
    O->Tag = A->getMacinfoType(); // 1 define, 2 undef
    O->Line = A->getLine();
    O->Name = str(A->getName());
    O->Text = str(A->getValue());
  } else if (auto *A = dyn_cast<DIMacroFile>(M)) {
    O->Kind = K_MACRO_FILE;
    O->Line = A->getLine();
    O->File = md(A->getRawFile());
    O->Elements = md(A->getRawElements());
  } else if (auto *L = dyn_cast<DILocation>(M)) {
    O->Kind = K_LOCATION;
    O->Line = L->getLine();
    O->Column = L->getColumn();
    O->Scope = md(L->getRawScope());
    O->File = L->getScope() ? md(L->getScope()->getRawFile()) : nullptr;
    O->Other = md(L->getRawInlinedAt());
  } else if (auto *S = dyn_cast<DIScope>(M)) {
    O->Kind = K_SCOPE;
    O->Scope = md(S->getScope());
    O->File = md(S->getRawFile());
    if (auto *B = dyn_cast<DILexicalBlock>(S)) {
      O->Line = B->getLine();
      O->Column = B->getColumn();
    }
  } else if (isa<MDTuple>(M)) {
    O->Kind = K_TUPLE;
  }
}

uint32_t vs_md_count(LLVMMetadataRef R) {
  auto *N = dyn_cast_or_null<MDNode>(unwrap(R));
  return N ? N->getNumOperands() : 0;
}
LLVMMetadataRef vs_md_operand(LLVMMetadataRef R, uint32_t I) {
  auto *N = dyn_cast_or_null<MDNode>(unwrap(R));
  return N && I < N->getNumOperands() ? wrap(N->getOperand(I).get()) : nullptr;
}
// Compile units of the module.
uint32_t vs_cu_count(LLVMModuleRef M) {
  auto *N = unwrap(M)->getNamedMetadata("llvm.dbg.cu");
  return N ? N->getNumOperands() : 0;
}
LLVMMetadataRef vs_cu(LLVMModuleRef M, uint32_t I) {
  auto *N = unwrap(M)->getNamedMetadata("llvm.dbg.cu");
  return N && I < N->getNumOperands() ? wrap((Metadata *)N->getOperand(I)) : nullptr;
}
// The text of a metadata-as-value argument that is a string (or a node of one string).
VsStr vs_md_string(LLVMValueRef V) {
  auto *A = dyn_cast<MetadataAsValue>(unwrap(V));
  if (!A)
    return {nullptr, 0};
  Metadata *M = A->getMetadata();
  if (auto *N = dyn_cast<MDNode>(M))
    M = N->getNumOperands() ? N->getOperand(0).get() : nullptr;
  auto *S = dyn_cast_or_null<MDString>(M);
  return S ? str(S->getString()) : VsStr{nullptr, 0};
}

// ---- Code as text --------------------------------------------------------------------------------------------------

// What code says, without names of values and without debug information: the same text is the same code. With `Numbers`,
// values go by their place in the function.
namespace {
struct Say {
  raw_ostream &S;
  DenseMap<const Value *, unsigned> *Numbers;
  unsigned Depth = 0;

  void type(Type *T) {
    if (auto *X = dyn_cast<StructType>(T)) {
      S << (X->isOpaque() ? "opaque" : X->isPacked() ? "<{" : "{");
      for (Type *E : X->elements()) {
        type(E);
        S << ',';
      }
      S << '}';
    } else if (auto *A = dyn_cast<ArrayType>(T)) {
      S << '[' << A->getNumElements() << " x ";
      type(A->getElementType());
      S << ']';
    } else if (auto *F = dyn_cast<FunctionType>(T)) {
      type(F->getReturnType());
      S << '(';
      for (Type *E : F->params()) {
        type(E);
        S << ',';
      }
      S << (F->isVarArg() ? "...)" : ")");
    } else {
      T->print(S, false, true);
    }
  }

  void local(const Value *V, const char *Kind) {
    S << Kind;
    auto At = Numbers ? Numbers->find(V) : DenseMap<const Value *, unsigned>::iterator();
    if (Numbers && At != Numbers->end())
      S << At->second;
  }

  void metadata(const Metadata *M) {
    if (auto *X = dyn_cast_or_null<MDString>(M)) {
      S << '!' << X->getString();
    } else if (auto *X = dyn_cast_or_null<ValueAsMetadata>(M)) {
      value(X->getValue());
    } else if (auto *N = dyn_cast_or_null<MDTuple>(M)) {
      if (Depth > 8)
        return;
      ++Depth;
      for (const MDOperand &O : N->operands()) {
        metadata(O.get());
        S << ',';
      }
      --Depth;
    }
  }

  void value(const Value *V) {
    if (isa<Instruction>(V) || isa<Argument>(V))
      return local(V, "%");
    if (isa<BasicBlock>(V))
      return local(V, "label ");
    if (auto *A = dyn_cast<InlineAsm>(V)) {
      S << "asm " << A->getDialect() << A->hasSideEffects() << A->isAlignStack() << A->canThrow() << ' '
        << A->getAsmString() << ' ' << A->getConstraintString();
      return;
    }
    if (auto *M = dyn_cast<MetadataAsValue>(V))
      return metadata(M->getMetadata());
    if (auto *G = dyn_cast<GlobalVariable>(V); G && G->hasPrivateLinkage() && G->hasInitializer()) {
      S << "literal";
      if (Depth < 8) {
        ++Depth;
        S << '(' << G->isConstant() << ' ';
        value(G->getInitializer());
        S << ')';
        --Depth;
      }
      return;
    }
    if (isa<GlobalValue>(V)) {
      S << '@' << V->getName();
      return;
    }
    if (auto *A = dyn_cast<BlockAddress>(V)) {
      unsigned At = 0;
      for (const BasicBlock &B : *A->getFunction()) {
        if (&B == A->getBasicBlock())
          break;
        ++At;
      }
      S << "label " << At << " of @" << A->getFunction()->getName();
      return;
    }
    type(V->getType());
    S << ' ';
    auto *C = dyn_cast<Constant>(V);
    if (C && C->getNumOperands() != 0) {
      if (auto *E = dyn_cast<ConstantExpr>(C)) {
        S << E->getOpcodeName() << E->getRawSubclassOptionalData();
        if (auto *P = dyn_cast<GEPOperator>(E)) {
          S << ' ';
          type(P->getSourceElementType());
        }
      }
      S << '(';
      for (const Use &O : C->operands()) {
        value(O.get());
        S << ',';
      }
      S << ')';
      return;
    }
    V->printAsOperand(S, false);
  }

  void attributes(const CallBase &C) {
    AttributeList A = C.getAttributes();
    S << " cc" << C.getCallingConv() << ' ' << A.getFnAttrs().getAsString() << " -> " << A.getRetAttrs().getAsString();
    for (unsigned I = 0; I < C.arg_size(); ++I)
      if (A.getParamAttrs(I).hasAttributes())
        S << ' ' << I << ':' << A.getParamAttrs(I).getAsString();
    for (unsigned I = 0; I < C.getNumOperandBundles(); ++I) {
      OperandBundleUse B = C.getOperandBundleAt(I);
      S << " [" << B.getTagName() << ' ' << B.Inputs.size() << ']';
    }
    S << ' ';
    type(C.getFunctionType());
  }

  static bool isCheck(const Instruction &I) {
    auto *C = dyn_cast<CallBase>(&I);
    const Function *F = C ? C->getCalledFunction() : nullptr;
    return F && F->getName().starts_with("__ubsan_handle_");
  }

  void inst(const Instruction &I) {
    S << I.getOpcodeName() << ' ' << I.getRawSubclassOptionalData() << ' ';
    type(I.getType());
    if (auto *X = dyn_cast<AllocaInst>(&I)) {
      S << ' ' << X->getAlign().value() << ' ';
      type(X->getAllocatedType());
    } else if (auto *X = dyn_cast<LoadInst>(&I)) {
      S << ' ' << X->getAlign().value() << X->isVolatile() << ' ' << (unsigned)X->getOrdering() << ' ' << X->getSyncScopeID();
    } else if (auto *X = dyn_cast<StoreInst>(&I)) {
      S << ' ' << X->getAlign().value() << X->isVolatile() << ' ' << (unsigned)X->getOrdering() << ' ' << X->getSyncScopeID();
    } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
      S << ' ' << X->getAlign().value() << X->isVolatile() << X->isWeak() << ' ' << (unsigned)X->getSuccessOrdering() << ' '
        << (unsigned)X->getFailureOrdering() << ' ' << X->getSyncScopeID();
    } else if (auto *X = dyn_cast<AtomicRMWInst>(&I)) {
      S << ' ' << X->getAlign().value() << X->isVolatile() << ' ' << (unsigned)X->getOperation() << ' '
        << (unsigned)X->getOrdering() << ' ' << X->getSyncScopeID();
    } else if (auto *X = dyn_cast<FenceInst>(&I)) {
      S << ' ' << (unsigned)X->getOrdering() << ' ' << X->getSyncScopeID();
    } else if (auto *X = dyn_cast<GetElementPtrInst>(&I)) {
      S << ' ';
      type(X->getSourceElementType());
    } else if (auto *X = dyn_cast<CmpInst>(&I)) {
      S << ' ' << (unsigned)X->getPredicate();
    } else if (auto *X = dyn_cast<ExtractValueInst>(&I)) {
      for (unsigned N : X->indices())
        S << ' ' << N;
    } else if (auto *X = dyn_cast<InsertValueInst>(&I)) {
      for (unsigned N : X->indices())
        S << ' ' << N;
    } else if (auto *X = dyn_cast<ShuffleVectorInst>(&I)) {
      for (int N : X->getShuffleMask())
        S << ' ' << N;
    } else if (auto *X = dyn_cast<LandingPadInst>(&I)) {
      S << ' ' << X->isCleanup();
      for (unsigned N = 0; N < X->getNumClauses(); ++N)
        S << X->isCatch(N);
    } else if (auto *X = dyn_cast<CallBase>(&I)) {
      attributes(*X);
    }
    for (const Use &O : I.operands()) {
      // The data of a check say where it stands in the source.
      if (O.getOperandNo() == 0 && isCheck(I))
        continue;
      S << "; ";
      value(O.get());
    }
    if (auto *P = dyn_cast<PHINode>(&I))
      for (const BasicBlock *B : P->blocks()) {
        S << "; ";
        value(B);
      }
  }
};

DenseMap<const Value *, unsigned> numbered(const Function &F) {
  DenseMap<const Value *, unsigned> Out;
  for (const Argument &A : F.args())
    Out[&A] = Out.size();
  for (const BasicBlock &B : F) {
    Out[&B] = Out.size();
    for (const Instruction &I : B)
      if (!isa<DbgInfoIntrinsic>(I))
        Out[&I] = Out.size();
  }
  return Out;
}
} // namespace

// The text of an instruction or of a whole function. To be freed.
char *vs_say(LLVMValueRef V, size_t *Len) {
  std::string Out;
  raw_string_ostream S(Out);
  if (auto *F = dyn_cast<Function>(unwrap(V))) {
    auto N = numbered(*F);
    Say Y{S, &N};
    Y.type(F->getFunctionType());
    for (unsigned I = 0; I < F->arg_size(); ++I)
      S << ' ' << F->getAttributes().getParamAttrs(I).getAsString();
    S << '\n';
    for (const BasicBlock &B : *F) {
      S << "block\n";
      for (const Instruction &I : B)
        if (!isa<DbgInfoIntrinsic>(I)) {
          Y.inst(I);
          S << '\n';
        }
    }
  } else if (auto *I = dyn_cast<Instruction>(unwrap(V))) {
    Say{S, nullptr}.inst(*I);
  }
  S.flush();
  char *P = (char *)malloc(Out.size() + 1);
  memcpy(P, Out.data(), Out.size());
  P[Out.size()] = 0;
  *Len = Out.size();
  return P;
}

// Calling convention of a function or call; 0 is that of C.
uint32_t vs_convention(LLVMValueRef V) {
  if (auto *F = dyn_cast<Function>(unwrap(V)))
    return F->getCallingConv();
  auto *C = dyn_cast<CallBase>(unwrap(V));
  return C ? C->getCallingConv() : 0;
}
int vs_has_bundles(LLVMValueRef V) {
  auto *C = dyn_cast<CallBase>(unwrap(V));
  return C && C->hasOperandBundles();
}

} // extern "C"
