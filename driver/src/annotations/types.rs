//! The project's own types, as C text for annotations: records, enumerations and typedefs that their prototypes and
//! expressions name, taken from the debug information of the program's units. Records are written packed, with every
//! field at the offset that it has in the program; qualifiers are left out, for they change no layout.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use verify_ir::{CType, Encoding, MacroDef, Module, Record, TypeId};

/// What the headers that every model reads define already, and what is written in place of what they do not.
const KNOWN: &[&str] =
    &["max_align_t", "va_list", "__builtin_va_list", "__gnuc_va_list", "__va_list_tag", "__fsid_t", "bool", "wchar_t"];
const USUAL: &[(&str, &str)] = &[
    ("FILE", "typedef struct _IO_FILE FILE;"),
    ("ssize_t", "typedef ptrdiff_t ssize_t;"),
    ("off_t", "typedef long off_t;"),
    ("time_t", "typedef long time_t;"),
    ("pid_t", "typedef int pid_t;"),
    ("mode_t", "typedef unsigned mode_t;"),
];

/// Names that a program's debug information explains.
pub struct Types<'a> {
    tags: BTreeMap<&'a str, (&'a Module, TypeId)>,
    typedefs: BTreeMap<&'a str, (&'a Module, TypeId)>,
    enumerators: BTreeMap<&'a str, (&'a Module, TypeId)>,
    macros: BTreeMap<&'a str, &'a MacroDef>,
    /// Sources with typedefs: one that nothing but a declaration uses is not in the debug information.
    texts: Vec<&'a str>,
}

impl<'a> Types<'a> {
    /// Of all units of a program; what the first of them says holds.
    pub fn of(modules: impl Iterator<Item = &'a Module>) -> Types<'a> {
        let mut t = Types {
            tags: BTreeMap::new(),
            typedefs: BTreeMap::new(),
            enumerators: BTreeMap::new(),
            macros: BTreeMap::new(),
            texts: Vec::new(),
        };
        for m in modules {
            for (i, c) in m.ctypes.iter().enumerate() {
                let here = (m, TypeId::new(i));
                match c {
                    CType::Record(r) if is_word(&r.name) && !r.incomplete => _ = t.tags.entry(&r.name).or_insert(here),
                    CType::Enum { name, enumerators, .. } => {
                        if is_word(name) {
                            t.tags.entry(name).or_insert(here);
                        }
                        for (e, _) in enumerators {
                            t.enumerators.entry(e).or_insert(here);
                        }
                    }
                    CType::Typedef { name, .. } if is_word(name) => _ = t.typedefs.entry(name).or_insert(here),
                    _ => {}
                }
            }
            let texts = m.files.iter().filter(|f| !f.system).filter_map(|f| f.text.as_deref());
            t.texts.extend(texts.filter(|t| t.contains("typedef")));
            for d in m.macros.iter().filter(|d| !d.undef) {
                let name = d.name.split('(').next().unwrap_or_default();
                t.macros.entry(name).or_insert(d);
            }
        }
        t
    }

    /// A simple typedef of this name, as it stands in a source.
    fn written(&self, name: &str) -> Option<String> {
        let statements = self.texts.iter().flat_map(|t| t.split("typedef").skip(1));
        let heads = statements.filter_map(|s| s.split_once(';').map(|x| x.0));
        let plain = |s: &&str| !s.contains(['{', '(', '[', '#', '/', '"']);
        let found = heads.filter(plain).find(|s| s.trim_end().ends_with(name) && words(s).last() == Some(name))?;
        Some(format!("typedef {};", found.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    /// Declarations of what these C texts name, each with the names that mean something else in it: parameters.
    pub fn declarations<'t>(&self, texts: impl Iterator<Item = (String, BTreeSet<&'t str>)>) -> String {
        let mut w = Writing { types: self, behind: Vec::new(), done: BTreeSet::new(), out: String::new() };
        for (text, own) in texts {
            w.words(&text, &own);
        }
        while let Some((m, t)) = w.behind.pop() {
            w.define(m, t);
        }
        w.out
    }
}

fn is_word(s: &str) -> bool {
    !s.is_empty()
        && !s.starts_with(|c: char| c.is_ascii_digit())
        && s.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The identifiers of a C text, in order.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| is_word(w))
}

struct Writing<'t, 'a> {
    types: &'t Types<'a>,
    /// Records that a pointer leads to: an expression may look into them.
    behind: Vec<(&'a Module, TypeId)>,
    /// `struct x`, typedef names, enumerations by their first enumerator, macros.
    done: BTreeSet<String>,
    out: String,
}

impl<'a> Writing<'_, 'a> {
    fn words(&mut self, text: &str, own: &BTreeSet<&str>) {
        let mut after_tag = false;
        for w in words(text) {
            let keyword = matches!(w, "struct" | "union" | "enum");
            if after_tag {
                match self.types.tags.get(w) {
                    Some(&(m, t)) => self.define(m, t),
                    // Known by name only: at file scope, so that all prototypes mean the same.
                    None if text.contains(&format!("struct {w}")) => {
                        self.once(&format!("struct {w}"), &format!("struct {w};"))
                    }
                    None => {}
                }
            } else if own.contains(w) || keyword {
            } else if let Some(&(m, t)) = self.types.typedefs.get(w) {
                self.define(m, t);
            } else if let Some(&(m, t)) = self.types.enumerators.get(w) {
                self.define(m, t);
            } else if let Some(d) = self.types.macros.get(w) {
                if self.done.insert(format!("#{w}")) {
                    let (name, body) = (&d.name, &d.body);
                    self.words(body, &BTreeSet::new());
                    let _ = writeln!(self.out, "#undef {w}\n#define {name} {body}");
                }
            } else if let Some((_, line)) = USUAL.iter().find(|u| u.0 == w) {
                self.once(w, line);
            } else if let Some(line) = self.types.written(w)
                && self.done.insert(w.to_string())
            {
                self.words(&line, &BTreeSet::new());
                let _ = writeln!(self.out, "{line}");
            }
            after_tag = keyword;
        }
    }

    fn once(&mut self, name: &str, line: &str) {
        if self.done.insert(name.to_string()) {
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    /// Writes a named type, after those that it is made of.
    fn define(&mut self, m: &'a Module, id: TypeId) {
        match &m.ctypes[id.index()] {
            CType::Record(r) if is_word(&r.name) => {
                let head = head(r);
                if !r.incomplete && self.done.insert(format!("{head} {{}}")) {
                    let body = self.body(m, r);
                    let _ = writeln!(self.out, "{head} {body};");
                } else {
                    self.once(&head, &format!("{head};"));
                }
            }
            CType::Enum { enumerators, .. } => {
                let Some((first, _)) = enumerators.first() else { return };
                if self.done.insert(format!("enum of {first}")) {
                    let text = declaration_of_enum(&m.ctypes[id.index()]);
                    let _ = writeln!(self.out, "{text};");
                }
            }
            CType::Typedef { name, ty }
                if !KNOWN.contains(&name.as_str())
                    && !name.starts_with("__builtin")
                    && self.done.insert(name.clone()) =>
            {
                let text = self.declare(m, *ty, name);
                let _ = writeln!(self.out, "typedef {text};");
            }
            _ => {}
        }
    }

    /// A declaration of `inner` with this type. Types behind a pointer need a name only.
    fn declare(&mut self, m: &'a Module, id: TypeId, inner: &str) -> String {
        let with = |ty: &str| if inner.is_empty() { ty.to_string() } else { format!("{ty} {inner}") };
        match &m.ctypes[id.index()] {
            CType::Void => with("void"),
            CType::Base { name, encoding: Encoding::ComplexFloat, bits } => with(match bits {
                64 => "_Complex float",
                128 => "_Complex double",
                _ => name,
            }),
            CType::Base { name, .. } => with(name),
            CType::Qualified { ty, .. } => self.declare(m, *ty, inner),
            CType::Typedef { name, .. } if is_word(name) => {
                self.define(m, id);
                with(name)
            }
            CType::Typedef { ty, .. } => self.declare(m, *ty, inner),
            CType::Pointer(to) => {
                let mut target = *to;
                while let CType::Qualified { ty, .. } = &m.ctypes[target.index()] {
                    target = *ty;
                }
                match &m.ctypes[target.index()] {
                    CType::Array { .. } | CType::Function { .. } => self.declare(m, target, &format!("(*{inner})")),
                    CType::Record(r) if is_word(&r.name) => {
                        let head = head(r);
                        self.once(&head, &format!("{head};"));
                        self.behind.push((m, target));
                        format!("{head} *{inner}")
                    }
                    _ => self.declare(m, target, &format!("*{inner}")),
                }
            }
            CType::Array { elem, count } => {
                let n = count.map_or_else(String::new, |n| n.to_string());
                self.declare(m, *elem, &format!("{inner}[{n}]"))
            }
            CType::Function { ret, params, variadic } => {
                let mut list: Vec<String> = params.iter().map(|p| self.declare(m, *p, "")).collect();
                match (list.is_empty(), variadic) {
                    (true, false) => list.push("void".into()),
                    (false, true) => list.push("...".into()),
                    _ => {}
                }
                self.declare(m, *ret, &format!("{inner}({})", list.join(", ")))
            }
            CType::Enum { name, enumerators, .. } => {
                if is_word(name) {
                    self.define(m, id);
                    with(&format!("enum {name}"))
                } else if enumerators.first().is_some_and(|(e, _)| self.done.insert(format!("enum of {e}"))) {
                    with(&declaration_of_enum(&m.ctypes[id.index()]))
                } else {
                    with("int")
                }
            }
            CType::Record(r) if is_word(&r.name) => {
                self.define(m, id);
                with(&head(r))
            }
            CType::Record(r) => {
                let body = self.body(m, r);
                with(&format!("{} {body}", if r.is_union { "union" } else { "struct" }))
            }
        }
    }

    fn body(&mut self, m: &'a Module, r: &Record) -> String {
        let mut text = String::from("{ ");
        let mut at = 0;
        for f in &r.fields {
            if !r.is_union && f.bit_offset > at {
                let gap = f.bit_offset - at;
                // Whole bytes as an array, the rest as bits.
                let _ = match gap % 8 {
                    0 => write!(text, "char verify_gap{at}[{}]; ", gap / 8),
                    _ => (at..f.bit_offset).try_for_each(|_| write!(text, "unsigned char : 1; ")),
                };
            }
            let declared = self.declare(m, f.ty, &f.name);
            let _ = match f.bit_field {
                true => write!(text, "{declared} : {}; ", f.bit_size),
                false => write!(text, "{declared}; "),
            };
            at = f.bit_offset + f.bit_size;
        }
        if !r.is_union && r.size * 8 > at {
            let whole = r.size - at.div_ceil(8);
            // The last bits of a byte are filled up by whatever follows.
            if whole > 0 {
                let _ = write!(text, "char verify_gap{at}[{whole}]; ");
            }
        }
        if r.is_union {
            let _ = write!(text, "char verify_all[{}]; ", r.size);
        }
        text.push_str("} __attribute__((packed))");
        text
    }
}

fn head(r: &Record) -> String {
    format!("{} {}", if r.is_union { "union" } else { "struct" }, r.name)
}

fn declaration_of_enum(t: &CType) -> String {
    let CType::Enum { name, enumerators, .. } = t else { return "int".into() };
    let list: Vec<String> = enumerators.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    format!("enum {name} {{ {} }}", list.join(", "))
}
