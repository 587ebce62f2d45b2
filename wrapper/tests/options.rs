//! The option table: its own consistency, each group of rows against clang 19, and the look-up rules.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use verify_compile_db::Effect as Weight;
use verify_wrapper::argv::{Driver, Invocation, Item, Mode, Product, parse};
use verify_wrapper::options::{Effect, LinkOption, ModeOption, Rewrite, Shape, TABLE, find};

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

fn parsed(text: &str) -> Invocation {
    parse(Driver::C, &words(text))
}

fn check_clang(text: &str, expect: &str) {
    let out = parsed(text);
    let got: Vec<_> = out.clang.iter().map(|w| w.to_string_lossy()).collect();
    assert_eq!(got.join(" "), expect, "{text}: {:#?}", out.changes);
}

fn check_change(text: &str, option: &str, weight: Weight) {
    let out = parsed(text);
    let change = out.changes.iter().find(|c| c.option == option);
    let change = change.unwrap_or_else(|| panic!("{text}: {:#?}", out.changes));
    assert_eq!(change.effect, weight, "{text}: {}", change.why);
    assert!(!change.why.is_empty());
}

#[test]
fn spellings_are_unique_options() {
    let mut seen = BTreeMap::new();
    for row in TABLE {
        assert!(row.name.starts_with('-') && row.name.len() > 1, "{}", row.name);
        assert!(seen.insert(row.name, row.shape).is_none(), "{} twice", row.name);
    }
    assert!(TABLE.len() > 400);
}

/// Every row answers for its own spelling, takes its argument as its shape says, and no other row hides it.
#[test]
fn every_row_is_found_by_its_spelling() {
    let value = OsStr::new("value");
    for row in TABLE {
        let name = OsStr::new(row.name);
        let (found, words, argument) = match row.shape {
            Shape::Flag => (find(name, Some(value)), 1, None),
            Shape::Separate | Shape::Either => (find(name, Some(value)), 2, Some("value")),
            Shape::Joined => (find(OsStr::new(&format!("{}zzz", row.name)), Some(value)), 1, Some("zzz")),
        };
        let found = found.unwrap_or_else(|| panic!("{} is not found", row.name));
        assert_eq!(found.effect, row.effect, "{}", row.name);
        assert_eq!((found.words, found.value.as_deref()), (words, argument.map(OsStr::new)), "{}", row.name);
        if row.shape == Shape::Either {
            let joined = find(OsStr::new(&format!("{}zzz", row.name)), Some(value)).unwrap();
            assert_eq!((joined.effect, joined.words), (row.effect, 1), "{}", row.name);
        }
    }
}

/// An argument that makes sense for a kept row, so that clang can be asked; none when only some targets have it.
fn example(row: &verify_wrapper::options::Row) -> Option<String> {
    let name = row.name;
    let joined = |value: &str| Some(format!("{name}{value}"));
    let separate = |value: &str| Some(format!("{name} {value}"));
    match name {
        // Other targets' options.
        "-mfpu="
        | "-mfloat-abi="
        | "-mhard-float"
        | "-mthumb"
        | "-marm"
        | "-mbig-endian"
        | "-mlittle-endian"
        | "-mmacosx-version-min="
        | "-mmacos-version-min="
        | "-iframework"
        | "-F"
        | "-arch"
        | "-mcpu="
        | "-mcrc" => None,
        "-std=" | "--std=" => joined("c11"),
        "--std" => separate("c11"),
        "-O" => joined("2"),
        "--optimize=" => joined("2"),
        "-march=" => joined("x86-64-v2"),
        "-mcmodel=" => joined("small"),
        "-masm=" => joined("intel"),
        "-mregparm=" => joined("3"),
        "-mlong-double-" => joined("64"),
        "-msse" => joined("4.1"),
        "-mavx" => joined("2"),
        "-mfma" | "-mbmi" | "-msha" | "-mxsave" | "-fbuiltin" | "-flax-vector-conversions" => joined(""),
        "-mamx-" => joined("int8"),
        "-fvisibility=" => joined("hidden"),
        "-fvisibility-" => joined("inlines-hidden"),
        "-faligned-" => joined("allocation"),
        "-fstrict-flex-arrays" => joined("=3"),
        "-fpack-struct=" => joined("4"),
        "-fmax-type-align=" => joined("16"),
        "-ffp-contract=" => joined("off"),
        "-ffp-model=" => joined("strict"),
        "-fexcess-precision=" => joined("standard"),
        "-ffp-" => joined("exception-behavior=ignore"),
        "-fmacro-prefix-map=" => joined("a=b"),
        "-stdlib=" => joined("libc++"),
        "--target=" => joined("x86_64-linux-gnu"),
        "-target" => separate("x86_64-linux-gnu"),
        "--gcc-toolchain=" | "--sysroot=" => joined("/"),
        "--gcc-install-dir=" => None,
        "--sysroot" | "-isysroot" => separate("/"),
        "-include" | "--include" | "-imacros" | "--imacros" => separate("/dev/null"),
        "--include=" | "--imacros=" => joined("/dev/null"),
        _ => match row.shape {
            Shape::Flag => joined(""),
            Shape::Joined => joined("X"),
            Shape::Separate | Shape::Either => separate("X"),
        },
    }
}

/// What the table says clang understands, clang 19 does understand.
#[test]
fn kept_rows_are_accepted_by_clang() {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("a.c");
    std::fs::write(&source, "int a;\n").unwrap();
    let clang = ["clang-19", "/usr/lib/llvm-19/bin/clang"];
    let clang = clang.iter().find(|c| Command::new(c).arg("--version").stdout(Stdio::null()).status().is_ok());
    let Some(clang) = clang else { panic!("clang 19 is needed for this test") };
    let kept = TABLE.iter().filter(|r| r.effect == Effect::Keep);
    let options: Vec<String> = kept.filter_map(example).collect();
    let said = |options: &[String]| {
        let output = Command::new(clang)
            .args(verify_wrapper::common_options())
            .args(options.iter().flat_map(|o| o.split(' ')))
            .args(["-fsyntax-only", "-x", "c"])
            .arg(&source)
            .output()
            .unwrap();
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let mut refused = Vec::new();
    for some in options.chunks(8) {
        // Several at once may contradict each other; then each is asked alone.
        if said(some).is_some() {
            let alone = |o: &String| said(std::slice::from_ref(o)).map(|text| format!("{o}: {text}"));
            refused.extend(some.iter().filter_map(alone));
        }
    }
    let asked = options.len();
    assert!(refused.is_empty(), "{}", refused.concat());
    assert!(asked > 100);
}

#[test]
fn options_that_keep_their_meaning() {
    for kept in [
        "-DNDEBUG",
        "-D X=1",
        "-UX",
        "-m32",
        "-fshort-enums",
        "-funsigned-char",
        "-fwrapv",
        "-fno-strict-overflow",
        "-fno-delete-null-pointer-checks",
        "-ffreestanding",
        "-fno-builtin",
        "-fno-builtin-printf",
        "-std=gnu89",
        "-isystem dir",
        "-include x.h",
        "-iquote dir",
        "-fvisibility=hidden",
        "-fno-common",
        "-fpack-struct=2",
        "-O2",
        "-Os",
        "-O",
        "-mno-sse",
        "-mavx512f",
        "-fPIC",
        "-fno-pie",
        "-ansi",
        "-trigraphs",
        "-idirafter d",
        "-fms-extensions",
        "-ffast-math",
        "-fno-math-errno",
        "-fgnu89-inline",
        "--sysroot=/x",
        "-pthread",
        "-fno-exceptions",
        "-mlong-double-64",
        "-ftrapv",
        "-I dir",
        "-Idir",
        "-nostdinc",
        "-march=native",
    ] {
        check_clang(&format!("-c {kept} a.c"), kept);
    }
}

#[test]
fn options_that_clang_must_not_see() {
    for dropped in [
        "-MD",
        "-MMD",
        "-MF x.d",
        "-MFx.d",
        "-MT x",
        "-MP",
        "-Wall",
        "-Werror=format",
        "-Wno-unused",
        "-g3",
        "-gdwarf-4",
        "-pipe",
        "-flto=auto",
        "-fno-tree-pre",
        "-fipa-pta",
        "-fstack-protector-strong",
        "-fcf-protection=full",
        "--param max-inline-insns-single=1",
        "--param=x=1",
        "-fprofile-arcs",
        "--coverage",
        "-save-temps=obj",
        "-fdiagnostics-color=always",
        "-mtune=native",
        "-mno-red-zone",
        "-Wa,--noexecstack",
        "-B dir",
        "-Bdir/",
        "-fno-omit-frame-pointer",
        "-fdata-sections",
        "-v",
        "-aux-info x",
        "-dumpbase x",
        "-dA",
        "-pedantic-errors",
        "-D_FORTIFY_SOURCE=2",
        "-fdebug-prefix-map=a=b",
        "-Wp,-MD,x.d",
        "-frandom-seed=1",
        "-fno-sanitize=all",
        "-fno-plt",
        "-mindirect-branch=thunk",
        "-time",
        "-Q",
        "-fopt-info-vec",
    ] {
        check_clang(&format!("-c {dropped} a.c"), "");
        check_change(&format!("-c {dropped} a.c"), dropped, Weight::Harmless);
    }
    for dropped in [
        "-fsanitize=address",
        "-fopenmp",
        "-fsingle-precision-constant",
        "-funsigned-bitfields",
        "-fplugin=x.so",
        "-specs=x",
        "-m96bit-long-double",
        "-mfpmath=387",
        "-fsso-struct=big-endian",
        "-traditional-cpp",
        "-I-",
        "-fexec-charset=latin1",
        "-fno-such-option",
        "-mno-such-option",
        "-ftrivial-auto-var-init=zero",
        "-mabi=ms",
        "-Xclang -load",
        "--unknown-option",
    ] {
        check_clang(&format!("-c {dropped} a.c"), "");
        check_change(&format!("-c {dropped} a.c"), dropped, Weight::Semantic);
    }
}

#[test]
fn options_that_clang_gets_in_another_form() {
    check_clang("-c -ffile-prefix-map=/a=/b a.c", "-fmacro-prefix-map=/a=/b");
    check_clang("-c -Wp,-DX=1,-I,dir,-MD,x.d a.c", "-DX=1 -I dir");
    check_clang("-c -Xpreprocessor -DX a.c", "-DX");
    check_clang("-c -Wp,-D_FORTIFY_SOURCE=2 a.c", "");
    check_clang("-c -fexec-charset=UTF-8 a.c", "");
    check_change("-c -fexec-charset=UTF-8 a.c", "-fexec-charset=UTF-8", Weight::Harmless);
    check_clang("-c -mfpmath=sse a.c", "-mfpmath=sse");
    check_clang("-c -Xclang -fno-x a.c", "-Xclang -fno-x");
    assert!(TABLE.iter().any(|r| r.effect == Effect::Rewrite(Rewrite::Define)));
}

#[test]
fn modes() {
    for (text, mode) in [
        ("a.c", Mode::Link),
        ("-c a.c", Mode::Compile),
        ("-S -c a.c", Mode::Assembly),
        ("-c -E a.c", Mode::Preprocess),
        ("-MM a.c", Mode::Preprocess),
        ("-c -MMD a.c", Mode::Compile),
        ("-fsyntax-only a.c", Mode::SyntaxOnly),
        ("-v", Mode::Query),
        ("--version", Mode::Query),
        ("-print-file-name=x", Mode::Query),
        ("-### -c a.c", Mode::Query),
        ("-lm", Mode::Link),
        ("-O2 -o x", Mode::Query),
    ] {
        assert_eq!(parsed(text).mode, mode, "{text}");
    }
    assert!(matches!(parsed("-emit-llvm -c a.c").mode, Mode::Unsupported(_)));
    let modes = TABLE.iter().filter(|r| matches!(r.effect, Effect::Mode(ModeOption::Query))).count();
    assert!(modes > 5);
}

#[test]
fn inputs_outputs_and_languages() {
    let out = parsed("-c a.c -o x.o");
    assert_eq!(out.output, Some(PathBuf::from("x.o")));
    assert_eq!(parsed("-ox.o a.c").output, Some(PathBuf::from("x.o")));
    assert_eq!(parsed("--output=x.o a.c").output, Some(PathBuf::from("x.o")));
    let file =
        |path: &str, language: Option<&str>| Item::File { path: path.into(), language: language.map(String::from) };
    assert_eq!(
        parsed("a.c b.o c.S -x c d -x none e.i f.so g.cpp h - k.a").items,
        [
            file("a.c", Some("c")),
            file("b.o", None),
            file("c.S", Some("assembler-with-cpp")),
            file("d", Some("c")),
            file("e.i", Some("cpp-output")),
            file("f.so", None),
            file("g.cpp", Some("c++")),
            file("h", None),
            file("-", Some("c")),
            file("k.a", None),
        ]
    );
    let cxx = parse(Driver::Cxx, &words("a.c"));
    assert_eq!(cxx.items, [file("a.c", Some("c++"))]);
}

#[test]
fn links() {
    let out = parsed(
        "a.o -Ldir -L dir2 -lx -l y -Wl,--whole-archive,z.a,--no-whole-archive -Wl,-rpath,here -shared -Wl,-soname -Wl,libq.so.1 -u sym",
    );
    let file = |path: &str| Item::File { path: path.into(), language: None };
    assert_eq!(
        out.items,
        [
            file("a.o"),
            Item::Library("x".into()),
            Item::Library("y".into()),
            Item::Whole(true),
            file("z.a"),
            Item::Whole(false),
        ]
    );
    assert_eq!(out.library_dirs, [Path::new("dir"), Path::new("dir2")]);
    assert_eq!(out.product, Product::Shared);
    assert_eq!(out.roots, ["sym"]);
    let out = parsed("a.o -Xlinker --start-group -Xlinker x.a -Xlinker --end-group -r -nostdlib -Wl,-Bstatic -lq");
    assert_eq!(out.product, Product::Relocatable);
    assert!(out.no_start);
    assert_eq!(
        out.items,
        [file("a.o"), Item::GroupStart, file("x.a"), Item::GroupEnd, Item::Static(true), Item::Library("q".into())]
    );
    assert!(TABLE.iter().any(|r| r.effect == Effect::Link(LinkOption::Ignored)));
}

proptest! {
    /// No words can make the parser fail, and sources are never lost.
    #[test]
    fn any_words_are_parsed(list in proptest::collection::vec("[-a-zA-Z=,.@ ]{0,12}", 0..20)) {
        let args: Vec<OsString> = list.iter().map(OsString::from).collect();
        let _ = parse(Driver::C, &args);
        let mut with = args.clone();
        with.insert(0, "first.c".into());
        let out = parse(Driver::C, &with);
        prop_assert_eq!(out.sources().next().map(|s| s.1.to_path_buf()), Some(PathBuf::from("first.c")));
    }
}
