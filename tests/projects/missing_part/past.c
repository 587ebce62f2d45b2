extern int parts;
int per_part(int sum);
int reciprocal(int x);

int run(void) {
    parts = 0;
    return reciprocal(0) + per_part(1);
}
