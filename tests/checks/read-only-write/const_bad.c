// const cast away from what is const.
static const struct { int limit; } config = {4};
static void raise(const int *p) {
    *(int *)p += 1; //~ violated[read-only-write]
}
int main(void) {
    raise(&config.limit);
    return config.limit;
}
