//! Faults: a few lines that fail for some inputs, or after many iterations of a loop. Which vectors fail, and how, is
//! what the sanitizers say; nothing is known of it here.

use super::generate::Input;
use super::stmt::Body;

/// `H` a fresh name, `C` a condition that some vectors make true, `E` and `D` expressions of small values (often below
/// 16), `I` and `J` full-range ints.
const FAULTS: &[&str] = &[
    "int H[12] = {0}; H[E] = 1; mix(H[3]);",
    "int H[6] = {1, 2, 3}; for (u32 i = 0; i <= D; i++) mix(H[i]);",
    "char H[8] = {0}; mix(*(H + 7 - E));",
    "short *H = malloc(6 * sizeof *H); if (!H) abort(); for (int i = 0; i < 6; i++) H[i] = i; mix(H[D]); free(H);",
    "short *H = malloc(D + 1); if (!H) abort(); *H = 7; mix(*H); free(H);",
    "int *H = malloc(4); if (!H) abort(); *H = 3; if (C) free(H); mix(*H); if (!(C)) free(H);",
    "int *H = malloc(8); if (!H) abort(); if (C) free(H); free(H);",
    "int *H = calloc(2, 4); if (!H) abort(); if (!(C)) free(H);",
    "int H = 5; int *q = (C) ? (int *)0 : &H; *q = 6; mix(H);",
    "struct node H = {1, 0}; struct node *q = &H; if (C) q = q->next; mix(q->value);",
    "int *H = malloc(16); if (!H) abort(); H[0] = 1; int *q = realloc(H, 1024); if (!q) abort(); mix((C) ? H[0] : q[0]); free(q);",
    "int H = 1; int *q = malloc(4); if (!q) abort(); if (C) { free(q); q = &H; } free(q);",
    "char *H = malloc(8); if (!H) abort(); char *q = H + ((C) ? 1 : 0); free(q);",
    "int *H = 0; { int inner = (int)E; if (C) H = &inner; mix(inner); } if (H) mix(*H);",
    "char H[8], q[16] = \"0123456\"; if (C) q[7] = 'x'; strcpy(H, q); mix(H[2]);",
    "char H[8] = {0}, q[16] = {1}; memcpy(H, q, E); mix(H[0]);",
    "char H[8] = {0}; memset(H + 4, 1, D); mix(H[7]);",
    "char H[4] = {'a', 'b', 'c', 0}; H[3] = (C) ? 'd' : 0; mix(strlen(H));",
    "int H = I + J; mix(H);",
    "int H = I - J; mix(H);",
    "int H = I * (int)E; mix(H);",
    "int H = -I; mix(H);",
    "i64 H = (i64)I * J * (i32)E; mix(H);",
    "int H = 1 << (E * 3); mix(H);",
    "u32 H = 7u >> (D * 5); mix(H);",
    "int H = I; H++; mix(H);",
    "i64 H = 0x7ffffffffffffff0; H += E; mix(H);",
    "struct rec H = {0}; struct rec *q = &H; mix(((u8 *)q)[E * 4] & 0);",
    "struct rec *H = malloc(sizeof *H - ((C) ? 8 : 0)); if (!H) abort(); H->l = 1; mix(H->l); free(H);",
    "int H[2][3] = {{1}}; int *q = &H[0][0]; mix(q[E & 7]);",
    "struct node *H = malloc(sizeof *H); if (!H) abort(); H->next = malloc(sizeof *H); if (!H->next) abort(); H->next->next = 0; H->next->value = 1; \
     if (C) free(H->next); mix(H->next->value); if (!(C)) free(H->next); free(H);",
    "int *H = (C) ? frame_of(1) : &in_use; *H = 2; mix(in_use);",
];

/// One fault at this place; in a deep loop (`it` counts) its condition holds late.
pub fn insert(b: &mut Body<'_>, inputs: &[Input], vectors: &[Vec<u64>], deep: bool) {
    let text = *b.m.rng.pick(FAULTS);
    let h = b.name("h");
    let i = b.m.below(inputs.len());
    let v = b.m.below(vectors.len());
    let hit = format!("x{i} == {}", inputs[i].ty.literal(vectors[v][i]));
    let late = 40 + b.m.below(260);
    let (condition, small) = if deep {
        match b.m.below(3) {
            0 => (format!("it == {late}"), format!("(it == {late} ? 13u : it & 3)")),
            1 => (format!("it >= {late} && x{i} & 1"), format!("((u32)x{i} / 2 % 4 + it / {late} * 9)")),
            _ => (format!("it * 3 == {}", late * 3), format!("(it < {late} ? 1u : it - {late})")),
        }
    } else {
        match b.m.below(5) {
            0..=2 => (hit.clone(), format!("({hit} ? 12u : 2u)")),
            3 => (format!("(x{i} & 3) == {}", b.m.below(4)), format!("((u32)x{i} & 15)")),
            _ => (b.m.condition(1), format!("((u32)({}) & 15)", b.m.expr(1))),
        }
    };
    let other = b.m.expr(1);
    let edges = ["INT32_MIN", "INT32_MAX", "-1", "1", "0x10000"];
    let (x, y) = (b.m.expr(1), if deep { "it * it * it * 100".to_string() } else { b.m.expr(1) });
    let (x, y) = (
        format!("(({condition}) ? {} : ({x}))", b.m.rng.pick(&edges[..2])),
        format!("(({condition}) ? {} : ({y}))", b.m.rng.pick(&edges)),
    );
    let mut out = String::new();
    let chars: Vec<char> = text.chars().collect();
    let word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || *c == '_');
    for (at, c) in chars.iter().enumerate() {
        let alone = !word(at.checked_sub(1).and_then(|j| chars.get(j))) && !word(chars.get(at + 1));
        match c {
            'H' if alone => out.push_str(&h),
            'C' if alone => out.push_str(&condition),
            'E' if alone => out.push_str(&small),
            'D' if alone => out.push_str(&format!("(({other}) & 1 ? 0 : {small} & 7)")),
            'I' if alone => out.push_str(&format!("(int)({x})")),
            'J' if alone => out.push_str(&format!("(int)({y})")),
            c => out.push(*c),
        }
    }
    b.open("");
    b.line(out);
    b.close("");
}
