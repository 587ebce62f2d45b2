// const cast away from what is not.
static int limit = 4;
static void raise(const int *p) { *(int *)p += 1; }
int main(void) {
    raise(&limit);
    return limit != 5;
}
