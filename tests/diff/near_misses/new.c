// diff: fa not-equal
// diff: call not-equal
// diff: use not-equal
// diff: last not-equal
// diff: lastt not-equal
// diff: f not-equal
// diff: pick not-equal
// diff: first not-equal
// diff: stride not-equal
// diff: off not-equal
// diff: second not-equal
// diff: cast not-equal
// diff: cp not-equal
// diff: cmp not-equal
// diff: nx not-equal
// diff: un not-equal
// diff: val not-equal
// diff: pb3 not-equal
// diff: ata not-equal
// diff: vf not-equal
// diff: g3 not-equal
// diff: mayexit not-equal
// diff: hoist not-equal
// diff: un1 not-equal
// diff: H equal
// diff: f1 equal
// diff: fine equal
// diff: setfine equal
#define NEW 1
#define SEL(...) SEL_(__VA_ARGS__)
#define SEL_(a, ...) __VA_ARGS__
#include "body.h"
