//! What the driver hands to the linker as it is (`-Wl,`, `-Xlinker`): which inputs and switches are among it.
//!
//! The options are those of GNU ld, which takes long ones behind one dash or two; only what decides which inputs go in
//! is understood, and of the others whether their argument is the next word.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use verify_compile_db::response;

use crate::argv::{Invocation, Item, Product};

/// Options of one letter whose argument is the next word when nothing is behind the letter.
const SHORT_SEPARATE: &str = "acefhmoyzAFGIOPRTYb";

/// Long options whose argument is the next word, without dashes.
const LONG_SEPARATE: &[&str] = &[
    "soname",
    "rpath",
    "rpath-link",
    "version-script",
    "version-exports-section",
    "script",
    "default-script",
    "dT",
    "mri-script",
    "Map",
    "dynamic-list",
    "dynamic-linker",
    "format",
    "oformat",
    "architecture",
    "defsym",
    "retain-symbols-file",
    "init",
    "fini",
    "gpsize",
    "plugin",
    "plugin-opt",
    "Ttext",
    "Tdata",
    "Tbss",
    "Ttext-segment",
    "Trodata-segment",
    "Tldata-segment",
    "section-start",
    "sort-section",
    "wrap",
    "exclude-libs",
    "hash-style",
    "assert",
    "audit",
    "depaudit",
    "auxiliary",
    "filter",
    "just-symbols",
    "output",
    "out-implib",
    "trace-symbol",
    "dependency-file",
    "error-handling-script",
    "section-ordering-file",
    "remap-inputs-file",
    "install_name",
    "compatibility_version",
    "current_version",
    "exported_symbols_list",
    "image_base",
];

/// Takes what concerns the inputs from words for the linker; its response files are looked for in `cwd`.
pub(crate) fn words(out: &mut Invocation, words: &[OsString], cwd: Option<&Path>) {
    let expanded = cwd.and_then(|cwd| response::expand(words, cwd).ok());
    let mut words = expanded.as_deref().unwrap_or(words).iter();
    while let Some(word) = words.next() {
        let Some(text) = word.to_str() else {
            if !word.as_encoded_bytes().starts_with(b"-") {
                out.items.push(Item::File { path: word.into(), language: None });
            }
            continue;
        };
        let Some(option) = text.strip_prefix('-').filter(|_| text.len() > 1) else {
            if !text.is_empty() {
                out.items.push(Item::File { path: word.into(), language: None });
            }
            continue;
        };
        let name = option.strip_prefix('-').unwrap_or(option);
        let (name, joined) = name.split_once('=').map_or((name, None), |(n, v)| (n, Some(OsString::from(v))));
        let mut value = || joined.clone().or_else(|| words.next().cloned());
        match name {
            "whole-archive" => out.items.push(Item::Whole(true)),
            "no-whole-archive" => out.items.push(Item::Whole(false)),
            "Bstatic" | "dn" | "non_shared" | "static" => out.items.push(Item::Static(true)),
            "Bdynamic" | "dy" | "call_shared" => out.items.push(Item::Static(false)),
            "start-group" | "(" => out.items.push(Item::GroupStart),
            "end-group" | ")" => out.items.push(Item::GroupEnd),
            "push-state" => out.items.push(Item::Push),
            "pop-state" => out.items.push(Item::Pop),
            "shared" | "Bshareable" => out.product = Product::Shared,
            "r" | "i" | "Ur" | "relocatable" => out.product = Product::Relocatable,
            "library-path" => out.library_dirs.extend(value().map(PathBuf::from)),
            "library" => out.items.extend(value().map(Item::Library)),
            "undefined" | "require-defined" | "entry" => out.roots.extend(value()),
            _ if joined.is_none() && LONG_SEPARATE.contains(&name) => {
                words.next();
            }
            _ if option.starts_with('-') => {}
            _ => {
                let (letter, rest) = option.split_at(option.chars().next().map_or(0, char::len_utf8));
                let mut value = || match rest {
                    "" => words.next().cloned(),
                    rest => Some(rest.into()),
                };
                match letter {
                    "L" => out.library_dirs.extend(value().map(PathBuf::from)),
                    "l" => out.items.extend(value().map(Item::Library)),
                    "u" => out.roots.extend(value()),
                    // Joined it may be a long option that is not known here.
                    "e" if rest.is_empty() => out.roots.extend(value()),
                    _ if rest.is_empty() && SHORT_SEPARATE.contains(letter) => {
                        words.next();
                    }
                    _ => {}
                }
            }
        }
    }
}
