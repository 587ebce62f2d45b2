//! Quoting, response files and compilation databases: round trips and bad input.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use verify_compile_db::CompileDb;
use verify_compile_db::quote::{join_gcc, join_posix, split_gcc, split_posix};
use verify_compile_db::response::{ResponseError, expand};

fn check_split(split: fn(&[u8]) -> Vec<OsString>, text: &str, expect: &[&str]) {
    assert_eq!(split(text.as_bytes()), expect, "{text}");
}

#[test]
fn posix_words() {
    check_split(split_posix, "", &[]);
    check_split(split_posix, "  a\tb\nc ", &["a", "b", "c"]);
    check_split(split_posix, r#"'a b' "c d" e\ f"#, &["a b", "c d", "e f"]);
    check_split(split_posix, r#"-DX=\"s\" '-DY="t u"' "-DZ=\"\$\\\q""#, &["-DX=\"s\"", "-DY=\"t u\"", "-DZ=\"$\\\\q"]);
    check_split(split_posix, r#"'' "" a''b '\'"#, &["", "", "ab", "\\"]);
    check_split(split_posix, "a\\\nb 'open", &["ab", "open"]);
}

#[test]
fn gcc_words() {
    check_split(split_gcc, r#"a\b 'c\'d' "e\f""#, &["ab", "c'd", "ef"]);
    check_split(split_gcc, "\u{b}x\u{c}'' y\\", &["x", "", "y"]);
    check_split(split_gcc, "a\0b", &["a"]);
}

/// gcc itself is asked what it makes of a response file.
#[test]
fn gcc_agrees() {
    let dir = tempfile::tempdir().unwrap();
    let text = "'-DA=1 2' \"-DB=x\\\"y\" -DC=\\'z\\ \\\\ '-DD=\\q' -DE=\"a'b\"\n\t-DF=''";
    fs::write(dir.path().join("r"), text).unwrap();
    let output = std::process::Command::new("gcc")
        .current_dir(dir.path())
        .args(["-###", "-c", "-x", "c", "/dev/null", "@r"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let line = said.lines().find(|l| l.contains("cc1")).unwrap();
    let seen = split_posix(line.as_bytes());
    let pairs: Vec<_> = seen.windows(2).filter(|w| w[0] == "-D").map(|w| w[1].clone()).collect();
    let ours: Vec<_> = split_gcc(text.as_bytes())
        .into_iter()
        .map(|w| OsStr::from_bytes(w.as_bytes().strip_prefix(b"-D").unwrap()).to_owned())
        .collect();
    assert_eq!(pairs, ours);
}

fn any_word() -> impl Strategy<Value = OsString> {
    let bytes = prop_oneof![
        proptest::collection::vec(1u8..=255, 0..12),
        proptest::collection::vec(proptest::sample::select(b" \t\n\\'\"$`ab-=@#\r\x0b".to_vec()), 0..12),
    ];
    bytes.prop_map(OsString::from_vec)
}

proptest! {
    #[test]
    fn posix_round_trip(words in proptest::collection::vec(any_word(), 0..8)) {
        prop_assert_eq!(split_posix(join_posix(&words).as_bytes()), words);
    }

    #[test]
    fn gcc_round_trip(words in proptest::collection::vec(any_word(), 0..8)) {
        prop_assert_eq!(split_gcc(join_gcc(&words).as_bytes()), words);
    }

    #[test]
    fn splitting_never_fails(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = split_posix(&text);
        let _ = split_gcc(&text);
    }

    #[test]
    fn any_bytes_as_database(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = CompileDb::parse(&text, Path::new("c.json"), Path::new("/"));
    }

    #[test]
    fn names_that_are_no_utf8_in_a_database(
        name in proptest::collection::vec((1u8..=255).prop_filter("as it is", |b| !b"\"'\\$` \t\n".contains(b) && *b >= 32), 1..9)
    ) {
        let text = [b"[{\"directory\": \"/", &name[..], b"\", \"file\": \"", &name, b"\", \"command\": \"cc ", &name, b"\"}]"].concat();
        let db = CompileDb::parse(&text, Path::new("c.json"), Path::new("/")).unwrap();
        let name = OsString::from_vec(name);
        prop_assert_eq!(db.entries[0].directory.as_path(), Path::new("/").join(&name));
        prop_assert_eq!(db.entries[0].file.as_os_str(), &name);
        prop_assert_eq!(&db.entries[0].arguments[1], &name);
    }

    #[test]
    fn database_round_trip(names in proptest::collection::vec("[^\0]{1,10}", 1..5)) {
        let mut items = Vec::new();
        for name in &names {
            items.push(serde_json::json!({"directory": "/d", "file": name, "arguments": ["cc", name, "-c"], "output": "o"}));
        }
        let text = serde_json::to_vec(&items).unwrap();
        let db = CompileDb::parse(&text, Path::new("c.json"), Path::new("/")).unwrap();
        let again = CompileDb::parse(db.to_json().as_bytes(), Path::new("c.json"), Path::new("/")).unwrap();
        prop_assert_eq!(db, again);
    }
}

#[test]
fn response_files() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let words = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
    let run = |list: &[&str]| expand(&words(list), dir.path());
    write("a", "-x @b 'y z'");
    write("b", "-b @c @nothere");
    write("c", "");
    fs::create_dir(dir.path().join("sub")).unwrap();
    assert_eq!(run(&["p", "@a", "q"]).unwrap(), words(&["p", "-x", "-b", "@nothere", "y z", "q"]));
    assert_eq!(run(&["@b", "@b"]).unwrap().len(), 4, "twice is no cycle");
    assert_eq!(run(&["@sub", "@"]).unwrap(), words(&["@sub", "@"]));
    write("self", "-c @self");
    write("one", "@two");
    write("two", "x @./one");
    assert!(matches!(run(&["@self"]), Err(ResponseError::Cycle(_))));
    assert!(matches!(run(&["@one"]), Err(ResponseError::Cycle(_))));
    // Doubling at every level: stopped long before it fills the memory.
    for i in 0..40 {
        write(&format!("d{i}"), &format!("@d{n} @d{n}", n = i + 1));
    }
    write("d40", "x");
    assert_eq!(run(&["@d0"]), Err(ResponseError::TooMany));
    assert_eq!(ResponseError::Cycle("f".into()).to_string(), "response file f includes itself");
}

fn parse(text: &str) -> Result<CompileDb, String> {
    let parsed = CompileDb::parse(text.as_bytes(), Path::new("cc.json"), Path::new("/base"));
    parsed.map_err(|e| e.to_string())
}

#[test]
fn database_forms() {
    let db = parse(
        r#"[
        {"directory": "/abs", "file": "a.c", "arguments": ["gcc", "-c", "a.c", "-DX=\"q r\""]},
        {"directory": "rel/dir", "file": "../b.c", "command": "gcc -c '-DX=\"q r\"' ../b.c", "output": "b.o"},
        {"directory": ".", "file": "/x/c.c", "command": "ignored", "arguments": ["cc"], "unknown": [1]}
    ]"#,
    )
    .unwrap();
    assert_eq!(db.entries[0].arguments[3], "-DX=\"q r\"");
    assert_eq!(db.entries[1].arguments[2], "-DX=\"q r\"");
    assert_eq!(db.entries[1].source_path(), Path::new("/base/rel/dir/../b.c"));
    assert_eq!(db.entries[1].output, Some(PathBuf::from("b.o")));
    assert_eq!(db.entries[2].source_path(), Path::new("/x/c.c"));
    assert_eq!(db.entries[2].arguments, ["cc"]);
    assert_eq!(db.missing().len(), 3);
    assert!(parse("[]").unwrap().entries.is_empty());
    assert!(parse("\u{feff}[]").is_ok());
}

#[test]
fn bad_databases_give_one_line_naming_file_and_entry() {
    for (text, expect) in [
        ("", "cc.json: not valid JSON: EOF"),
        ("{", "cc.json: not valid JSON"),
        ("[{]", "cc.json: not valid JSON: "),
        ("{}", "cc.json: not a compilation database: expected an array of objects, found an object"),
        ("3", "found a number"),
        (
            "[{\"directory\":\"/\",\"file\":\"a\",\"command\":\"x\"}, 7]",
            "cc.json: entry 1: expected an object, found a number",
        ),
        ("[{\"file\":\"a.c\",\"command\":\"x\"}]", "cc.json: entry 0: \"directory\" is missing"),
        ("[{\"directory\":\"/\",\"command\":\"x\"}]", "cc.json: entry 0: \"file\" is missing"),
        ("[{\"directory\":3,\"file\":\"a\"}]", "entry 0: \"directory\" must be a string, found a number"),
        ("[{\"directory\":\"/\",\"file\":\"a\"}]", "entry 0: neither \"arguments\" nor \"command\""),
        ("[{\"directory\":\"/\",\"file\":\"a\",\"command\":\" \"}]", "entry 0: the command line is empty"),
        ("[{\"directory\":\"/\",\"file\":\"a\",\"arguments\":[]}]", "entry 0: the command line is empty"),
        (
            "[{\"directory\":\"/\",\"file\":\"a\",\"arguments\":[\"x\",null]}]",
            "entry 0: \"arguments\"[1] must be a string, found null",
        ),
        ("[{\"directory\":\"/\",\"file\":\"a\",\"arguments\":\"x\"}]", "entry 0: \"arguments\" must be an array"),
        ("[{\"directory\":\"/\",\"file\":\"a\\u0000\",\"command\":\"x\"}]", "entry 0: \"file\" contains a NUL"),
    ] {
        let said = parse(text).unwrap_err();
        assert!(said.contains(expect), "{text}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let said = CompileDb::read(Path::new("/no/such/db.json")).unwrap_err().to_string();
    assert!(said.starts_with("/no/such/db.json: "), "{said}");
    // Nesting deep enough to overflow a careless parser's stack.
    assert!(parse(&"[".repeat(100_000)).is_err());
}
