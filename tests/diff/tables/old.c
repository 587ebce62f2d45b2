static int twice(int x) { return x & 7; }
static int less(int x) { return x ^ 1; }
int digits(int x) { switch (x) { case 0: return 3; case 1: return 5; case 2: return 9; case 3: return 2; default: return 0; } }
int digits_near(int x) { switch (x) { case 0: return 3; case 1: return 5; case 2: return 9; case 3: return 2; default: return 0; } }
int digits_bound(int x) { switch (x) { case 0: return 3; case 1: return 5; case 2: return 9; default: return 0; } }
const char *name(unsigned k) { return k == 0 ? "red" : k == 1 ? "green" : "blue"; }
const char *name_near(unsigned k) { return k == 0 ? "red" : k == 1 ? "green" : "blue"; }
char letter(unsigned k) { if ((k & 3) == 0) return 'a'; if ((k & 3) == 1) return 'c'; if ((k & 3) == 2) return 'e'; return 0; }
int chosen(unsigned k, int x) { return k & 1 ? less(x) : twice(x); }
int chosen_near(unsigned k, int x) { return k & 1 ? less(x) : twice(x); }
int second(unsigned k) { k &= 1; return k ? 40 : 20; }
int second_near(unsigned k) { k &= 1; return k ? 40 : 20; }
int unaligned(unsigned k) { k &= 3; return k; }
