//! Objects: bytes with per-bit definedness, the provenance of stored pointers, liveness and origin.

use std::collections::BTreeMap;
use std::sync::Arc;
use verify_ir::TypeId;

/// Which object a pointer was derived from: 0 not known (the address decides at the access), 1 null, else
/// `generation << 32 | index`. Indices below the program's number of static objects (plus [`FIRST`]) are globals and
/// functions with generation 0; the others are run-time objects, whose slots are reused with a new generation.
pub(crate) type Prov = u64;
pub(crate) const NO_PROV: Prov = 0;
pub(crate) const NULL_PROV: Prov = 1;
/// First index of a real object.
pub(crate) const FIRST: u32 = 2;

/// Pointers below this address are null pointers plus an offset.
pub(crate) const NULL_PAGE: u64 = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Global,
    Literal,
    Stack,
    Heap,
    Input,
    Varargs,
    /// Made by the run: `argv`, the environment.
    Environment,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Global => "global",
            Kind::Literal => "literal",
            Kind::Stack => "stack",
            Kind::Heap => "heap",
            Kind::Input => "input",
            Kind::Varargs => "variadic arguments",
            Kind::Environment => "environment",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Live,
    Freed,
    OutOfScope,
}

/// Where something happened to an object. `u32::MAX`: nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub func: u32,
    pub span: u32,
    /// Block and instruction, for what is reported there: the calls of one macro share a position. (0, 0) elsewhere.
    pub place: (u32, u32),
}

impl Site {
    pub const NONE: Site = Site::new(u32::MAX, 0);

    pub const fn new(func: u32, span: u32) -> Site {
        Site { func, span, place: (0, 0) }
    }
}

/// Owned by the object, or shared with the program's initial image until the first write.
#[derive(Clone, Debug)]
pub(crate) enum Cow<T> {
    Owned(T),
    Shared(Arc<T>),
}

impl<T: Clone> Cow<T> {
    #[inline(always)]
    pub fn get(&self) -> &T {
        match self {
            Cow::Owned(t) => t,
            Cow::Shared(t) => t,
        }
    }
    #[inline(always)]
    pub fn make_mut(&mut self) -> &mut T {
        if let Cow::Shared(t) = self {
            *self = Cow::Owned(T::clone(t));
        }
        match self {
            Cow::Owned(t) => t,
            Cow::Shared(_) => unreachable!("made owned above"),
        }
    }
}

/// Which bits are defined.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mask {
    Defined,
    Undefined,
    /// One byte per byte; a set bit is a defined bit.
    Bits(Vec<u8>),
}

const PAGE: usize = 64;

/// Provenance of the pointers stored in an object, by offset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointers {
    /// At multiples of the pointer size, in pages; 0 is none.
    pages: Vec<Option<Box<[Prov; PAGE]>>>,
    /// Elsewhere.
    odd: BTreeMap<u64, Prov>,
    /// A part of a pointer was overwritten: what is left of it are bytes of an address all the same.
    torn: bool,
}

impl Pointers {
    pub fn get(&self, offset: u64, bytes: u64) -> Prov {
        if offset.is_multiple_of(bytes) {
            let i = (offset / bytes) as usize;
            match self.pages.get(i / PAGE) {
                Some(Some(p)) => p[i % PAGE],
                _ => NO_PROV,
            }
        } else {
            self.odd.get(&offset).copied().unwrap_or(NO_PROV)
        }
    }

    /// The bytes at `offset` now hold a pointer; what overlapped it was cleared before.
    pub fn set(&mut self, offset: u64, bytes: u64, prov: Prov) {
        if offset.is_multiple_of(bytes) {
            let i = (offset / bytes) as usize;
            if self.pages.len() <= i / PAGE {
                self.pages.resize(i / PAGE + 1, None);
            }
            self.pages[i / PAGE].get_or_insert_with(|| Box::new([NO_PROV; PAGE]))[i % PAGE] = prov;
        } else {
            self.odd.insert(offset, prov);
        }
    }

    /// Bytes `[offset, offset + len)` are overwritten with something else.
    pub fn clear(&mut self, offset: u64, len: u64, bytes: u64) {
        if len == 0 {
            return;
        }
        let (first, last) = (offset / bytes, (offset + len - 1) / bytes);
        self.torn |= self.is_cut(offset, bytes) || self.is_cut(offset + len, bytes);
        let mut i = first as usize;
        while i <= last as usize && i / PAGE < self.pages.len() {
            match &mut self.pages[i / PAGE] {
                Some(p) => {
                    p[i % PAGE] = NO_PROV;
                    i += 1;
                }
                None => i = (i / PAGE + 1) * PAGE,
            }
        }
        if !self.odd.is_empty() {
            let from = (offset + 1).saturating_sub(bytes);
            let gone: Vec<u64> = self.odd.range(from..offset + len).map(|(k, _)| *k).collect();
            for k in gone {
                self.odd.remove(&k);
            }
        }
    }

    /// An object's address has some of its bytes before `offset` and some behind it.
    pub fn is_cut(&self, offset: u64, bytes: u64) -> bool {
        let straight = !offset.is_multiple_of(bytes) && self.get(offset - offset % bytes, bytes) > NULL_PROV;
        let from = (offset + 1).saturating_sub(bytes);
        straight || !self.odd.is_empty() && self.odd.range(from..offset).any(|(_, p)| *p > NULL_PROV)
    }

    /// A copy of the range has bytes of an address and not the others.
    pub fn is_torn_by(&self, offset: u64, len: u64, bytes: u64) -> bool {
        len > 0 && (self.torn || self.is_cut(offset, bytes) || self.is_cut(offset + len, bytes))
    }

    /// Some of the bytes `[offset, offset + len)` are, or may be, bytes of an object's address.
    pub fn touched(&self, offset: u64, len: u64, bytes: u64) -> bool {
        let mut at = offset - offset % bytes;
        while at < offset + len {
            if self.get(at, bytes) > NULL_PROV {
                return true;
            }
            at += bytes;
        }
        let from = (offset + 1).saturating_sub(bytes);
        self.torn || !self.odd.is_empty() && self.odd.range(from..offset + len).any(|(_, p)| *p > NULL_PROV)
    }

    /// Whole pointers inside `[offset, offset + len)`, with their offsets relative to `offset`.
    pub fn inside(&self, offset: u64, len: u64, bytes: u64) -> Vec<(u64, Prov)> {
        let mut out = Vec::new();
        let mut i = offset.div_ceil(bytes) as usize;
        while (i as u64 + 1) * bytes <= offset + len && i / PAGE < self.pages.len() {
            match &self.pages[i / PAGE] {
                Some(p) => {
                    if p[i % PAGE] != NO_PROV {
                        out.push((i as u64 * bytes - offset, p[i % PAGE]));
                    }
                    i += 1;
                }
                None => i = (i / PAGE + 1) * PAGE,
            }
        }
        for (k, p) in self.odd.range(offset..offset.saturating_add(len)) {
            if k + bytes <= offset + len {
                out.push((k - offset, *p));
            }
        }
        out
    }
}

/// Contents that come from the script when they are first read.
#[derive(Clone, Debug)]
pub(crate) struct Lazy {
    /// 1 for every byte that nothing has read or written yet.
    pub pending: Vec<u8>,
    /// C type of the elements, where known.
    pub elem: Option<TypeId>,
    /// Bytes per element.
    pub elem_size: u64,
    /// C expression for the pointer to the object, or for the object itself when `direct`.
    pub path: String,
    /// The path names the object, not a pointer to it.
    pub direct: bool,
    /// Number of the input object.
    pub number: u32,
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub base: u64,
    pub size: u64,
    pub generation: u32,
    pub kind: Kind,
    pub state: State,
    pub writable: bool,
    /// Unknown code knows it: never lost.
    pub kept: bool,
    /// Deallocator family (heap).
    pub family: u32,
    /// Global id, alloca value, or input number, by kind.
    pub origin: u32,
    /// Position in the stack of allocas.
    pub slot: u32,
    pub align: u64,
    pub data: Cow<Vec<u8>>,
    pub mask: Mask,
    /// Bytes that were never written are defined: they are 0, which is as good as anything.
    pub arbitrary: bool,
    pub pointers: Option<Cow<Pointers>>,
    /// A number was made of its address.
    pub exposed: bool,
    pub lazy: Option<Box<Lazy>>,
    pub made: Site,
    pub ended: Site,
}

#[inline(always)]
fn read(bytes: &[u8], big_endian: bool) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(if big_endian { u16::from_be_bytes([a, b]) } else { u16::from_le_bytes([a, b]) }),
        [a, b, c, d] => {
            u64::from(if big_endian { u32::from_be_bytes([a, b, c, d]) } else { u32::from_le_bytes([a, b, c, d]) })
        }
        [a, b, c, d, e, f, g, h] => {
            let x = [a, b, c, d, e, f, g, h];
            if big_endian { u64::from_be_bytes(x) } else { u64::from_le_bytes(x) }
        }
        _ => {
            let fold = |acc: u64, b: &u8| acc << 8 | u64::from(*b);
            if big_endian { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) }
        }
    }
}

#[inline(always)]
fn write(bytes: &mut [u8], v: u64, big_endian: bool) {
    let n = bytes.len();
    if big_endian {
        bytes.copy_from_slice(&v.to_be_bytes()[8 - n..]);
    } else {
        match n {
            1 => bytes[0] = v as u8,
            4 => bytes.copy_from_slice(&(v as u32).to_le_bytes()),
            8 => bytes.copy_from_slice(&v.to_le_bytes()),
            _ => bytes.copy_from_slice(&v.to_le_bytes()[..n]),
        }
    }
}

/// Are all bits of a write defined, or all undefined?
fn uniform(undef: u64, all: u64) -> Option<bool> {
    if undef == 0 {
        Some(true)
    } else if undef == all {
        Some(false)
    } else {
        None
    }
}

impl Object {
    /// Value and undefined bits of `n` (at most 8) bytes at `off`, which is in bounds.
    #[inline(always)]
    pub fn read(&self, off: usize, n: usize, big_endian: bool) -> (u64, u64) {
        let v = read(&self.data.get()[off..off + n], big_endian);
        let u = match &self.mask {
            Mask::Defined => 0,
            _ if self.arbitrary => 0,
            Mask::Undefined => u64::MAX >> (64 - 8 * n),
            Mask::Bits(m) => !read(&m[off..off + n], big_endian) & (u64::MAX >> (64 - 8 * n)),
        };
        (v, u)
    }

    /// Writes `n` (at most 8) bytes at `off`, which is in bounds; pointers there are forgotten.
    #[inline(always)]
    pub fn write(&mut self, off: usize, n: usize, v: u64, undef: u64, big_endian: bool, ptr_bytes: u64) {
        if self.lazy.is_some() {
            self.settle(off as u64, n as u64);
        }
        write(&mut self.data.make_mut()[off..off + n], v, big_endian);
        match &mut self.mask {
            Mask::Defined if undef == 0 => {}
            Mask::Bits(m) => write(&mut m[off..off + n], !undef, big_endian),
            _ => {
                let all = u64::MAX >> (64 - 8 * n);
                if let Some(m) = self.mask_bits(n as u64, uniform(undef, all)) {
                    write(&mut m[off..off + n], !undef, big_endian);
                }
            }
        }
        if let Some(p) = &mut self.pointers {
            p.make_mut().clear(off as u64, n as u64, ptr_bytes);
        }
    }

    /// The bytes are no longer pending.
    pub fn settle(&mut self, off: u64, n: u64) {
        if let Some(l) = &mut self.lazy {
            l.pending[off as usize..(off + n) as usize].fill(0);
        }
    }

    /// The mask as bits; `None` when a write of `n` bytes leaves it uniform: all defined, or all not (`None`: mixed).
    fn mask_bits(&mut self, n: u64, defined: Option<bool>) -> Option<&mut Vec<u8>> {
        match self.mask {
            Mask::Defined if defined == Some(true) => return None,
            Mask::Undefined if defined == Some(false) => return None,
            Mask::Undefined if defined == Some(true) && n == self.size => {
                self.mask = Mask::Defined;
                return None;
            }
            Mask::Defined => self.mask = Mask::Bits(vec![0xff; self.size as usize]),
            Mask::Undefined => self.mask = Mask::Bits(vec![0; self.size as usize]),
            Mask::Bits(_) => {}
        }
        match &mut self.mask {
            Mask::Bits(m) => Some(m),
            _ => None,
        }
    }

    /// Bytes and definedness (`None`: all defined) of a range in bounds.
    pub fn read_range(&self, off: u64, n: u64) -> (&[u8], Option<Vec<u8>>) {
        let (o, e) = (off as usize, (off + n) as usize);
        let mask = match &self.mask {
            Mask::Defined => None,
            _ if self.arbitrary => None,
            Mask::Undefined => Some(vec![0; n as usize]),
            Mask::Bits(m) => {
                if m[o..e].iter().all(|b| *b == 0xff) {
                    None
                } else {
                    Some(m[o..e].to_vec())
                }
            }
        };
        (&self.data.get()[o..e], mask)
    }

    /// Writes a range in bounds; `mask` `None`: all defined. Pointers there are forgotten.
    pub fn write_range(&mut self, off: u64, bytes: &[u8], mask: Option<&[u8]>, ptr_bytes: u64) {
        let n = bytes.len() as u64;
        if n == 0 {
            return;
        }
        self.settle(off, n);
        let (o, e) = (off as usize, off as usize + bytes.len());
        self.data.make_mut()[o..e].copy_from_slice(bytes);
        match mask {
            None => {
                if let Some(m) = self.mask_bits(n, Some(true)) {
                    m[o..e].fill(0xff);
                }
            }
            Some(new) => {
                if self.mask == Mask::Undefined && new.iter().all(|b| *b == 0) {
                    // stays undefined
                } else if self.mask == Mask::Undefined || self.mask == Mask::Defined {
                    let fill = if self.mask == Mask::Defined { 0xff } else { 0 };
                    let mut m = vec![fill; self.size as usize];
                    m[o..e].copy_from_slice(new);
                    self.mask = Mask::Bits(m);
                } else if let Mask::Bits(m) = &mut self.mask {
                    m[o..e].copy_from_slice(new);
                }
            }
        }
        if let Some(p) = &mut self.pointers {
            p.make_mut().clear(off, n, ptr_bytes);
        }
    }

    /// Sets a range in bounds to one byte with undefined bits `undef`.
    pub fn fill(&mut self, off: u64, n: u64, byte: u8, undef: u8, ptr_bytes: u64) {
        if n == 0 {
            return;
        }
        self.settle(off, n);
        let (o, e) = (off as usize, (off + n) as usize);
        self.data.make_mut()[o..e].fill(byte);
        if let Some(m) = self.mask_bits(n, uniform(u64::from(undef), 0xff)) {
            m[o..e].fill(!undef);
        }
        if let Some(p) = &mut self.pointers {
            p.make_mut().clear(off, n, ptr_bytes);
        }
    }

    /// The pointer stored at `off` came from this object.
    pub fn set_pointer(&mut self, off: u64, prov: Prov, ptr_bytes: u64) {
        self.pointers.get_or_insert_with(|| Cow::Owned(Pointers::default())).make_mut().set(off, ptr_bytes, prov);
    }

    /// Some of the range may be bytes of an address.
    pub fn has_address_in(&self, off: u64, n: u64, ptr_bytes: u64) -> bool {
        self.pointers.as_ref().is_some_and(|p| p.get().touched(off, n, ptr_bytes))
    }

    /// Are bytes of the range still to come from the script?
    pub fn pending(&self, off: u64, n: u64) -> bool {
        self.lazy.as_ref().is_some_and(|l| l.pending[off as usize..(off + n) as usize].iter().any(|p| *p != 0))
    }
}
