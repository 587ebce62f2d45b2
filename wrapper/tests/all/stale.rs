//! Units that a change makes stale, by whatever way clang came to the text: what the cache gives after the change must
//! be what an empty cache gives.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::{self, CC, Lab};
use verify_compile_db::{Hash, Ledger, Outcome};

const USE: &str = "int f(void) { return V; }\n";

/// Whether it came from the cache, and the unit.
fn build(lab: &Lab, cache: &Path, command: &str, env: &[(&str, &str)]) -> (bool, Hash) {
    let mut cc = lab.command(CC);
    cc.args(command.split_whitespace()).arg("-c").arg("a.c").env("VERIFY_CACHE", cache).envs(env.iter().copied());
    let output = cc.output().unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
    let compile = Ledger::open(cache).read().unwrap().records.pop().unwrap().compiles.remove(0);
    (matches!(compile.outcome, Outcome::Captured { cached: true }), compile.unit.unwrap())
}

struct Case<'a> {
    command: &'a str,
    files: &'a [(&'a str, &'a str)],
    env: &'a [(&'a str, &'a str)],
    /// A file that is written then.
    new: (&'a str, &'a str),
}

fn check(case: &Case) {
    let lab = Lab::new();
    for (name, text) in case.files {
        lab.write(name, text);
    }
    // So that times of files tell.
    std::thread::sleep(Duration::from_millis(60));
    let fresh = lab.temp.path().join("fresh");
    let (_, first) = build(&lab, &lab.cache, case.command, case.env);
    build(&lab, &lab.cache, case.command, case.env);
    lab.write(case.new.0, case.new.1);
    let (cached, unit) = build(&lab, &lab.cache, case.command, case.env);
    let (_, wanted) = build(&lab, &fresh, case.command, case.env);
    assert_eq!(unit, wanted, "{} {:?} {}", case.command, case.files, case.new.0);
    assert!(!cached && unit != first, "{} {:?}: the change must matter", case.command, case.files);
}

#[test]
fn folders_of_the_search_path_that_come_later() {
    let files = &[("a.c", "#include <x.h>\nint f(void) { return V; }\n"), ("inc/x.h", "#define V 1\n")];
    let new = ("gen/x.h", "#define V 2\n");
    for command in [
        "-Igen -Iinc",
        "-isystem gen -isystem inc",
        "-idirafter gen -idirafter inc",
        "-Wp,-I,gen -Iinc",
        "--include-directory=gen -Iinc",
    ] {
        check(&Case { command, files, env: &[], new });
    }
    check(&Case { command: "", files, env: &[("CPATH", "gen:inc")], new });
    let quoted = &[("a.c", "#include \"x.h\"\nint f(void) { return V; }\n"), ("inc/x.h", "#define V 1\n")];
    check(&Case { command: "-iquote gen -iquote inc", files: quoted, env: &[], new });
    let files = &[("a.c", "#include <x.h>\nint f(void) { return V; }\n"), ("sys/usr/include/x.h", "#define V 1\n")];
    let new = ("sys/usr/local/include/x.h", "#define V 2\n");
    check(&Case { command: "--sysroot=sys", files, env: &[], new });
}

#[test]
fn headers_that_the_command_names() {
    let files = &[("a.c", USE), ("inc/x.h", "#define V 1\n"), ("q/y.h", "")];
    for option in ["-include x.h", "-includex.h", "--include=x.h", "-imacros x.h", "-Wp,-include,x.h"] {
        let command = &format!("{option} -iquote q -Iinc");
        check(&Case { command, files, env: &[], new: ("x.h", "#define V 2\n") });
        check(&Case { command, files, env: &[], new: ("q/x.h", "#define V 2\n") });
    }
    let asks = "#if HAS\n#define V 2\n#else\n#define V 1\n#endif\nint f(void) { return V; }\n";
    let files = &[("a.c", asks)];
    check(&Case { command: "-DHAS=__has_include(\"x.h\")", files, env: &[], new: ("x.h", "") });
    let files = &[("a.c", &*asks.replace("HAS", "HAS(\"x.h\")"))];
    check(&Case { command: "-DHAS=__has_include", files, env: &[], new: ("x.h", "") });
    let files = &[("a.c", "#include HEADER\nint f(void) { return V; }\n"), ("inc/x.h", "#define V 1\n")];
    check(&Case { command: "-DHEADER=\"x.h\" -Iinc", files, env: &[], new: ("x.h", "#define V 2\n") });
}

#[test]
fn headers_that_a_macro_names() {
    let user = "#include \"x.h\"\n#ifdef USER_H\n#include USER_H\n#endif\nint f(void) { return V; }\n";
    let files = &[("a.c", user), ("x.h", "#define USER_H \"y.h\"\n"), ("inc/y.h", "#define V 1\n")];
    check(&Case { command: "-Iinc", files, env: &[], new: ("y.h", "#define V 2\n") });
    let files = &[("a.c", user), ("m.h", "#define USER_H \"y.h\"\n"), ("x.h", ""), ("inc/y.h", "#define V 1\n")];
    check(&Case { command: "-imacros m.h -Iinc", files, env: &[], new: ("y.h", "#define V 2\n") });
    let command = "-DUSER_H=<y.h> -Iinc";
    check(&Case {
        command,
        files: &[("a.c", user), ("x.h", ""), ("inc/y.h", "#define V 1\n")],
        env: &[],
        new: ("x.h", "#define V 2\n"),
    });
    // Where nothing defines it, the files alone decide.
    let lab = Lab::new();
    lab.write("a.c", user);
    lab.write("x.h", "#define V 1\n");
    std::thread::sleep(Duration::from_millis(60));
    let (_, first) = build(&lab, &lab.cache, "", &[]);
    let manifests = common::files(&lab.cache.join("v1/last.keyed"));
    let text = fs::read(&manifests[0]).unwrap();
    assert!(String::from_utf8_lossy(&text).contains("\"blind\":null"));
    assert_eq!(build(&lab, &lab.cache, "", &[]), (true, first));
}

#[test]
fn an_empty_device_never_changes() {
    let lab = Lab::new();
    lab.write("a.c", "int f(void) { return 1; }\n");
    std::thread::sleep(Duration::from_millis(60));
    let (_, first) = build(&lab, &lab.cache, "-include /dev/null", &[]);
    assert_eq!(build(&lab, &lab.cache, "-include /dev/null", &[]), (true, first));
}

#[test]
fn texts_of_every_system() {
    let new = ("x.h", "#define V 2\n");
    for start in [
        "\u{feff}#include \"x.h\"\n",
        "#define A\r#include \"x.h\"\r",
        "\u{b}#include \"x.h\"\n",
        "#\u{b}include\u{b}\"x.h\"\n",
        "#inc\\ \nlude \"x.h\"\n",
    ] {
        let text = format!("{start}{USE}");
        let files = &[("a.c", &*text), ("inc/x.h", "#define V 1\n")];
        check(&Case { command: "-Iinc", files, env: &[], new });
    }
    let asks = "#if H\n#define V 2\n#else\n#define V 1\n#endif\nint f(void) { return V; }\n";
    for start in ["#define H \\ \n __has_include(\"x.h\")\n", "#define has __has_include\n#define H has(\"x.h\")\n"] {
        let text = format!("{start}{asks}");
        check(&Case { command: "", files: &[("a.c", &*text)], env: &[], new: ("x.h", "") });
    }
    // Asked for in the folder of the file that uses the macro.
    let text = format!("#include \"h.h\"\n{asks}");
    let files = &[("a.c", &*text), ("inc/h.h", "#define H __has_include(\"x.h\")\n")];
    check(&Case { command: "-Iinc", files, env: &[], new: ("x.h", "") });
}

#[test]
fn a_source_on_standard_input() {
    let lab = Lab::new();
    lab.write("inc/x.h", "#define V 1\n");
    lab.write("source", format!("#include \"x.h\"\n{USE}"));
    let build = |cache: &Path| {
        let input = fs::File::open(lab.dir.join("source")).unwrap();
        let mut cc = lab.command(CC);
        cc.args(["-Iinc", "-x", "c", "-c", "-", "-o", "a.o"]).env("VERIFY_CACHE", cache).stdin(input);
        assert!(cc.status().unwrap().success());
        Ledger::open(cache).read().unwrap().records.pop().unwrap().compiles.remove(0).unit.unwrap()
    };
    let first = build(&lab.cache);
    lab.write("x.h", "#define V 2\n");
    let second = build(&lab.cache);
    assert_ne!(first, second);
    assert_eq!(second, build(&lab.temp.path().join("fresh")));
}

#[test]
fn a_compiler_that_gets_another_search_path() {
    // The answer to what the compiler searches is kept; it must not outlive the folders, nor be another project's.
    let lab = Lab::new();
    for (project, value) in [("one", 1), ("two", 2)] {
        lab.write(format!("{project}/a.c"), format!("#include <x.h>\n{USE}"));
        lab.write(format!("{project}/sys/usr/include/x.h"), format!("#define V {value}\n"));
    }
    let build = |project: &str, cache: &Path| {
        let mut cc = lab.command(CC);
        cc.args(["--sysroot=sys", "-c", "a.c"]).current_dir(lab.dir.join(project)).env("VERIFY_CACHE", cache);
        assert!(cc.status().unwrap().success());
        Ledger::open(cache).read().unwrap().records.pop().unwrap().compiles.remove(0).unit.unwrap()
    };
    build("one", &lab.cache);
    assert_eq!(build("two", &lab.cache), build("two", &lab.temp.path().join("fresh")));
    lab.write("two/sys/usr/local/include/x.h", "#define V 3\n");
    assert_eq!(build("two", &lab.cache), build("two", &lab.temp.path().join("fresher")));
}

#[test]
fn a_header_that_comes_while_clang_runs() {
    let lab = Lab::new();
    lab.write("a.c", format!("#include <x.h>\n{USE}"));
    lab.write("inc/x.h", "#define V 1\n");
    fs::create_dir(lab.dir.join("gen")).unwrap();
    std::thread::sleep(Duration::from_millis(60));
    // When clang has read everything, another process of the build writes the header that comes first.
    let clang = lab.temp.path().join("clang");
    let text = "#!/bin/sh\nclang-19 \"$@\" || exec /usr/lib/llvm-19/bin/clang \"$@\"\n\
                case \"$*\" in *-emit-llvm*) echo '#define V 2' > gen/x.h;; esac\n";
    common::script(&clang, text);
    let env = [("VERIFY_CLANG", clang.to_str().unwrap())];
    let (_, first) = build(&lab, &lab.cache, "-Igen -Iinc", &env);
    let (_, second) = build(&lab, &lab.cache, "-Igen -Iinc", &env);
    assert_ne!(first, second);
}
