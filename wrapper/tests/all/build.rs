//! Builds: outputs as without the wrapper, every unit captured and in the right target.

use std::fs;
use std::path::Path;

use crate::common::{self, CC, CXX, Lab, captured, files, sources, target};
use verify_cache::Kind;
use verify_compile_db::{Class, Effect, LinkKind, Match, Outcome};

#[test]
fn objects_are_identical_and_nothing_is_written_beside_them() {
    let lab = Lab::new();
    lab.write("a.c", "#include \"a.h\"\n#include <stdio.h>\nint f(int x) { return printf(\"%d %s\", x, __FILE__); }\n");
    lab.write("a.h", "int f(int);\n");
    for flags in [
        "-c a.c",
        "-c a.c -o b.o",
        "-O2 -g -c a.c -MD -MF deps.d -MT x -MP",
        "-O3 -fPIC -c a.c -o pic.o -MMD",
        "-c a.c -save-temps -pipe -Wall",
        "-Og -flto -frandom-seed=1 -c a.c -o lto.o",
        "-Wp,-MD,wp.d,-DX=1 -c a.c -fstack-usage -fdump-tree-optimized -frandom-seed=1",
        "-S a.c",
        "-E a.c -o a.ii",
        "-MM a.c -MF mm.d",
        "-m64 -std=gnu11 -ffunction-sections -fno-strict-aliasing -fwrapv -c a.c -o w.o --coverage -frandom-seed=1",
    ] {
        let (plain, wrapped) = (lab.dir.join("plain"), lab.dir.join("wrapped"));
        let mut trees = Vec::new();
        for (dir, program) in [(&plain, "gcc"), (&wrapped, CC)] {
            // Both builds see the same paths: they run in one folder, one after the other.
            let work = lab.dir.join("work");
            fs::create_dir_all(&work).unwrap();
            for name in ["a.c", "a.h"] {
                fs::copy(lab.dir.join(name), work.join(name)).unwrap();
            }
            let output = lab.command(program).current_dir(&work).args(flags.split(' ')).output().unwrap();
            assert!(output.status.success(), "{flags}: {output:?}");
            fs::rename(&work, dir).unwrap();
            let tree: Vec<_> = files(dir)
                .into_iter()
                .map(|f| (f.strip_prefix(dir).unwrap().to_path_buf(), fs::read(&f).unwrap()))
                .collect();
            trees.push((output.stdout, output.stderr, tree));
            fs::remove_dir_all(dir).unwrap();
        }
        let names = |i: usize| trees[i].2.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
        assert_eq!(names(0), names(1), "{flags}");
        assert!(trees[0] == trees[1], "{flags}: contents or output differ");
    }
}

#[test]
fn one_source_one_object() {
    let lab = Lab::new();
    lab.write("a.c", "int f(void) { return 1; }\n");
    lab.cc_ok("-O1 -c a.c");
    let record = lab.record();
    assert_eq!(record.class, Class::Compile);
    assert!(captured(&record));
    let compile = &record.compiles[0];
    assert_eq!(compile.object.as_deref(), Some(lab.dir.join("a.o").as_path()));
    let object = fs::read(lab.dir.join("a.o")).unwrap();
    assert_eq!(compile.object_hash, Some(verify_cache::hash(&object)));
    let unit = lab.store().get(verify_cache::Kind::UNIT, &compile.unit.unwrap()).unwrap();
    assert!(unit.starts_with(b"BC\xc0\xde"), "the stand-in hands bitcode on");
}

#[test]
fn several_sources_and_objects_in_one_link() {
    let lab = Lab::new();
    lab.write("main.c", "int f(void); int g(void); int main(void) { return f() + g(); }\n");
    lab.write("f.c", "int f(void) { return 1; }\n");
    lab.write("g.c", "int g(void) { return -1; }\n");
    lab.cc_ok("-c g.c");
    lab.cc_ok("main.c g.o f.c -o prog");
    let project = lab.project();
    let prog = target(&project, "prog");
    assert_eq!(sources(prog), ["main.c", "g.c", "f.c"]);
    assert!(prog.missing.is_empty());
    assert_eq!(prog.kind, LinkKind::Executable);
    assert_eq!((project.totals.compiled, project.totals.captured, project.totals.linked), (3, 3, 3));
    // Two objects from one command.
    lab.cc_ok("-c main.c f.c");
    lab.cc_ok("main.o f.o g.o");
    assert_eq!(sources(target(&lab.project(), "a.out")), ["main.c", "f.c", "g.c"]);
}

#[test]
fn archives_give_only_what_the_linker_takes() {
    let lab = Lab::new();
    lab.write("main.c", "int used(void); int main(void) { return used(); }\n");
    lab.write("used.c", "int deep(void); int used(void) { return deep(); }\n");
    lab.write("deep.c", "int deep(void) { return 0; }\n");
    lab.write("unused_member_with_a_name_that_is_long.c", "int unused(void) { return 0; }\n");
    lab.cc_ok("-c main.c used.c deep.c unused_member_with_a_name_that_is_long.c");
    let members = "deep.o used.o unused_member_with_a_name_that_is_long.o";
    lab.run("ar", &format!("rcs liball.a {members}"));
    lab.run("ar", &format!("rcsT libthin.a {members}"));
    lab.cc_ok("main.o -L. -lall -o normal");
    lab.cc_ok("main.o libthin.a -o thin");
    lab.cc_ok("main.o -Wl,--whole-archive,liball.a,--no-whole-archive -o whole");
    lab.cc_ok("-static main.o -L . -l all -o static");
    lab.cc_ok("main.c -L. -lall -o direct");
    lab.cc_ok("main.o -Xlinker --start-group libthin.a libthin.a -Xlinker --end-group -o group");
    let project = lab.project();
    for name in ["normal", "thin", "static", "direct", "group"] {
        let mut found = sources(target(&project, name));
        found.sort();
        assert_eq!(found, ["deep.c", "main.c", "used.c"], "{name}");
    }
    assert_eq!(target(&project, "whole").units.len(), 4);
    for name in ["liball.a", "libthin.a"] {
        let archive = target(&project, name);
        assert_eq!(archive.kind, LinkKind::Archive);
        assert_eq!(archive.units.len(), 3, "{archive:#?}");
        assert!(archive.missing.is_empty());
    }
}

#[test]
fn shared_objects_are_targets_and_users_know_them() {
    let lab = Lab::new();
    lab.write("lib.c", "int f(void) { return 0; }\n");
    lab.write("main.c", "int f(void); int main(void) { return f(); }\n");
    lab.cc_ok("-fPIC -shared lib.c -o libf.so.1 -Wl,-soname,libf.so.1");
    std::os::unix::fs::symlink("libf.so.1", lab.dir.join("libf.so")).unwrap();
    lab.cc_ok("main.c -L. -lf -lm -o prog");
    let project = lab.project();
    let library = target(&project, "libf.so.1");
    assert_eq!((library.kind, sources(library)), (LinkKind::Shared, vec!["lib.c".to_string()]));
    let prog = target(&project, "prog");
    assert_eq!(sources(prog), ["main.c"]);
    assert_eq!(prog.system, ["m"]);
    let used = prog.shared[0].target.unwrap();
    assert_eq!(project.targets[used].name, "libf.so.1");
}

#[test]
fn relocatable_links_lead_on_to_their_objects() {
    let lab = Lab::new();
    lab.write("a.c", "int a(void) { return 0; }\n");
    lab.write("b.c", "int a(void); int main(void) { return a(); }\n");
    lab.cc_ok("-c a.c b.c");
    lab.cc_ok("-r -nostdlib a.o b.o -o both.o");
    assert_eq!(target(&lab.project(), "both.o").kind, LinkKind::Relocatable);
    lab.cc_ok("both.o -o prog");
    let project = lab.project();
    assert_eq!(sources(target(&project, "prog")), ["a.c", "b.c"]);
    assert_eq!(project.targets.len(), 1, "an intermediate object is no target");
}

#[test]
fn outputs_that_were_stripped_copied_or_renamed() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    lab.cc_ok("-g a.c -o one");
    fs::copy(lab.dir.join("one"), lab.dir.join("copy")).unwrap();
    lab.run("strip", "one");
    let project = lab.project();
    assert_eq!(target(&project, "copy").matched, Match::Content);
    let stripped = target(&project, "one");
    assert!(matches!(stripped.matched, Match::BuildId | Match::Path));
    assert_eq!(sources(stripped), ["a.c"]);
    assert!(stripped.notes[0].contains("changed since"), "{:?}", stripped.notes);

    // An object edited after compilation is found by its path, inside an archive by its name.
    lab.write("f.c", "int f(void) { return 0; }\n");
    lab.cc_ok("-g -c f.c");
    lab.run("strip", "-g f.o");
    lab.run("ar", "rc libf.a f.o");
    lab.cc_ok("-shared f.o -o libf.so");
    let project = lab.project();
    for name in ["libf.a", "libf.so"] {
        let unit = &target(&project, name).units[0];
        assert!(unit.note.as_deref().is_some_and(|n| n.contains("changed")), "{unit:?}");
    }
}

#[test]
fn what_has_no_unit_is_listed_with_the_reason() {
    let lab = Lab::new();
    lab.write("main.c", "int main(void) { return 0; }\n");
    lab.write("asm.s", ".globl g\ng: ret\n");
    lab.write("pre.S", "#define NAME h\n.globl NAME\nNAME: ret\n");
    lab.write("plain.c", "int p(void) { return 0; }\n");
    lab.write("nest.c", "int n(int x) { int in(void) { return x; } return in(); }\n");
    lab.write("x.cc", "extern \"C\" int x() { return 0; }\n");
    lab.run("gcc", "-c plain.c");
    lab.cc_ok("-c asm.s pre.S");
    lab.cc_ok("-c nest.c");
    lab.cc_ok("-c x.cc");
    lab.cc_ok("main.c asm.o pre.o plain.o nest.o x.o -o prog");
    let project = lab.project();
    let prog = target(&project, "prog");
    assert_eq!(sources(prog), ["main.c"]);
    let reason = |name: &str| {
        let found = prog.missing.iter().find(|m| m.input.ends_with(name));
        found.unwrap_or_else(|| panic!("{name}: {:#?}", prog.missing)).reason.clone()
    };
    assert!(reason("asm.o").contains("assembler"));
    assert!(reason("pre.o").contains("assembler"));
    assert!(reason("plain.o").contains("not compiled through verify-cc"));
    assert!(reason("nest.o").contains("error:"), "{}", reason("nest.o"));
    assert!(reason("x.o").contains("C++"));
    assert_eq!(project.totals.captured, 1);
    assert_eq!((project.totals.failed, project.totals.unsupported), (1, 3));
}

#[test]
fn classes_of_commands() {
    let lab = Lab::new();
    lab.write("a.c", "int a;\n");
    lab.write("a.h", "int b;\n");
    for (args, class) in [
        ("-E a.c -o a.i", Class::Preprocess),
        ("-M a.c", Class::Preprocess),
        ("-fsyntax-only a.c", Class::SyntaxOnly),
        ("-S a.c", Class::ToAssembly),
        ("--version", Class::Query),
        ("-print-search-dirs", Class::Query),
        ("-v", Class::Query),
        ("a.h -o a.h.gch", Class::Unsupported),
        ("-c a.c -o /dev/null", Class::Probe),
        ("-c -x c /dev/null -o a.o", Class::Probe),
        ("-c -x c /dev/null a.c", Class::Compile),
        ("-c a.s -o as.o", Class::Assemble),
        ("-c a.c", Class::Compile),
        ("-shared a.o -o a.so", Class::Link),
    ] {
        let lab_cache = lab.cache.join(args.replace([' ', '/'], "_"));
        let output = lab.command(CC).env("VERIFY_CACHE", &lab_cache).args(args.split(' ')).output().unwrap();
        assert!(output.status.success(), "{args}: {output:?}");
        let records = verify_compile_db::Ledger::open(&lab_cache).read().unwrap().records;
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].class, class, "{args}");
    }
}

#[test]
fn assembler_text_made_by_the_compiler_leads_back_to_its_source() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    lab.cc_ok("-S a.c");
    lab.cc_ok("-c a.s -o a.o");
    lab.cc_ok("a.o -o prog");
    assert_eq!(sources(target(&lab.project(), "prog")), ["a.c"]);
    // And through the preprocessor's output.
    lab.cc_ok("-E a.c -o b.i");
    lab.cc_ok("-c b.i");
    lab.cc_ok("b.o -o other");
    assert_eq!(target(&lab.project(), "other").units.len(), 1);
}

#[test]
fn language_by_option_and_standard_input() {
    let lab = Lab::new();
    lab.write("prog.txt", "int main(void) { return 0; }\n");
    lab.write("b.c", "int b;\n");
    lab.cc_ok("-x c prog.txt -x none b.c -o prog");
    assert_eq!(sources(target(&lab.project(), "prog")), ["prog.txt", "b.c"]);
    let mut child = lab
        .command(CC)
        .args(["-x", "c", "-c", "-", "-o", "in.o"])
        .stdin(fs::File::open(lab.dir.join("prog.txt")).unwrap())
        .spawn()
        .unwrap();
    assert!(child.wait().unwrap().success());
    let records = lab.records();
    let record = records.iter().find(|r| r.class == Class::Compile).unwrap();
    assert!(captured(record), "{record:#?}");
    // Through a pipe, which can be read once only, and the object is the compiler's own.
    let piped = format!("cat prog.txt | {CC} -x c -c -o pipe.o -");
    assert!(lab.command("sh").arg("-c").arg(piped).status().unwrap().success());
    assert!(lab.command("sh").args(["-c", "cat prog.txt | gcc -x c -c -o plain.o -"]).status().unwrap().success());
    assert_eq!(fs::read(lab.dir.join("pipe.o")).unwrap(), fs::read(lab.dir.join("plain.o")).unwrap());
    let records = lab.records();
    assert!(captured(records.last().unwrap()), "{records:#?}");
}

/// The text that the compiler read, not the nothing that is left of it.
#[test]
fn standard_input_by_its_other_names() {
    let lab = Lab::new();
    lab.write("prog.txt", "int told_apart(void) { return 0; }\n");
    lab.write("a.c", "int a;\n");
    for (at, line) in [
        "-x c -c /dev/stdin -o 0.o < prog.txt",
        "-x c -c /proc/self/fd/0 -o 1.o < prog.txt",
        "-x c -c /dev/fd/0 -o 2.o <&3 3< prog.txt",
    ]
    .iter()
    .enumerate()
    {
        for way in [format!("{CC} {line}"), format!("cat prog.txt | {CC} {}", line.split(" <").next().unwrap())] {
            lab.command("sh").arg("-c").arg(&way).status().unwrap();
            let record = lab.records().pop().unwrap();
            assert!(captured(&record), "{at}: {way}: {record:#?}");
            let unit = fs::read(lab.store().content_path(Kind::UNIT, &record.compiles[0].unit.unwrap())).unwrap();
            assert!(unit.windows(10).any(|w| w == b"told_apart"), "{way}: another text");
        }
    }
    // What another process cannot read again.
    for line in ["-include /dev/stdin -c a.c < prog.txt", "-x c -c /dev/fd/4 -o 4.o 4< prog.txt"] {
        assert!(lab.command("sh").arg("-c").arg(format!("{CC} {line}")).status().unwrap().success());
        let record = lab.records().pop().unwrap();
        assert!(matches!(record.compiles[0].outcome, Outcome::Unsupported(_)), "{line}: {record:#?}");
    }
}

/// As Meson has them: the precompiled form lies in a folder that is searched, the header does not.
#[test]
fn headers_that_are_there_precompiled_only() {
    let lab = Lab::new();
    lab.write("p.h", "#define P 7\n");
    lab.write("a.c", "int a(void) { return P; }\n");
    lab.write("other/x.h", "");
    lab.cc_ok("-x c-header p.h -o other/q.h.gch");
    lab.cc_ok("-Iother -include q.h -c a.c");
    lab.cc_ok("-Iother -includeq.h -c a.c -o b.o");
    // gcc prefers it to a header of the same name.
    lab.write("other/q.h", "#error not precompiled\n");
    lab.cc_ok("-Iother -include q.h -c a.c -o c.o");
    let records = lab.records();
    assert!(records[1..].iter().all(captured), "{records:#?}");
    // One that was made anew past the wrapper is of a header that is not known.
    fs::remove_file(lab.dir.join("other/q.h")).unwrap();
    lab.write("r.h", "#define P 8\n#define R\n");
    lab.run("gcc", "-x c-header r.h -o other/q.h.gch");
    lab.cc_ok("-Iother -include q.h -c a.c");
    assert!(!captured(&lab.records().pop().unwrap()));
}

#[test]
fn the_cache_is_used_exactly_when_nothing_changed() {
    let lab = Lab::new();
    lab.write("a.c", "#include \"h.h\"\nint f(void) { return H; } // one\n");
    lab.write("inc2/h.h", "#define H 1\n");
    fs::create_dir_all(lab.dir.join("inc1")).unwrap();
    let args = "-Iinc1 -Iinc2 -c a.c";
    let build = || {
        lab.cc_ok(args);
        let record = lab.records().pop().unwrap();
        let compile = &record.compiles[0];
        let Outcome::Captured { cached } = compile.outcome else { panic!("{compile:?}") };
        (cached, compile.unit.unwrap())
    };
    let (cached, first) = build();
    assert!(!cached);
    assert_eq!(build(), (true, first));
    // A comment changes the text the unit carries.
    lab.write("a.c", "#include \"h.h\"\nint f(void) { return H; } // two\n");
    assert!(!build().0);
    lab.write("inc2/h.h", "#define H 1\n// more\n");
    assert!(!build().0);
    // A header that comes first on the include path now.
    lab.write("inc1/h.h", "#define H 2\n");
    let (cached, other) = build();
    assert!(!cached);
    assert_ne!(other, first);
    fs::remove_file(lab.dir.join("inc1/h.h")).unwrap();
    assert!(build().0);
    // A damaged unit is made again.
    for unit in lab.units() {
        fs::write(unit, "damaged").unwrap();
    }
    assert!(!build().0);
    // Another lowering makes other units.
    common::script(&lab.lower, "#!/bin/sh\n# changed\n[ \"$2\" = -o ] && exec cp \"$1\" \"$3\"\n");
    assert!(!build().0);
    assert!(build().0);
}

#[test]
fn the_same_object_from_two_sources_goes_by_path() {
    let lab = Lab::new();
    lab.write("one/e.c", "int e;\n");
    lab.write("two/e.c", "int e;\n");
    lab.cc_ok("-c one/e.c -o one/e.o");
    lab.cc_ok("-c two/e.c -o two/e.o");
    for dir in ["one", "two"] {
        lab.cc_ok(&format!("-shared {dir}/e.o -o {dir}/lib{dir}.so"));
        lab.run("ar", &format!("rc {dir}/lib{dir}.a {dir}/e.o"));
    }
    let project = lab.project();
    for dir in ["one", "two"] {
        for name in [format!("lib{dir}.so"), format!("lib{dir}.a")] {
            // The archives and shared objects have the same bytes twice; each place must still be known.
            let found = project
                .targets
                .iter()
                .find(|t| t.name == name || t.copies.iter().any(|c| c.file_name().unwrap() == name.as_str()));
            assert!(found.is_some(), "{name}");
        }
    }
    assert_eq!(project.totals.linked, 2, "{project:#?}");
}

#[test]
fn a_parallel_make_loses_nothing() {
    let lab = Lab::new();
    let mut makefile = String::from("all: prog\nCFLAGS = -O1\nOBJS =");
    for i in 0..40 {
        lab.write(format!("f{i}.c"), format!("int f{i}(void) {{ return {i}; }}\n"));
        makefile += &format!(" f{i}.o");
    }
    makefile += "\nprog: main.o libf.a\n\t$(CC) -o $@ main.o -L. -lf\nlibf.a: $(OBJS)\n\t$(AR) rc $@ $(OBJS)\n";
    let calls: String = (0..40).map(|i| format!("    s += f{i}();\n")).collect();
    let protos: String = (0..40).map(|i| format!("int f{i}(void);\n")).collect();
    lab.write("main.c", format!("{protos}int main(void) {{ int s = 0;\n{calls}    return s != 780; }}\n"));
    lab.write("Makefile", makefile);
    let output = lab.command("make").arg("-j16").arg(format!("CC={CC}")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let project = lab.project();
    assert_eq!(project.totals.captured, 41);
    assert_eq!(project.totals.linked, 41);
    assert_eq!(target(&project, "prog").units.len(), 41);
    assert!(lab.command(lab.dir.join("prog")).status().unwrap().success());
}

#[test]
fn configuration_tests_are_probes() {
    let lab = Lab::new();
    lab.write("conftest.c", "int main(void) { return 0; }\n");
    lab.cc_ok("-o conftest conftest.c");
    assert_eq!(lab.record().class, Class::Probe);
    lab.write("configure", "#!/bin/sh\n$CC -c ztest1.c && $CC ztest1.o -o ztest1\n");
    lab.write("ztest1.c", "int main(void) { return 0; }\n");
    let output = lab.command("sh").arg("./configure").env("CC", CC).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(lab.records().iter().all(|r| r.class == Class::Probe), "{:#?}", lab.records());
    let project = lab.project();
    assert!(project.targets.is_empty() && project.foreign.is_empty(), "{project:#?}");
    assert_eq!(project.totals.probes, 3);
    assert!(lab.units().is_empty());
}

#[test]
fn dropped_options_are_recorded_with_their_weight() {
    let lab = Lab::new();
    lab.write("a.c", "int main(void) { return 0; }\n");
    lab.cc_ok("-fsingle-precision-constant -fno-tree-pre -D_FORTIFY_SOURCE=2 -O2 -c a.c");
    let changes = lab.record().compiles.remove(0).changes;
    let of = |text: &str| changes.iter().find(|c| c.option == text).unwrap().effect;
    assert_eq!(of("-fsingle-precision-constant"), Effect::Semantic);
    assert_eq!(of("-fno-tree-pre"), Effect::Harmless);
    assert_eq!(of("-D_FORTIFY_SOURCE=2"), Effect::Harmless);
}

#[test]
fn the_cxx_wrapper_runs_the_cxx_compiler() {
    let lab = Lab::new();
    lab.write("a.cc", "#include <string>\nint main() { return std::string(\"x\").size() != 1; }\n");
    let output = lab.command(CXX).args(["a.cc", "-o", "prog"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(lab.command(lab.dir.join("prog")).status().unwrap().success());
    assert!(Path::new(&lab.dir.join("prog")).exists());
    let record = lab.record();
    assert_eq!(record.real, ["g++"]);
    assert!(matches!(&record.compiles[0].outcome, Outcome::Unsupported(why) if why == "C++"));
}
