//! That no unit is lost, and that the ledger says what became of each: classes and totals, killed wrappers, launchers
//! that call no compiler, compilers called past the wrapper, objects changed after they were made.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{CC, Lab, captured, script, sources, target};
use verify_compile_db::coverage::{self, Coverage, Fate};
use verify_compile_db::ledger::Contents;
use verify_compile_db::project::{self, UnitUse};
use verify_compile_db::{Ledger, Outcome};
use verify_wrapper::capture;

fn contents(lab: &Lab) -> Contents {
    let mut contents = Ledger::open(&lab.cache).read().unwrap();
    contents.outdate(|record, index, by| capture::text_changed(&lab.store(), record, index, by));
    contents
}

fn check(lab: &Lab, look: impl Fn(&Coverage)) {
    let contents = contents(lab);
    look(&coverage::of(&contents, &lab.project()));
}

/// The path with a folder in which the wrapper stands under these names.
fn masquerade(lab: &Lab, names: &[&str]) -> OsString {
    let bin = lab.temp.path().join("masquerade");
    fs::create_dir_all(&bin).unwrap();
    for name in names {
        std::os::unix::fs::symlink(CC, bin.join(name)).unwrap();
    }
    let mut path = bin.into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    path
}

#[test]
fn every_invocation_has_a_class_and_every_unit_is_counted_once() {
    let lab = Lab::new();
    lab.write("a.c", "int a(void) { return 1; }\n\n");
    lab.write("b.c", "int main(void) { return 0; }\n");
    lab.write("nest.c", "int n(int a) { int g(int b) { return a + b; } return g(1); }\n");
    lab.write("x.cc", "int x;\n");
    lab.write("s.S", ".globl s\ns: ret\n");
    lab.write("bad.c", "int;;(\n");
    lab.write("conftest.c", "int main(void) { return 0; }\n");
    for args in [
        "-c a.c",
        "-c a.c",
        "-c nest.c",
        "-c x.cc",
        "-c s.S",
        "-c b.c",
        "-E a.c -o a.i",
        "b.o a.o -o prog",
        "--version",
        "conftest.c -o conftest",
    ] {
        assert!(lab.cc(args).status.success(), "{args}");
    }
    assert!(!lab.cc("-c bad.c").status.success());
    check(&lab, |c| {
        let t = &c.totals;
        assert_eq!((t.invocations, t.probes, t.links, t.assembler), (11, 1, 1, 1), "{t:?}");
        assert_eq!((t.units, t.captured, t.missed, t.cached), (4, 2, 2, 1), "{t:?}");
        assert_eq!((t.failed, t.unsupported, t.strangers), (1, 1, 0), "{t:?}");
        assert_eq!((t.lines, t.captured_lines), (5, 3), "{t:?}");
        let fates: Vec<Fate> = c.rows.iter().map(|r| r.fate).collect();
        use Fate::*;
        let wanted =
            [Captured, Cached, Failed, Unsupported, Assembler, Captured, PreprocessOnly, Link, Query, Probe, Failed];
        assert_eq!(fates, wanted);
        let failed = &c.rows[2];
        assert!(failed.reason.as_deref().unwrap().contains("error:"), "{failed:?}");
        assert!(failed.advice.as_deref().unwrap().contains("replay.sh"), "{failed:?}");
        assert!(c.rows[10].reason.as_deref().unwrap().contains("exit status 1"));
    });
}

#[test]
fn a_failure_can_be_seen_again_with_one_command() {
    let lab = Lab::new();
    lab.write("h.h", "#define A a\n");
    lab.write("nest.c", "#include \"h.h\"\nint n(int A) { int g(int b) { return A + b; } return g(1); }\n");
    lab.cc_ok("-c nest.c");
    let folder = lab.record().compiles[0].replay.clone().unwrap();
    let replay = |arg: &[&str]| {
        let output = Command::new("sh").arg(folder.join("replay.sh")).args(arg).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let wanted = fs::read_to_string(folder.join("message")).unwrap();
    assert!(wanted.contains("function definition is not allowed here"));
    assert_eq!(replay(&[]), (false, wanted.clone()));
    // Without the build's folder: the preprocessed text tells the same.
    fs::remove_dir_all(&lab.dir).unwrap();
    assert!(replay(&[]).1.contains("function definition is not allowed here"));
}

#[test]
fn what_killed_wrappers_left_undone_is_done_by_the_link() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    lab.write("b.c", "int main(void) { return 0; }\n");
    let good = fs::read_to_string(&lab.lower).unwrap();
    // The wrapper dies while it captures; the object is there, and make is content.
    script(&lab.lower, "#!/bin/sh\nkill -9 $PPID\n");
    assert!(!lab.cc("-c a.c").status.success());
    assert!(lab.dir.join("a.o").exists() && lab.records().is_empty());
    script(&lab.lower, &good);
    lab.cc_ok("-c b.c");
    lab.cc_ok("a.o b.o -o prog");
    assert_eq!(sources(target(&lab.project(), "prog")), ["a.c", "b.c"]);
    check(&lab, |c| {
        assert_eq!((c.totals.units, c.totals.captured), (2, 2));
        let row = c.rows.iter().find(|r| r.record.compiles.iter().any(|c| c.source.ends_with("a.c"))).unwrap();
        assert!(row.record.note.as_deref().unwrap().contains("killed"), "{row:?}");
    });
    let notes =
        || fs::read_dir(lab.cache.join("ledger/pending")).unwrap().map(|e| fs::read(e.unwrap().path()).unwrap());
    assert!(notes().all(|note| !note.starts_with(b"{")));
    // Their files are used again.
    let (files, long) = (notes().count(), "x".repeat(9000));
    lab.cc_ok(&format!("-c a.c -DLONG={long}"));
    lab.cc_ok("-c a.c");
    assert_eq!(notes().count(), files);
}

#[test]
fn a_compiler_that_outlives_its_wrapper_is_waited_for() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    lab.write("b.c", "int main(void) { return 0; }\n");
    let slow = lab.temp.path().join("slow");
    script(&slow, "#!/bin/sh\n: > started\nsleep 1\ngcc \"$@\"\n: > ended\n");
    let mut wrapper = lab.command(CC).env("VERIFY_REAL_CC", &slow).args(["-c", "a.c"]).spawn().unwrap();
    let wait = |name: &str| {
        while !lab.dir.join(name).exists() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    wait("started");
    wrapper.kill().unwrap();
    wrapper.wait().unwrap();
    // Nothing is known yet of how it will end.
    lab.cc_ok("b.c -o other");
    assert_eq!(lab.records().len(), 1);
    wait("ended");
    // The script itself is about to end.
    std::thread::sleep(std::time::Duration::from_millis(100));
    lab.cc_ok("-shared a.o -o a.so");
    assert_eq!(sources(target(&lab.project(), "a.so")), ["a.c"]);
}

#[test]
fn compilers_called_past_the_wrapper_are_seen() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    lab.write("b.c", "int main(void) { return 0; }\n");
    lab.write("c.c", "int c;\n");
    lab.run("gcc", "-c a.c");
    lab.run("gcc", "-c c.c");
    // Not of this build: it came with the sources.
    lab.run("gcc", "-c c.c -o testdata");
    lab.cc_ok("-c b.c");
    lab.cc_ok("a.o b.o -o prog");
    check(&lab, |c| {
        assert_eq!((c.totals.units, c.totals.captured, c.totals.strangers), (3, 1, 2), "{:?}", c.strangers);
        assert!(c.strangers.iter().any(|s| s.object.ends_with("a.o") && s.target.is_some()), "{:?}", c.strangers);
        assert!(c.strangers.iter().any(|s| s.object.ends_with("c.o") && s.target.is_none()), "{:?}", c.strangers);
    });
    lab.write("d.c", "int d(void) { return 4; }\n");
    lab.run("gcc", "-c d.c -o late");
    check(&lab, |c| assert!(c.strangers.iter().any(|s| s.object.ends_with("late")), "{:?}", c.strangers));
}

#[test]
fn objects_made_again_past_the_wrapper_are_outdated() {
    let lab = Lab::new();
    let captured = || {
        let contents = contents(&lab);
        let totals = coverage::of(&contents, &lab.project()).totals;
        (totals.units, totals.captured, totals.outdated)
    };
    lab.write("h.h", "#define H 1\n");
    lab.write("a.c", "#include \"h.h\"\nint a(void) { return H; }\n");
    lab.write("m.c", "int a(void); int main(void) { return a(); }\n");
    lab.cc_ok("-g -c a.c");
    lab.cc_ok("a.o m.c -o prog");
    // The text may go on, and an edited object stays what it is.
    lab.write("h.h", "#define H 2\n");
    lab.run("strip", "-g a.o");
    assert_eq!(captured(), (2, 2, 0));
    lab.run("gcc", "-c a.c");
    assert_eq!(captured(), (2, 1, 1));
    // An object that is older than the change was not made of it, whatever was done to it.
    lab.cc_ok("-c a.c");
    lab.run("gcc", "-O3 -c a.c");
    std::thread::sleep(std::time::Duration::from_millis(50));
    lab.write("h.h", "#define H 3\n");
    assert_eq!(captured(), (2, 2, 0));
    lab.run("gcc", "-c a.c");
    assert_eq!(captured(), (2, 1, 1));
    lab.write("m.c", "int a(void); int main(void) { return -a(); }\n");
    lab.run("gcc", "-Wl,--build-id a.o m.c -o prog");
    assert_eq!(captured(), (2, 0, 2));
    lab.cc_ok("-c a.c");
    lab.cc_ok("a.o m.c -o prog");
    assert_eq!(captured(), (2, 2, 0));
    // A header that came before the one that was read.
    lab.write("new/k.h", "");
    lab.write("b.c", "#include <h.h>\nint b(void) { return H; }\n");
    lab.cc_ok("-Inew -I. -c b.c");
    assert_eq!(captured(), (3, 3, 0));
    lab.write("new/h.h", "#define H 4\n");
    lab.run("gcc", "-Inew -I. -c b.c");
    assert_eq!(captured(), (3, 2, 1));
    lab.cc_ok("-Inew -I. -c b.c");
    assert_eq!(captured(), (3, 3, 0));
    // Objects made again of the same texts are as good.
    lab.run("gcc", "-O3 -c a.c");
    assert_eq!(captured(), (3, 3, 0));
}

/// A program that was linked again past the wrapper is not taken for the one before.
#[test]
fn programs_made_again_past_the_wrapper_are_not_what_they_were() {
    let lab = Lab::new();
    lab.write("m.c", "int a(void); int main(void) { return a(); }\n");
    let build = |text: &str, cc: &str, ld: &str| {
        lab.write("a.c", text);
        for name in ["a.o", "m.o", "lib.a", "prog", "other"] {
            let _ = fs::remove_file(lab.dir.join(name));
        }
        lab.run(cc, "-c a.c m.c");
        lab.run("ar", "rc lib.a a.o");
        lab.run(ld, "m.o a.o -o prog");
        lab.run(ld, "m.o lib.a -o other");
    };
    let units_of_a = |name: &str| -> Vec<_> {
        let project = project::load(&contents(&lab), &lab.dir);
        let of_a = |u: &&UnitUse| u.source.ends_with("a.c");
        target(&project, name).units.iter().filter(of_a).map(|u| u.unit).collect()
    };
    let all = || ["prog", "other", "lib.a"].map(units_of_a);
    let (one, two, three) =
        ("int a(void) { return 1; }\n", "int a(void) { return 2; }\n", "int a(void) { return 3; }\n");
    build(one, CC, CC);
    build(one, CC, CC);
    let first = units_of_a("prog");
    assert_eq!(first.len(), 1);
    assert_eq!(all(), [first.clone(), first.clone(), first.clone()]);
    // Both builds have made the same, and what they made is no more.
    build(two, "gcc", "gcc");
    assert!(all().iter().all(Vec::is_empty));
    // Only the links are not seen.
    build(three, CC, "gcc");
    let third = units_of_a("lib.a");
    assert!(third.len() == 1 && third != first);
    assert_eq!(all(), [third.clone(), third.clone(), third.clone()]);
    build(one, CC, "gcc");
    assert_eq!(all(), [first.clone(), first.clone(), first]);
}

#[test]
fn what_could_not_be_written_is_made_good_later() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    lab.write("b.c", "int main(void) { return 0; }\n");
    fs::create_dir_all(lab.cache.join("ledger")).unwrap();
    fs::write(lab.cache.join("ledger/v1"), "no room").unwrap();
    lab.cc_ok("-c a.c");
    lab.cc_ok("-c b.c");
    fs::remove_file(lab.cache.join("ledger/v1")).unwrap();
    lab.cc_ok("a.o b.o -o prog");
    assert_eq!(sources(target(&lab.project(), "prog")), ["a.c", "b.c"]);
}

#[test]
fn a_launcher_that_has_the_answer_loses_nothing() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    let real = lab.temp.path().join("real");
    fs::create_dir(&real).unwrap();
    // After the first time the object comes from a store, and no compiler runs.
    let body = "#!/bin/sh\nif [ -f /dev/null ] || [ -f \"$STORE/a.o\" ]; then cp \"$STORE/a.o\" a.o; else \"$@\" && cp a.o \"$STORE/a.o\"; fi\n";
    script(&real.join("ccache"), body);
    let mut path = masquerade(&lab, &["gcc", "cc", "ccache"]);
    path.push(":");
    path.push(&real);
    let path = path.to_string_lossy().replacen(':', &format!(":{}:", real.display()), 1);
    for round in 0..2 {
        let _ = fs::remove_file(lab.dir.join("a.o"));
        let status = lab
            .command("sh")
            .args(["-c", "ccache gcc -std=c11 -c a.c"])
            .env("PATH", &path)
            .env("STORE", lab.temp.path())
            .status();
        assert!(status.unwrap().success(), "{round}");
        let records = lab.records();
        assert_eq!(records.len(), round + 1, "the inner compiler records nothing");
        let record = records.last().unwrap();
        assert!(captured(record), "{record:#?}");
        assert_eq!(record.real, ["ccache", "gcc"]);
        assert!(record.compiles[0].clang.contains(&"-std=c11".into()));
    }
    // Asked about itself, the launcher is only handed on.
    script(&real.join("ccache"), "#!/bin/sh\necho \"$@\"\n");
    let output = lab.command("sh").args(["-c", "ccache -s"]).env("PATH", &path).output().unwrap();
    assert_eq!(output.stdout, b"-s\n");
    assert_eq!(lab.records().len(), 2);
}

#[test]
fn objects_edited_after_they_were_made_are_known_by_what_they_define() {
    let lab = Lab::new();
    lab.write(
        "a.c",
        "int first(void) { return 1; }\nstatic int s(void) { return 2; }\nint second(void) { return s(); }\n",
    );
    lab.write("b.c", "int third(void) { return 3; }\n");
    lab.cc_ok("-g -c a.c -o one.o");
    lab.cc_ok("-g -c b.c -o two.o");
    for (tool, args) in [
        ("objcopy", "--strip-debug one.o stripped.o"),
        ("objcopy", "--add-section .note.x=a.c one.o noted.o"),
        ("strip", "--strip-unneeded one.o -o bare.o"),
    ] {
        lab.run(tool, args);
    }
    fs::remove_file(lab.dir.join("one.o")).unwrap();
    for object in ["stripped.o", "noted.o", "bare.o"] {
        let name = format!("{object}.so");
        lab.cc_ok(&format!("-shared -nostdlib {object} two.o -o {name}"));
        let project = lab.project();
        let t = target(&project, &name);
        assert_eq!(sources(t), ["a.c", "b.c"], "{object}: {t:#?}");
        assert!(t.units[0].note.as_deref().unwrap().contains("defines"), "{:?}", t.units[0].note);
        fs::remove_file(lab.dir.join(&name)).unwrap();
    }
    // Merged by the linker itself, and with other names than it was made with.
    lab.write("c.c", "int fourth(void) { return 4; }\n");
    lab.cc_ok("-c c.c -o three.o");
    lab.run("ld", "-r two.o three.o -o merged.o");
    lab.run("objcopy", "--redefine-sym fourth=fifth three.o renamed.o");
    lab.cc_ok("-shared -nostdlib merged.o stripped.o renamed.o -o all.so");
    let project = lab.project();
    let t = target(&project, "all.so");
    assert_eq!(sources(t), ["b.c", "c.c", "a.c", "c.c"], "{t:#?}");
    assert!(t.missing.is_empty() && t.units[0].note.as_deref().unwrap().contains("names"), "{t:#?}");
    check(&lab, |c| assert_eq!(c.strangers, []));
}

/// As in Rust's libraries, which are archives.
#[test]
fn objects_of_other_languages_are_no_units() {
    let lab = Lab::new();
    lab.write("a.c", "int a(void) { return 1; }\n");
    lab.write("x.s", ".file \"x.4990e10b-cgu.0\"\n.globl x\nx: ret\n");
    lab.write("empty.s", ".section .rmeta,\"e\"\n.byte 1\n");
    lab.cc_ok("-c a.c");
    for name in ["x", "empty"] {
        lab.run("as", &format!("{name}.s -o {name}.o"));
    }
    lab.run("ar", "rcs libx.a a.o x.o empty.o");
    let project = lab.project();
    let t = target(&project, "libx.a");
    let reasons: Vec<_> = t.missing.iter().map(|m| m.reason.as_str()).collect();
    assert_eq!(reasons, [project::NOT_C, project::NOT_C], "{t:#?}");
    check(&lab, |c| assert_eq!((c.totals.units, c.totals.missed), (1, 0), "{:?}", c.strangers));
}

/// The same names from the same source are no proof: what they do was compiled with other options.
#[test]
fn objects_of_other_code_are_not_taken_for_captured_ones() {
    let lab = Lab::new();
    for dir in ["one", "two", "three"] {
        fs::create_dir(lab.dir.join(dir)).unwrap();
    }
    lab.write("a.c", "int a(void) { return N; }\n");
    lab.write("b.c", "int b(void) { return 3; }\n");
    lab.cc_ok("-DN=1 -c a.c -o one/a.o");
    lab.cc_ok("-DN=2 -c a.c -o two/a.o");
    lab.cc_ok("-c b.c");
    let units: Vec<_> = lab.records().iter().map(|r| r.compiles[0].unit).collect();
    let so = |input: &str| {
        lab.cc_ok(&format!("-shared -nostdlib {input} b.o -o t.so"));
        target(&lab.project(), "t.so").clone()
    };
    // Edited, and known by the code.
    lab.run("objcopy", "--strip-debug --rename-section .text=.init.text one/a.o three/1.o");
    lab.run("objcopy", "--add-section .note.x=a.c two/a.o three/2.o");
    for (object, unit) in [("three/1.o", units[0]), ("three/2.o", units[1])] {
        let t = so(object);
        assert_eq!(Some(t.units[0].unit), unit, "{object}: {t:#?}");
    }
    // Made by another compiler call, alone and in an archive.
    lab.run("gcc", "-DN=3 -c a.c -o three/a.o");
    lab.run("ar", "rcs three/liba.a three/a.o");
    for object in ["three/a.o", "-Wl,--whole-archive three/liba.a -Wl,--no-whole-archive"] {
        let t = so(object);
        assert_eq!(sources(&t), ["b.c"], "{object}: {t:#?}");
        assert!(t.missing.iter().any(|m| m.reason.contains("other code")), "{object}: {t:#?}");
    }
}

const LONG: &str = "int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) if (p[i] > 7) s += p[i] * 3 + i; \
                    return s; }\nint last(const int *p, int n) { return n > 0 ? p[n - 1] : sum(p, n); }\n";

#[test]
fn objects_with_other_names_are_known_by_their_code() {
    let lab = Lab::new();
    lab.write("a.c", LONG);
    lab.write("b.c", "int third(void) { return 3; }\n");
    lab.cc_ok("-fPIC -g -c a.c");
    lab.cc_ok("-fPIC -g -c b.c");
    fs::create_dir(lab.dir.join("out")).unwrap();
    lab.run("objcopy", "--prefix-symbols=p_ a.o out/prefix.o");
    lab.run("objcopy", "--prefix-symbols=p_ --strip-debug a.o out/bare.o");
    lab.run("objcopy", "--redefine-sym sum=total --redefine-sym last=end a.o out/names.o");
    lab.run("objcopy", "--prefix-symbols=q_ b.o out/short.o");
    for (object, source) in [("prefix", "a.c"), ("bare", "a.c"), ("names", "a.c"), ("short", "b.c")] {
        lab.cc_ok(&format!("-shared -nostdlib out/{object}.o -o {object}.so"));
        lab.run("ar", &format!("rc lib{object}.a out/{object}.o"));
        let project = lab.project();
        for name in [format!("{object}.so"), format!("lib{object}.a")] {
            let t = target(&project, &name);
            assert_eq!(sources(t), [source], "{name}: {t:#?}");
            assert!(t.missing.is_empty() && t.units[0].note.is_some(), "{t:#?}");
        }
    }
    check(&lab, |c| assert_eq!(c.strangers, []));
    // What says nothing is not guessed at: short code without the name of its source, and code of two sources.
    lab.run("objcopy", "--prefix-symbols=q_ --strip-debug b.o out/unknown.o");
    lab.cc_ok("-shared -nostdlib out/unknown.o -o unknown.so");
    lab.write("c.c", LONG);
    lab.cc_ok("-fPIC -g -c c.c");
    lab.cc_ok("-shared -nostdlib out/bare.o -o two.so");
    let project = lab.project();
    let reason = |name: &str| target(&project, name).missing[0].reason.clone();
    assert!(reason("unknown.so").contains("was not compiled through"), "{}", reason("unknown.so"));
    assert!(reason("bare.so").contains("several sources"), "{}", reason("bare.so"));
}

#[test]
fn objects_put_together_and_stripped_are_known_by_their_names() {
    let lab = Lab::new();
    lab.write("a.c", LONG);
    lab.write("b.c", "int third(void) { return 3; }\n");
    lab.write("c.c", "int fourth(void) { return 4; }\nint third(void);\nint fifth(void) { return third(); }\n");
    for name in ["a", "b", "c"] {
        lab.cc_ok(&format!("-fPIC -g -c {name}.c"));
    }
    fs::create_dir(lab.dir.join("out")).unwrap();
    lab.run("ld", "-r b.o c.o -o out/merged.o");
    lab.run("strip", "-g out/merged.o");
    // The compiler's own merge, whose output is then stripped to another place.
    lab.cc_ok("-r -nostdlib a.o b.o -o relocatable.o");
    lab.run("strip", "-g relocatable.o -o out/other.o");
    fs::remove_file(lab.dir.join("relocatable.o")).unwrap();
    for (object, wanted) in [("merged", ["b.c", "c.c"]), ("other", ["a.c", "b.c"])] {
        lab.cc_ok(&format!("-shared -nostdlib out/{object}.o -o {object}.so"));
        lab.run("ar", &format!("rc lib{object}.a out/{object}.o"));
        let project = lab.project();
        for name in [format!("{object}.so"), format!("lib{object}.a")] {
            let t = target(&project, &name);
            assert_eq!(sources(t), wanted, "{name}: {t:#?}");
            assert!(t.missing.is_empty(), "{t:#?}");
        }
    }
    check(&lab, |c| assert_eq!(c.strangers, []));
    // With a part that was compiled past the wrapper.
    lab.write("d.c", "int sixth(void) { return 6; }\n");
    lab.run("gcc", "-fPIC -c d.c -o out/d.o");
    lab.run("ld", "-r b.o out/d.o -o out/part.o");
    lab.run("strip", "-g out/part.o");
    fs::remove_file(lab.dir.join("out/d.o")).unwrap();
    lab.cc_ok("-shared -nostdlib out/part.o -o part.so");
    let project = lab.project();
    let t = target(&project, "part.so");
    assert_eq!(sources(t), ["b.c"]);
    assert!(t.missing[0].input.contains("1 of its names"), "{t:#?}");
}

#[test]
fn one_source_with_different_flags_is_as_many_units() {
    let lab = Lab::new();
    lab.write("a.c", "int f(void) { return N; }\n");
    lab.cc_ok("-DN=1 -c a.c -o a1.o");
    lab.cc_ok("-DN=2 -c a.c -o a2.o");
    lab.cc_ok("-shared a1.o -o one.so");
    lab.cc_ok("-shared a2.o -o two.so");
    // Thin, and with its symbol table made anew.
    lab.run("ar", "rcT libthin.a a2.o");
    lab.run("ranlib", "libthin.a");
    let records = lab.records();
    let unit = |i: usize| records[i].compiles[0].unit.unwrap();
    assert_ne!(unit(0), unit(1));
    let project = lab.project();
    for (name, wanted) in [("one.so", unit(0)), ("two.so", unit(1)), ("libthin.a", unit(1))] {
        let units: Vec<_> = target(&project, name).units.iter().map(|u| u.unit).collect();
        assert_eq!(units, [wanted], "{name}");
    }
    check(&lab, |c| assert_eq!((c.totals.units, c.totals.captured), (2, 2)));
}

#[test]
fn sources_that_only_the_real_preprocessor_takes() {
    let lab = Lab::new();
    let old = "#ifdef __clang__\n#error gcc only\n#endif\n#include <stdlib.h>\n#include <stdio.h>\n#include <math.h>\n";
    lab.write("fine.c", format!("{old}int f(void) {{ return (int)strtod(\"1\", 0); }}\n"));
    lab.write("new.c", format!("{old}#if __GNUC__ < 5\n#error too old\n#endif\nint g(void) {{ return abs(-1); }}\n"));
    for name in ["fine.c", "new.c"] {
        lab.cc_ok(&format!("-O2 -D_FORTIFY_SOURCE=2 -MD -MF {name}.d -save-temps=obj -c {name} -o {name}.o"));
        let record = lab.records().pop().unwrap();
        assert!(captured(&record), "{:?}", record.compiles[0].outcome);
        assert!(record.compiles[0].note.as_deref().unwrap().contains("the real compiler preprocessed it"));
        lab.cc_ok(&format!("-O2 -D_FORTIFY_SOURCE=2 -c {name} -o {name}.o"));
    }
    let dependencies = fs::read_to_string(lab.dir.join("fine.c.d")).unwrap();
    assert!(dependencies.starts_with("fine.c.o:"), "{dependencies}");
}

/// gcc warns, and clang stops, where the definition of a function gives no result and a call above it is all that says
/// of it what it is.
#[test]
fn functions_that_are_called_before_anything_declares_them() {
    let lab = Lab::new();
    lab.write(
        "a.c",
        "int main(void) { first(1); second(); return 0; }\nvoid first(int n) { second(n); }\nvoid second(void) {}\n",
    );
    lab.cc_ok("-std=gnu89 -w -c a.c");
    let record = lab.records().pop().unwrap();
    assert!(captured(&record), "{:?}", record.compiles[0].outcome);
    assert!(record.compiles[0].note.as_deref().unwrap().contains("declared before they are called"));
    // What gcc does not take either is no build.
    lab.write("b.c", "int main(void) { return *first(); }\nint *first(void) { return 0; }\n");
    let status = lab.command(CC).args(["-std=gnu89", "-w", "-c", "b.c"]).status().unwrap();
    assert!(!status.success());
}

/// The unit does not hold where the text lay meanwhile, and what else the real compiler reads is looked at each time.
#[test]
fn what_the_real_preprocessor_takes_is_made_once() {
    let lab = Lab::new();
    lab.write("a.c", "#ifdef __clang__\n#error gcc only\n#endif\n#include \"a.h\"\nint f(void) { return A + Q; }\n");
    lab.write("a.h", "#define A 1\n");
    lab.write("own.specs", "*cpp:\n+ -DQ=1\n\n");
    let build = |args: &str| {
        lab.cc_ok(args);
        let compile = lab.records().pop().unwrap().compiles.remove(0);
        (compile.unit.unwrap(), compile.outcome == Outcome::Captured { cached: true })
    };
    let (first, cached) = build("-specs=own.specs -c a.c");
    assert!(!cached);
    assert_eq!(build("-specs=own.specs -c a.c"), (first, true));
    lab.write("own.specs", "*cpp:\n+ -DQ=2\n\n");
    let (second, cached) = build("-specs=own.specs -c a.c");
    assert!(second != first && !cached);
    lab.write("a.h", "#define A 3\n");
    let (third, cached) = build("-specs=own.specs -c a.c");
    assert!(third != second && !cached);
    // Text that is mended has no other source than its file.
    lab.write(
        "m.i",
        "void close(void *);\nvoid *open(int) __attribute__((malloc (close, 1)));\nint m(void) { return 1; }\n",
    );
    let (first, _) = build("-c m.i");
    assert_eq!(build("-c m.i"), (first, true));
    lab.write(
        "m.i",
        "void close(void *);\nvoid *open(int) __attribute__((malloc (close, 1)));\nint m(void) { return 2; }\n",
    );
    let (second, cached) = build("-c m.i");
    assert!(second != first && !cached);
}

#[test]
fn what_is_gone_with_its_object_is_of_an_earlier_project() {
    let lab = Lab::new();
    for name in ["a", "b", "c", "d"] {
        lab.write(format!("{name}.c"), format!("int {name}(void) {{ return 1; }}\n"));
        lab.cc_ok(&format!("-c {name}.c"));
    }
    lab.write("main.c", "int main(void) { return 0; }\n");
    lab.write("more.c", "int more(void) { return 0; }\n");
    lab.cc_ok("main.c more.c -o prog");
    let loose = || -> Vec<String> {
        let name = |p: &Path| p.file_name().unwrap().to_string_lossy().into_owned();
        lab.project().loose.iter().map(|u| name(&u.source)).collect()
    };
    let remove = |name: &str| fs::remove_file(lab.dir.join(name)).unwrap();
    assert_eq!(loose(), ["a.c", "b.c", "c.c", "d.c"]);
    check(&lab, |c| assert_eq!((c.totals.units, c.totals.captured), (6, 6)));
    // One of the two, or an object under another name, is left of these.
    remove("a.o");
    remove("b.c");
    remove("c.c");
    fs::rename(lab.dir.join("c.o"), lab.dir.join("moved.o")).unwrap();
    assert_eq!(loose(), ["a.c", "b.c", "c.c", "d.c"]);
    remove("d.c");
    remove("d.o");
    assert_eq!(loose(), ["a.c", "b.c", "c.c"]);
    check(&lab, |c| assert_eq!((c.totals.units, c.totals.captured), (5, 5)));
    // The program is there, made without it.
    remove("more.c");
    lab.write("main.c", "int main(void) { return 1; }\n");
    lab.cc_ok("main.c -o prog");
    assert_eq!(loose(), ["a.c", "b.c", "c.c"]);
    check(&lab, |c| assert_eq!((c.totals.units, c.totals.captured), (4, 4)));
}

#[test]
fn objects_that_a_link_keeps_are_no_strangers() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    lab.write("b.c", "int b(void) { return 0; }\n");
    lab.cc_ok("-save-temps a.c b.c -o prog");
    check(&lab, |c| assert_eq!((c.totals.units, c.totals.captured, c.totals.strangers), (2, 2, 0)));
    lab.write("a.c", "int main(void) { return 1; }\n");
    lab.run("gcc", "-c a.c -o late.o");
    check(&lab, |c| assert_eq!((c.totals.units, c.totals.captured, c.totals.strangers), (3, 2, 1)));
}

#[test]
fn what_gcc_takes_and_clang_does_not() {
    let lab = Lab::new();
    let file = "struct F;\nextern int fclose(struct F *);\n";
    // As gcc 11 and later leave the headers behind, with a type that only they know.
    let text = format!(
        "{file}extern struct F *fopen(const char *) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose,\n1)));\n\
         extern void *get(void) __attribute__((malloc(fclose), cold));\nextern _Float64 f64(void);\n\
         void *malloc(unsigned long);\nvoid *h(void) {{ return malloc (1); }}\n"
    );
    lab.write("old.i", &text);
    lab.write("marked.i", format!("# 1 \"from.c\"\n{text}"));
    lab.write("main.c", "#include <stdint.h>\nvoid main(int *a, intptr_t size) { a[0] = 1; }\n");
    lab.write("four.i", "int main(int a, int b, int c, int d) { return a + b + c + d; }\n");
    for (name, note) in [
        ("old.i", "only gcc knows"),
        ("marked.i", "only gcc knows"),
        ("main.c", "as any function"),
        ("four.i", "as any function"),
    ] {
        lab.cc_ok(&format!("-c {name} -o {name}.o"));
        let record = lab.records().pop().unwrap();
        assert!(captured(&record), "{name}: {:?}", record.compiles[0].outcome);
        assert!(record.compiles[0].note.as_deref().unwrap().contains(note), "{name}: {:?}", record.compiles[0].note);
    }
    lab.write("bad.i", "int f(void) { return nowhere; }\n");
    let _ = lab.command(CC).args(["-c", "bad.i"]).status();
    assert!(!captured(&lab.records().pop().unwrap()));
    // The end of `main` would return 0, that of any function returns nothing.
    lab.write("end.c", "int main(int a, char *b) { if (a == 3) return 3; a++; }\n");
    lab.cc_ok("-c end.c -o end.o");
    assert!(!captured(&lab.records().pop().unwrap()));
}

#[test]
fn why_a_unit_was_made_anew() {
    let lab = Lab::new();
    lab.write(
        "a.c",
        "#if __has_include(\"opt.h\")\n#include \"opt.h\"\n#endif\n#include \"h.h\"\nint f(void) { return H; }\n",
    );
    lab.write("inc2/h.h", "#define H 1\n");
    fs::create_dir_all(lab.dir.join("inc1")).unwrap();
    let build = |extra: &str, env: &[(&str, &str)]| {
        let args = format!("-Iinc1 -Iinc2 -c a.c {extra}");
        let mut command = lab.command(CC);
        command.args(args.split_whitespace()).envs(env.iter().copied());
        assert!(command.status().unwrap().success());
        let compile = lab.records().pop().unwrap().compiles.remove(0);
        let Outcome::Captured { cached } = compile.outcome else { panic!("{compile:?}") };
        (cached, compile.rebuilt.join("; "))
    };
    let check = |(cached, why): (bool, String), part: &str| {
        assert!(!cached && why.contains(part), "{cached} {why}");
    };
    assert_eq!(build("", &[]), (false, String::new()));
    assert_eq!(build("", &[]), (true, String::new()));
    lab.write("inc2/h.h", "#define H 2\n");
    check(build("", &[]), "inc2/h.h changed");
    lab.write("inc1/h.h", "#define H 3\n");
    check(build("", &[]), "inc1/h.h is there now");
    lab.write("opt.h", "#undef Q\nint opt;\n");
    check(build("", &[]), "opt.h is there now");
    check(build("-DQ=1", &[]), "the command now has -DQ=1");
    lab.write("more/x.h", "");
    check(build("-DQ=1", &[("CPATH", "more")]), "the environment now has CPATH=more");
    // Whoever compiles it again has another environment.
    let again = verify_wrapper::capture::again(&lab.records().pop().unwrap(), 0).unwrap();
    assert!(again.args.ends_with(&["-I".into(), "more".into()]), "{:?}", again.args);
    // Back and forth: both are known.
    assert!(build("-DQ=1", &[]).0);
    assert!(build("-DQ=1", &[("CPATH", "more")]).0);
    fs::remove_file(lab.dir.join("opt.h")).unwrap();
    check(build("-DQ=1", &[]), "opt.h is gone");
    for unit in lab.units() {
        let bytes = fs::read(&unit).unwrap();
        fs::write(unit, &bytes[..bytes.len() / 2]).unwrap();
    }
    check(build("-DQ=1", &[]), "no longer in the cache");
    assert!(build("-DQ=1", &[]).0);
}

#[test]
fn the_time_and_computed_includes_are_never_taken_on_trust() {
    let lab = Lab::new();
    lab.write("a.c", "#define HEADER \"h.h\"\n#include HEADER\nint h = H;\n");
    lab.write("h.h", "#define H 1\n");
    lab.cc_ok("-c a.c");
    lab.write("inc/h.h", "#define H 2\n");
    lab.cc_ok("-c a.c");
    fs::rename(lab.dir.join("h.h"), lab.dir.join("gone.h")).unwrap();
    lab.cc_ok("-Iinc -c a.c");
    let records = lab.records();
    let cached: Vec<bool> =
        records.iter().map(|r| r.compiles[0].outcome == Outcome::Captured { cached: true }).collect();
    assert_eq!(cached, [false, true, false]);
}

#[test]
fn odd_forms_of_commands_lose_nothing() {
    let lab = Lab::new();
    lab.write("a.c", "#include \"pre.h\"\nint a(void) { return PRE; }\n");
    lab.write("b.c", "#include \"pre.h\"\nint main(void) { return PRE - 1; }\n");
    lab.write("pre.h", "#define PRE 1\n");
    lab.write("s.S", "#include \"pre.h\"\n.globl s\ns: ret\n");
    lab.cc_ok("pre.h");
    assert!(lab.dir.join("pre.h.gch").exists());
    let check_units = |args: &str, wanted: usize| {
        let before = lab.records().len();
        lab.cc_ok(args);
        let record = &lab.records()[before];
        let units = record.compiles.iter().filter(|c| c.unit.is_some()).count();
        assert_eq!(units, wanted, "{args}: {record:#?}");
    };
    check_units("-c a.c b.c", 2);
    check_units("-pipe -save-temps -c a.c", 1);
    check_units("-include pre.h -Winvalid-pch -c a.c", 1);
    check_units("a.c b.c s.S -o prog -Wl,-z,noexecstack", 2);
    check_units("-fsyntax-only a.c", 0);
    check_units("-flto -O2 -c a.c -o lto.o", 1);
    check_units("-flto -O2 lto.o b.c -o ltoprog", 1);
    check_units("-MD -MP -MT x -c a.c -o md.o", 1);
    lab.write("list.rsp", "-c \"a.c\"\n@inner.rsp");
    lab.write("inner.rsp", "-o 'r s.o' -DX=\\\"y\\\"");
    check_units("@list.rsp", 1);
    assert!(lab.dir.join("r s.o").exists());
    assert_eq!(sources(target(&lab.project(), "ltoprog")), ["a.c", "b.c"]);
    check(&lab, |c| assert_eq!((c.totals.missed, c.totals.assembler), (0, 1), "{:?}", c.totals));
}

#[test]
fn the_data_model_is_the_real_compilers() {
    let lab = Lab::new();
    lab.write("m32.c", "_Static_assert(sizeof(long) == 4 && sizeof(void *) == 4, \"\");\nlong l;\n");
    lab.cc_ok("-m32 -c m32.c");
    assert!(captured(&lab.record()), "{:?}", lab.record().compiles[0].outcome);
    // The name does not say it, the compiler does.
    let fake = lab.temp.path().join("mycc");
    script(&fake, "#!/bin/sh\nexec gcc -m32 -funsigned-char \"$@\"\n");
    lab.write("named.c", "_Static_assert(sizeof(long) == 4 && (char)-1 > 0, \"\");\nlong n;\n");
    let status = lab.command(CC).env("VERIFY_REAL_CC", &fake).args(["-c", "named.c"]).status().unwrap();
    assert!(status.success());
    let compile = lab.records().pop().unwrap().compiles.remove(0);
    assert!(matches!(compile.outcome, Outcome::Captured { .. }), "{compile:#?}");
    let arm = "arm-linux-gnueabihf-gcc";
    if Command::new(arm).arg("--version").output().is_ok_and(|o| o.status.success()) {
        lab.write("arm.c", "#include <stdio.h>\n_Static_assert(sizeof(void *) == 4 && (char)-1 > 0, \"\");\nint a;\n");
        assert!(lab.command(CC).env("VERIFY_REAL_CC", arm).args(["-c", "arm.c"]).status().unwrap().success());
        let compile = lab.records().pop().unwrap().compiles.remove(0);
        assert!(matches!(compile.outcome, Outcome::Captured { .. }) && compile.note.is_none(), "{compile:#?}");
    }
}

#[test]
fn a_cache_of_another_version_is_left_alone() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    fs::create_dir_all(lab.cache.join("v0/unit/aa")).unwrap();
    fs::write(lab.cache.join("v0/unit/aa/bb"), "old").unwrap();
    fs::create_dir_all(lab.cache.join("ledger/v1/0123456789abcdef")).unwrap();
    fs::write(lab.cache.join("ledger/v1/0123456789abcdef/x.json"), "{\"version\":0}").unwrap();
    lab.cc_ok("-c a.c");
    let contents = contents(&lab);
    assert_eq!((contents.records.len(), contents.damaged), (1, 1));
    assert!(captured(&contents.records[0]));
    assert!(Path::new(&lab.cache.join("v0/unit/aa/bb")).exists());
}
