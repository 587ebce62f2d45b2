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

int reads(struct task *p) { return p->cpu + 1; }
long reads_long(struct task *p) { use(3); return p->flags; }
struct task *reads_pointer(struct task *p) { return p->next; }
int reads_other(struct task *p) { return p->cpu; }
int reads_back(struct task *p) { return *(volatile int *)&p->cpu; }
int reads_and_more(struct task *p) { return p->cpu + 1; }
int reads_twice(struct task *p) { return p->cpu + p->cpu; }
int calls_reader(struct task *p) { return reads(p) * 2; }
int identical_caller(struct task *p) { return reads(p); }

void writes(struct task *p, int x) { p->cpu = x + 1; }
void writes_value_near(struct task *p, int x) { p->cpu = x; }

int marks(int a) {
    if (a > 7)
        return 1;
    return 2;
}

void locks(struct lock *l) {
    spin_lock(l);
    use(1);
    spin_unlock(l);
}
void locks_irq(struct lock *l) { spin_lock_irq(l); }
void locks_wrongly(struct lock *l) {
    spin_lock(l);
    use(1);
    spin_unlock(l);
}
void locks_other(struct lock *l, struct lock *m) {
    spin_lock(l);
    spin_unlock(m);
}
void unlocks_back(struct lock *l) { raw_spin_lock(l); }

int distance(int d) { return d > 30; }
int distance_near(int d) { return d > 31; }
int distance_back(int d) { return d > node_reclaim_distance; }
