// A structure of changed layout, used by its fields in functions that have to do with other things in other ways.
// diff: error equal by identity
// diff: error_near not-equal
// diff: error_given not-equal
// diff: length equal by identity
// diff: named equal
// diff: whole not-equal
// diff: number equal
// diff: number_near not-equal
#include <stddef.h>
#include <stdint.h>
#include <string.h>
struct thread { int id; long pad; int error; };
static inline struct thread *self(void) { struct thread *p; __asm__("mov %%fs:0, %0" : "=r"(p)); return p; }
static inline struct thread *given(struct thread *q) { struct thread *p; __asm__("mov %1, %0" : "=r"(p) : "r"(q)); return p; }
int *error(void) { return &self()->error; }
int *error_near(void) { return &self()->id; }
int *error_given(struct thread *p) { return &given(p)->error; }
size_t length(const char *s) {
    const char *a = s;
    const size_t *w;
    for (; (uintptr_t)s % sizeof(size_t); s++) if (!*s) return s - a;
    for (w = (const void *)s; !(*w - 1 & ~*w & 128); w++);
    for (s = (const void *)w; *s; s++);
    return s - a;
}
void named(struct thread *p, char *to, const char *from) { memcpy(to, from, 8); p->id = 1; }
void whole(struct thread *p, const char *from) { memcpy(p, from, 8); p->id = 1; }
unsigned long number(struct thread *p, char *c) { return (unsigned long)c + p->id; }
unsigned long number_near(struct thread *p) { return (unsigned long)&p->id; }
