// diff-options: --patterns DIR/../../../patterns/linux
// diff: reads equal by custom pattern read_once
// diff: reads_long equal by custom pattern read_once
// diff: reads_pointer equal by custom pattern read_once
// diff: reads_other not-equal
// diff: reads_back not-equal
// diff: reads_and_more changed
// diff: reads_twice equal by custom pattern read_once
// diff: calls_reader equal by custom pattern read_once
// diff: identical_caller equal by custom pattern read_once
// diff: writes equal by custom pattern write_once
// diff: writes_value_near changed
// diff: marks equal by s
// diff: locks equal by custom pattern raw_spin_lock
// diff: locks_irq equal by custom pattern raw_spin_lock
// diff: locks_wrongly not-equal
// diff: locks_other not-equal
// diff: unlocks_back not-equal
// diff: distance equal by custom pattern node_reclaim_distance
// diff: distance_near not-equal
// diff: distance_back not-equal
// The five patterns of the library, and what they must not cover.
struct task { int cpu; long flags; struct task *next; };
struct lock { int held; };
int node_reclaim_distance = 30;

void spin_lock(void *);
void spin_unlock(void *);
void spin_lock_irq(void *);
void raw_spin_lock(void *);
void raw_spin_unlock(void *);
void raw_spin_lock_irq(void *);
void use(long);

int reads(struct task *p) { return (*(const volatile __typeof__(p->cpu) *)&(p->cpu)) + 1; }
long reads_long(struct task *p) { use(3); return (*(const volatile __typeof__(p->flags) *)&(p->flags)); }
struct task *reads_pointer(struct task *p) { return (*(const volatile __typeof__(p->next) *)&(p->next)); }
int reads_other(struct task *p) { return (*(const volatile __typeof__(p->flags) *)&(p->flags)); }
int reads_back(struct task *p) { return p->cpu; }
int reads_and_more(struct task *p) { return (*(const volatile __typeof__(p->cpu) *)&(p->cpu)) + 2; }
int reads_twice(struct task *p) { return (*(const volatile __typeof__(p->cpu) *)&(p->cpu)) + (*(const volatile __typeof__(p->cpu) *)&(p->cpu)); }
int calls_reader(struct task *p) { return reads(p) * 2; }
int identical_caller(struct task *p) { return reads(p); }

void writes(struct task *p, int x) { *(volatile int *)&p->cpu = x + 1; }
void writes_value_near(struct task *p, int x) { *(volatile int *)&p->cpu = x | 1; }

int marks(int a) {
    if (__builtin_expect(!!(a > 7), 0))
        return 1;
    return 2;
}

void locks(struct lock *l) {
    raw_spin_lock(l);
    use(1);
    raw_spin_unlock(l);
}
void locks_irq(struct lock *l) { raw_spin_lock_irq(l); }
void locks_wrongly(struct lock *l) {
    raw_spin_lock(l);
    use(1);
    raw_spin_lock(l);
}
void locks_other(struct lock *l, struct lock *m) {
    raw_spin_lock(l);
    raw_spin_unlock(l);
}
void unlocks_back(struct lock *l) { spin_lock(l); }

int distance(int d) { return d > node_reclaim_distance; }
int distance_near(int d) { return d > node_reclaim_distance; }
int distance_back(int d) { return d > 30; }
