//! What lies in the buffers of the C library's streams and is no longer, or not yet, input or output: nobody is given it.
//!
//! This only leaves out what two runs could be told apart by.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use verify_interp::{Image, Snapshot};
use verify_ir::{CType, Module, Record, TypeId};

/// glibc's record of a stream, and its buffer of one byte.
const STREAM: &str = "_IO_FILE";
pub(crate) const ONE_BYTE: &str = "_shortbuf";

/// The bytes of a stream's record that hold a character at most.
pub(crate) fn is_buffer(r: &Record, field: &str) -> bool {
    r.name == STREAM && field == ONE_BYTE
}

/// Of every object of a run, the bytes that are stale.
#[derive(Default)]
pub(crate) struct Stale(BTreeMap<usize, BTreeSet<u64>>);

impl Stale {
    pub(crate) fn new(m: &Module, s: &Snapshot) -> Stale {
        let mut out = Stale::default();
        for o in &s.objects {
            let Some(offsets) = o.elem.and_then(|t| stream(m, t, 0)) else { continue };
            let at = |name: &str| match offsets.get(name).and_then(|off| o.pointers.get(off)) {
                Some(Image::Pointer(object, off)) => Some((*object, u64::try_from(*off).ok()?)),
                _ => None,
            };
            let span = |from: &str, to: &str| match (at(from), at(to)) {
                (Some((a, x)), Some((b, y))) if a == b && x <= y => Some((a, x..y)),
                _ => None,
            };
            let Some((buffer, all)) = span("_IO_buf_base", "_IO_buf_end") else { continue };
            // Where nothing says what is kept in it, all of it may be.
            let kept = [span("_IO_read_ptr", "_IO_read_end"), span("_IO_write_base", "_IO_write_ptr")];
            let [Some(x), Some(y)] = kept else { continue };
            let kept: Vec<Range<u64>> = [x, y].into_iter().filter(|k| k.0 == buffer).map(|k| k.1).collect();
            out.0.entry(buffer).or_default().extend(all.filter(|i| !kept.iter().any(|k| k.contains(i))));
        }
        out
    }

    pub(crate) fn is(&self, object: usize, byte: u64) -> bool {
        self.0.get(&object).is_some_and(|s| s.contains(&byte))
    }
}

/// Where the pointers of a stream are, if a type begins with one.
fn stream(m: &Module, t: TypeId, depth: u32) -> Option<BTreeMap<String, u64>> {
    match m.ctype(t) {
        CType::Typedef { ty, .. } | CType::Qualified { ty, .. } if depth < 16 => stream(m, *ty, depth + 1),
        CType::Record(r) if r.name == STREAM => {
            Some(r.fields.iter().map(|f| (f.name.clone(), f.bit_offset / 8)).collect())
        }
        CType::Record(r) if depth < 16 => {
            let first = r.fields.first().filter(|f| f.bit_offset == 0)?;
            stream(m, first.ty, depth + 1)
        }
        _ => None,
    }
}
