//! What users say of functions without a body: C model files (`--models DIR`, `models = [...]`), and annotations in
//! verify.toml, which are written out as such files. Both are compiled like the models of the C library, linked after them,
//! and win over them; a body in the program wins over all.
//!
//! ```toml
//! [[function]]
//! prototype = "void *pool_get(struct pool *p, size_t n)"
//! allocates = "n"          # a new object of so many bytes, or null
//! family = "pool"          # released by the functions of the same family only
//!
//! [[function]]
//! prototype = "void pool_put(struct pool *p, void *what)"
//! frees = "what"
//! family = "pool"
//! ```
//!
//! What is said must fit what the program declares: the compiled annotation has the machine-level signature of the
//! program's own declaration, or it is refused ([`Entry::fits`]). It can be wrong all the same, so the functions are named
//! among the assumptions of a scan; but where it contradicts itself, nothing is proved (see [`mod@text`]).

mod text;
mod types;

use crate::exit::usage;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use verify_ir::{Call, FuncId, InstKind, Module, Signature, Ty};

pub use text::model;
pub use types::Types;

/// The unit that annotations become.
pub const UNIT: &str = "verify_annotations.c";

/// What is said of a function. Expressions are C, over the names of its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Annotation {
    /// The declaration, with names of the parameters and without a semicolon.
    pub prototype: String,
    /// It returns a new object of so many bytes.
    pub allocates: Option<String>,
    /// It releases this pointer (null is allowed).
    pub frees: Option<String>,
    /// Which functions belong together; `malloc` without it.
    pub family: Option<String>,
    /// It does not return.
    pub noreturn: bool,
    /// It never returns null: `allocates` does not fail, and another pointer is not null.
    pub returns_non_null: bool,
    /// Parameters that may not be null.
    pub nonnull: Vec<String>,
    /// `[pointer, bytes]`: what it reads. The bytes must be there and have a value.
    pub reads: Vec<Buffer>,
    /// `[pointer, bytes]`: what it fills with bytes of any value.
    pub writes: Vec<Buffer>,
    /// Bounds of the result, inclusive: `["-1", "n"]`.
    pub returns: Option<(String, String)>,
}

/// A pointer and how many bytes are there.
pub type Buffer = (String, String);

/// An annotation that is sound in itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Line in verify.toml.
    pub line: usize,
    /// The function.
    pub name: String,
    /// Type of the result, in C.
    result: String,
    /// The parameters as written, without the parentheses.
    params: String,
    /// Their names.
    names: Vec<String>,
    /// What is said.
    said: Annotation,
    /// Number of its family.
    family: usize,
}

/// First number of a family of the user's, and that of `malloc` (models/verify_primitives.h).
const FIRST_FAMILY: usize = 64;
const MALLOC: usize = 1;

/// Reads the annotations, each with its line in verify.toml.
///
/// # Errors
/// A sentence: a prototype that is none, or words that contradict each other.
pub fn entries(annotations: Vec<(usize, Annotation)>) -> anyhow::Result<Vec<Entry>> {
    let mut families: Vec<String> = annotations.iter().filter_map(|(_, a)| a.family.clone()).collect();
    families.sort_unstable();
    families.dedup();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut out = Vec::new();
    for (line, said) in annotations {
        let no_prototype =
            || usage(format!("verify.toml:{line}: `{}` is no prototype of a function", said.prototype.trim()));
        let (result, name, params) = parts(&said.prototype).ok_or_else(no_prototype)?;
        let wrong = |why: String| Err(usage(format!("verify.toml:{line}: function `{name}`: {why}")));
        if let Some(first) = seen.insert(name.clone(), line) {
            return wrong(format!("it is described in line {first} already"));
        }
        let names = match names(&params) {
            Ok(names) => names,
            Err(n) => return wrong(format!("parameter {n} has no name")),
        };
        for e in expressions(&said) {
            if !is_expression(e) {
                return wrong(format!("`{e}` is no expression in C"));
            }
        }
        if said.noreturn && (said.allocates.is_some() || said.returns.is_some() || said.returns_non_null) {
            return wrong("it does not return, and returns something".into());
        }
        if said.allocates.is_some() && said.returns.is_some() {
            return wrong("`allocates` says what it returns: there are no bounds of it".into());
        }
        if said.family.is_some() && said.allocates.is_none() && said.frees.is_none() {
            return wrong("a `family` is of what it `allocates` or `frees`".into());
        }
        if let Some((low, high)) = &said.returns
            && let (Some(l), Some(h)) = (literal(low), literal(high))
            && l > h
        {
            return wrong(format!("it `returns` nothing: {low} is more than {high}"));
        }
        let family = said.family.as_ref().map_or(MALLOC, |f| FIRST_FAMILY + families.binary_search(f).unwrap_or(0));
        out.push(Entry { line, name, result, params, names, said, family });
    }
    Ok(out)
}

fn expressions(a: &Annotation) -> impl Iterator<Item = &str> {
    let pairs = a.reads.iter().chain(&a.writes).chain(&a.returns);
    let all = a.allocates.iter().chain(&a.frees).chain(&a.nonnull).chain(pairs.flat_map(|(p, n)| [p, n]));
    all.map(String::as_str)
}

/// An integer, as written.
fn literal(text: &str) -> Option<i128> {
    let bare = text.trim().trim_end_matches(['u', 'U', 'l', 'L']);
    let (sign, digits) = bare.strip_prefix('-').map_or((1, bare), |d| (-1, d.trim_start()));
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let value = match hex {
        Some(h) => i128::from_str_radix(h, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    value.ok().map(|v| sign * v)
}

/// Nothing that would end the expression or begin something else; what it means is for clang to say.
fn is_expression(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(['{', '}', ';', '#', '\n', '\\', '"']) && is_balanced(text)
}

fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    let comment = text.contains("//") || text.contains("/*");
    !comment
        && text.chars().all(|c| match c {
            '(' | '[' => {
                open.push(c);
                true
            }
            ')' => open.pop() == Some('('),
            ']' => open.pop() == Some('['),
            _ => true,
        })
        && open.is_empty()
}

/// Type of the result, name of the function, and its parameters.
fn parts(prototype: &str) -> Option<(String, String, String)> {
    let line = prototype.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches(';').trim_end();
    if !is_expression(line) {
        return None;
    }
    let (head, rest) = line.split_once('(')?;
    let params = rest.strip_suffix(')')?;
    // One list of parameters, not the parentheses of something else.
    if !is_balanced(params) {
        return None;
    }
    let head = head.trim_end();
    let at = head.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')? + 1;
    let (result, name) = head.split_at(at);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let result: Vec<&str> =
        result.split_whitespace().filter(|w| !matches!(*w, "extern" | "static" | "inline")).collect();
    (starts && !result.is_empty()).then(|| (result.join(" "), name.to_string(), params.trim().to_string()))
}

/// The names of the parameters; else the number of one that has none.
fn names(params: &str) -> Result<Vec<String>, usize> {
    const TYPES: &[&str] = &[
        "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "const", "volatile",
        "restrict", "_Bool", "bool", "size_t",
    ];
    if params.is_empty() || params == "void" {
        return Ok(Vec::new());
    }
    let mut depth = 0;
    let list = params.split(|c: char| {
        depth += match c {
            '(' | '[' => 1,
            ')' | ']' => -1,
            _ => 0,
        };
        c == ',' && depth == 0
    });
    let mut out = Vec::new();
    for (i, p) in list.map(str::trim).enumerate().filter(|(_, p)| *p != "...") {
        // `int (*f)(int)`: the name is in the first parentheses.
        let declarator = p
            .split_once("(*")
            .map_or(p.split('[').next().unwrap_or_default(), |x| x.1.split([')', '[']).next().unwrap_or_default());
        let all: Vec<&str> = types::words(declarator).collect();
        let alone = all.len() == 1 && !p.contains("(*");
        let tag = all.len() == 2 && matches!(all[0], "struct" | "union" | "enum");
        match all.last() {
            Some(name) if !alone && !tag && !TYPES.contains(name) && !declarator.trim_end().ends_with('*') => {
                out.push((*name).to_string());
            }
            _ => return Err(i + 1),
        }
    }
    Ok(out)
}

impl Entry {
    /// A usage error about this entry.
    pub fn wrong(&self, why: &str) -> anyhow::Error {
        usage(format!("verify.toml:{}: function `{}`: {why}", self.line, self.name))
    }

    /// Is the compiled annotation what the program declares?
    ///
    /// # Errors
    /// What differs.
    pub fn fits(&self, compiled: &Module, program: &Module, declared: FuncId) -> anyhow::Result<()> {
        let Some(own) = compiled.function_named(&self.name).map(|f| compiled.func(f)) else { return Ok(()) };
        let theirs = program.func(declared);
        let list = |n: usize| format!("{n} parameter{}", if n == 1 { "" } else { "s" });
        let (a, b): (&Signature, &Signature) = (&own.sig, &theirs.sig);
        if a.results != b.results {
            return Err(self.wrong(&format!("the program declares that it returns {}, not {}", tys(b), tys(a))));
        }
        // Declared as `int f()`: the calls alone say what it is given.
        if theirs.attrs.no_prototype {
            return match calls(program, declared).find(|c| c.params.len() != a.params.len()) {
                Some(c) => {
                    let n = c.params.len();
                    let given = format!("{n} argument{}", if n == 1 { "" } else { "s" });
                    Err(self.wrong(&format!("the program calls it with {given}, not {}", a.params.len())))
                }
                None => Ok(()),
            };
        }
        if a.params.len() != b.params.len() {
            let (n, m) = (list(b.params.len()), a.params.len());
            return Err(self.wrong(&format!("the program declares it with {n}, not {m}")));
        }
        if a.variadic != b.variadic {
            let more = if b.variadic { "with" } else { "without" };
            return Err(self.wrong(&format!("the program declares it {more} further arguments (`...`)")));
        }
        for (i, (x, y)) in a.params.iter().zip(&b.params).enumerate() {
            if x.ty != y.ty || x.attrs.byval != y.attrs.byval || x.attrs.sret != y.attrs.sret {
                let (t, u) = (ty(y.ty), ty(x.ty));
                return Err(self.wrong(&format!("parameter {} is {t} in the program, not {u}", i + 1)));
            }
        }
        Ok(())
    }
}

fn calls(m: &Module, callee: FuncId) -> impl Iterator<Item = &Call> {
    let insts = m.functions.iter().filter_map(|f| f.body.as_ref()).flat_map(|b| &b.blocks).flat_map(|b| &b.insts);
    insts.filter_map(move |i| match &i.kind {
        InstKind::Call(c) if verify_checks::calls::direct_callee(m, c) == Some(callee) => Some(&**c),
        _ => None,
    })
}

fn ty(t: Ty) -> String {
    match t {
        Ty::Int(n) => format!("a number of {n} bits"),
        Ty::Ptr => "a pointer".into(),
        Ty::Float(k) => format!("a floating-point number of {} bits", k.bits()),
    }
}

fn tys(s: &Signature) -> String {
    match s.results.as_slice() {
        [] => "nothing".into(),
        all => all.iter().map(|t| ty(*t)).collect::<Vec<_>>().join(" and "),
    }
}

/// The user's model files: name and text, those of a folder in order.
///
/// # Errors
/// The folder cannot be read or has no C file.
pub fn folder(dir: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let failed = |e: std::io::Error| usage(format!("cannot read the models in {}: {e}", dir.display()));
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".c") || name.ends_with(".h") {
            out.push((name, std::fs::read_to_string(&path).map_err(failed)?));
        }
    }
    out.sort();
    if !out.iter().any(|(n, _)| n.ends_with(".c")) {
        return Err(usage(format!("there is no C file with models in {}", dir.display())));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> anyhow::Result<Vec<Entry>> {
        #[derive(Deserialize)]
        struct File {
            function: Vec<Annotation>,
        }
        let list = toml::from_str::<File>(text).unwrap().function;
        entries(list.into_iter().enumerate().map(|(i, a)| (i + 1, a)).collect())
    }

    #[test]
    fn annotations_become_c() {
        let all = of("[[function]]\nprototype = \"void *get(struct pool *p, size_t n)\"\nallocates = \"n\"\n\
                      family = \"pool\"\n[[function]]\nprototype = \"void put(void *q);\"\nfrees = \"q\"\n\
                      family = \"pool\"\n")
        .unwrap();
        let c = model(&all.iter().collect::<Vec<_>>(), None);
        assert!(c.contains("return __verify_alloc(verify_size, 16, 64);"), "{c}");
        assert!(c.contains("void put(void *q) {\n") && c.contains("__verify_free((void *)(q), 64);"), "{c}");
        assert!(c.contains("#line 1 \"verify.toml\"") && c.contains("#line 2 \"verify.toml\""), "{c}");
    }

    #[test]
    fn contradictions_are_refused() {
        let refused = |text: &str, why: &str| {
            let e = of(&format!("[[function]]\n{text}")).unwrap_err().to_string();
            assert!(e.starts_with("verify.toml:1: ") && e.contains(why), "{e}");
        };
        refused("prototype = \"int x\"", "no prototype");
        refused("prototype = \"void use(char *s, int n) { } int g(void)\"", "no prototype");
        refused("prototype = \"int f(int a), g(int b)\"", "no prototype");
        refused("prototype = \"int f(int, char *)\"", "parameter 1 has no name");
        refused("prototype = \"int f(int a, struct s *)\"", "parameter 2 has no name");
        refused("prototype = \"char *f(void)\"\nallocates = \"4\"\nreturns = [\"0\", \"1\"]", "no bounds");
        refused("prototype = \"int f(void)\"\nreturns = [\"5\", \"1\"]", "5 is more than 1");
        refused("prototype = \"int f(int n)\"\nreturns = [\"0\", \"n); evil(\"]", "is no expression");
        refused("prototype = \"int f(int n)\"\nnoreturn = true\nreturns = [\"0\", \"n\"]", "does not return");
        let twice = of("[[function]]\nprototype = \"int f(void)\"\n[[function]]\nprototype = \"int f(void)\"\n");
        assert_eq!(twice.unwrap_err().to_string(), "verify.toml:2: function `f`: it is described in line 1 already");
    }

    #[test]
    fn names_of_parameters() {
        let of = |p: &str| names(p).map(|n| n.join(" "));
        assert_eq!(
            of("struct pool *p, size_t n, int (*each)(void *, int), char t[static 4], ..."),
            Ok("p n each t".into())
        );
        assert_eq!(of("void"), Ok(String::new()));
        assert_eq!(of("int a, unsigned"), Err(2));
    }
}
