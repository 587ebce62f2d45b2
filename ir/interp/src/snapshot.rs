//! What can be seen of a run from outside when it ends ([`crate::Config::snapshot`]): results, the memory that is
//! reachable from results, inputs and variables, and the calls of unknown code in order. Comparing two programs is
//! somebody else's work; here nothing is judged.

use crate::code::{Op, Slot};
use crate::machine::{Machine, Val};
use crate::object::{FIRST, Kind, Mask, NULL_PROV, State};
use crate::program::Static;
use std::collections::BTreeMap;
use verify_ir::{Ty, TypeId};

/// Bytes of an object behind a pointer argument that a call record keeps.
const SHOWN: u64 = 4096;
/// Objects that a snapshot looks at.
const MAX_OBJECTS: usize = 4096;

/// A scalar as it is seen from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Image {
    /// A number: bytes, little endian, and which bits are defined.
    Number {
        /// Bytes.
        bytes: Vec<u8>,
        /// Set bits are defined.
        defined: Vec<u8>,
        /// It is of a floating-point type.
        float: bool,
    },
    /// A pointer to an object: its index in [`Snapshot::objects`] (in [`CallImage::objects`] for an argument), and the
    /// byte offset.
    Pointer(usize, i64),
    /// The null pointer, or a number near it.
    Null(u64),
    /// A function.
    Function(String),
    /// A pointer to nothing that is known; its address.
    Address(u64),
}

/// What an object is, as far as it has a name outside the run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectName {
    /// Input object of this number.
    Input(u32),
    /// A variable, by linker name.
    Global(String),
    /// A string, or another constant that the compiler made.
    Literal,
    /// Made by the run.
    Fresh,
}

/// The contents of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectImage {
    /// Which.
    pub name: ObjectName,
    /// For people.
    pub what: String,
    /// What nothing touched holds arbitrary values of its type.
    pub open: bool,
    /// Not freed, in scope.
    pub live: bool,
    /// In bytes.
    pub size: u64,
    /// Bytes.
    pub bytes: Vec<u8>,
    /// Set bits are defined.
    pub defined: Vec<u8>,
    /// Nothing has read or written these bytes yet: they hold whatever the input holds.
    pub pending: Vec<bool>,
    /// Bytes of a variable that hold what its definition says. Empty: no byte is known to.
    pub kept: Vec<bool>,
    /// Pointers in it, by offset.
    pub pointers: BTreeMap<u64, Image>,
    /// C type of the elements, where known.
    pub elem: Option<TypeId>,
}

/// A call of unknown code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallImage {
    /// Its name.
    pub name: String,
    /// Arguments; pointers are by position in `objects`.
    pub args: Vec<Image>,
    /// The beginnings of the objects that arguments point to, as they were then.
    pub objects: Vec<ObjectImage>,
}

/// What can be seen of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Results, if the function returned.
    pub results: Vec<Image>,
    /// Objects: inputs and touched variables first, then what is found from them.
    pub objects: Vec<ObjectImage>,
    /// Calls of unknown code.
    pub calls: Vec<CallImage>,
}

#[derive(Default)]
struct Walk {
    numbers: BTreeMap<u32, usize>,
    order: Vec<u32>,
}

impl Walk {
    fn number(&mut self, slot: u32) -> usize {
        let n = self.order.len();
        *self.numbers.entry(slot).or_insert_with(|| {
            self.order.push(slot);
            n
        })
    }
}

impl Machine<'_, '_> {
    /// The snapshot of the state; `values` are the results with their types.
    pub(crate) fn snapshot(&mut self, values: &[(Val, Ty)]) -> Snapshot {
        let mut walk = Walk::default();
        let inputs = self.inputs.clone();
        for slot in inputs {
            walk.number(slot);
        }
        let made: Vec<u32> = (0..self.mem.objects.len() as u32)
            .filter(|s| {
                let o = &self.mem.objects[*s as usize];
                o.kind == Kind::Input && o.lazy.is_none()
            })
            .collect();
        for slot in made {
            walk.number(slot);
        }
        let globals: Vec<u32> = self
            .mem
            .objects
            .iter()
            .enumerate()
            .filter(|(_, o)| o.kind == Kind::Global && o.writable)
            .map(|(i, _)| i as u32)
            .collect();
        for slot in globals {
            walk.number(slot);
        }
        let results = values.iter().map(|(v, ty)| self.image(v, *ty, &mut walk)).collect();
        let mut objects = Vec::new();
        let mut at = 0;
        while at < walk.order.len() && at < MAX_OBJECTS {
            let slot = walk.order[at];
            objects.push(self.object_image(slot, u64::MAX, &mut walk));
            at += 1;
        }
        Snapshot { results, objects, calls: std::mem::take(&mut self.call_log) }
    }

    /// Notes a call of unknown code.
    pub(crate) fn log_call(&mut self, name: &str, args: &[(Val, Ty)]) {
        if !self.config.snapshot {
            return;
        }
        let mut walk = Walk::default();
        let args = args.iter().map(|(v, ty)| self.image(v, *ty, &mut walk)).collect();
        let direct = walk.order.clone();
        let objects = direct.iter().map(|s| self.object_image(*s, SHOWN, &mut walk)).collect();
        self.call_log.push(CallImage { name: name.to_string(), args, objects });
    }

    /// The call of the library that user code made and that is going on: its effect is outside, as that of unknown code.
    pub(crate) fn log_library_call(&mut self) {
        let user = (0..self.frames.len()).rev().find(|d| !self.program.is_model(self.frames[*d].func));
        let Some((user, inner)) = user.and_then(|d| Some((d, self.frames.get(d + 1)?.func))) else { return };
        let f = &self.frames[user];
        let Some(Op::Call { site }) = f.code.ops.get(f.pc) else { return };
        let site = &f.code.sites[*site as usize];
        let args: Vec<_> = site.args.iter().zip(&site.types).map(|(a, t)| (self.read_at(user, *a), *t)).collect();
        let module = self.module;
        self.log_call(&module.func(inner).name, &args);
    }

    fn image(&mut self, v: &Val, ty: Ty, walk: &mut Walk) -> Image {
        if ty == Ty::Ptr {
            return self.pointer_image(v.slot(), walk);
        }
        let bits = self.bits(ty);
        let n = bits.div_ceil(8) as usize;
        let b = v.big();
        let bytes_of = |limbs: Vec<u64>| -> Vec<u8> {
            let mut out: Vec<u8> = limbs.iter().flat_map(|l| l.to_le_bytes()).collect();
            out.resize(n, 0);
            out
        };
        let bytes = bytes_of(crate::big::words(&b.v, bits));
        let undefined = bytes_of(crate::big::words(&b.u, bits));
        let defined = undefined.iter().map(|x| !x).collect();
        Image::Number { bytes, defined, float: matches!(ty, Ty::Float(_)) }
    }

    fn pointer_image(&mut self, p: Slot, walk: &mut Walk) -> Image {
        if p.u != 0 {
            let defined = (!p.u).to_le_bytes().to_vec();
            return Image::Number { bytes: p.v.to_le_bytes().to_vec(), defined, float: false };
        }
        if p.v < crate::object::NULL_PAGE {
            return Image::Null(p.v);
        }
        let prov = if p.p <= NULL_PROV { self.mem.find(p.v).unwrap_or(p.p) } else { p.p };
        match self.program.static_of_prov(prov) {
            Some(Static::Func(f)) => return Image::Function(self.module.func(f).name.clone()),
            Some(Static::Ifunc(_)) => return Image::Address(p.v),
            Some(Static::UnknownFunction) => return Image::Function("unknown code".into()),
            Some(Static::Global(_)) | None => {}
        }
        if prov < u64::from(FIRST) {
            return Image::Address(p.v);
        }
        match self.mem.slot(prov) {
            Some(slot) => {
                let base = self.mem.objects[slot as usize].base;
                Image::Pointer(walk.number(slot), p.v.wrapping_sub(base) as i64)
            }
            None => Image::Address(p.v),
        }
    }

    fn object_image(&mut self, slot: u32, most: u64, walk: &mut Walk) -> ObjectImage {
        let pb = self.mem.ptr_bytes;
        let o = &self.mem.objects[slot as usize];
        let size = o.size.min(most);
        let n = (size as usize).min(o.data.get().len());
        let mut bytes = o.data.get()[..n].to_vec();
        let mut defined = match &o.mask {
            Mask::Defined => vec![0xff; n],
            Mask::Undefined => vec![0; n],
            Mask::Bits(b) => b[..n.min(b.len())].to_vec(),
        };
        bytes.resize(size as usize, 0);
        defined.resize(size as usize, 0);
        let mut pending = vec![false; size as usize];
        let mut elem = None;
        let mut number = None;
        let open = o.lazy.is_some();
        let mut what = o.kind.name().to_string();
        if let Some(l) = &o.lazy {
            for (p, q) in pending.iter_mut().zip(&l.pending) {
                *p = *q != 0;
            }
            elem = l.elem;
            number = Some(l.number);
            what = l.path.clone();
        }
        let name = match (o.kind, number) {
            (Kind::Global, _) => match self.program.static_global(o.origin) {
                Some(g) => {
                    let info = self.module.global(g);
                    elem = info.ctype;
                    what = if info.source_name.is_empty() { info.name.clone() } else { info.source_name.clone() };
                    ObjectName::Global(info.name.clone())
                }
                None => ObjectName::Fresh,
            },
            (Kind::Input, Some(n)) => ObjectName::Input(n),
            // Where a struct is returned: there is one.
            (Kind::Input, None) => ObjectName::Global("result".into()),
            (Kind::Literal, _) => ObjectName::Literal,
            _ => ObjectName::Fresh,
        };
        let mut kept = Vec::new();
        if let (Kind::Global, None, Some(g)) = (o.kind, &o.lazy, self.program.static_global(o.origin)) {
            let first = self.program.image(g);
            let mask = |i: usize| first.mask.as_ref().map_or(0xff, |m| m.get(i).copied().unwrap_or(0));
            kept = (0..n).map(|i| first.bytes.get(i) == Some(&bytes[i]) && mask(i) == defined[i]).collect();
        }
        let live = o.state == State::Live;
        let stored: Vec<(u64, u64)> = match &o.pointers {
            Some(p) if live => p.get().inside(0, size, pb),
            _ => Vec::new(),
        };
        let mut pointers = BTreeMap::new();
        for (off, prov) in stored {
            let o = &self.mem.objects[slot as usize];
            if off + pb > n as u64 {
                continue;
            }
            let (v, u) = o.read(off as usize, pb as usize, self.mem.big_endian);
            let image = self.pointer_image(Slot { v, u, p: prov }, walk);
            pointers.insert(off, image);
        }
        ObjectImage {
            name,
            what,
            open,
            live,
            size: self.mem.objects[slot as usize].size,
            bytes,
            defined,
            pending,
            kept,
            pointers,
            elem,
        }
    }
}

/// The parts of a C type that a difference is told by: the access path of the byte at `offset` in it.
pub fn leaf_path(module: &verify_ir::Module, elem: Option<TypeId>, offset: u64) -> String {
    let Some(t) = elem else { return format!(" byte {offset}") };
    let size = crate::ctypes::size(module, t).max(1);
    let (index, inner) = (offset / size, offset % size);
    let leaf = crate::ctypes::leaf(module, t, inner, (Ty::Int(8), 1));
    let index = if index == 0 { String::new() } else { format!("[{index}]") };
    format!("{index}{}", leaf.path)
}
