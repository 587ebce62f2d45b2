//! Idioms of C that the statements do not come to by themselves: a few lines each, free of faults whatever the values
//! in them are, whose results go into the sum.

use super::stmt::Body;

/// Every `H`, `P`, `Q` is a fresh name (the same one within an idiom), every `E` an expression of its own, every `C` a
/// condition, `B` a number of iterations, constant or not; a letter stands for these only where it is a word by itself.
const IDIOMS: &[&str] = &[
    // Pointers in memory.
    "int H[4] = {1, 2, 3, (int)(u16)(E)}, *P[4] = {&H[0], &H[1], &H[2], &H[3]}; int *Q = P[(u32)(E) & 3]; P[(u32)(E) & 3] = P[(u32)(E) & 3]; \
     P[(u32)(E) & 3] = Q; *P[(u32)(E) & 3] = (i16)(E); for (int i = 0; i < 4; i++) { mix(H[i]); mix(P[i] - H); }",
    "u16 H = 1, P = 2; struct { u16 *to; u32 n; } Q[2] = {{&H, 1}, {&P, 2}}; Q[(u32)(E) & 1] = Q[(u32)(E) & 1]; *Q[(u32)(E) & 1].to = E; \
     Q[0].n += (u32)(E); mix(H); mix(P); mix(Q[0].n + Q[1].n); mix(Q[0].to == Q[1].to);",
    "u32 H = 3, P = 4, *Q = (C) ? &H : &P, *R; memcpy(&R, &Q, sizeof Q); *R += 9; mix(H); mix(P);",
    "u32 H = 3, P = 4, *Q = (C) ? &H : &P, *R = 0; for (u32 i = 0; i < sizeof Q; i++) ((u8 *)&R)[i] = ((u8 *)&Q)[i]; *R += 9; mix(H); mix(P);",
    "u64 H[2] = {5, 6}; union { u64 *p; uintptr_t n; } Q = {H}; Q.n += ((u64)(E) & 1) * 8; *Q.p = E; mix(H[0]); mix(H[1]);",
    "u32 H = 1, P = 2, *Q = &H, **R = &Q, ***S = &R; if (C) **R = E; if (C) *R = &P; ***S += (u32)(E); mix(H); mix(P); mix(Q == &P);",
    "struct cell { u8 v; struct cell *l, *r; } H = {1, 0, 0}, P = {2, &H, 0}, Q = {3, &P, &H}; struct cell *R = &Q; \
     if (C) Q.l = &H; if (C) H.r = &P; for (u32 i = 0; i < B && R; i++) { mix(R->v); R->v += E; R = ((u32)(E) + i) & 1 ? R->l : R->r; } mix(H.v); mix(P.v);",
    "struct node H[4]; for (u32 i = 0; i < 4; i++) { H[i].value = i * 3; H[i].next = &H[(i + 1) & 3]; } struct node *Q = &H[(u32)(E) & 3]; \
     for (u32 i = 0; i < B; i++) Q = Q->next; Q->value = E; for (u32 i = 0; i < 4; i++) mix(H[i].value); mix(Q - H);",
    "struct node *H = malloc(sizeof *H), *P = malloc(sizeof *P), *Q; if (!H || !P) abort(); H->value = 1; P->value = 2; H->next = P; P->next = H; \
     Q = (C) ? H : P; Q->next->value += (u16)(E); mix(H->value); mix(P->value); mix(H == P); free(H); free(P);",
    "u32 **H = malloc(3 * sizeof *H), P = 1, Q = 2; if (!H) abort(); H[0] = &P; H[1] = &Q; H[2] = H[(u32)(E) & 1]; *H[2] = E; \
     *H[(u32)(E) % 3u] ^= 77; mix(P); mix(Q); free(H);",
    // Arrays.
    "i16 H[3][4] = {{1, 2}, {3}}; H[(u32)(E) % 3u][(u32)(E) & 3] = E; i16 (*P)[4] = &H[(u32)(E) % 3u]; (*P)[1] += 3; P[0][(u32)(E) & 3]++; \
     for (u32 i = 0; i < 12; i++) mix(((i16 *)H)[i]);",
    "u32 H = 1 + ((u32)(E) & 7); u16 P[H]; for (u32 i = 0; i < H; i++) P[i] = i * 5; P[(u32)(E) % H] = E; mix(P[(u32)(E) % H]); mix(sizeof P);",
    "struct rec H[2] = {{1}, {.b = 2}}; H[(u32)(E) & 1].b = E; H[1] = H[(u32)(E) & 1]; struct rec *P = &H[(u32)(E) & 1]; P->in.hi = E; P->v[2] = E; \
     P->f17 = E; P->s5 = E; mix(H[0].b); mix(H[1].in.hi); mix(H[0].f17 + H[1].s5); mix(H[1].v[2]);",
    "static const u8 H[16] = {7, 3, 9, 1, 250, 0, 2}; u8 P = H[(u32)(E) & 15]; mix(H[P & 15]); mix(H[H[(u32)(E) & 7] & 15]);",
    "static u8 H[8]; static u32 P; H[P & 7] = E; P += 3; mix(H[(u32)(E) & 7]); mix(P);",
    "u8 H[16]; for (u32 i = 0; i < 16; i++) H[i] = i ^ 5; for (u32 i = 0, j = 15; i < j; i++, j--) { u8 t = H[i]; H[i] = H[j]; H[j] = t; } \
     u16 P; memcpy(&P, H + ((u32)(E) & 7), 2); mix(P); u32 Q = E; memcpy(H + ((u32)(E) % 13u), &Q, 4); u64 R; memcpy(&R, H + 3, 8); mix(R);",
    "char H[12] = \"ab\", P[] = \"xyz\"; strcpy(H + ((u32)(E) & 3), P + ((u32)(E) & 3)); for (u32 i = 0; i < 12; i++) mix(H[i]); mix(strlen(H));",
    "const char *H = (C) ? \"hello\" : \"good bye\"; const char *P = strchr(H, 'o'); mix(P ? P - H : -1); mix(strlen(H)); mix(H[(u32)(E) & 3]);",
    "char H[8] = \"abc\", P[8] = \"abd\"; H[(u32)(E) & 7] = 'c'; H[7] = 0; int Q = strcmp(H, P); mix((Q > 0) - (Q < 0)); Q = strncmp(H, P, 2); mix((Q > 0) - (Q < 0));",
    "char H[16] = \"12 -7 abc\"; H[(u32)(E) % 9u] = (char)((u32)(E) & 63) + 32; int P = 3; i16 Q = 4; char R[4] = \"z\"; \
     mix(sscanf(H, \"%d %hi %3s\", &P, &Q, R)); mix(P); mix(Q); mix(R[0]); mix(R[3]);",
    "char H[8] = \"x=1f,z\"; u32 P = 5, Q[2] = {6, 7}; if (sscanf(H + ((u32)(E) & 3), \"%*[x=]%2x%c\", &P, (char *)&Q[(u32)(E) & 1]) > 0) mix(P); mix(Q[0] + Q[1]);",
    "u32 H[4] = {1, 2, 3, 4}; u32 *P = H, *Q = H + 4; while (P < Q) { *P++ += (u32)(E); if (C) Q--; } mix(H[0]); mix(H[3]); mix(Q - P);",
    // Control.
    "u32 H = 0, P = 0; if (C) goto in_H; top_H: P += 2; in_H: P += (u32)(E) & 3; if (++H < B) goto top_H; mix(P);",
    "u32 H = B, P = 0; switch (H & 3) { case 0: do { P += 1; case 3: P += 10; case 2: P += 100; case 1: P += 1000; } while (H-- > 4); } mix(P);",
    "u32 H = 0; for (u32 i = 0; i < B; i++) { for (u32 j = 0; j < B; j++) { if ((i ^ j) == 2) goto out_H; H += i * j + 1; if (C) break; } } out_H: mix(H);",
    "switch ((i8)(E)) { case -128: mix(1); break; case -1: case 0: mix(2); case 5 ... 90: mix(3); break; default: mix(4); }",
    "switch ((u64)(E) & 0x8000000000000001ul) { case 0x8000000000000001ul: mix(1); break; case 1: mix(2); break; default: mix(3); }",
    "u32 *H = 0; for (u32 i = 0; i < B; i++) { u32 P = i + 1; H = &P; *H += (u32)(E); mix(P); }",
    "u32 H = (u32)(E), P = 0; while (H) { P += H & 1; H >>= 1 + (P & 3) * 2; } mix(P);",
    "u32 H = (u32)(E), P = (u32)(E) | 1; for (int i = 0; i < 3 && P; i++) { u32 t = H % P; H = P; P = t; } mix(H); mix(P);",
    // Arithmetic.
    "i64 H = (i64)(i32)(E) * (i32)(E); mix(H >> 7); mix((u64)H / 3u); mix((i32)(H >> 32)); mix((u16)H);",
    "unsigned __int128 H = (unsigned __int128)(u64)(E) << ((u32)(E) & 63); H += (u64)(E); mix((u64)H); mix((u64)(H >> 64));",
    "bool H = (E) != 0, P = (bool)(u8)(E); H ^= P; H += 2; mix(H); mix(P + H); mix(!H); mix(-P);",
    "struct { u64 a : 33; i64 b : 9; u8 c : 2; bool d : 1; u32 : 0; i32 e : 31; } H = {E, E, E, 1, E}; H.a <<= (u32)(E) & 31; H.b = H.a; H.c++; H.e = H.e / 3; \
     H.d = H.c; mix(H.a); mix(H.b); mix(H.c); mix(H.d); mix(H.e); mix(H.b < H.c);",
    "struct { i16 a : 4; u16 b : 12; } H[2] = {{1, 2}, {3, 4}}, *P = &H[(u32)(E) & 1]; P->a = E; P->b += (u16)(E); H[0] = *P; mix(H[0].a); mix(H[1].b); mix(H[0].a * H[0].b);",
    "int H; if (!__builtin_add_overflow((int)(E), (int)(E), &H)) mix(H); else mix(1); u8 P; mix(__builtin_mul_overflow((u8)(E), (u16)(E), &P)); mix(P);",
    "u32 H = E; mix(__builtin_popcount(H)); mix(H ? __builtin_ctz(H) : 32); mix(H ? __builtin_clz(H) : 32); mix(__builtin_bswap32(H));",
    "double H = (double)(i32)(E) / 4.0; mix((i64)H); mix(H < 100.5); mix(H == (float)H); float P = (float)H; mix(bits_of(P)); mix((i32)(P * 0.125f));",
    "union { float f; u32 n; } H; H.n = (u32)(E); mix(H.f == H.f); mix(H.f < 1.0f); mix(H.f > -0.0f); H.f = -(float)(i8)(E); mix(H.n);",
    "float H = (float)(u32)(E); double P = (double)(u64)(E); mix(bits_of(H)); mix(P > 1e9); mix(H >= P); mix((u32)(H / 8589934592.0f * 1000.0f));",
    // Heap.
    "u32 H = 1 + ((u32)(E) & 7); u8 *P = malloc(H); if (!P) abort(); memset(P, (u8)(E), H); P[H - 1] = 9; P[(u32)(E) % H] += 1; \
     for (u32 i = 0; i < H; i++) mix(P[i]); u8 *Q = realloc(P, H + 2); if (!Q) abort(); mix(Q[H - 1]); free(Q);",
    "u32 *H[3] = {0}; for (u32 i = 0; i < 3; i++) { H[i] = malloc(4); if (!H[i]) abort(); *H[i] = i + (u32)(E); } *H[(u32)(E) % 3u] = 5; \
     for (u32 i = 0; i < 3; i++) { mix(*H[i]); mix(H[i] == H[(i + 1) % 3]); free(H[i]); }",
    "u32 *H = 0; for (u32 i = 0; i < B; i++) { u32 *P = malloc(8); if (!P) abort(); P[0] = i; P[1] = H ? H[1] + 2 : 1; free(H); H = P; } if (H) mix(H[0] + H[1]); free(H);",
    "struct { u32 n; u16 v[]; } *H = malloc(sizeof *H + 4 * sizeof(u16)); if (!H) abort(); H->n = 4; for (u32 i = 0; i < H->n; i++) H->v[i] = i; \
     H->v[(u32)(E) & 3] = E; u32 P = 0; for (u32 i = 0; i < H->n; i++) P = P * 3 + H->v[i]; mix(P); free(H);",
    "char *H = calloc(1, sizeof(struct rec) * 2); if (!H) abort(); struct rec *P = (struct rec *)H + ((u32)(E) & 1); P->l = E; P->in.lo = E; \
     u16 *Q = &P->in.lo; struct rec *R = (struct rec *)((char *)Q - offsetof(struct rec, in.lo)); R->a = E; mix(P->a); mix(P->l); mix(((struct rec *)H)[1].l); free(H);",
    "u8 *H = (C) ? malloc(4) : calloc(2, 2); if (!H) abort(); H[0] = H[3] = E; u8 *P = H; while (P < H + 4 && P - H < B) P++; mix(P - H); mix(H[3]); free(H);",
];

/// One of them, in a block of its own.
pub fn insert(b: &mut Body<'_>) {
    let text = *b.m.rng.pick(IDIOMS);
    let fresh = b.name("z");
    let mut out = String::new();
    let chars: Vec<char> = text.chars().collect();
    let word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || *c == '_');
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|j| chars.get(j));
        let label = before == Some(&'_') && !word(chars.get(at + 1));
        let alone = (!word(before) || (label && *c == 'H')) && !word(chars.get(at + 1));
        match c {
            'H' | 'P' | 'Q' | 'R' | 'S' if alone => out.push_str(&format!("{fresh}{}", c.to_ascii_lowercase())),
            'E' if alone => out.push_str(&b.m.expr(1)),
            'C' if alone => out.push_str(&b.m.condition(1)),
            'B' if alone => {
                if b.m.chance(50) {
                    out.push_str(&(1 + b.m.below(5)).to_string());
                } else {
                    let e = b.m.expr(1);
                    out.push_str(&format!("((u32)({e}) & 7)"));
                }
            }
            c => out.push(*c),
        }
    }
    b.open("");
    b.line(out);
    b.close("");
}
