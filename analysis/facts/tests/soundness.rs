//! Every address that a run accesses or calls is in the points-to sets: our own programs, programs over much of the C
//! library, and random ones. Needs clang 19 and `verify-lower`; csmith for the random ones.

mod common;
#[path = "common/watch.rs"]
mod watch;

use std::path::{Path, PathBuf};
use std::process::Command;
use verify_facts::points_to::{Options, PointsTo};
use verify_ir::Module;
use watch::Watched;

/// Runs a program under watch; the number of addresses checked.
fn watch(name: &str, m: &Module, steps: u64) -> u64 {
    let facts = PointsTo::new(m, &Options::program(m));
    let (outcome, seen) = Watched::new(m).run(m, &facts, steps);
    println!("{name}: {} checked, {} unowned, {:?}", seen.checked, seen.unowned, outcome.end);
    assert!(seen.missing.is_empty(), "{name} ({:?}):\n{}", outcome.end, seen.missing.join("\n"));
    seen.checked
}

fn files(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(dir);
    let mut all: Vec<PathBuf> = std::fs::read_dir(dir).expect("programs").flatten().map(|e| e.path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "c"));
    all.sort();
    all
}

#[test]
fn our_programs() {
    let mut checked = 0;
    for f in files("tests/run") {
        let text = std::fs::read_to_string(&f).expect("text");
        let flags = text.lines().find_map(|l| l.strip_prefix("// flags:")).unwrap_or("");
        let flags: Vec<String> = flags.split_whitespace().map(String::from).collect();
        if let Some(m) = common::program(&f, &flags) {
            checked += watch(&f.display().to_string(), &m, 3_000_000);
        }
    }
    println!("{checked} addresses checked");
}

#[test]
fn random_programs() {
    let count: u64 = std::env::var("VERIFY_CSMITH").ok().and_then(|v| v.parse().ok()).unwrap_or(6);
    let dir = std::env::temp_dir().join(format!("verify-facts-csmith-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("scratch");
    let mut checked = 0;
    for seed in 1..=count {
        let file = dir.join(format!("s{seed}.c"));
        let options = ["--bitfields", "--packed-struct", "--unions", "--no-argc", "--max-funcs", "6"];
        let run = Command::new("csmith")
            .current_dir(&dir)
            .args(["-s", &seed.to_string(), "-o"])
            .arg(&file)
            .args(options)
            .status();
        if !run.is_ok_and(|s| s.success()) {
            eprintln!("skipped: csmith is missing");
            break;
        }
        let include = ["-I/usr/include/csmith".to_string()];
        if let Some(m) = common::program(&file, &include) {
            checked += watch(&format!("csmith {seed}"), &m, 400_000);
        }
    }
    std::fs::remove_dir_all(dir).expect("scratch");
    println!("{checked} addresses checked");
}

fn check(name: &str, text: &str) {
    if let Some(m) = common::source(name, text) {
        assert!(watch(name, &m, 2_000_000) > 0, "{name}");
    }
}

#[test]
fn pointers_in_disguise() {
    check(
        "disguise",
        r#"#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <setjmp.h>
struct node { long key; struct node *next; void (*f)(struct node *); };
static int count;
static void hit(struct node *n) { count += n->key; }
static void copy(void *d, const void *s, size_t n) { char *a = d; const char *b = s; while (n--) *a++ = *b++; }
static uintptr_t up(uintptr_t x, uintptr_t a) { return (x + a - 1) & ~(a - 1); }
static struct node *tag(struct node *n) { return (struct node *)((uintptr_t)n | 1); }
static struct node *untag(struct node *n) { return (struct node *)((uintptr_t)n & ~(uintptr_t)1); }
static struct node *pick(int n, ...) {
    va_list ap, aq; struct node *r = 0; va_start(ap, n); va_copy(aq, ap);
    while (n--) r = va_arg(ap, struct node *);
    r->key += va_arg(aq, struct node *)->key;
    va_end(ap); va_end(aq); return r;
}
union word { struct node *p; uintptr_t u; double d; unsigned char b[8]; };
static jmp_buf env;
static struct node *jumped;
static struct { uintptr_t cursor, end; } arena;
static void *bump(size_t n) { uintptr_t p = up(arena.cursor, 16); arena.cursor = p + n; return (void *)p; }
struct by { struct node *p; long pad[6]; };
static struct node *of(struct by b) { return b.p; }
int main(void) {
    struct node a = { 1, 0, hit }, b = { 2, &a, hit }, c;
    copy(&c, &b, sizeof c);
    c.next->f(c.next);
    struct node *t = tag(&c); untag(t)->f(untag(t));
    pick(3, &a, &b, &c)->f(&b);
    union word w = { .p = &b }, v; for (int i = 0; i < 8; i++) v.b[i] = w.b[i];
    v.p->f(v.p);
    double d = w.d; v.d = d; v.p->next->f(&a);
    uintptr_t x = (uintptr_t)&a ^ (uintptr_t)&b; struct node *y = (struct node *)(x ^ (uintptr_t)&a); y->f(y);
    arena.cursor = (uintptr_t)malloc(4096); arena.end = arena.cursor + 4096;
    for (int i = 0; i < 5; i++) { struct node *n = bump(sizeof *n); *n = c; n->next = &b; n->next->f(n); }
    struct node **table = calloc(4, sizeof *table);
    for (int i = 0; i < 4; i++) { table[i] = malloc(sizeof **table); memcpy(table[i], i & 1 ? &a : &b, sizeof a); }
    table = realloc(table, 8 * sizeof *table);
    for (int i = 0; i < 4; i++) { table[i]->f(table[i]); free(table[i]); }
    free(table);
    volatile int round = 0; jumped = &a;
    if (setjmp(env) < 3) { round++; jumped = round & 1 ? &b : &c; longjmp(env, round); }
    jumped->f(jumped);
    struct by s = { &c }; of(s)->f(&c);
    struct node arr[4]; struct node *q = arr; while (q < arr + 4) { *q = a; q->next = q; q++; }
    for (q = arr + 3; q >= arr; q--) q->next->f(q);
    long *back = &arr[2].key; ((struct node *)((char *)back - offsetof(struct node, key)))->f(arr);
    return count & 0x7f;
}
"#
        .replace("#include <stdint.h>", "#include <stdint.h>\n#include <stddef.h>")
        .as_str(),
    );
}

#[test]
fn the_library() {
    check(
        "library",
        r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <errno.h>
struct item { char *name; int rank; };
static int by_rank(const void *a, const void *b) { return ((const struct item *)a)->rank - ((const struct item *)b)->rank; }
static void bye(void) { puts("bye"); }
int main(int argc, char **argv) {
    atexit(bye);
    struct item *all = NULL; int n = 0;
    char text[] = "pear,apple;fig plum";
    for (char *s = strtok(text, ",; "); s; s = strtok(NULL, ",; ")) {
        all = realloc(all, (n + 1) * sizeof *all);
        all[n].name = strdup(s); all[n].rank = strlen(s) * 7 % 5; n++;
    }
    qsort(all, n, sizeof *all, by_rank);
    for (int i = 0; i < n; i++) printf("%s %d %p\n", all[i].name, all[i].rank, (void *)all);
    struct item key = { 0, all[0].rank };
    struct item *found = bsearch(&key, all, n, sizeof *all, by_rank);
    if (found) found->name[0] = 'X';
    char buf[64]; snprintf(buf, sizeof buf, "%-8s|%5.2f|%x", all[1].name, 3.5, argc);
    char *end; long v = strtol(strchr(buf, '|') + 1, &end, 10); if (*end == '.') v++;
    int a, b; sscanf("12 34", "%d %d", &a, &b);
    FILE *f = fopen("nothing", "r"); if (!f) fprintf(stderr, "%s\n", strerror(errno));
    struct tm *t = localtime(&(time_t){ 0 }); printf("%d\n", t->tm_year + a + b + (int)v);
    for (int i = 1; i < argc; i++) puts(argv[i]);
    for (int i = 0; i < n; i++) free(all[i].name);
    free(all);
    return 0;
}
"#,
    );
}
