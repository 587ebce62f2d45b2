//! Calls of the `scanf` family with a plain format ([`crate::scan`]), whose models are too large to be followed: how many
//! conversions succeed is free, and so is what they store. What can fail in the call itself stays open (it is a cut), as for
//! output; that targets are written is claimed, and assumed afterwards. The text that a model stands for is put together
//! from [`EventKind::Scanned`]. Where the text is a string of the program, what is in it is not looked at.

use crate::access::{Access, Targets};
use crate::build::{Build, Path};
use crate::formula::{EventKind, Scanned};
use crate::object::Kind;
use crate::output::Library;
use crate::scan::{self, Class, Conversion, Piece, What};
use crate::sym::Sym;
use crate::wild::Known;
use verify_checks::KindSet;
use verify_checks::calls::constant_string;
use verify_ir::{Call, CheckKind as K, Const, FuncId, Operand, SymbolRef, Ty};
use verify_solver::Term;

/// Characters of a text that are looked at one by one.
const MAX_TEXT: u64 = 20;
/// Longest format that is looked through.
const MAX_FORMAT: usize = 1024;

impl<'a> Build<'_, 'a> {
    /// The call is one of a function of the `scanf` family, and plain: what it stores and returns. `None`: it is not, and
    /// nothing has happened.
    pub(crate) fn scanned(&mut self, f: FuncId, c: &'a Call, args: &[Sym], path: &mut Path) -> Option<Sym> {
        let module = self.module();
        let (at, stream) = scan::shape(&module.func(f).name)?;
        let pieces = scan::parse(module, &self.format(c.args.get(at)?)?)?;
        let stored = pieces.iter().filter(|p| matches!(p, Piece::Conversion(c) if c.stored)).count();
        let targets = args.get(at + 1..).filter(|t| t.len() >= stored)?;
        let pointers = c.params.get(at + 1..).unwrap_or(&[]).iter().take(stored).all(|p| p.ty == Ty::Ptr);
        let library = self.plain_library().filter(|_| pointers)?;
        let name = &module.func(f).name;
        let claimed = self.claimed(&library, args.first().filter(|_| at == 1), stream);
        let cuts = self.out.cuts.len();
        self.cut(path.guard, vec![f], false, format!("a variadic function: `{name}`"));
        self.out.cuts[cuts..].iter_mut().for_each(|c| c.claimed = claimed);
        self.read_from(&library, f, args, stream, path);

        let count = self.fresh(130, 32);
        let least = self.e.terms.pool.num(32, u128::from(u32::MAX));
        let most = self.e.terms.pool.num(32, stored as u128);
        let (low, high) = (self.e.terms.pool.sle(least, count), self.e.terms.pool.sle(count, most));
        self.assume(path.guard, low);
        self.assume(path.guard, high);

        let mut made = Vec::new();
        let mut next = 0;
        for p in pieces {
            made.push(match p {
                Piece::Space => Scanned::Space,
                Piece::Byte(b) => Scanned::Byte(b),
                Piece::Conversion(Conversion { stored: false, what, .. }) => Scanned::Skipped(what),
                Piece::Conversion(conversion) => {
                    let i = self.e.terms.pool.num(32, next as u128);
                    let done = self.e.terms.pool.slt(i, count);
                    let own = c.args.get(at + 1 + next).is_some_and(|a| self.own(a));
                    let target = targets[next];
                    next += 1;
                    self.store_scanned(path, &conversion, target, done, own)
                }
            });
        }
        if stream {
            self.event(path.guard, EventKind::Scanned { count, pieces: made });
        }
        Some(self.e.terms.int(count))
    }

    /// The text of a format that nobody writes to.
    fn format(&self, o: &Operand) -> Option<String> {
        let Operand::Const(Const::Symbol(s)) = o else { return None };
        let (SymbolRef::Global(g), _) = self.e.module.resolve(*s) else { return None };
        let text = constant_string(self.e.module, o).filter(|t| t.len() <= MAX_FORMAT);
        // What is no UTF-8 was replaced.
        text.filter(|t| self.e.module.global(g).constant && !t.contains(char::REPLACEMENT_CHARACTER))
    }

    /// Kinds that only the targets of the call can fail.
    fn claimed(&mut self, library: &Library, given: Option<&Sym>, stream: bool) -> KindSet {
        if !library.sealed {
            return KindSet::EMPTY;
        }
        let written = KindSet::of(&[K::OutOfBoundsWrite, K::ReadOnlyWrite]);
        let own = match given {
            None => self.e.facts.is_some_and(|f| f.is_standard_stream("stdin")),
            Some(s) => {
                let objects = self.e.terms.leaves(s.prov);
                !objects.is_empty() && objects.iter().all(|o| self.is_librarys(*o))
            }
        };
        match (stream, own) {
            (false, _) => written,
            (true, false) => KindSet::EMPTY,
            (true, true) => {
                written.union(KindSet::of(&[K::NullDeref, K::InvalidDeref, K::UseAfterFree, K::UseAfterScope]))
            }
        }
    }

    /// The object is a variable of the library's.
    fn is_librarys(&self, o: u32) -> bool {
        let Kind::Global(g) = self.e.terms.objects[o as usize].kind else { return false };
        self.e.module.units.get(self.e.module.global(g).unit.index()).is_some_and(|u| u.model)
    }

    /// The library's state after input.
    fn read_from(&mut self, library: &Library, f: FuncId, args: &[Sym], stream: bool, path: &mut Path) {
        let k = self.key(131);
        let past = self.t().epoch(&k);
        if !self.forget_library(library, f, past, path) {
            self.unknown_code(path);
        }
        if !stream {
            return;
        }
        Known::forget(path, past);
        let given = args.first().map(|s| self.e.terms.leaves(s.prov));
        for &o in given.iter().flat_map(|g| g.iter()) {
            if matches!(self.e.terms.objects[o as usize].kind, Kind::Heap(_) | Kind::Stack) {
                self.forget(path, o, past);
            }
        }
    }

    /// Stores what a conversion makes where `done` holds.
    fn store_scanned(&mut self, path: &mut Path, c: &Conversion, p: Sym, done: Term, own: bool) -> Scanned {
        let w = self.e.terms.ptr_bits;
        let guard = self.e.terms.pool.and(path.guard, done);
        match &c.what {
            What::Integer { bytes, letter } => {
                let value = self.fresh(132, (8 * bytes) as u32);
                if let Some(n) = c.width {
                    self.few_digits(value, *letter, n);
                }
                let ts = self.written_by_scan(guard, p, *bytes, own, path);
                self.store_if(path, &ts, p, (0, *bytes), (done, value));
                Scanned::Integer { value, letter: *letter, width: c.width }
            }
            What::Real(bytes) => {
                let value = self.fresh(132, (8 * bytes) as u32);
                let ts = self.written_by_scan(guard, p, *bytes, own, path);
                self.store_if(path, &ts, p, (0, *bytes), (done, value));
                Scanned::Real(value)
            }
            What::Characters(n) if *n <= MAX_TEXT => {
                // At the end of the input there may be fewer than asked for.
                let length = self.length(Some(*n));
                let ts = self.written_by_scan(guard, p, *n, own, path);
                let bytes = self.characters(path, &ts, p, *n, (length, done), None);
                Scanned::Text { length, bytes, class: None }
            }
            What::Characters(n) => {
                let length = self.length(Some(*n));
                let ts = self.written_by_scan(guard, p, *n, own, path);
                self.scribble(path, &ts);
                Scanned::Text { length, bytes: Vec::new(), class: None }
            }
            What::Text(class) => {
                let length = self.length(c.width);
                let one = self.e.terms.pool.num(w, 1);
                let all = self.e.terms.pool.add(length, one);
                let ts = self.check_access(guard, p, all, Access::Write, own, path);
                if c.width.is_none_or(|n| n > MAX_TEXT) {
                    self.scribble(path, &ts);
                }
                let n = c.width.unwrap_or(MAX_TEXT).min(MAX_TEXT);
                let bytes = self.characters(path, &ts, p, n, (length, done), Some(class));
                self.store_end(path, &ts, p, n, (length, done));
                Scanned::Text { length, bytes, class: Some(class.clone()) }
            }
        }
    }

    /// A number of at most `n` characters, the sign included.
    fn few_digits(&mut self, value: Term, letter: char, n: u64) {
        let bits = self.e.terms.pool.width(value);
        let base: u128 = match letter {
            'x' => 16,
            'o' => 8,
            _ => 10,
        };
        let power = |n: u64| u32::try_from(n).ok().and_then(|n| base.checked_pow(n)).filter(|p| *p < 1 << (bits - 1));
        let (Some(end), Some(lower)) = (power(n), power(n - 1)) else { return };
        let mask = (1u128 << bits) - 1;
        let least = self.e.terms.pool.num(bits, 1u128.wrapping_sub(lower) & mask);
        let most = self.e.terms.pool.num(bits, end - 1);
        let (low, high) = (self.e.terms.pool.sle(least, value), self.e.terms.pool.sle(value, most));
        let ok = self.e.terms.pool.and(low, high);
        self.held = self.e.terms.pool.and(self.held, ok);
    }

    fn written_by_scan(&mut self, guard: Term, p: Sym, bytes: u64, own: bool, path: &Path) -> Targets {
        let len = self.e.terms.pool.num(self.e.terms.ptr_bits, u128::from(bytes));
        self.check_access(guard, p, len, Access::Write, own, path)
    }

    /// A number of characters from 1 to the limit.
    fn length(&mut self, most: Option<u64>) -> Term {
        let w = self.e.terms.ptr_bits;
        let length = self.fresh(133, w);
        let zero = self.e.terms.pool.num(w, 0);
        // More than any object has is as good as more.
        let most = self.e.terms.pool.num(w, u128::from(most.unwrap_or((1 << (w - 2)) - 1)));
        let (some, few) = (self.e.terms.pool.ult(zero, length), self.e.terms.pool.ule(length, most));
        let ok = self.e.terms.pool.and(some, few);
        self.held = self.e.terms.pool.and(self.held, ok);
        length
    }

    /// `*(p + at) = value` where the condition holds.
    fn store_if(&mut self, path: &mut Path, ts: &Targets, p: Sym, (at, size): (u64, u64), (done, value): (Term, Term)) {
        let k = self.e.terms.pool.num(self.e.terms.ptr_bits, u128::from(at));
        let to = Sym { bits: self.e.terms.pool.add(p.bits, k), ..p };
        let new = self.plain(value, self.ff);
        let old = self.read_targets(path, ts, to, size);
        let v = self.choose(done, new, old);
        self.write_targets(path, ts, to, size, v);
    }

    /// The first `n` of `length` characters, and which they are.
    fn characters(
        &mut self,
        path: &mut Path,
        ts: &Targets,
        p: Sym,
        n: u64,
        (length, done): (Term, Term),
        class: Option<&Class>,
    ) -> Vec<Term> {
        let w = self.e.terms.ptr_bits;
        let mut bytes = Vec::new();
        for i in 0..n {
            let byte = self.fresh(134, 8);
            let k = self.e.terms.pool.num(w, u128::from(i));
            let inside = self.e.terms.pool.ult(k, length);
            let here = self.e.terms.pool.and(inside, done);
            if let Some(class) = class {
                let mut member = self.ff;
                for (from, to) in class.ranges() {
                    let (from, to) = (u128::from(from), u128::from(to));
                    let (from, to) = (self.e.terms.pool.num(8, from), self.e.terms.pool.num(8, to));
                    let (a, b) = (self.e.terms.pool.ule(from, byte), self.e.terms.pool.ule(byte, to));
                    let both = self.e.terms.pool.and(a, b);
                    member = self.e.terms.pool.or(member, both);
                }
                // Of a class without members there is no text: that rules out its being read, not the execution.
                let ok = self.e.terms.pool.implies(here, member);
                self.held = self.e.terms.pool.and(self.held, ok);
            }
            self.store_if(path, ts, p, (i, 1), (here, byte));
            bytes.push(byte);
        }
        bytes
    }

    /// The zero behind a text, where it is one of the first `n` bytes or the one after.
    fn store_end(&mut self, path: &mut Path, ts: &Targets, p: Sym, n: u64, (length, done): (Term, Term)) {
        let w = self.e.terms.ptr_bits;
        let zero = self.e.terms.pool.num(8, 0);
        for i in 1..=n {
            let k = self.e.terms.pool.num(w, u128::from(i));
            let here = self.e.terms.pool.eq(k, length);
            let here = self.e.terms.pool.and(here, done);
            self.store_if(path, ts, p, (i, 1), (here, zero));
        }
    }

    /// Any bytes of the targets may have changed.
    fn scribble(&mut self, path: &mut Path, ts: &Targets) {
        if !self.never(ts.wild) || ts.unknown.is_some() {
            self.unknown_code(path);
        }
        let k = self.key(135);
        let past = self.t().epoch(&k);
        Known::forget(path, past);
        for &(o, _) in &ts.objects {
            self.forget(path, o, past);
        }
    }
}
