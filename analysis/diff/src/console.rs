//! What both versions write to standard output and standard error when they are run on an input: the system around them
//! answers as one where nothing goes wrong, input is at its end, and output goes to a terminal.
//!
//! A terminal gets whole lines; what is not a whole line may still lie in a buffer when a function returns. That is why
//! texts differ only if no such rest could make them the same.

use std::collections::{BTreeMap, BTreeSet};
use verify_interp::{Host, Stat};
use verify_ir::{Const, FuncId, GlobalId, Inst, InstKind, Linkage, Module, Operand, SymbolRef};

/// More text than this is not looked at: buffers are full then, and hold more than a line.
const MAX_TEXT: usize = 1000;

/// The system, and what was written to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Console {
    out: [Vec<u8>; 2],
}

impl Host for Console {
    fn is_real(&self) -> bool {
        false
    }
    fn read(&mut self, _: i32, _: u64) -> Result<Vec<u8>, i32> {
        Ok(Vec::new())
    }
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<u64, i32> {
        if let 1 | 2 = fd {
            let to = &mut self.out[fd as usize - 1];
            let room = (MAX_TEXT + 1).saturating_sub(to.len());
            to.extend(bytes.iter().take(room));
        }
        Ok(bytes.len() as u64)
    }
    fn open(&mut self, _: &[u8], _: i32, _: i32) -> Result<i32, i32> {
        Ok(3)
    }
    fn close(&mut self, _: i32) -> Result<(), i32> {
        Ok(())
    }
    fn lseek(&mut self, _: i32, offset: i64, _: i32) -> Result<i64, i32> {
        Ok(offset.max(0))
    }
    fn unlink(&mut self, _: &[u8]) -> Result<(), i32> {
        Ok(())
    }
    fn rename(&mut self, _: &[u8], _: &[u8]) -> Result<(), i32> {
        Ok(())
    }
    fn stat(&mut self, path: Option<&[u8]>, fd: i32) -> Result<Stat, i32> {
        let terminal = path.is_none() && (0..=2).contains(&fd);
        Ok(Stat { mode: if terminal { 0o020_620 } else { 0o100_644 }, size: 0, mtime: 0 })
    }
    fn time(&mut self, _: i32) -> Result<i64, i32> {
        Ok(0)
    }
    fn getenv(&mut self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

/// Functions that change how output is kept back, or where it goes.
const REDIRECT: [&str; 10] =
    ["setvbuf", "setbuf", "setbuffer", "setlinebuf", "freopen", "dup", "dup2", "fdopen", "close", "fclose"];

/// Of every function: do lines lie in buffers, or go elsewhere, when it is called or while it runs? Yes, if code of the
/// program itself names one of [`REDIRECT`]. Of a library, any function that is visible from outside may be the first
/// that is called: of that, only the code that it may get to counts.
pub(crate) struct Redirects {
    /// Functions of the program that each one names.
    named: Vec<Vec<FuncId>>,
    /// It names one of [`REDIRECT`], or something of which that is not known.
    names: Vec<bool>,
    /// It calls unknown code, which may call back anything of the program.
    unknown: Vec<bool>,
    /// Any function may have been called before.
    after_all: Vec<bool>,
    any: bool,
}

impl Redirects {
    pub(crate) fn new(m: &Module) -> Redirects {
        let ours = |f: FuncId| !m.units.get(m.func(f).unit.index()).is_some_and(|u| u.model);
        let is_program = m.functions.iter().any(|f| f.name == "main" && f.body.is_some());
        let mut behind: BTreeMap<GlobalId, BTreeSet<FuncId>> = BTreeMap::new();
        let mut out =
            Redirects { named: Vec::new(), names: Vec::new(), unknown: Vec::new(), after_all: Vec::new(), any: false };
        for f in &m.functions {
            let insts = || f.body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.insts);
            let (mut next, mut names) = (BTreeSet::new(), false);
            for i in insts() {
                i.kind.for_each_operand(|o| {
                    if let Operand::Const(Const::Symbol(s)) = o {
                        match m.resolve(*s).0 {
                            SymbolRef::Func(g) => _ = next.insert(g),
                            SymbolRef::Global(g) => {
                                next.extend(behind.entry(g).or_insert_with(|| crate::pairs::behind(m, g)).iter());
                            }
                            SymbolRef::Alias(_) => names = true,
                        }
                    }
                });
            }
            names |= next.iter().any(|g| REDIRECT.contains(&m.func(*g).name.as_str()));
            out.named.push(next.into_iter().filter(|g| ours(*g)).collect());
            out.names.push(names);
            out.unknown.push(insts().any(through_pointer));
            out.after_all.push(is_program || f.linkage == Linkage::Internal);
        }
        out.any = (0..m.functions.len()).any(|f| out.names[f] && ours(FuncId::new(f)));
        out
    }

    pub(crate) fn of(&self, f: FuncId) -> bool {
        if self.after_all[f.index()] {
            return self.any;
        }
        let (mut seen, mut todo) = (BTreeSet::from([f]), vec![f]);
        while let Some(f) = todo.pop() {
            if self.names[f.index()] || self.any && self.unknown[f.index()] {
                return true;
            }
            todo.extend(self.named[f.index()].iter().copied().filter(|g| seen.insert(*g)));
        }
        false
    }
}

fn through_pointer(i: &Inst) -> bool {
    matches!(&i.kind, InstKind::Call(c) if !matches!(c.callee, Operand::Const(_)))
}

impl Console {
    /// How the texts differ for certain; `None`: they may be the same.
    pub fn difference(&self, new: &Console) -> Option<String> {
        let names = ["standard output", "standard error"];
        names.iter().zip(self.out.iter().zip(&new.out)).find_map(|(name, (x, y))| {
            if x.len() > MAX_TEXT || y.len() > MAX_TEXT {
                return None;
            }
            let common = x.iter().zip(y).take_while(|(a, b)| a == b).count();
            let (p, q) = (&x[common..], &y[common..]);
            // One is the beginning of the other: the rest of a line may be on its way.
            let certain = !p.is_empty() && !q.is_empty() || p.contains(&b'\n') || q.contains(&b'\n');
            certain.then(|| format!("{name}: {}, now {}", line(x, common), line(y, common)))
        })
    }
}

/// The line in which something stands, for people.
fn line(text: &[u8], at: usize) -> String {
    let from = text[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let to = text[at..].iter().position(|b| *b == b'\n').map_or(text.len(), |i| at + i);
    if from >= text.len() {
        return "nothing".into();
    }
    format!("`{}`", text[from..to].escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::Console;

    fn said(a: &str, b: &str) -> Option<String> {
        let text = |s: &str| Console { out: [s.as_bytes().to_vec(), Vec::new()] };
        text(a).difference(&text(b))
    }

    #[test]
    fn only_whole_lines_count() {
        assert_eq!(said("a\n", "a\n"), None);
        assert_eq!(said("", "abc"), None);
        assert_eq!(said("a\nb", "a\n"), None);
        assert_eq!(said("", "abc\n").as_deref(), Some("standard output: nothing, now `abc`"));
        assert_eq!(said("x\nab\n", "x\nac\n").as_deref(), Some("standard output: `ab`, now `ac`"));
        assert_eq!(said("x\n", "").as_deref(), Some("standard output: `x`, now nothing"));
    }
}
