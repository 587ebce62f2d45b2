// Code that nobody has seen leaves 0 or 1 in every _Bool: in structs that it returns, takes or fills.
struct small { int a; _Bool b; };
struct middle { int a, c; _Bool b; };
struct wide { long a; _Bool b; };
struct large { long a, c; _Bool b; };
extern struct small get_small(void);
extern struct middle get_middle(void);
extern struct wide get_wide(void);
extern struct large get_large(void);
extern void fill(struct small *);

int returned_small(void) {
    struct small s = get_small();
    return s.b ? 1 : 2;
}
int returned_middle(void) {
    struct middle s = get_middle();
    return s.b ? 1 : 2;
}
int returned_wide(void) { return get_wide().b ? 1 : 2; }
int returned_large(void) {
    struct large s = get_large();
    return s.b ? 1 : 2;
}
int filled(void) {
    struct small s;
    fill(&s);
    return s.b ? 1 : 2;
}
int taken_small(struct small s) { return s.b ? 1 : 2; }
int taken_middle(struct middle s) { return s.b ? 1 : 2; }
int taken_wide(struct wide s) { return s.b ? 1 : 2; }
int other_bytes(struct small s) { return 1000 / s.a; } //~ latent[div-by-zero]
