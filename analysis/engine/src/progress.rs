//! Who wants to hear how far a scan is. Calls come from worker threads in no particular order; nothing that is
//! reported here may depend on them.

/// Listener of a scan.
pub trait Progress: Sync {
    /// Work is planned: this many tasks in all programs together.
    fn planned(&self, tasks: usize) {
        let _ = tasks;
    }
    /// A task begins: `what` is the function it is about.
    fn started(&self, program: &str, what: &str) {
        let _ = (program, what);
    }
    /// A task is finished; `found` failing checks were found by it.
    fn finished(&self, program: &str, what: &str, found: usize) {
        let _ = (program, what, found);
    }
}

/// Nobody.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Progress for Silent {}
