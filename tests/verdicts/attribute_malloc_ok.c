// gcc's headers, preprocessed by gcc, say which function frees what another allocates.
// check: --property valid-memsafety
// verdict: TRUE
typedef unsigned long size_t;
extern void free(void *);
extern void *malloc(size_t) __attribute__((__malloc__(free, 1))) __attribute__((__malloc__));

int main(void)
{
    char *p = malloc(3);
    p[2] = 1;
    free(p);
    return 0;
}
