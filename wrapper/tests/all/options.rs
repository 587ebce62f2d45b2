//! The option table: its own consistency, each group of rows against clang 19, and the look-up rules.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use verify_compile_db::Effect as Weight;
use verify_wrapper::argv::{Driver, Invocation, Item, Mode, Product, parse};
use verify_wrapper::options::{CLANG, Effect, Family, GCC, LinkOption, ModeOption, Rewrite, Row, SHARED, Shape, find};

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

fn parsed(text: &str) -> Invocation {
    parse(Driver::C, Family::Gcc, &words(text))
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

const FAMILIES: [Family; 2] = [Family::Gcc, Family::Clang];

fn table(family: Family) -> impl Iterator<Item = &'static Row> {
    SHARED.iter().chain(family.own())
}

#[test]
fn spellings_are_unique_options() {
    for family in FAMILIES {
        let mut seen = BTreeMap::new();
        for row in table(family) {
            assert!(row.name.starts_with('-') && row.name.len() > 1 && row.name.len() <= 64, "{}", row.name);
            assert!(seen.insert(row.name, row.shape).is_none(), "{} twice", row.name);
        }
        assert!(seen.len() > 400);
    }
}

/// Every row answers for its own spelling, takes its arguments as its shape says, and no other row hides it.
#[test]
fn every_row_is_found_by_its_spelling() {
    let next = words("value second third fourth");
    for family in FAMILIES {
        for row in table(family) {
            let joined = format!("{}zzz", row.name);
            let (word, taken, argument) = match row.shape {
                Shape::Flag => (row.name, 1, None),
                Shape::Separate | Shape::Either => (row.name, 2, Some("value")),
                Shape::Two => (row.name, 3, Some("value")),
                Shape::Three => (row.name, 4, Some("value")),
                Shape::Joined => (&*joined, 1, Some("zzz")),
                Shape::Then => (&*joined, 2, Some("zzz")),
            };
            let found = find(family, OsStr::new(word), &next).unwrap_or_else(|| panic!("{} is not found", row.name));
            assert_eq!(found.effect, row.effect, "{}", row.name);
            assert_eq!((found.words, found.value.as_deref()), (taken, argument.map(OsStr::new)), "{}", row.name);
            if row.shape == Shape::Either {
                let found = find(family, OsStr::new(&joined), &next).unwrap();
                assert_eq!((found.effect, found.words), (row.effect, 1), "{}", row.name);
            }
            let reason = match row.effect {
                Effect::Harmless(why) | Effect::Semantic(why) => why,
                Effect::Mode(ModeOption::Unsupported(why)) => why,
                _ => "needs none",
            };
            assert!(!reason.is_empty(), "{}", row.name);
        }
    }
}

/// What a compiler prints about its options, one spelling to a line, up to where an argument starts.
fn listed(program: &str, args: &[&str]) -> Option<Vec<(String, bool, bool)>> {
    let output = Command::new(program).args(args).env("LC_ALL", "C").env("COLUMNS", "1000").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let one = |line: &str| {
        let line = line.strip_prefix("  ").filter(|l| l.starts_with('-'))?;
        let mut parts = line.split(' ');
        let word = parts.next()?;
        let end = word.find(['<', '[']).unwrap_or(word.len());
        let separate = end == word.len() && parts.next().is_some_and(|w| w.starts_with('<'));
        Some((word[..end].trim_end_matches(',').to_string(), separate, end < word.len()))
    };
    Some(text.lines().filter_map(one).filter(|(name, ..)| name.len() > 1).collect())
}

/// gcc's driver takes no argument, or none in the next word, where its compiler proper does.
const DRIVER_FLAGS: &[&str] = &["-MD", "-MMD", "--write-dependencies", "--write-user-dependencies", "--output-pch="];

/// Every option that the gcc of this machine lists is in its table, with the shape that gcc says it has.
#[test]
fn every_option_that_gcc_lists_has_its_shape() {
    let names = |class: &str| -> Vec<String> {
        let arg = format!("--help={class}");
        let listed = listed("gcc", &[&arg]).expect("gcc is needed for this test");
        listed.into_iter().map(|(name, ..)| name).filter(|n| !DRIVER_FLAGS.contains(&n.as_str())).collect()
    };
    let separate = names("separate");
    let joined = names("joined");
    let mut wrong = Vec::new();
    let mut asked = 0;
    let next = words("value");
    for class in ["common", "optimizers", "target", "c", "warnings", "params", "undocumented"] {
        for name in names(class) {
            asked += 1;
            let found = find(Family::Gcc, OsStr::new(&name), &next);
            let takes = found.as_ref().map(|f| f.words);
            // `--param=…` is listed with its parameter's name.
            let wanted = 1 + usize::from(separate.contains(&name));
            if takes != Some(wanted) {
                wrong.push(format!("{name}: takes {takes:?} words, not {wanted}"));
            }
        }
    }
    for name in &joined {
        let found = find(Family::Gcc, OsStr::new(&format!("{name}1")), &next);
        if found.as_ref().map(|f| f.words) != Some(1) {
            wrong.push(format!("{name}1: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 1000 && separate.len() > 30 && joined.len() > 200);
}

/// The same for clang 19.
#[test]
fn every_option_that_clang_lists_has_its_shape() {
    let clang = ["clang-19", "/usr/lib/llvm-19/bin/clang"];
    let listed = clang.iter().find_map(|c| listed(c, &["--help-hidden"])).expect("clang 19 is needed for this test");
    let next = words("value");
    let mut wrong = Vec::new();
    for (name, separate, joined) in &listed {
        let word = if *joined { format!("{name}1") } else { name.clone() };
        let takes = find(Family::Clang, OsStr::new(&word), &next).map(|f| f.words);
        // `-Xopenmp-target=TARGET OPTION` takes both.
        let both = word.starts_with("-Xopenmp-target=") || listed.iter().any(|(n, s, _)| n == name && s != separate);
        if takes != Some(1 + usize::from(*separate)) && !(both && takes.is_some()) {
            wrong.push(format!("{word}: takes {takes:?} words"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(listed.len() > 800, "{}", listed.len());
}

/// An argument that makes sense for a kept row, so that clang can be asked; none when only some targets have it.
fn example(row: &Row) -> Option<String> {
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
            Shape::Then => separate("X Y"),
            Shape::Two => separate("X Y"),
            Shape::Three => separate("X Y Z"),
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
    let kept = SHARED.iter().chain(GCC).chain(CLANG).filter(|r| r.effect == Effect::Keep);
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
            let alone = |o: &String| {
                // Options of other targets are known all the same; and not every row of clang's own has an example.
                let known = |text: &String| {
                    let own = CLANG.iter().any(|r| o.starts_with(r.name));
                    text.contains("' for target '") || own && !text.contains("unknown argument")
                };
                let text = said(std::slice::from_ref(o)).filter(|t| !known(t))?;
                Some(format!("{o}: {text}"))
            };
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
        "-fsso-struct=little-endian",
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
    assert!(SHARED.iter().chain(GCC).chain(CLANG).any(|r| r.effect == Effect::Rewrite(Rewrite::Define)));
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
    let clang = parse(Driver::C, Family::Clang, &words("-emit-llvm -c a.c"));
    assert!(matches!(clang.mode, Mode::Unsupported(_)));
    // For gcc the same word names an entry point.
    assert_eq!(parsed("-emit-llvm -c a.c").mode, Mode::Compile);
    let modes =
        SHARED.iter().chain(GCC).chain(CLANG).filter(|r| matches!(r.effect, Effect::Mode(ModeOption::Query))).count();
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
    let cxx = parse(Driver::Cxx, Family::Gcc, &words("a.c"));
    assert_eq!(cxx.items, [file("a.c", Some("c++"))]);
}

#[test]
fn beginnings_of_long_options() {
    check_clang("-c --define X=1 --undef Y a.c", "--define-macro X=1 --undefine-macro Y");
    assert_eq!(parsed("--compil a.c").mode, Mode::Compile);
    assert_eq!(parsed("--langua c d").sources().count(), 1);
    // clang has none.
    assert_eq!(parse(Driver::C, Family::Clang, &words("--compil a.c")).mode, Mode::Link);
}

#[test]
fn words_for_the_linker() {
    let file = |path: &str| Item::File { path: path.into(), language: None };
    let library = |name: &str| Item::Library(name.into());
    let check = |text: &str, items: &[Item]| assert_eq!(parsed(text).items, items, "{text}");
    check(
        "a.o -Wl,--push-state,-Bstatic,--whole-archive -lx -Wl,--pop-state -ly",
        &[file("a.o"), Item::Push, Item::Static(true), Item::Whole(true), library("x"), Item::Pop, library("y")],
    );
    check("-Wl,-Ttext-segment,0x1000,--require-defined,f,--dependency-file,x.d,-y,s b.o", &[file("b.o")]);
    check("-Wl,-soname,x,-rpath=y,-z,now,-znow,-T,s.ld,-Tq.ld,--defsym,a=1,-Map,m b.o", &[file("b.o")]);
    check("-Wl,--library=x,-library,y,-lz,-l,w", &["x", "y", "z", "w"].map(library));
    let roots = |text: &str| parsed(text).roots;
    assert_eq!(roots("-Wl,-u,a,-ub,--undefined=c,-undefined,d,--require-defined=e,-e,f,--entry=g a.o").len(), 7);
    assert_eq!(parsed("-Wl,-i a.o").product, Product::Relocatable);
    assert_eq!(parsed("-Wl,-Bshareable a.o").product, Product::Shared);
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("list"), "x.o 'y z.o' -lq").unwrap();
    let out = Invocation::parse(Driver::C, Family::Gcc, &words("a.o -Wl,@list"), dir.path()).unwrap();
    assert_eq!(out.items, [file("a.o"), file("x.o"), file("y z.o"), library("q")]);
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
    assert!(SHARED.iter().chain(GCC).chain(CLANG).any(|r| r.effect == Effect::Link(LinkOption::Ignored)));
}

proptest! {
    /// No words can make the parser fail, and sources are never lost.
    #[test]
    fn any_words_are_parsed(list in proptest::collection::vec("[-a-zA-Z=,.@ ]{0,12}", 0..20)) {
        let args: Vec<OsString> = list.iter().map(OsString::from).collect();
        let _ = parse(Driver::C, Family::Clang, &args);
        let mut with = args.clone();
        with.insert(0, "first.c".into());
        let out = parse(Driver::C, Family::Gcc, &with);
        prop_assert_eq!(out.sources().next().map(|s| s.1.to_path_buf()), Some(PathBuf::from("first.c")));
    }
}

#[test]
fn text_that_is_preprocessed_whatever_its_name() {
    let languages = |family, text: &str| -> Vec<String> {
        parse(Driver::C, family, &words(text)).sources().map(|(_, _, language)| language.to_string()).collect()
    };
    let text = "-fpreprocessed -c a.c b.i c.cc d.s";
    assert_eq!(languages(Family::Gcc, text), ["cpp-output", "cpp-output", "c++-cpp-output", "assembler"]);
    assert_eq!(languages(Family::Clang, text), ["c", "cpp-output", "c++", "assembler"]);
    assert_eq!(parsed(text).mode, Mode::Compile);
    // What makes no code is nothing that could be captured.
    assert_eq!(parsed("-fpreprocessed -E a.c").mode, Mode::Preprocess);
    assert_eq!(parsed("-E -fdirectives-only a.c").mode, Mode::Preprocess);
}
