//! From what the real compiler was told to what clang is told.
//!
//! Every option that clang does not get as written leaves a [`Change`](verify_compile_db::Change) that says
//! whether the meaning of the program can differ. The options that make clang emit a capture are added last.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

use verify_compile_db::Effect as Weight;

use crate::argv::{Invocation, os};
use crate::options::{self, Effect, Rewrite};

/// Handles one option that concerns the compilation.
pub(crate) fn option(out: &mut Invocation, effect: Effect, words: &[OsString], value: Option<OsString>) {
    let written = || verify_compile_db::quote::join_posix(words);
    match effect {
        Effect::Keep => out.clang.extend_from_slice(words),
        Effect::Harmless(why) => out.change(written(), Weight::Harmless, why),
        Effect::Semantic(why) => out.change(written(), Weight::Semantic, why),
        Effect::Rewrite(rewrite) => {
            let written = written();
            self::rewrite(out, rewrite, words, &value.unwrap_or_default(), written);
        }
        // Link and mode options are the parser's.
        Effect::Link(_) | Effect::Mode(_) => {}
    }
}

fn rewrite(out: &mut Invocation, rewrite: Rewrite, words: &[OsString], value: &OsStr, written: OsString) {
    let bytes = value.as_bytes();
    match rewrite {
        Rewrite::Define => {
            if bytes == b"_FORTIFY_SOURCE" || bytes.starts_with(b"_FORTIFY_SOURCE=") {
                let why = "the calls it guards are checked by the analysis itself";
                out.change(written, Weight::Harmless, why);
            } else {
                out.clang.extend_from_slice(words);
            }
        }
        Rewrite::FilePrefixMap => {
            out.clang.push([OsStr::new("-fmacro-prefix-map="), value].concat_os());
            out.change(written, Weight::Harmless, "kept for __FILE__; source files keep their real names");
        }
        Rewrite::Charset => {
            if bytes.eq_ignore_ascii_case(b"utf-8") || bytes.eq_ignore_ascii_case(b"utf8") {
                out.change(written, Weight::Harmless, "the default");
            } else {
                out.change(written, Weight::Semantic, "clang reads and writes UTF-8 only");
            }
        }
        Rewrite::FpMath => {
            if bytes == b"sse" {
                out.clang.extend_from_slice(words);
            } else {
                out.change(written, Weight::Semantic, "excess precision of the x87 unit");
            }
        }
        Rewrite::Abi => match bytes {
            b"ms" => out.change(written, Weight::Semantic, "Microsoft calling convention"),
            b"sysv" => out.change(written, Weight::Harmless, "the default"),
            _ => out.clang.extend_from_slice(words),
        },
        Rewrite::Frontend => {
            if bytes.starts_with(b"-f") && !bytes.starts_with(b"-fsanitize") {
                out.clang.extend_from_slice(words);
            } else {
                out.change(written, Weight::Semantic, "option of clang's front end");
            }
        }
        Rewrite::Preprocessor => again(out, &[value.to_owned()], written),
        Rewrite::PreprocessorList => {
            let list: Vec<OsString> = bytes.split(|b| *b == b',').map(os).collect();
            again(out, &list, written);
        }
    }
}

/// Options meant for the preprocessor alone. cpp's `-MD` takes a file where the driver's takes none.
fn again(out: &mut Invocation, list: &[OsString], written: OsString) {
    let mut i = 0;
    while i < list.len() {
        let word = &list[i];
        let next = list.get(i + 1).map(OsString::as_os_str);
        if matches!(word.as_bytes(), b"-MD" | b"-MMD") {
            out.change(written.clone(), Weight::Harmless, "dependency output; the real compiler writes it");
            i += 1 + usize::from(next.is_some_and(|n| !n.as_bytes().starts_with(b"-")));
            continue;
        }
        match options::find(out.family, word, &list[i + 1..]) {
            Some(found) if !matches!(found.effect, Effect::Mode(_) | Effect::Link(_)) => {
                option(out, found.effect, &list[i..i + found.words], found.value);
                i += found.words;
            }
            _ => {
                out.change(written.clone(), Weight::Semantic, "option of the preprocessor");
                i += 1;
            }
        }
    }
}

trait ConcatOs {
    fn concat_os(&self) -> OsString;
}

impl ConcatOs for [&OsStr] {
    fn concat_os(&self) -> OsString {
        let mut out = OsString::new();
        self.iter().for_each(|part| out.push(part));
        out
    }
}

/// Makes clang take what gcc 12 takes: since clang 16 these are errors where gcc only warns.
pub const LENIENT: &[&str] = &[
    "-w",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
    "-Wno-error=builtin-requires-header",
    "-Wno-error=address-of-temporary",
];

/// The checks that carry C's types into the bitcode (clang folds or forgets them otherwise).
const CHECKS: &str = "-fsanitize=signed-integer-overflow,shift-exponent,integer-divide-by-zero,unreachable,\
array-bounds,vla-bound,bool,builtin,nonnull-attribute,returns-nonnull-attribute,float-cast-overflow";

/// The calls that `_FORTIFY_SOURCE` guards stay what they are.
pub(crate) const NO_FORTIFY: [&str; 2] = ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0"];

/// Options common to every clang run of the capture: quiet, lenient, without configuration files.
#[must_use]
pub fn common_options() -> Vec<OsString> {
    let mut out: Vec<OsString> = vec!["--no-default-config".into(), "-fno-crash-diagnostics".into()];
    out.extend(LENIENT.iter().map(OsString::from));
    // Debian and others switch it on by default in their gcc, and headers of gnulib where nobody has said anything; see
    // the row of `-D`.
    out.extend(NO_FORTIFY.map(OsString::from));
    out
}

/// Options that make clang emit the bitcode that the lowering reads.
#[must_use]
pub fn emit_options() -> Vec<OsString> {
    let words = [
        "-g",
        "-fdebug-macro",
        "-Xclang",
        "-disable-llvm-passes",
        "-Xclang",
        "-fsanitize-address-use-after-scope",
        // A variable that is returned is not the caller's: it is gone when the function has returned.
        "-fno-elide-constructors",
        CHECKS,
        "-fno-sanitize-recover=all",
        "-c",
        "-emit-llvm",
    ];
    words.iter().map(OsString::from).collect()
}
