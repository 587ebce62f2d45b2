//! The models' primitives (`models/verify_primitives.h` is the contract).

use crate::bits::sext;
use crate::code::{Site as CallSite, Slot};
use crate::fault::{Access, Detail, Halt, PtrRole, Res};
use crate::float;
use crate::float_text;
use crate::machine::{Machine, Val};
use crate::memory::Area;
use crate::native::Native;
use crate::object::{Kind, NULL_PAGE, NULL_PROV, State};
use crate::script::Question;
use std::collections::BTreeSet;
use std::ops::Range;
use verify_ir::{CheckKind, FloatKind, Ty};

/// The largest number of bytes one scripted read gives.
const MAX_SCRIPTED: u64 = 1 << 20;

/// Errors of the system (errno(3)).
const ENOENT: i64 = 2;
const EINTR: i64 = 4;
const EIO: i64 = 5;
const EINVAL: i64 = 22;
const ESPIPE: i64 = 29;

/// Descriptors that the system gives out first: behind those that every program starts with.
const DESCRIPTORS: Range<i64> = 3..68;

/// Where an open file is.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Bytes from its beginning, if known.
    at: Option<i64>,
    /// Writes go to its end, wherever that is.
    append: bool,
}

impl Machine<'_, '_> {
    /// Runs a primitive.
    pub fn native(&mut self, n: Native, site: &CallSite) -> Res<Option<Val>> {
        let bits = site.result_types.first().map_or(64, |t| self.bits(*t));
        let int = move |v: i64| Ok(Some(Val::of_u128(v as i128 as u128, bits)));
        match n {
            Native::SetJmp | Native::LongJmp => Halt::unmodelled("non-local jump"),
            Native::Alloc => {
                let (size, align, family) = (self.arg(site, 0)?, self.arg(site, 1)?, self.arg(site, 2)?);
                let made = self.user_site();
                let slot = self.allocate(Area::Heap, Kind::Heap, size.v, align.v.max(1), made)?;
                self.mem.objects[slot as usize].family = family.v as u32;
                Ok(Some(Val::Small(self.pointer_to(slot))))
            }
            Native::Free => {
                let (p, family) = (self.arg(site, 0)?, self.arg(site, 1)?);
                let slot = self.heap_object(p, CheckKind::DoubleFree)?;
                let o = &self.mem.objects[slot as usize];
                if o.kind == Kind::Heap && o.family != family.v as u32 {
                    let text = format!(
                        "memory of {} is released by {}",
                        family_name(o.family, false),
                        family_name(family.v as u32, true)
                    );
                    return Halt::message(CheckKind::InvalidFree, text);
                }
                let ended = self.user_site();
                self.mem.end(slot, State::Freed, ended);
                Ok(None)
            }
            Native::ObjectSize => {
                let p = self.arg(site, 0)?;
                if p.v == 0 {
                    return int(0);
                }
                let slot = self.heap_object(p, CheckKind::UseAfterFree)?;
                int(self.mem.objects[slot as usize].size as i64)
            }
            Native::ChooseFailure => {
                let what = self.text_arg(site, 0)?;
                let v = self.ask(&Question::Fail { what: &what })?;
                self.may_fail(false, v != 0, 1);
                self.out_of_memory |= v != 0 && crate::script::is_allocation(&what);
                int(v as i64)
            }
            Native::NondetU64 => {
                let what = self.text_arg(site, 0)?;
                let real = self.host.as_ref().is_some_and(|h| h.is_real());
                let v = match &*what {
                    // A real run begins with the default of every signal, and does not toss a coin.
                    "signal" if real => 0,
                    _ => self.ask(&Question::Nondet { what: &what })?,
                };
                int(v as i64)
            }
            Native::NondetBytes => {
                let (p, n) = (self.arg(site, 0)?, self.arg(site, 1)?);
                let what = self.text_arg(site, 2)?;
                if n.v > 0 {
                    self.writable(p, n.v, PtrRole::Arg(0))?;
                    let bytes = self.scripted_bytes(&what, n.v)?;
                    self.write_bytes(p, &bytes, PtrRole::Arg(0))?;
                }
                Ok(None)
            }
            Native::Assume => {
                if self.arg(site, 0)?.v == 0 {
                    return Err(Box::new(Halt::AssumeFalse));
                }
                Ok(None)
            }
            Native::Fail => {
                let (kind, text) = (self.text_arg(site, 0)?, self.text_arg(site, 1)?);
                match CheckKind::from_name(&kind) {
                    Some(k) => Halt::message(k, text),
                    None => Halt::unmodelled(format!("check kind `{kind}`")),
                }
            }
            Native::CheckDefined => {
                let (p, n) = (self.arg(site, 0)?, self.arg(site, 1)?);
                if n.v > 0 {
                    let what = self.text_arg(site, 2)?;
                    let (slot, off) = self.readable(p, n.v, PtrRole::Arg(0), Ty::Int(8))?;
                    if self.mem.objects[slot as usize].read_range(off, n.v).1.is_some() {
                        return Halt::message(CheckKind::UninitRead, format!("uninitialised bytes reach {what}"));
                    }
                }
                Ok(None)
            }
            Native::Unmodelled | Native::UnmodelledUse => {
                let text = self.text_arg(site, 0)?;
                Halt::unmodelled(text)
            }
            Native::AnalysisOnly => {
                let what = self.text_arg(site, 0)?;
                if self.host.as_ref().is_some_and(|h| h.is_real()) {
                    return Halt::unmodelled(format!("{what} on this machine"));
                }
                if self.config.lasso {
                    return Halt::unmodelled(format!("what the system says to {what} again and again"));
                }
                if self.config.snapshot {
                    self.log_library_call();
                }
                Ok(None)
            }
            Native::Exit => Err(Box::new(Halt::Exit(self.arg(site, 0)?.v as i32))),
            Native::Abort => Err(Box::new(Halt::Abort)),
            Native::RunDestructors => {
                if !self.destructors_ran {
                    self.destructors_ran = true;
                    let mut all = self.module.destructors.clone();
                    all.sort_by_key(|d| std::cmp::Reverse(d.priority));
                    for d in all {
                        self.call_nested(d.func, &[])?;
                    }
                }
                Ok(None)
            }
            Native::SysRead => {
                let (fd, p, n) = (self.arg(site, 0)?.v as i32, self.arg(site, 1)?, self.arg(site, 2)?.v);
                let r = match &mut self.host {
                    Some(h) => h.read(fd, n),
                    None => {
                        let max = n.min(MAX_SCRIPTED) as i64;
                        let got = self.transfer("read", fd, max, 0)?;
                        if got < 0 { Err(-got as i32) } else { Ok(self.scripted_bytes("read", got as u64)?) }
                    }
                };
                match r {
                    Ok(bytes) => {
                        let bytes = &bytes[..bytes.len().min(n as usize)];
                        self.write_bytes(p, bytes, PtrRole::Arg(1))?;
                        int(bytes.len() as i64)
                    }
                    Err(e) => int(-i64::from(e)),
                }
            }
            Native::SysWrite => {
                let (fd, p, n) = (self.arg(site, 0)?.v as i32, self.arg(site, 1)?, self.arg(site, 2)?.v);
                let bytes = self.read_bytes(p, n, PtrRole::Arg(1), "written byte")?;
                match &mut self.host {
                    Some(h) => match h.write(fd, &bytes) {
                        Ok(k) => int(k as i64),
                        Err(e) => int(-i64::from(e)),
                    },
                    None => {
                        let r = self.transfer("write", fd, n as i64, n as i64)?;
                        int(r)
                    }
                }
            }
            Native::SysOpen => {
                let path = self.path_arg(site, 0)?;
                let (flags, mode) = (self.arg(site, 1)?.v as i32, self.arg(site, 2)?.v as i32);
                let r = match &mut self.host {
                    Some(h) => h.open(&path, flags, mode).map_or_else(|e| -i64::from(e), i64::from),
                    None => self.opened_file(&path, flags, mode)?,
                };
                int(r)
            }
            Native::SysClose => {
                let fd = self.arg(site, 0)?.v as i32;
                let r = match &mut self.host {
                    Some(h) => h.close(fd).map_or_else(|e| -i64::from(e), |()| 0),
                    None => {
                        // Linux lets go of it even where that fails.
                        self.descriptors.remove(&i64::from(fd));
                        self.positions.remove(&i64::from(fd));
                        let r = self.syscall("close", -5, 0, 0)?;
                        if r < 0 { r.min(-EINTR) } else { r }
                    }
                };
                int(r)
            }
            Native::SysLseek => {
                let (fd, off) = (self.arg(site, 0)?.v as i32, self.arg(site, 1)?.v as i64);
                let whence = self.arg(site, 2)?.v as i32;
                let r = match &mut self.host {
                    Some(h) => h.lseek(fd, off, whence).unwrap_or_else(|e| -i64::from(e)),
                    None => self.moved(fd, off, whence)?,
                };
                int(r)
            }
            Native::SysUnlink => {
                let path = self.path_arg(site, 0)?;
                let r = match &mut self.host {
                    Some(h) => h.unlink(&path).map_or_else(|e| -i64::from(e), |()| 0),
                    None => self.syscall("unlink", -2, 0, 0)?,
                };
                int(r)
            }
            Native::SysRename => {
                let (from, to) = (self.path_arg(site, 0)?, self.path_arg(site, 1)?);
                let r = match &mut self.host {
                    Some(h) => h.rename(&from, &to).map_or_else(|e| -i64::from(e), |()| 0),
                    None => self.syscall("rename", -2, 0, 0)?,
                };
                int(r)
            }
            Native::SysStat => {
                let p = self.arg(site, 0)?;
                let path = if p.v == 0 { None } else { Some(self.path_arg(site, 0)?) };
                let (fd, out) = (self.arg(site, 1)?.v as i32, self.arg(site, 2)?);
                let word = self.mem.ptr_bytes;
                self.writable(out, 3 * word, PtrRole::Arg(2))?;
                let r = match &mut self.host {
                    Some(h) => h.stat(path.as_deref(), fd),
                    None => {
                        let r = self.syscall("stat", -2, 0, 0)?;
                        if r < 0 {
                            // What is open is there.
                            Err(if p.v == 0 { EIO } else { ENOENT } as i32)
                        } else {
                            // A standard stream may be a terminal. Then a line that is written leaves nothing behind, and
                            // output comes back to where it was.
                            let terminal = self.config.lasso && p.v == 0 && (0..=2).contains(&fd);
                            let mode = if terminal { 0o020_620 } else { 0o100_644 };
                            let size = self.syscall("stat size", 0, 1 << 40, 0)? as u64;
                            let mtime = self.syscall("stat time", 0, i64::MAX, 0)?;
                            Ok(crate::host::Stat { mode, size, mtime })
                        }
                    }
                };
                match r {
                    Ok(s) => {
                        for (k, v) in [s.mode, s.size, s.mtime as u64].into_iter().enumerate() {
                            let at = Slot { v: out.v.wrapping_add(k as u64 * word), ..out };
                            self.store(at, Ty::Int(self.mem.ptr_bits), &Val::Small(Slot::int(v)))?;
                        }
                        int(0)
                    }
                    Err(e) => int(-i64::from(e)),
                }
            }
            Native::SysTime => {
                let clock = self.arg(site, 0)?.v as i32;
                let r = match &mut self.host {
                    Some(h) => h.time(clock).unwrap_or_else(|e| -i64::from(e)),
                    None => self.syscall("time", 0, i64::MAX, 0)?,
                };
                int(r)
            }
            Native::SysGetenv => {
                let name = self.path_arg(site, 0)?;
                let p = self.getenv(name)?;
                Ok(Some(Val::Small(p)))
            }
            Native::Math1 => {
                let (op, x) = (self.arg(site, 0)?.v, f64::from_bits(self.arg(site, 1)?.v));
                match math1(op, x) {
                    Some(r) => Ok(Some(Val::Small(Slot::int(self.canonical(r, &[x]).to_bits())))),
                    None => Halt::unmodelled(format!("mathematical function number {op}")),
                }
            }
            Native::Math2 => {
                let op = self.arg(site, 0)?.v;
                let (x, y) = (f64::from_bits(self.arg(site, 1)?.v), f64::from_bits(self.arg(site, 2)?.v));
                let r = match op {
                    0 => x.powf(y),
                    1 => x.atan2(y),
                    2 => x % y,
                    3 => x.hypot(y),
                    4 => {
                        let (a, b) = (u128::from(x.to_bits()), u128::from(y.to_bits()));
                        f64::from_bits(float::remainder(FloatKind::Double, a, b, self.float) as u64)
                    }
                    _ => return Halt::unmodelled(format!("mathematical function number {op}")),
                };
                Ok(Some(Val::Small(Slot::int(self.canonical(r, &[x, y]).to_bits()))))
            }
            Native::FloatFormat | Native::FloatFormatLong => {
                let (buf, cap) = (self.arg(site, 0)?, self.arg(site, 1)?.v);
                self.arg(site, 2)?;
                let (x, ty) = (self.read(site.args[2]), site.types[2]);
                let conv = self.arg(site, 3)?.v as u8;
                let alternate = self.arg(site, 4)?.v & 1 != 0;
                let prec = sext(self.arg(site, 6)?.v, 32) as i32;
                let Ty::Float(kind) = ty else { return Halt::unmodelled("float format of an integer") };
                let Some((len, text)) = float_text::format_up_to(kind, x.u128(), conv, alternate, prec, cap) else {
                    return Halt::unmodelled("float format of infinity or NaN");
                };
                if let Some(text) = text {
                    self.write_bytes(buf, text.as_bytes(), PtrRole::Arg(0))?;
                }
                int(len as i64)
            }
            Native::StrToF | Native::StrToD | Native::StrToLd => {
                let (p, n) = (self.arg(site, 0)?, self.arg(site, 1)?.v);
                let text = self.read_bytes(p, n, PtrRole::Arg(0), "digit")?;
                let ty = site.result_types.first().copied().unwrap_or(Ty::Float(FloatKind::Double));
                let Ty::Float(kind) = ty else { return Halt::unmodelled("float primitive with an integer result") };
                match float::parse(kind, &text) {
                    Some(v) => Ok(Some(Val::of_u128(v, self.bits(ty)))),
                    None => Halt::unmodelled("malformed number"),
                }
            }
        }
    }

    /// A NaN made from numbers has the sign that the target gives it.
    fn canonical(&self, r: f64, from: &[f64]) -> f64 {
        if r.is_nan() && !from.iter().any(|x| x.is_nan()) {
            let bits = 0x7ff8_0000_0000_0000 | u64::from(self.float.nan_sign) << 63;
            return f64::from_bits(bits);
        }
        r
    }

    /// The live heap object that `p` points to the start of; else `free`'s checks fail (`dead` if it was freed). An
    /// input object is one: by the input contract, what a function releases came from the allocator that fits.
    fn heap_object(&mut self, p: Slot, dead: CheckKind) -> Res<u32> {
        let access = Access { addr: p.v, prov: p.p, size: 0, write: false };
        let fail = |kind| Halt::fail(kind, Detail::Access(access, PtrRole::Arg(0)));
        let prov = if p.p <= NULL_PROV {
            if p.v < NULL_PAGE {
                return fail(CheckKind::InvalidFree);
            }
            match self.mem.find(p.v) {
                Some(x) => x,
                None => return fail(CheckKind::InvalidFree),
            }
        } else {
            p.p
        };
        let Some(slot) = self.mem.slot(prov) else {
            return fail(if self.mem.is_recycled(prov) { dead } else { CheckKind::InvalidFree });
        };
        let o = &self.mem.objects[slot as usize];
        // What is dead has lost its path.
        let by_pointer = o.lazy.as_ref().map_or(o.state == State::Freed, |l| !l.direct);
        let handed_in = o.kind == Kind::Input && by_pointer;
        if !(o.kind == Kind::Heap || handed_in) || o.base != p.v {
            return fail(CheckKind::InvalidFree);
        }
        match o.state {
            State::Live => Ok(slot),
            State::Freed | State::OutOfScope => fail(dead),
        }
    }

    fn text_arg(&mut self, site: &CallSite, k: usize) -> Res<String> {
        let p = self.arg(site, k)?;
        if p.v == 0 {
            return Ok(String::new());
        }
        let s = self.read_string(p, PtrRole::Arg(k as u32), "character")?;
        Ok(String::from_utf8_lossy(&s).into_owned())
    }

    fn path_arg(&mut self, site: &CallSite, k: usize) -> Res<Vec<u8>> {
        let p = self.arg(site, k)?;
        self.read_string(p, PtrRole::Arg(k as u32), "character of a path")
    }

    /// A descriptor, or why there is none (open(2)): one that is open already is not given out again.
    fn opened(&mut self) -> Res<i64> {
        const FAILS: i64 = -2;
        let taken = std::mem::take(&mut self.descriptors);
        let natural = DESCRIPTORS.into_iter().find(|d| !taken.contains(d)).unwrap_or(FAILS);
        let max = DESCRIPTORS.end - 1;
        let v = self.ask(&Question::Syscall { what: "open", min: FAILS, max, natural, taken: &taken });
        self.descriptors = taken;
        let v = v? as i64;
        self.may_fail(true, v < 0, FAILS as u64);
        if v >= 0 {
            self.descriptors.insert(v);
        }
        Ok(v)
    }

    /// A file that is opened is at its beginning. The models open a device for what is no file, and the empty path, which is
    /// nobody else's, for copies: of descriptor `flags`, as number `mode` or (negative) as a new one; or (`flags` negative) of all in
    /// another process, which may move them from here on.
    fn opened_file(&mut self, path: &[u8], flags: i32, mode: i32) -> Res<i64> {
        const APPEND: i32 = 0o2000;
        if path.is_empty() {
            let (of, copy) = (i64::from(flags), i64::from(mode));
            if of < 0 {
                self.places.iter_mut().for_each(|p| p.at = None);
                return Ok(copy);
            }
            let place = self.positions.get(&of).copied();
            let copy = if copy < 0 { self.opened()? } else { copy };
            match place.filter(|_| copy >= 0) {
                Some(place) => self.positions.insert(copy, place),
                None => self.positions.remove(&copy),
            };
            return Ok(copy);
        }
        let fd = self.opened()?;
        if fd >= 0 && path != b"/dev/null" {
            self.positions.insert(fd, self.places.len());
            self.places.push(Position { at: Some(0), append: flags & APPEND != 0 });
        }
        Ok(fd)
    }

    /// Where the file of a descriptor is, if it was opened by a path.
    fn position(&mut self, fd: i64) -> Option<&mut Position> {
        self.places.get_mut(*self.positions.get(&fd)?)
    }

    /// So many bytes are read or written, or why not (read(2), write(2)).
    fn transfer(&mut self, what: &str, fd: i32, max: i64, natural: i64) -> Res<i64> {
        let r = self.syscall(what, -EIO, max, natural)?;
        if r < 0 {
            return Ok(r.min(-EINTR));
        }
        let fd = i64::from(fd);
        self.descriptors.insert(fd);
        if let Some(p) = self.position(fd) {
            let stays = what == "read" || !p.append;
            p.at = p.at.filter(|_| stays).and_then(|at| at.checked_add(r));
        }
        Ok(r)
    }

    /// The position that lseek(2) sets, or why it does not. Where it is known where the file was, and where it was asked
    /// to be, nothing is open but whether it fails.
    fn moved(&mut self, fd: i32, off: i64, whence: i32) -> Res<i64> {
        const SET: i32 = 0;
        const CUR: i32 = 1;
        let fd = i64::from(fd);
        let to = match whence {
            SET => Some(Some(off)),
            CUR => self.position(fd).and_then(|p| p.at).map(|at| at.checked_add(off)),
            _ => None,
        };
        let (known, natural) = match to {
            Some(Some(to)) if to >= 0 => (true, to),
            Some(_) => return Ok(-EINVAL),
            None => (false, off.max(0)),
        };
        let r = match self.syscall("lseek", -ESPIPE, i64::MAX, natural)? {
            r if r < 0 => -ESPIPE,
            _ if known => natural,
            r => r,
        };
        if let Some(p) = self.position(fd).filter(|_| r >= 0) {
            p.at = Some(r);
        }
        Ok(r)
    }

    fn syscall(&mut self, what: &str, min: i64, max: i64, natural: i64) -> Res<i64> {
        let v = self.ask(&Question::Syscall { what, min, max, natural, taken: &BTreeSet::new() })? as i64;
        // The least answer is a failure that the call may have.
        self.may_fail(true, v < 0 || min >= 0, min as u64);
        Ok(v)
    }

    fn scripted_bytes(&mut self, what: &str, n: u64) -> Res<Vec<u8>> {
        let mut out = Vec::with_capacity(n as usize);
        while (out.len() as u64) < n {
            let at = out.len() as u64;
            let count = (n - at).min(8) as u32;
            let v = self.ask(&Question::Bytes { what, total: n, at, count })?;
            out.extend_from_slice(&v.to_le_bytes()[..count as usize]);
        }
        Ok(out)
    }

    fn getenv(&mut self, name: Vec<u8>) -> Res<Slot> {
        if let Some(p) = self.environment.get(&name) {
            return Ok(*p);
        }
        let value = match &mut self.host {
            Some(h) => h.getenv(&name),
            None => match self.syscall("getenv", 0, 65, 0)? {
                0 => None,
                n => Some(self.scripted_bytes("getenv", n as u64 - 1)?.into_iter().map(|b| b.max(1)).collect()),
            },
        };
        let p = match value {
            None => Slot { v: 0, u: 0, p: NULL_PROV },
            Some(mut v) => {
                v.push(0);
                let slot = self.environment_object(&v, false, 1)?;
                self.pointer_to(slot)
            }
        };
        self.environment.insert(name, p);
        Ok(p)
    }
}

/// Families of `verify_primitives.h` whose objects are the C library's own.
pub(crate) const FILE_FAMILY: u32 = 4;
pub(crate) const DIR_FAMILY: u32 = 5;

fn family_name(f: u32, release: bool) -> String {
    let (made, freed) = match f {
        1 => ("malloc", "free"),
        2 => ("operator new", "operator delete"),
        3 => ("operator new[]", "operator delete[]"),
        FILE_FAMILY => ("fopen", "fclose"),
        DIR_FAMILY => ("opendir", "closedir"),
        6 => ("mmap", "munmap"),
        _ => return format!("allocator {f}"),
    };
    format!("`{}`", if release { freed } else { made })
}

fn math1(op: u64, x: f64) -> Option<f64> {
    Some(match op {
        0 => x.sin(),
        1 => x.cos(),
        2 => x.tan(),
        3 => x.asin(),
        4 => x.acos(),
        5 => x.atan(),
        6 => x.sinh(),
        7 => x.cosh(),
        8 => x.tanh(),
        9 => libm::asinh(x),
        10 => libm::acosh(x),
        11 => libm::atanh(x),
        12 => x.exp(),
        13 => x.exp2(),
        14 => x.exp_m1(),
        15 => x.ln(),
        16 => x.log2(),
        17 => x.log10(),
        18 => x.ln_1p(),
        19 => x.cbrt(),
        20 => libm::tgamma(x),
        21 => libm::lgamma(x),
        22 => libm::erf(x),
        23 => libm::erfc(x),
        _ => return None,
    })
}
