//! What `verify.toml` says of functions, and models in C: they are believed as far as they can be true, and no further.

use super::{Lab, same};
use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// `kind` and `verdict` of everything on the line.
fn on_line(json: &Value, line: u64) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_string();
    let all = json["findings"].as_array().into_iter().flatten();
    all.filter(|f| f["line"] == line).map(|f| (text(&f["kind"]), text(&f["verdict"]))).collect()
}

fn is(json: &Value, line: u64, kind: &str, verdict: &str) -> Result<()> {
    let all = on_line(json, line);
    ensure!(all.iter().any(|(k, v)| k == kind && v == verdict), "line {line} has no {verdict}[{kind}]: {all:?}");
    Ok(())
}

/// Scans `f.c` with what is said of its functions.
fn with(lab: &Lab, source: &str, said: &str, args: &str) -> Result<(i32, Value)> {
    lab.write("f.c", source)?;
    lab.write("verify.toml", said)?;
    lab.scan(&format!("--sarif-all {args}"))
}

/// Refuses what is said, in one line that begins so.
fn refused(lab: &Lab, said: &str, why: &str) -> Result<()> {
    lab.write("verify.toml", said)?;
    let err = lab.expect(3, "scan --quiet")?.err();
    ensure!(err.trim_end().lines().count() == 1 && err.starts_with(&format!("verify: verify.toml:{why}")), "{err}");
    Ok(())
}

pub fn annotations(lab: &Lab) -> Result<()> {
    believed(lab)?;
    values(lab)?;
    kinds(lab)?;
    types(lab)?;
    mistakes(lab)?;
    std::fs::remove_file(lab.dir.join("verify.toml"))?;
    lab.write("own/pool.c", "int pool_size(void) { return 7; }\n")?;
    lab.write("f.c", "int pool_size(void);\nint f(void) { int t[7] = {0}; return t[pool_size()]; }\n")?;
    let (code, json) = lab.scan("--entry f --models own")?;
    same(code, 1)?;
    ensure!(json["assumptions"].to_string().contains("own models say: pool_size."), "{}", json["assumptions"]);
    Ok(())
}

/// An object of a pool that goes to the wrong allocator.
fn believed(lab: &Lab) -> Result<()> {
    lab.write(
        "f.c",
        "void *pool_get(unsigned long n);\nvoid pool_put(void *p);\nvoid free(void *p);\n\
         void good(void) { pool_put(pool_get(8)); }\nvoid bad(void) { free(pool_get(8)); }\n",
    )?;
    lab.write(
        "verify.toml",
        "[[function]]\nprototype = \"void *pool_get(unsigned long n)\"\nallocates = \"n\"\nfamily = \"pool\"\n\
         [[function]]\nprototype = \"void pool_put(void *p)\"\nfrees = \"p\"\nfamily = \"pool\"\n",
    )?;
    let (code, json) = lab.scan("--entry good --entry bad")?;
    same(code, 1)?;
    let all = json["findings"].as_array().context("findings")?;
    ensure!(all.iter().all(|f| f["kind"] == "invalid-free" && f["function"] == "bad"), "{all:?}");
    let said = json["assumptions"].to_string();
    ensure!(said.contains("verify.toml says of them: pool_get, pool_put."), "{said}");
    Ok(())
}

/// A result is any value of its type within the bounds; where there is none, nothing is proved.
fn values(lab: &Lab) -> Result<()> {
    let main = |declared: &str, test: &str| {
        format!(
            "{declared}\nstatic char c[4];\nint main(int argc, char **argv) {{\n  {test}\n    return c[argc + 50];\n  return 0;\n}}\n"
        )
    };
    let violated = |source: String, said: &str| -> Result<()> {
        let (code, json) = with(lab, &source, said, "")?;
        same(code, 1)?;
        is(&json, 5, "array-index", "violated")
    };
    let double = "[[function]]\nprototype = \"double dd(void)\"\n";
    violated(main("double dd(void);", "if (dd() < 0)"), double)?;
    violated(main("double dd(void);", "double d = dd(); if (d != d)"), double)?;
    let within = |low: &str, high: &str, f: &str| {
        format!("[[function]]\nprototype = \"{f}\"\nreturns = [\"{low}\", \"{high}\"]\n")
    };
    let cap = "unsigned long cap(void)";
    violated(main("unsigned long cap(void);", "if (cap() > 7)"), &within("0", "0xffffffffffffffff", cap))?;
    let up_to = within("0", "n", "long cap(unsigned long n)");
    violated(main("long cap(unsigned long n);", "cap(-1ul - argc); if (argc)"), &up_to)?;
    // A bound wider than the result is no bound.
    let wide = within("0", "0x100000005", "int cap(void)");
    violated(main("int cap(void);", "if (cap() > 5)"), &wide)?;
    // Nothing is between 0 and -1.
    let (_, json) = with(lab, &main("int cap(int n);", "cap(-1); if (argc)"), &within("0", "n", "int cap(int n)"), "")?;
    is(&json, 5, "array-index", "unknown")?;
    let (code, json) =
        with(lab, &main("int cap(int n);", "if (cap(9) > 9)"), &within("-1", "n", "int cap(int n)"), "")?;
    same(code, 0)?;
    is(&json, 5, "array-index", "proved")
}

/// Bounds of every kind of number, from memory that a parameter leads to; what is within them is proved.
fn kinds(lab: &Lab) -> Result<()> {
    let source = "struct inner { int n; };\nstruct outer { struct inner *in; char pad[5]; };\ntypedef struct outer *H;\n\
        double dd(void);\n_Bool bb(void);\nsigned char cc(void);\nint size(H h);\nlong double ll(void);\n\
        static char c[4];\nstruct outer o;\nstruct inner i = { 3 };\n\
        int main(int argc, char **argv) {\n  double d = dd();\n  if (!(d >= 0 && d <= 1))\n    return c[argc + 50];\n\
          c[bb() + 2] = 1;\n  signed char s = cc();\n  if (s < -3 || s > 3)\n    return c[argc + 50];\n\
          o.in = &i;\n  int z = size(&o);\n  c[z] = 1;\n  return 0;\n}\n";
    let within = |f: &str, low: &str, high: &str| {
        format!("[[function]]\nprototype = \"{f}\"\nreturns = [\"{low}\", \"{high}\"]\n")
    };
    let said = within("double dd(void)", "0", "1")
        + &within("signed char cc(void)", "-3", "3")
        + &within("int size(H h)", "0", "h->in->n")
        + "[[function]]\nprototype = \"_Bool bb(void)\"\n";
    let (code, json) = with(lab, source, &said, "")?;
    same(code, 0)?;
    for line in [15, 16, 19, 22] {
        is(&json, line, "array-index", "proved")?;
    }
    // Not every pattern of bits is a long double: none is made up.
    let source = "long double ll(void);\nstatic char c[4];\nint main(int argc, char **argv) {\n  ll();\n  return c[argc + 50];\n}\n";
    let (_, json) = with(lab, source, "[[function]]\nprototype = \"long double ll(void)\"\n", "")?;
    is(&json, 5, "array-index", "unknown")
}

/// The project's types, macros and enumerators may be used; a pointer that is never null need not be a new object.
fn types(lab: &Lab) -> Result<()> {
    let source = "#include <stddef.h>\n#define EXTRA 1\nenum kind { SMALL = 2, LARGE = 3 };\n\
        struct s { char c; int a; struct s *next; unsigned f : 3, g : 7; };\ntypedef struct s *handle;\n\
        handle many(size_t n);\nhandle peek(handle h);\nenum kind sort(handle h);\nvoid put(handle h);\n\
        static char t[4];\n\
        int main(int argc, char **argv) {\n  handle h = many(1);\n  if (!h)\n    return 1;\n\
          h[1].g = 5;\n  enum kind k = sort(h); t[k] = 1;\n  if (peek(h) == 0)\n    return t[argc + 50];\n\
          if (argc > 1)\n    h[2].c = 1;\n  put(h);\n  return 0;\n}\n";
    let said = "[[function]]\nprototype = \"handle many(size_t n)\"\nallocates = \"(n + EXTRA) * sizeof(struct s)\"\n\
        family = \"s\"\n[[function]]\nprototype = \"handle peek(handle h)\"\nreturns-non-null = true\n\
        [[function]]\nprototype = \"enum kind sort(handle h)\"\nreturns = [\"SMALL\", \"LARGE\"]\n\
        [[function]]\nprototype = \"void put(handle h)\"\nfrees = \"h\"\nfamily = \"s\"\n";
    let (code, json) = with(lab, source, said, "")?;
    same(code, 1)?;
    is(&json, 20, "out-of-bounds-write", "violated")?;
    ensure!(on_line(&json, 15).iter().chain(&on_line(&json, 18)).all(|(_, v)| v != "violated"), "{}", json["findings"]);
    is(&json, 16, "array-index", "proved")
}

/// One line that names the entry; what has no effect is said.
fn mistakes(lab: &Lab) -> Result<()> {
    let source = "struct s;\ntypedef struct s *handle;\nint f(int a, char *b);\nlong g(int x);\nhandle h(void);\nint k();\n\
        int unused(int);\nint puts(const char *);\n\
        int main(void) { return puts(\"x\") + f(1, 0) + (int)g(2) + (h() != 0) + k(1, 2); }\n";
    lab.write("f.c", source)?;
    lab.write("verify.toml", "")?;
    lab.scan("")?;
    let entry = |prototype: &str, more: &str| format!("\n[[function]]\nprototype = \"{prototype}\"\n{more}\n");
    for (prototype, more, why) in [
        ("int f(int a)", "", "2: function `f`: the program declares it with 2 parameters, not 1"),
        (
            "int f(int a, int b)",
            "",
            "2: function `f`: parameter 2 is a pointer in the program, not a number of 32 bits",
        ),
        ("int g(int x)", "", "2: function `g`: the program declares that it returns a number of 64 bits"),
        ("int k(int a)", "", "2: function `k`: the program calls it with 2 arguments, not 1"),
        ("long gg(int x)", "", "2: function `gg`: no source has a function of this name"),
        ("long g(int x)", "returns-non-null = true", "2: function `g`: it does not return a pointer"),
        ("long g(int x)", "allocates = \"4\"", "2: function `g`: it `allocates` and does not return a pointer"),
        ("long g(int x)", "returns = [\"0\", \"y\"]", "2: function `g`: use of undeclared identifier 'y'"),
        ("long g(int x)", "returns = [\"5\", \"1\"]", "2: function `g`: it `returns` nothing: 5 is more than 1"),
        ("handel h(void)", "", "2: function `h`: unknown type name 'handel'"),
        ("handle h(void)", "allocates = \"4\"\nreturns = [\"0\", \"1\"]", "2: function `h`: `allocates` says"),
        ("void f(int a, char *b) { } int g(void)", "", "2: `void f(int a, char *b) { } int g(void)` is no prototype"),
    ] {
        refused(lab, &entry(prototype, more), why)?;
    }
    let twice = entry("long g(int x)", "") + &entry("long g(int y)", "");
    refused(lab, &twice, "6: function `g`: it is described in line 2 already")?;
    let (_, json) = with(lab, source, &(entry("int unused(int x)", "") + &entry("int puts(const char *s)", "")), "")?;
    let said = json["programs"].to_string();
    ensure!(said.contains("nothing uses the function `unused`"), "{said}");
    ensure!(said.contains("`puts` takes the place of the model of the C library"), "{said}");
    Ok(())
}
