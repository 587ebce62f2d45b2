//! What the points-to and effect facts tell apart. Needs clang 19 and `verify-lower`.

mod common;

use verify_facts::points_to::{Externals, ObjectKind, Options, PointsTo};
use verify_facts::{MemoryEffects, World, describe};
use verify_ir::{FuncId, InstKind, Module, Operand, Terminator};

struct Program {
    m: Module,
    p: PointsTo,
    e: MemoryEffects,
}

fn program(name: &str, text: &str, options: impl Fn(&Module) -> Options) -> Option<Program> {
    let m = common::source(name, text)?;
    let p = PointsTo::new(&m, &options(&m));
    let e = MemoryEffects::new(&m, &p);
    Some(Program { m, p, e })
}

impl Program {
    fn func(&self, name: &str) -> FuncId {
        self.m.function_named(name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// What the function returns may point to, as text without paths.
    fn returns(&self, name: &str) -> String {
        let f = self.func(name);
        let body = self.m.func(f).body.as_ref().unwrap();
        let mut all = Vec::new();
        for b in &body.blocks {
            if let Terminator::Return(vs) = &b.term {
                let t = self.p.of(f, &vs[0]);
                all.extend(t.places.iter().map(|l| format!("{}@{}", self.short(l.object), l.offset)));
                all.extend(t.unknown.then(|| "unknown".to_string()));
            }
        }
        all.sort();
        all.join(" ")
    }

    fn short(&self, o: verify_facts::points_to::ObjectId) -> String {
        match &self.p.object(o).kind {
            ObjectKind::Global(g) => self.m.global(*g).name.clone(),
            ObjectKind::Function(f) => self.m.func(*f).name.clone(),
            ObjectKind::Heap { calls, .. } => {
                // The user's calls, innermost last.
                let user = calls.iter().filter(|c| !self.m.units[self.m.func(c.0).unit.index()].model);
                let lines = user.map(|(f, l)| {
                    let b = self.m.func(*f).body.as_ref().unwrap();
                    self.m.span(b.span_at(*l)).line.to_string()
                });
                format!("heap:{}", lines.collect::<Vec<_>>().join("."))
            }
            ObjectKind::Stack { func, .. } => format!("stack:{}", self.m.func(*func).name),
            k => format!("{k:?}"),
        }
    }
}

#[test]
fn fields_elements_and_heap_sites() {
    let text = r#"#include <stdlib.h>
struct s { int *a, *b; int *arr[4]; struct { int *x, *y; } pairs[3]; int *last; };
int i1, i2, i3, i4, i5, i6;
static struct s g;
void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
int **make(int *what) { int **p = xmalloc(sizeof *p); *p = what; return p; }
int *ra(void) { return g.a; }
int *rb(void) { return g.b; }
int *rarr(int i) { return g.arr[i]; }
int *rx(int i) { return g.pairs[i].x; }
int *ry(int i) { return g.pairs[i].y; }
int *rlast(void) { return g.last; }
int **p1, **p2;
int *m1(void) { return *p1; }
int *m2(void) { return *p2; }
int **w1(void) { return p1; }
static int *(*table[2])(void) = { ra, rb };
int *through(int i) { return table[i & 1](); }
struct s copy;
int *rcopy(void) { return copy.b; }
char *find(char *s) { extern char *strchr(const char *, int); return strchr(s, 'x'); }
char one[4] = "x", two[4] = "x";
char *f1(void) { extern char *strchr(const char *, int); return strchr(one, 'x'); }
char *f2(void) { extern char *strchr(const char *, int); return strchr(two, 'x'); }
int main(int argc, char **argv) {
    g.a = &i1; g.b = &i2;
    g.arr[argc] = &i3;
    g.pairs[argc].x = &i4; g.pairs[argc].y = &i5;
    g.last = &i6;
    p1 = make(&i1);
    p2 = make(&i2);
    copy = g;
    return ra() == rb() || rarr(argc) || rx(argc) || ry(argc) || rlast() || m1() || m2() || through(argc) || rcopy()
        || w1() || f1() || f2();
}
"#;
    let Some(p) = program("fields", text, Options::program) else { return };
    for (f, want) in [
        ("ra", "i1@0"),
        ("rb", "i2@0"),
        ("rarr", "i3@0"),
        ("rx", "i4@0"),
        ("ry", "i5@0"),
        ("rlast", "i6@0"),
        ("m1", "i1@0"),
        ("m2", "i2@0"),
        ("w1", "heap:30.6.5@0"),
        ("through", "i1@0 i2@0"),
        ("rcopy", "i2@0"),
        ("f1", "one@0 one@?"),
        ("f2", "two@0 two@?"),
    ] {
        assert_eq!(p.returns(f).replace("0 mod 1", "?"), want, "{f}");
    }
    assert!(!p.p.reached(p.func("find")));
    let all = (0..p.p.objects().len() as u32).map(verify_facts::points_to::ObjectId);
    let sizes: Vec<_> = all.filter(|o| p.short(*o) == "heap:30.6.5").map(|o| p.p.object(o).size).collect();
    assert_eq!(sizes, [Some(8)]);
    // The call through the table.
    let calls = p.p.calls_in(p.func("through"));
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].1.functions, vec![p.func("ra"), p.func("rb")]);
    assert!(!calls[0].1.unknown);
}

/// A wrapper that comes back to itself by what it calls when memory is exhausted has clones; a builder that calls itself
/// with what it makes has none.
#[test]
fn wrappers_that_come_back() {
    let text = r#"#include <stdlib.h>
struct n { struct n *next; int *what; };
int i1, i2;
static void (*handler)(const char *);
void *xmalloc(size_t n) { void *p = malloc(n); if (!p) { handler("memory"); abort(); } return p; }
static void report(const char *s) { char *copy = xmalloc(10); copy[0] = s[0]; free(copy); }
struct n *chain(int k) { struct n *p = xmalloc(sizeof *p); p->next = k ? chain(k - 1) : 0; return p; }
int **p1, **p2;
int *m1(void) { return *p1; }
int *m2(void) { return *p2; }
int main(int argc, char **argv) {
    handler = report;
    p1 = xmalloc(sizeof *p1); *p1 = &i1;
    p2 = xmalloc(sizeof *p2); *p2 = &i2;
    return m1() == m2() || chain(argc)->what == &i1;
}
"#;
    let Some(p) = program("come_back", text, Options::program) else { return };
    for (f, want) in [("m1", "i1@0"), ("m2", "i2@0"), ("chain", "heap:7.5@0")] {
        assert_eq!(p.returns(f), want, "{f}");
    }
}

#[test]
fn unknown_code() {
    let text = r#"
struct ops { int *(*get)(void *); void *arg; };
static int hidden, given, kept;
static int *secret = &hidden;
static int *slot = &kept;
int *peek(void) { return secret; }
extern void give(void *);
extern int *take(void);
int *run(struct ops *o) { return o->get(o->arg); }
void publish(void) { give(&given); give(&slot); }
int *reread(void) { return slot; }
int *foreign(void) { return take(); }
int writes(int *p) { *p = 1; return hidden; }
"#;
    let Some(lib) = program("library", text, |_| Options::library()) else { return };
    // The static variable itself is not known outside; what is returned from it is.
    assert_eq!(lib.returns("peek"), "hidden@0");
    assert_eq!(lib.returns("run"), "unknown");
    assert_eq!(lib.returns("reread"), "unknown");
    let global = |p: &Program, n: &str| {
        let g = p.m.globals.iter().position(|g| g.name == n).unwrap();
        p.p.symbol(verify_ir::SymbolRef::Global(verify_ir::GlobalId::new(g))).unwrap()
    };
    for (n, escaped) in [("given", true), ("slot", true), ("kept", true), ("hidden", true), ("secret", false)] {
        assert_eq!(lib.p.escaped(global(&lib, n)), escaped, "{n}");
    }
    let e = lib.e.of(lib.func("writes"));
    assert!(e.writes_unknown && !e.calls_unknown);
    let e = lib.e.of(lib.func("run"));
    assert!(e.calls_unknown && e.writes_unknown);
    // A program whose unknown functions change nothing.
    let text = format!("{text}\nint main(void) {{ publish(); int *p = foreign(); return *reread() + *p + *peek(); }}");
    let pure = |m: &Module| Options { world: World::Closed, externals: Externals::Pure, ..Options::program(m) };
    let Some(pure) = program("pure", &text, pure) else { return };
    assert_eq!(pure.returns("reread"), "kept@0");
    assert_eq!(pure.returns("foreign"), "unknown");
    assert_eq!(pure.returns("peek"), "hidden@0");
}

#[test]
fn effects_of_calls() {
    let text = r#"#include <stdlib.h>
struct s { int a, b; int arr[8]; };
static struct s g, h;
static void set(struct s *p, int i) { p->b = i; p->arr[i & 7] = 1; }
static int local(int n) { int t[4]; for (int i = 0; i < 4; i++) t[i] = n; return t[n & 3]; }
static void drop(void *p) { free(p); }
static int pure(int x) { return x * 2; }
int main(int argc, char **argv) {
    set(&g, argc);
    int *p = malloc(4);
    drop(p);
    return local(argc) + pure(argc) + h.a;
}
"#;
    let Some(p) = program("effects", text, Options::program) else { return };
    let of = |n: &str| p.e.of(p.func(n));
    let list = |all: Vec<verify_facts::Access>| {
        all.iter().map(|a| format!("{}@{}/{}", p.short(a.object), a.offset, a.size.unwrap_or(0))).collect::<Vec<_>>()
    };
    assert_eq!(list(p.e.writes(of("set"))), ["g@4/4", "g@0 mod 4/4"]);
    assert_eq!(list(p.e.reads(of("set"))), Vec::<String>::new());
    assert_eq!(list(p.e.writes(of("local"))), Vec::<String>::new(), "its own stack");
    assert_eq!((list(p.e.reads(of("pure"))), list(p.e.writes(of("pure")))), (vec![], vec![]));
    assert_eq!(p.e.frees(of("drop")).iter().map(|o| p.short(*o)).collect::<Vec<_>>(), ["heap:10"]);
    assert!(p.e.reads(of("main")).iter().any(|a| p.short(a.object) == "h"));
    let text = describe::function(&p.m, &p.p, &p.e, p.func("set"));
    assert!(text.contains("main.c::g @ 4 (4 bytes)") || text.contains("::g @ 4 (4 bytes)"), "{text}");
    let text = describe::function(&p.m, &p.p, &p.e, p.func("local"));
    assert!(text.contains("loop at") && text.contains("(t)"), "{text}");
}

#[test]
fn the_same_twice() {
    let text = "#include <stdio.h>\nint main(int c, char **v) { for (int i = 0; i < c; i++) puts(v[i]); return 0; }";
    let Some(m) = common::source("twice", text) else { return };
    let print = || {
        let p = PointsTo::new(&m, &Options::program(&m));
        let e = MemoryEffects::new(&m, &p);
        let all = (0..m.functions.len()).map(|f| describe::function(&m, &p, &e, FuncId::new(f)));
        all.collect::<String>()
    };
    assert_eq!(print(), print());
}

#[test]
fn reads_of_addresses() {
    // Every load in a reached function has somewhere to read from.
    let text = "struct n { struct n *next; int v; }; static struct n a = { 0, 1 }, b = { &a, 2 };\n\
                int main(void) { int s = 0; for (struct n *p = &b; p; p = p->next) s += p->v; return s; }";
    let Some(p) = program("list", text, Options::program) else { return };
    let f = p.func("main");
    let body = p.m.func(f).body.as_ref().unwrap();
    for i in body.blocks.iter().flat_map(|b| &b.insts) {
        if let InstKind::Load { ptr: ptr @ Operand::Value(_), .. } = &i.kind {
            let t = p.p.of(f, ptr);
            let names: Vec<String> = t.places.iter().map(|l| p.short(l.object)).collect();
            assert!(!t.unknown && (names == ["b", "a"] || names == ["a", "b"]), "{names:?}");
        }
    }
}
