//! The ledger: lossless records, many writers, sudden death, foreign files. And the choice of archive members.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use verify_compile_db::archive::{Sort, Symbols, members, sort_of};
use verify_compile_db::record::VERSION;
use verify_compile_db::select::{Item, select};
use verify_compile_db::{Change, Class, Compile, Effect, Hash, Ledger, Outcome, Record, Status};

fn record(i: u64, filler: usize) -> Record {
    let odd = OsString::from_vec(b"odd \xff\n\"name".to_vec());
    Record {
        version: VERSION,
        time: i,
        cwd: PathBuf::from(&odd),
        real: vec!["gcc".into()],
        argv: vec!["-c".into(), odd.clone(), format!("{i}{}", "x".repeat(filler)).into()],
        status: Status::Signal(9),
        class: Class::Compile,
        note: Some("note".into()),
        compiles: vec![Compile {
            source: PathBuf::from(&odd),
            source_hash: Some(hash(b"s")),
            language: "c".into(),
            object: None,
            object_hash: Some(hash(&i.to_le_bytes())),
            unit: None,
            outcome: Outcome::Failed { stage: "clang".into(), message: "m".into() },
            clang: vec![odd.clone()],
            changes: vec![Change { option: odd, effect: Effect::Semantic, why: "w".into() }],
            lines: Some(3),
            symbols: None,
            bindings: None,
            names: Vec::new(),
            body: None,
            replay: Some("r".into()),
            rebuilt: vec!["why".into()],
            note: None,
        }],
        link: None,
        session: String::new(),
    }
}

fn hash(bytes: &[u8]) -> Hash {
    blake3::hash(bytes)
}

#[test]
fn records_survive_unchanged_and_repeats_replace() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path());
    assert!(ledger.read().unwrap().records.is_empty());
    for i in [3, 1, 2, 1] {
        ledger.append(&record(i, 0)).unwrap();
    }
    let contents = ledger.read().unwrap();
    assert_eq!(contents.records.iter().map(|r| r.time).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(format!("{:?}", contents.records[0]), format!("{:?}", record(1, 0)));
}

#[test]
fn damaged_and_foreign_records_are_counted_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path());
    let path = ledger.append(&record(1, 0)).unwrap();
    ledger.append(&record(2, 0)).unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    fs::write(path.with_file_name("other.json"), "{}").unwrap();
    let newer = String::from_utf8(whole).unwrap().replace("\"version\":1", "\"version\":99");
    fs::write(path.with_file_name("newer.json"), newer).unwrap();
    let contents = ledger.read().unwrap();
    assert_eq!((contents.records.len(), contents.damaged), (1, 3));
}

/// Child half of [`killed_writers_leave_whole_records`].
#[test]
fn helper_append_forever() {
    let Some(dir) = std::env::var_os("LEDGER_TEST_DIR") else { return };
    let ledger = Ledger::open(Path::new(&dir));
    let start = u64::from(std::process::id()) << 32;
    for i in start.. {
        ledger.append(&record(i, 30_000)).unwrap();
    }
}

#[test]
fn killed_writers_leave_whole_records() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..10u64 {
        let mut children: Vec<_> = (0..3)
            .map(|_| {
                Command::new(std::env::current_exe().unwrap())
                    .args(["--exact", "helper_append_forever"])
                    .env("LEDGER_TEST_DIR", dir.path())
                    .stdout(Stdio::null())
                    .spawn()
                    .unwrap()
            })
            .collect();
        std::thread::sleep(Duration::from_millis(15 + 9 * round));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    let contents = Ledger::open(dir.path()).read().unwrap();
    assert!(!contents.records.is_empty());
    assert_eq!(contents.damaged, 0);
}

#[test]
fn archives_of_every_form_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let long = "a_member_whose_name_is_longer_than_fifteen_characters.o";
    fs::write(dir.path().join("s.o"), "not an object").unwrap();
    fs::write(dir.path().join(long), "odd").unwrap();
    for (flags, file) in [("rc", "n.a"), ("rcT", "t.a"), ("rcS", "nosym.a")] {
        let made = Command::new("ar").current_dir(dir.path()).args([flags, file, "s.o", long]).status();
        assert!(made.unwrap().success());
        let path = dir.path().join(file);
        let bytes = fs::read(&path).unwrap();
        assert_eq!(sort_of(&bytes), Sort::Archive);
        let found: Vec<_> = members(&path, &bytes).unwrap().into_iter().map(|m| (m.name, m.bytes.unwrap())).collect();
        assert_eq!(found, [("s.o".into(), b"not an object".to_vec()), (long.into(), b"odd".to_vec())], "{file}");
        for cut in 0..bytes.len() {
            let _ = members(&path, &bytes[..cut]);
        }
    }
    assert!(members(Path::new("x.a"), b"nonsense").is_err());
}

fn symbols(defined: &[&str], needed: &[&str]) -> Symbols {
    let set = |names: &[&str]| names.iter().map(|n| n.as_bytes().to_vec()).collect();
    Symbols { defined: set(defined), needed: set(needed), opaque: false }
}

#[test]
fn linkers_rule_for_archives() {
    let archive = |members: Vec<Symbols>, whole, group| Item::Archive { members: members.into(), whole, group };
    let object = Item::Object(symbols(&["main"], &["f"]));
    let f = || symbols(&["f"], &["g"]);
    let g = || symbols(&["g"], &[]);
    let check = |items: &[Item], expect: &[&[bool]]| {
        let got = select(items, &[b"main".to_vec()]);
        assert_eq!(got.pulled, expect);
        assert!(!got.conservative);
    };
    // A member needed by a later member of the same archive, in both orders; one that nothing needs.
    check(&[object, archive(vec![g(), f(), symbols(&["h"], &[])], false, None)], &[&[], &[true, true, false]]);
    let object = || Item::Object(symbols(&["main"], &["f"]));
    // An archive before its user gives nothing.
    check(&[archive(vec![f()], false, None), object()], &[&[false], &[]]);
    // An earlier archive is not searched again, except in a group.
    let cycle = |group| [object(), archive(vec![g()], false, group), archive(vec![f()], false, group)];
    check(&cycle(None), &[&[], &[false], &[true]]);
    check(&cycle(Some(1)), &[&[], &[true], &[true]]);
    check(&[object(), archive(vec![symbols(&["z"], &[])], true, None)], &[&[], &[true]]);
    // The first definition wins; main may itself lie in an archive.
    check(
        &[object(), archive(vec![f()], false, None), archive(vec![f(), g()], false, None)],
        &[&[], &[true], &[false, true]],
    );
    check(&[archive(vec![symbols(&["main"], &[])], false, None)], &[&[true]]);
    let opaque = Symbols { opaque: true, ..Symbols::default() };
    let got = select(&[Item::Object(opaque), archive(vec![f(), g()], false, None)], &[]);
    assert!(got.conservative && got.pulled[1] == [true, true]);
}
