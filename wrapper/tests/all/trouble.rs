//! Trouble: whatever happens to the capture, the build ends as it would without it.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{self, CC, Lab, captured, script, sources, target};
use verify_compile_db::{Class, Outcome, Status};

fn same_end(a: &Output, b: &Output) {
    assert_eq!(a.status, b.status);
    assert_eq!(a.stdout, b.stdout);
    assert_eq!(a.stderr, b.stderr);
}

#[test]
fn errors_of_the_compiler_are_passed_on_unchanged() {
    let lab = Lab::new();
    lab.write("bad.c", "int f( { return }\n");
    lab.write("warn.c", "int f(int *p) { char *q = p; return *q; }\n");
    lab.write("undef.c", "int g(void); int main(void) { return g(); }\n");
    for args in [
        "-c bad.c",
        "-c warn.c -Wall",
        "undef.c",
        "-c missing.c",
        "--no-such-option",
        "",
        "-c warn.c -o no/dir/x.o",
        "@missing.rsp",
    ] {
        let words: Vec<&str> = args.split_whitespace().collect();
        let plain = lab.command("gcc").args(&words).output().unwrap();
        let wrapped = lab.command(CC).args(&words).output().unwrap();
        // The linker names its temporary objects in messages.
        if args == "undef.c" {
            assert_eq!(plain.status, wrapped.status);
        } else {
            same_end(&plain, &wrapped);
        }
    }
    let failed: Vec<_> = lab.records().into_iter().filter(|r| r.status != Status::Code(0)).collect();
    assert!(failed.len() >= 6);
    assert!(failed.iter().all(|r| r.compiles.iter().all(|c| c.unit.is_none())));
}

#[test]
fn exit_status_and_signals_of_the_compiler_become_ours() {
    let lab = Lab::new();
    for (body, code, signal) in [
        ("exit 42", Some(42), None),
        ("kill -SEGV $$", None, Some(11)),
        ("kill -KILL $$", None, Some(9)),
        ("kill -TERM $$", None, Some(15)),
        ("kill -PIPE $$", None, Some(13)),
        ("kill -ABRT $$", None, Some(6)),
    ] {
        let fake = lab.dir.join("fakecc");
        script(&fake, &format!("#!/bin/sh\n{body}\n"));
        let status = lab.command(CC).env("VERIFY_REAL_CC", &fake).args(["-c", "a.c"]).status().unwrap();
        assert_eq!((status.code(), status.signal()), (code, signal), "{body}");
    }
}

#[test]
fn arguments_and_streams_reach_the_compiler_as_they_are() {
    let lab = Lab::new();
    let fake = lab.dir.join("fakecc");
    script(&fake, "#!/bin/sh\nfor a; do printf '[%s]' \"$a\"; done\ncat\necho err >&2\n");
    lab.write("args.rsp", "-DX -DY");
    let odd = OsStr::from_bytes(b"bad\xffbytes");
    let output = lab
        .command(CC)
        .env("VERIFY_REAL_CC", &fake)
        .args(["@args.rsp", "a b", "", "new\nline", "'q\"", "-Wl,x", "--"])
        .arg(odd)
        .stdin(fs::File::open(lab.write("input", "from stdin")).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"[@args.rsp][a b][][new\nline]['q\"][-Wl,x][--][bad\xffbytes]from stdin");
    assert_eq!(output.stderr, b"err\n");
    assert_eq!(lab.record().argv.last().unwrap(), odd, "bytes that are no UTF-8 survive the ledger");
}

#[test]
fn a_signal_reaches_the_compiler_and_then_us() {
    let lab = Lab::new();
    let fake = lab.dir.join("fakecc");
    script(
        &fake,
        "#!/bin/sh\ntrap 'echo caught > caught; trap - TERM; kill -TERM $$' TERM\necho ready\nwhile :; do sleep 0.05; done\n",
    );
    let mut child =
        lab.command(CC).env("VERIFY_REAL_CC", &fake).args(["-c", "a.c"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut ready = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(15));
    assert_eq!(fs::read(lab.dir.join("caught")).unwrap(), b"caught\n");
}

#[test]
fn a_signal_during_capture_ends_us_and_the_tool() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    let clang = lab.dir.join("slow-clang");
    script(&clang, "#!/bin/sh\necho $$ > started\nsleep 60\n");
    let mut child = lab.command(CC).env("VERIFY_CLANG", &clang).args(["-c", "a.c"]).spawn().unwrap();
    let started = lab.dir.join("started");
    let begin = Instant::now();
    while fs::read_to_string(&started).unwrap_or_default().trim().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(5));
    }
    // Not SIGINT: where the tests run in the background of a script it is ignored, and stays so.
    Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert!(begin.elapsed() < Duration::from_secs(30));
    let pid = fs::read_to_string(&started).unwrap();
    // The tool is gone soon, or a zombie that nobody has collected yet.
    loop {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z") {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "{stat}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ignored_signals_stay_ignored() {
    let lab = Lab::new();
    let fake = lab.dir.join("fakecc");
    script(&fake, "#!/bin/sh\ngrep SigIgn /proc/self/status\n");
    let show = |program: &str| {
        let script = format!("trap '' HUP; exec {program} -c a.c");
        let output = lab.command("sh").arg("-c").arg(script).env("VERIFY_REAL_CC", &fake).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(show(CC), show(fake.to_str().unwrap()));
}

/// Runs a good compile under `change` and expects the object, silence, success and a failure in the ledger.
#[test]
fn files_that_may_not_grow_are_the_compilers_affair() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    let real = lab.temp.path().join("real");
    script(&real, "#!/bin/sh\nexit 7\n");
    let output = lab
        .command("sh")
        .args(["-c", "ulimit -f 0; exec \"$0\" -c a.c", CC])
        .env("VERIFY_REAL_CC", &real)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(7), "{output:?}");
}

fn capture_fails(change: impl Fn(&Lab, &mut Command)) -> String {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    let mut command = lab.command(CC);
    command.args(["-c", "a.c"]);
    change(&lab, &mut command);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    let object = fs::read(lab.dir.join("a.o")).unwrap();
    lab.run("gcc", "-c a.c -o plain.o");
    assert_eq!(object, fs::read(lab.dir.join("plain.o")).unwrap());
    let record = lab.record();
    let Outcome::Failed { stage, message } = &record.compiles[0].outcome else {
        panic!("{record:#?}");
    };
    assert_eq!(fs::read_dir(lab.cache.join("v1/tmp")).map_or(0, Iterator::count), 0, "scratch is removed");
    format!("{stage}: {message}")
}

#[test]
fn clang_missing_crashing_hanging_or_lying() {
    let said = capture_fails(|_, c| {
        c.env("VERIFY_CLANG", "/no/such/clang");
    });
    assert!(said.contains("VERIFY_CLANG"), "{said}");
    for time in ["soon", "0", "-1"] {
        let said = capture_fails(|_, c| {
            c.env("VERIFY_TIMEOUT", time);
        });
        assert!(said.ends_with(&format!("VERIFY_TIMEOUT={time} is no number of seconds; write 600")), "{said}");
    }
    let with = |body: &'static str| {
        move |lab: &Lab, c: &mut Command| {
            let fake = lab.temp.path().join("fakeclang");
            script(&fake, &format!("#!/bin/sh\n{body}\n"));
            c.env("VERIFY_CLANG", fake).env("VERIFY_TIMEOUT", "1");
        }
    };
    let said = capture_fails(with("kill -SEGV $$"));
    assert!(said.contains("signal 11"), "{said}");
    let said = capture_fails(with("echo broken: error: no >&2; exit 3"));
    assert_eq!(said, "clang: broken: error: no");
    let said = capture_fails(with("exit 0"));
    assert!(said.contains("no output"), "{said}");
    let said = capture_fails(with("sleep 60"));
    assert!(said.contains("stopped after 1 s"), "{said}");
    let said = capture_fails(with("yes 'a very long complaint' | head -c 3000000; exit 1"));
    assert!(said.len() < 5000);
}

#[test]
fn lowering_missing_crashing_or_lying() {
    let said = capture_fails(|_, c| {
        c.env("VERIFY_LOWER", "/no/such/lower");
    });
    assert!(said.contains("VERIFY_LOWER"), "{said}");
    let with =
        |body: &'static str| move |lab: &Lab, _: &mut Command| script(&lab.lower, &format!("#!/bin/sh\n{body}\n"));
    assert!(capture_fails(with("kill -ABRT $$")).contains("signal 6"));
    assert_eq!(capture_fails(with("echo not modelled >&2; exit 1")), "verify-lower: not modelled");
    assert!(capture_fails(with(": > $3")).contains("empty unit"));
}

#[test]
fn a_cache_that_cannot_be_written() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    let file = lab.write("file", "");
    for cache in [file.join("cache"), Path::new("/proc/verify").to_path_buf(), file] {
        let run = |verbose: bool| {
            let mut command = lab.command(CC);
            command.env("VERIFY_CACHE", &cache).args(["a.c", "-o", "prog"]);
            if verbose {
                command.env("VERIFY_VERBOSE", "1");
            }
            command.output().unwrap()
        };
        let quiet = run(false);
        assert!(quiet.status.success() && quiet.stderr.is_empty(), "{quiet:?}");
        let loud = run(true);
        assert!(loud.status.success());
        let text = String::from_utf8(loud.stderr).unwrap();
        assert!(text.contains("set VERIFY_CACHE"), "{text}");
    }
    let nowhere = lab
        .command(CC)
        .args(["-c", "a.c"])
        .env_remove("VERIFY_CACHE")
        .env_remove("XDG_CACHE_HOME")
        .env_remove("HOME")
        .output()
        .unwrap();
    assert!(nowhere.status.success() && nowhere.stderr.is_empty());
    // A relative cache is made absolute where the wrapper starts.
    let relative = lab.command(CC).args(["-c", "a.c"]).env("VERIFY_CACHE", "rel/cache").status().unwrap();
    assert!(relative.success());
    assert!(lab.dir.join("rel/cache/v1/unit").is_dir());
}

#[test]
fn no_real_compiler_is_said_and_it_is_never_the_wrapper() {
    let lab = Lab::new();
    let run = |real: &OsStr| lab.command(CC).env("VERIFY_REAL_CC", real).arg("--version").output().unwrap();
    for real in [OsStr::new("/no/such/cc"), OsStr::new(CC), OsStr::new("-O2")] {
        let output = run(real);
        assert_eq!(output.status.code(), Some(127), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("VERIFY_REAL_CC"));
    }
}

#[test]
fn masquerading_and_launchers() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    let bin = lab.dir.join("bin");
    fs::create_dir(&bin).unwrap();
    for name in ["gcc", "cc"] {
        std::os::unix::fs::symlink(CC, bin.join(name)).unwrap();
    }
    // A launcher that looks the compiler up by name finds the wrapper again, as ccache would.
    script(&lab.dir.join("launcher"), "#!/bin/sh\nexec \"$@\"\n");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let output = lab.command(bin.join("gcc")).env("PATH", &path).args(["-c", "a.c"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lab.record().real, ["gcc"]);
    let real = format!("{} gcc -std=c11 '-DQ=\"x y\"'", lab.dir.join("launcher").display());
    let with_real = |program: &Path, args: &[&str]| {
        lab.command(program).env("PATH", &path).env("VERIFY_REAL_CC", &real).args(args).output().unwrap()
    };
    let output = with_real(Path::new(CC), &["-c", "a.c", "-o", "b.o"]);
    assert!(output.status.success(), "{output:?}");
    let records = lab.records();
    assert_eq!(records.len(), 2, "the inner wrapper records nothing");
    let clang = &records[1].compiles[0].clang;
    assert_eq!(clang, &["-std=c11", "-DQ=\"x y\""]);
    // A compiler that is called by its name is that one, whatever stands for `verify-cc`.
    let output = with_real(&bin.join("cc"), &["-c", "a.c", "-o", "c.o"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lab.records()[2].real, ["cc"]);
}

#[test]
fn odd_names() {
    let lab = Lab::new();
    for name in [
        "sp ace.c",
        "new\nline.c",
        "ünï—😀.c",
        "quo'te\".c",
        "$dollar&.c",
        "back\\slash.c",
        "-dash.c",
        "@at.c",
        "glob*?.c",
    ] {
        let text = format!("int f_{}(void) {{ return 0; }}\n", name.len());
        lab.write(name, text);
        let shown = if name.starts_with(['-', '@']) { format!("./{name}") } else { name.to_string() };
        let status = lab.command(CC).args(["-c", &shown, "-o", &format!("{name}.o")]).status();
        // GCC itself takes `./-dash.c` for what it is; so must we.
        assert!(status.unwrap().success(), "{name}");
    }
    let invalid = OsStr::from_bytes(b"in\xffvalid.c");
    lab.write(invalid, "int f(void) { return 0; }\n");
    assert!(lab.command(CC).arg("-c").arg(invalid).args(["-o", "inv.o"]).status().unwrap().success());
    let records = lab.records();
    assert_eq!(records.len(), 10);
    for record in &records {
        assert!(captured(record), "{record:#?}");
    }
    let made = lab.command("sh").args(["-c", "ar rc libodd.a -- ./*.o"]).status().unwrap();
    assert!(made.success());
    let project = lab.project();
    let archive = target(&project, "libodd.a");
    assert_eq!((archive.units.len(), archive.missing.len()), (10, 0), "{archive:#?}");
    assert!(records.iter().any(|r| r.compiles[0].source == lab.dir.join(invalid)));
}

#[test]
fn a_file_named_like_an_option_behind_a_double_dash() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    let plain = lab.command("gcc").args(["-c", "--", "a.c"]).output().unwrap();
    let wrapped = lab.command(CC).args(["-c", "--", "a.c"]).output().unwrap();
    same_end(&plain, &wrapped);
}

#[test]
fn command_lines_of_a_hundred_thousand_characters() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return X_1999_with_a_rather_long_name_to_fill_the_line - 1; }\n");
    let defines: Vec<String> =
        (0..2000).map(|i| format!("-DX_{i}_with_a_rather_long_name_to_fill_the_line=1")).collect();
    assert!(defines.iter().map(String::len).sum::<usize>() > 100_000);
    let status = lab.command(CC).args(&defines).args(["-c", "a.c"]).status().unwrap();
    assert!(status.success());
    assert!(captured(&lab.record()));
    // The same through a response file, nested, quoted as GCC wants it.
    lab.write("inner.rsp", defines.join("\n"));
    lab.write("outer.rsp", "@inner.rsp\n'-DS=\"a b\"' -DE=\\\"q\\\" -c");
    lab.cc_ok("@outer.rsp a.c -o b.o");
    let records = lab.records();
    let compile = &records.last().unwrap().compiles[0];
    assert!(matches!(compile.outcome, Outcome::Captured { .. }), "{:?}", compile.outcome);
    assert!(compile.clang.contains(&"-DS=\"a b\"".into()) && compile.clang.contains(&"-DE=\"q\"".into()));
}

#[test]
fn response_files_that_include_themselves() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    lab.write("loop.rsp", "-c @loop.rsp");
    let plain = lab.command("gcc").args(["@loop.rsp", "a.c"]).output().unwrap();
    let wrapped = lab.command(CC).args(["@loop.rsp", "a.c"]).output().unwrap();
    same_end(&plain, &wrapped);
    let record = lab.record();
    assert_eq!(record.class, Class::Unsupported);
    assert!(record.note.unwrap().contains("includes itself"));
}

#[test]
fn a_source_that_vanishes_or_is_a_pipe() {
    let lab = Lab::new();
    lab.write("keep.c", "int main(void) { return 0; }\n");
    let fake = lab.dir.join("fakecc");
    script(&fake, "#!/bin/sh\ngcc \"$@\" && rm -f gone.c\n");
    fs::copy(lab.dir.join("keep.c"), lab.dir.join("gone.c")).unwrap();
    let output = lab.command(CC).env("VERIFY_REAL_CC", &fake).args(["-c", "gone.c"]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(matches!(lab.record().compiles[0].outcome, Outcome::Failed { .. }));
    let output = lab.command("bash").arg("-c").arg(format!("{CC} -x c -c <(cat keep.c) -o pipe.o")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let records = lab.records();
    assert!(matches!(&records[1].compiles[0].outcome, Outcome::Unsupported(_)), "{records:#?}");
}

#[test]
fn code_that_gcc_only_warns_about_is_captured() {
    let lab = Lab::new();
    lab.write("old.c", "f(x) char *x; { int y = x; int (*p)(int) = (void *)0; int (*q)(char *) = p; return g(y) + q(x); }\nint h(void) { return; }\nmain() { return 0; }\n");
    lab.cc_ok("-w -c old.c");
    assert!(captured(&lab.record()), "{:#?}", lab.record().compiles);
}

#[test]
fn killed_at_random_moments_nothing_is_damaged() {
    let lab = Lab::new();
    let mut makefile = String::from("all: prog\nOBJS =");
    for i in 0..24 {
        lab.write(format!("f{i}.c"), format!("#include <stdio.h>\nint f{i}(void) {{ return {i}; }}\n"));
        makefile += &format!(" f{i}.o");
    }
    makefile += "\nprog: $(OBJS)\n\t$(CC) -shared -o $@ $(OBJS)\n.DELETE_ON_ERROR:\n";
    lab.write("Makefile", makefile);
    for round in 0..6u64 {
        let script = format!("exec setsid make -j64 -s CC={CC}");
        let mut make =
            lab.command("sh").arg("-c").arg(script).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60 + 110 * round));
        // `setsid` made the make process the leader of its own group: kill it and all it started.
        Command::new("kill").args(["-KILL", "--", &format!("-{}", make.id())]).stderr(Stdio::null()).status().unwrap();
        let _ = make.kill();
        make.wait().unwrap();
        // Objects that were being written are the plain compiler's own problem: remove the unfinished ones.
        for file in common::files(&lab.dir) {
            let whole = || Command::new("readelf").args(["-h", "-S"]).arg(&file).stderr(Stdio::piped()).output();
            if file.extension().is_some_and(|e| e == "o") && !whole().unwrap().stderr.is_empty() {
                fs::remove_file(file).unwrap();
            }
        }
    }
    // Tools of killed wrappers may still be writing; they finish on their own.
    std::thread::sleep(Duration::from_millis(300));
    for file in common::files(&lab.dir).iter().filter(|f| f.extension().is_some_and(|e| e == "o")) {
        let record = lab.records();
        let known = record.iter().flat_map(|r| &r.compiles).any(|c| c.object.as_ref() == Some(file));
        // Killed between compiler and capture: make does not know, so the unit is made by building it again.
        if !known {
            fs::remove_file(file).unwrap();
        }
    }
    lab.run("make", &format!("-j8 -s CC={CC}"));
    let project = lab.project();
    assert_eq!(project.damaged, 0);
    let prog = target(&project, "prog");
    assert_eq!(prog.units.len(), 24, "{:#?}", prog.missing);
    assert_eq!(sources(prog).len(), 24);
    let store = lab.store();
    for unit in &prog.units {
        assert!(store.contains(verify_cache::Kind::UNIT, &unit.unit));
    }
}

#[test]
fn a_link_whose_wrapper_was_killed_is_made_good_by_the_next() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    let fatal = lab.dir.join("fatal");
    script(&fatal, "#!/bin/sh\ngcc \"$@\"\n[ -e \"$0.armed\" ] && kill -KILL $PPID\nexit 0\n");
    lab.write("fatal.armed", "");
    for out in ["one", "two"] {
        let killed = lab.command(CC).env("VERIFY_REAL_CC", &fatal).args(["a.c", "-o", out]).output().unwrap();
        assert_eq!(killed.status.signal(), Some(9));
    }
    fs::remove_file(lab.dir.join("fatal.armed")).unwrap();
    lab.run(CC, "a.c -o three");
    let project = lab.project();
    assert_eq!(project.damaged, 0);
    for program in ["one", "two", "three"] {
        assert_eq!(target(&project, program).units.len(), 1);
    }
}
