// A number that is copied and counted on from stays at a distance that depends on the states; no bounds of either say so.
// check: --property unreach-call
// verdict: TRUE
// slow
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int m_waits, t_waits, m_ready, t_ready, m_called, t_called, token, local;

void wake(void) {
    if (m_waits && m_called) m_ready = 1;
    if (t_waits && t_called) t_ready = 1;
}

void master(void) {
    if (m_waits && token != local + 1) reach_error();
    token = __VERIFIER_nondet_int();
    local = token;
    t_called = 1;
    wake();
    t_called = 0;
    m_waits = 1;
    m_ready = 0;
}

void transmitter(void) {
    if (t_waits) {
        token += 1;
        m_called = 1;
        wake();
        m_called = 0;
    }
    t_waits = 1;
    t_ready = 0;
}

void run(void) {
    while (m_ready || t_ready) {
        if (m_ready && __VERIFIER_nondet_int()) master();
        if (t_ready && __VERIFIER_nondet_int()) transmitter();
    }
}

int main(void) {
    m_ready = t_ready = 1;
    while (1) {
        run();
        wake();
        if (!m_ready && !t_ready) break;
    }
    return 0;
}
