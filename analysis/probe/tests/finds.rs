//! What the probe finds in small programs, that it finds the same at any number of threads, and that every failure is
//! an enumerated check.

mod common;

use std::collections::BTreeSet;
use verify_checks::KindSet;
use verify_engine::result::{ProgramResult, TargetKind, Verdict};
use verify_engine::{Budget, ScanOptions, Silent, StopFlag, scan};
use verify_ir::CheckKind;
use verify_probe::Probe;

fn scanned(name: &str, kind: TargetKind, source: &str, jobs: usize) -> Option<ProgramResult> {
    let input = common::program(name, kind, source)?;
    let budget = Some(Budget { steps: 20_000_000, runs: u64::MAX });
    let options = ScanOptions { budget, jobs, ..ScanOptions::default() };
    let mut r = scan(vec![input], &[&Probe], &options, &Silent, &StopFlag::new());
    let p = r.programs.remove(0);
    // Whatever the interpreter failed was an enumerated check, and replayed.
    assert_eq!(p.diagnostics, Vec::<String>::new(), "{name}");
    Some(p)
}

fn findings(p: &ProgramResult) -> BTreeSet<(u32, String)> {
    let mut out = BTreeSet::new();
    for (c, v) in p.checks.all.iter().zip(&p.verdicts) {
        if let Verdict::Latent(e) | Verdict::Violated(e) = v {
            out.insert((p.module.span(e.span).line, format!("{}[{}]", v.name(), c.kind)));
        }
    }
    out
}

/// Expects exactly the findings that `//~` comments name.
fn check(name: &str, kind: TargetKind, source: &str) {
    let mut want = BTreeSet::new();
    for (i, l) in source.lines().enumerate() {
        for w in l.split("//~").skip(1) {
            want.insert((i as u32 + 1, w.trim().to_string()));
        }
    }
    if let Some(p) = scanned(name, kind, source, 1) {
        assert_eq!(findings(&p), want, "{name}");
    }
}

/// What chance does not meet: a magic number, a state of a state machine, and a length that must fit another one.
#[test]
fn what_is_compared_with_what_the_code_asks_for() {
    check(
        "compared",
        TargetKind::Archive,
        r#"#include <string.h>
struct feed { int stage; unsigned left; unsigned char tmp[8]; };
int feed(struct feed *f, unsigned code, long size) {
    if (!f)
        return -1;
    switch (f->stage) {
    case 104729:
        if (f->left != 7919)
            return -2;
        if (code == 0x184D2204u && size - 3 == 65537)
            return f->stage / (int)(f->left - 7919); //~ latent[div-by-zero]
        break;
    case 1299709:
        if (code > 4000000000u && code < 4000000010u)
            return f->tmp[code - 4000000000u]; //~ latent[out-of-bounds-read]
    }
    return 0;
}
"#,
    );
}

#[test]
fn main_with_arguments_and_input() {
    check(
        "main",
        TargetKind::Executable,
        r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char buf[8];
    if (argc > 1 && strcmp(argv[1], "-x") == 0)
        return 1 / (argc - 2); //~ violated[div-by-zero]
    int c = getchar();
    if (c == 'K') { char *p = malloc(3); p[0] = 1; free(p); } //~ violated[null-deref]
    memset(buf, 0, sizeof buf);
    return buf[0];
}
"#,
    );
}

#[test]
fn a_buffer_and_its_length() {
    check(
        "buffer",
        TargetKind::Archive,
        r#"#include <stddef.h>
int last(const unsigned char *data, int len) {
    int sum = 0;
    if (!data) return 0;
    for (int i = 0; i <= len && i < 1000; i++)
        sum ^= data[i]; //~ latent[out-of-bounds-read]
    return sum;
}
"#,
    );
}

#[test]
fn words_of_the_code_and_call_sequences() {
    check(
        "words",
        TargetKind::Archive,
        r#"#include <stdlib.h>
#include <string.h>
struct t { int mode; char *data; };
struct t *t_new(void) { return calloc(1, sizeof(struct t)); }
int t_set(struct t *t, const char *word) {
    if (!t || !word) return 0;
    if (strcmp(word, "deep") == 0) t->mode = 7; //~ latent[out-of-bounds-read]
    return t->mode;
}
int t_get(struct t *t) {
    if (!t || t->mode != 7 || t->data) return 0;
    return t->data[0]; //~ latent[null-deref]
}
void t_free(struct t *t) { free(t); }
"#,
    );
}

#[test]
fn every_thread_count_gives_the_same() {
    let source = r#"#include <stdlib.h>
struct n { struct n *next; int v; };
int sum(struct n *p, int k) { int t = 0; for (; p; p = p->next) t += p->v / k; return t; }
char *dup(const char *s) { char *d = malloc(4); for (int i = 0; (d[i] = s[i]); i++) ; return d; }
int at(int *a, unsigned i) { return a[i]; }
"#;
    let (Some(a), Some(b)) =
        (scanned("one", TargetKind::Archive, source, 1), scanned("two", TargetKind::Archive, source, 4))
    else {
        return;
    };
    assert_eq!(a.verdicts, b.verdicts);
    assert_eq!(a.stats, b.stats);
    assert!(findings(&a).len() > 4);
}

#[test]
fn what_nothing_reaches_is_unreachable() {
    let source = "static int dead(int *p) { return *p; }\nint unused(int *p) { return dead(p); }\nint main(void) { return 0; }\n";
    if let Some(p) = scanned("dead", TargetKind::Executable, source, 1) {
        assert!(!p.verdicts.is_empty());
        for (c, v) in p.checks.all.iter().zip(&p.verdicts) {
            let expect = if p.module.func(c.func).name == "main" { "unknown" } else { "unreachable" };
            assert_eq!(v.name(), expect);
        }
    }
}

#[test]
fn threads_are_not_decided() {
    let source = r#"#include <pthread.h>
static int shared;
static void *work(void *p) { shared = 1; return p; }
int main(void) {
    pthread_t t;
    if (pthread_create(&t, 0, work, 0)) return 1;
    int *gone = 0;
    return *gone;
}
"#;
    let Some(p) = scanned("threads", TargetKind::Executable, source, 1) else { return };
    let reasons: BTreeSet<String> = p
        .verdicts
        .iter()
        .map(|v| match v {
            Verdict::Unknown(r) => r.to_string(),
            v => v.name().to_string(),
        })
        .collect();
    // `work` is reached through the thread only, which is no reason to call it unreachable.
    assert_eq!(reasons, BTreeSet::from(["threads".to_string()]));
}

/// What each latent finding rests on that only the library makes, by line.
fn made_up(p: &ProgramResult) -> BTreeSet<(u32, String)> {
    let mut out = BTreeSet::new();
    for v in &p.verdicts {
        if let Verdict::Latent(e) = v {
            out.insert((p.module.span(e.span).line, e.made_up.clone().unwrap_or_default()));
        }
    }
    out
}

/// The same for an object that the library hands out through a pointer to a pointer.
#[test]
fn what_is_handed_out_through_a_pointer() {
    let source = r#"#include <stdlib.h>
struct handle { int have; };
struct inner { struct handle h; int *cells; int used; };
int handle_create(struct handle **out, int version) {
    if (!out || version > 3)
        return -1;
    *out = NULL;
    struct inner *p = malloc(sizeof *p);
    if (!p)
        return -1;
    p->h.have = 0;
    p->used = 0;
    p->cells = malloc(4 * sizeof *p->cells);
    if (!p->cells) {
        free(p);
        return -1;
    }
    *out = &p->h;
    return 0;
}
int handle_add(struct handle *h, int x) {
    struct inner *p = (struct inner *)h;
    if (!p || p->used > 4)
        return -1;
    p->cells[p->used] = x; /* one too many */
    p->used++;
    return 0;
}
"#;
    let Some(p) = scanned("handed_out", TargetKind::Archive, source, 1) else { return };
    let line = source.lines().position(|l| l.contains("one too many")).unwrap() as u32 + 1;
    assert!(made_up(&p).contains(&(line, String::new())), "calls of the library alone do it");
}

/// Callers get handles from the library: one that was made up says little, one that calls broke says all.
#[test]
fn what_only_the_library_makes() {
    let source = r#"#include <stdlib.h>
#include <string.h>
struct handle { int have; };
struct inner { struct handle h; int *cells; int used; };
struct handle *handle_open(void) {
    struct inner *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    p->h.have = 0;
    p->used = 0;
    p->cells = malloc(4 * sizeof *p->cells);
    if (!p->cells) {
        free(p);
        return NULL;
    }
    return &p->h;
}
int handle_used(struct handle *h) {
    if (!h)
        return 0;
    return ((struct inner *)h)->used; /* too small when it is made up */
}
int handle_add(struct handle *h, int x) {
    struct inner *p = (struct inner *)h;
    if (!p)
        return -1;
    if (p->used > 4) /* made up */
        return -1;
    p->cells[p->used] = x; /* one too many */
    p->used++;
    return 0;
}
void handle_clear(struct handle *h) {
    char name[4];
    memset(name, 0, sizeof name + 1); /* whatever it is given */
    h->have = name[0];
}
struct vec { int *data; unsigned len; };
int vec_push(struct vec *v, int x) {
    int *d = realloc(v->data, (v->len + 1) * sizeof *d);
    if (!d)
        return -1;
    v->data = d;
    v->data[v->len++] = x;
    return 0;
}
int vec_first(struct vec *v) {
    return v->len ? v->data[0] : 0;
}
"#;
    let Some(p) = scanned("handles", TargetKind::Archive, source, 1) else { return };
    let line = |text: &str| source.lines().position(|l| l.contains(text)).unwrap() as u32 + 1;
    let found = made_up(&p);
    let at =
        |text: &str| -> Vec<&str> { found.iter().filter(|(l, _)| *l == line(text)).map(|(_, m)| m.as_str()).collect() };
    assert_eq!(at("too small when"), ["handle"]);
    assert_eq!(at("whatever it is given"), [""]);
    assert!(at("one too many").contains(&""), "calls of the library alone do it");
    assert!(at("v->data[0]").contains(&"vec.data"));
}

/// However many functions a library has, each is called on what the library makes.
#[test]
fn the_last_function_of_a_large_library_is_called() {
    let mut source = String::from(
        "#include <stdlib.h>\nstruct set { int len; int *at; };\n\
         struct set *set_new(void) {\n  struct set *s = malloc(sizeof *s);\n  if (!s) return 0;\n  \
         s->at = calloc(3, sizeof(int));\n  if (!s->at) exit(1);\n  s->len = 3;\n  return s;\n}\n",
    );
    for i in 0..200 {
        source += &format!("int set_get_{i}(struct set *s) {{ return s->len > {i} ? s->at[0] : {i}; }}\n");
    }
    source += "int set_last(struct set *s) { return s->at[s->len]; /* one too many */ }\n";
    let Some(p) = scanned("large", TargetKind::Archive, &source, 1) else { return };
    let line = source.lines().position(|l| l.contains("one too many")).unwrap() as u32 + 1;
    assert!(made_up(&p).contains(&(line, String::new())), "calls of the library alone do it");
}

/// What a function that anybody may call asserts before all else is what it needs; what it asserts later is not.
#[test]
fn what_functions_assert_of_their_arguments() {
    let source = r#"#include <assert.h>
int step(int *n) {
    assert(n); /* needed */
    ++*n;
    assert(*n > 0); /* claimed */
    return *n;
}
"#;
    let Some(p) = scanned("asserted", TargetKind::Archive, source, 1) else { return };
    let line = |text: &str| source.lines().position(|l| l.contains(text)).unwrap() as u32 + 1;
    let condition = |text: &str| {
        p.verdicts.iter().find_map(|v| match v {
            Verdict::Latent(e) if p.module.span(e.span).line == line(text) => Some(e.condition.clone()),
            _ => None,
        })
    };
    assert_eq!(condition("needed"), Some(Some("!(n)".into())));
    assert_eq!(condition("claimed"), Some(None));
}

/// A record that is only declared is no object of another type.
#[test]
fn a_declared_record_is_no_text() {
    check(
        "declared",
        TargetKind::Archive,
        r#"#include <assert.h>
struct hidden;
struct open { struct hidden *state; char name[8]; };
int peek(struct open *o, const char *text) {
    if (!o || !text)
        return 0;
    assert((const char *)o->state != text);
    return 1;
}
"#,
    );
}

/// A text with its length needs no end: what reads one byte too many of such a text is found.
#[test]
fn texts_with_their_length() {
    check(
        "counted",
        TargetKind::Archive,
        r#"#include <stddef.h>
int list(const char *text, size_t length) {
    size_t i;
    if (!text || length > 1000)
        return -1;
    for (i = 0; i < length; i++) {
        if (text[i] == ',') //~ latent[out-of-bounds-read]
            i++;
        if (text[i] == ';') //~ latent[out-of-bounds-read]
            return (int)i;
    }
    return 0;
}
"#,
    );
}

/// Two programs in one scan: numbers of checks mean something in their own program only, also when engines are to stop.
#[test]
fn programs_of_different_sizes_in_one_scan() {
    let small = "int main(void) { int *p = 0; return *p; } //~ violated[null-deref]\n";
    let long: String = (0..40).map(|i| format!("int f{i}(int *p, int n) {{ return p[n] / n; }}\n")).collect();
    let large = format!("{long}int main(int c, char **v) {{ int x[2] = {{1, 2}}; return f39(x, 2 * c); }}\n");
    let inputs = [("a-large", large.as_str()), ("b-small", small)].map(|(name, source)| {
        let source = source.split("//~").next().unwrap_or_default().to_string() + "\n";
        common::program(name, TargetKind::Executable, &source)
    });
    let [Some(large), Some(small)] = inputs else { return };
    for until in [KindSet::EMPTY, KindSet::of(&[CheckKind::NullDeref])] {
        let budget = Some(Budget { steps: 2_000_000, runs: u64::MAX });
        let options = ScanOptions { budget, jobs: 1, until, ..ScanOptions::default() };
        let both = vec![large.clone(), small.clone()];
        let r = scan(both, &[&Probe, &Probe], &options, &Silent, &StopFlag::new());
        assert_eq!(r.programs.len(), 2);
        let kinds: Vec<String> = findings(&r.programs[1]).into_iter().map(|f| f.1).collect();
        assert_eq!(kinds, ["violated[null-deref]"]);
        assert!(!findings(&r.programs[0]).is_empty());
    }
}

/// Both functions read beyond a text that has no end; one does so beyond one that has, too, and says that instead.
#[test]
fn texts_that_end_say_more() {
    let source = r#"int sloppy(const char *p) {
    int n = 0;
    while (*p) {
        if (*p == '%')
            p++;
        n++;
        p++;
    }
    return n;
}
int careful(const char *p) {
    int n = 0;
    while (*p) {
        if (*p == '%' && p[1])
            p++;
        n++;
        p++;
    }
    return n;
}
"#;
    let Some(p) = scanned("texts", TargetKind::Archive, source, 1) else { return };
    let mut conditions = Vec::new();
    for (c, v) in p.checks.all.iter().zip(&p.verdicts) {
        if let (CheckKind::OutOfBoundsRead, Verdict::Latent(e)) = (c.kind, v) {
            conditions.push((p.module.span(e.span).line, e.condition.is_some()));
        }
    }
    conditions.sort_unstable();
    conditions.retain(|(line, _)| [3, 13].contains(line));
    assert_eq!(conditions, [(3, false), (13, true)]);
}
