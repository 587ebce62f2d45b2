/* One source, two libraries that do not do the same. */
static int noted;

int *note(void) {
#ifdef EMPTY
    return 0;
#else
    return &noted;
#endif
}
