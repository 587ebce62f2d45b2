//! The promises of the store: round trips, damage is absence, many writers, sudden death, helpful errors.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use proptest::prelude::*;
use verify_cache::{Error, Kind, Store, hash};

fn files_under(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(files_under(&path));
        } else {
            out.push(path);
        }
    }
    out
}

#[test]
fn content_and_keyed_round_trip() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let name = store.put(Kind::UNIT, b"bytes").unwrap();
    assert_eq!(name, hash(b"bytes"));
    assert_eq!(store.get(Kind::UNIT, &name).as_deref(), Some(&b"bytes"[..]));
    assert_eq!(store.get(Kind::BITCODE, &name), None, "kinds are separate");
    let key = hash(b"key");
    assert_eq!(store.get_keyed(Kind::UNIT, &key), None);
    store.put_keyed(Kind::UNIT, &key, b"one").unwrap();
    store.put_keyed(Kind::UNIT, &key, b"two").unwrap();
    assert_eq!(store.get_keyed(Kind::UNIT, &key).as_deref(), Some(&b"two"[..]));
    assert_eq!(store.get(Kind::UNIT, &key), None);
}

#[test]
fn damage_is_absence_and_writing_repairs() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let name = store.put(Kind::UNIT, b"some longer bytes").unwrap();
    let path = store.content_path(Kind::UNIT, &name);
    for damaged in [&b""[..], b"some longer byte", b"some longer bytez", b"some longer bytes+"] {
        fs::write(&path, damaged).unwrap();
        assert_eq!(store.get(Kind::UNIT, &name), None);
        store.put(Kind::UNIT, b"some longer bytes").unwrap();
        assert!(store.contains(Kind::UNIT, &name));
    }
    let key = hash(b"k");
    store.put_keyed(Kind::SUMMARY, &key, b"payload").unwrap();
    let file = files_under(&dir.path().join("v1/summary.keyed")).pop().unwrap();
    let whole = fs::read(&file).unwrap();
    for cut in 0..whole.len() {
        fs::write(&file, &whole[..cut]).unwrap();
        assert_eq!(store.get_keyed(Kind::SUMMARY, &key), None, "cut at {cut}");
    }
    for flip in 0..whole.len() {
        let mut bad = whole.clone();
        bad[flip] ^= 1;
        fs::write(&file, &bad).unwrap();
        assert_eq!(store.get_keyed(Kind::SUMMARY, &key), None, "flip at {flip}");
    }
}

#[test]
fn many_writers_of_the_same_entries() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..16u32 {
            let store = Store::open(dir.path()).unwrap();
            scope.spawn(move || {
                for i in 0..50u32 {
                    let bytes = i.to_le_bytes().repeat(1000);
                    let name = store.put(Kind::UNIT, &bytes).unwrap();
                    assert_eq!(store.get(Kind::UNIT, &name), Some(bytes));
                    let key = hash(&i.to_le_bytes());
                    store.put_keyed(Kind::UNIT, &key, &thread.to_le_bytes().repeat(999)).unwrap();
                    assert!(store.get_keyed(Kind::UNIT, &key).is_some());
                }
            });
        }
    });
    assert_eq!(files_under(&dir.path().join("v1/unit")).len(), 50);
    assert_eq!(files_under(&dir.path().join("v1/tmp")).len(), 0);
}

/// Child half of [`killed_writers_leave_a_whole_store`]: writes until it is killed.
#[test]
fn helper_write_forever() {
    let Some(dir) = std::env::var_os("STORE_TEST_DIR") else { return };
    let store = Store::open(dir).unwrap();
    for i in 0u64.. {
        let bytes = i.to_le_bytes().repeat(20_000);
        store.put(Kind::UNIT, &bytes).unwrap();
        store.put_keyed(Kind::UNIT, &hash(&[(i % 7) as u8]), &bytes).unwrap();
    }
}

#[test]
fn killed_writers_leave_a_whole_store() {
    let dir = tempfile::tempdir().unwrap();
    for round in 0..15u64 {
        let mut children: Vec<_> = (0..3)
            .map(|_| {
                Command::new(std::env::current_exe().unwrap())
                    .args(["--exact", "helper_write_forever"])
                    .env("STORE_TEST_DIR", dir.path())
                    .stdout(Stdio::null())
                    .spawn()
                    .unwrap()
            })
            .collect();
        std::thread::sleep(Duration::from_millis(20 + 7 * round));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    let entries = files_under(&dir.path().join("v1/unit"));
    assert!(!entries.is_empty());
    for path in entries {
        let name = format!(
            "{}{}",
            path.parent().unwrap().file_name().unwrap().to_str().unwrap(),
            path.file_name().unwrap().to_str().unwrap()
        );
        let found = hash(&fs::read(&path).unwrap());
        assert_eq!(found.to_hex().as_str(), name);
    }
}

#[test]
fn sweeping_takes_old_leftovers_only() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let name = store.put(Kind::UNIT, b"kept").unwrap();
    let left = store.scratch().unwrap().keep();
    fs::write(left.join("file"), b"x").unwrap();
    let hour = Duration::from_secs(3600);
    assert_eq!(store.sweep(std::time::SystemTime::now() - hour), 0);
    assert_eq!(store.sweep(std::time::SystemTime::now() + hour), 1);
    assert!(!left.exists() && store.contains(Kind::UNIT, &name));
}

#[test]
fn errors_say_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, b"").unwrap();
    for path in [file.clone(), file.join("below")] {
        let error = Store::open(&path).unwrap_err();
        assert!(matches!(error, Error::NotADirectory { .. }), "{error}");
        assert!(error.to_string().contains("set VERIFY_CACHE"), "{error}");
    }
    let full = Error::from_io(&file, std::io::ErrorKind::StorageFull.into());
    assert!(full.to_string().contains("free some space"), "{full}");
    let read_only = Error::from_io(&file, std::io::ErrorKind::ReadOnlyFilesystem.into());
    assert!(read_only.to_string().contains("read-only"), "{read_only}");
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    // /dev/full refuses every write; the store meets ENOSPC through the temporary file's directory only on a
    // real full disk, so the classification is what is tested here.
    let Ok(mut full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let error = std::io::Write::write_all(&mut full, b"x").unwrap_err();
    assert!(matches!(Error::from_io(Path::new("/x"), error), Error::Full { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_bytes_round_trip(bytes in proptest::collection::vec(any::<u8>(), 0..4000)) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let name = store.put(Kind::UNIT, &bytes).unwrap();
        prop_assert_eq!(store.get(Kind::UNIT, &name), Some(bytes.clone()));
        store.put_keyed(Kind::OUTCOME, &name, &bytes).unwrap();
        prop_assert_eq!(store.get_keyed(Kind::OUTCOME, &name), Some(bytes));
    }
}
