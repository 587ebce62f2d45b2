//! Literals that may share memory. C leaves open whether two string literals (and two compound literals of constants)
//! are distinct objects where their contents allow it (C11 6.4.5p7, 6.5.2.5p7); compilers and linkers let equal ones, and
//! one that ends another, be one. Which pairs can, and how they would lie on each other, is decided here by their bytes;
//! whether they do is not.

use crate::entity::GlobalId;
use crate::module::{Global, InitData, Module};

/// How two literals may lie on each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Overlay {
    /// The second begins so many bytes behind the start of the first; ascending, empty if they cannot share memory.
    At(Vec<i64>),
    /// There are too many ways to list.
    Anyhow,
}

/// Pairs of bytes that are compared for two literals.
const MAX_PAIRS: u64 = 1 << 16;
/// Ways that are listed.
const MAX_WAYS: usize = 32;

impl Module {
    /// The variable is a literal that may share its memory with others: read-only and without a name in C.
    pub fn is_shared_literal(&self, g: GlobalId) -> bool {
        let g = self.global(g);
        g.compiler_made && g.constant
    }

    /// How two variables may lie on each other because both are literals.
    pub fn overlay(&self, g: GlobalId, h: GlobalId) -> Overlay {
        if g == h || !self.is_shared_literal(g) || !self.is_shared_literal(h) {
            return Overlay::At(Vec::new());
        }
        let (g, h) = (self.global(g), self.global(h));
        if g.size == 0 || h.size == 0 {
            return Overlay::At(Vec::new());
        }
        if g.size.saturating_mul(h.size) > MAX_PAIRS {
            return Overlay::Anyhow;
        }
        let (a, b) = (bytes(g), bytes(h));
        let agree = |x: Option<u8>, y: Option<u8>| x.is_none() || y.is_none() || x == y;
        let (n, m) = (a.len() as i64, b.len() as i64);
        let fits = |d: &i64| (0.max(*d)..n.min(d + m)).all(|i| agree(a[i as usize], b[(i - d) as usize]));
        let ways: Vec<i64> = (1 - m..n).filter(fits).take(MAX_WAYS + 1).collect();
        if ways.len() > MAX_WAYS { Overlay::Anyhow } else { Overlay::At(ways) }
    }
}

/// The bytes of a literal, where they are numbers.
fn bytes(g: &Global) -> Vec<Option<u8>> {
    let mut out = vec![g.init.as_ref().map(|_| 0); g.size as usize];
    for p in g.init.iter().flat_map(|i| &i.pieces) {
        for k in 0..p.data.size() {
            let Some(slot) = usize::try_from(p.offset + k).ok().and_then(|i| out.get_mut(i)) else { continue };
            *slot = match &p.data {
                InitData::Bytes(b) => b.get(k as usize).copied(),
                _ => None,
            };
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_on_each_other() {
        let literal = |s: &[u8]| Global {
            name: ".str".into(),
            source_name: String::new(),
            unit: crate::UnitId(0),
            linkage: crate::Linkage::Internal,
            visibility: crate::Visibility::Default,
            comdat: None,
            section: None,
            thread_local: false,
            constant: true,
            compiler_made: true,
            size: s.len() as u64,
            align: 1,
            ctype: None,
            span: crate::SpanId(0),
            init: Some(crate::Init { pieces: vec![crate::InitPiece { offset: 0, data: InitData::Bytes(s.to_vec()) }] }),
        };
        let mut m = Module::default();
        for s in [&b"abc\0"[..], b"xabc\0", b"abc\0", b"abd\0", b"\0", b"\0\0\0\0", &[0; 64]] {
            m.globals.push(literal(s));
        }
        let way = |g: usize, h: usize| m.overlay(GlobalId::new(g), GlobalId::new(h));
        assert_eq!(way(0, 1), Overlay::At(vec![-1]));
        assert_eq!(way(1, 0), Overlay::At(vec![1]));
        assert_eq!(way(0, 2), Overlay::At(vec![0]));
        assert_eq!(way(0, 3), Overlay::At(vec![]));
        assert_eq!(way(0, 4), Overlay::At(vec![3]));
        assert_eq!(way(0, 5), Overlay::At(vec![3]));
        assert_eq!(way(0, 0), Overlay::At(vec![]));
        assert_eq!(way(5, 6), Overlay::Anyhow);
    }
}
