//! What `verify check` shows: properties by name or from a property file of SV-COMP, and the kinds of checks that each
//! stands for.

use crate::exit::usage;
use crate::foreign::ERRORS;
use std::path::Path;
use verify_checks::KindSet;
use verify_ir::CheckKind as K;

/// A property, by the name in which a violation is reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Property {
    /// No error function is called and no assertion fails.
    UnreachCall,
    /// Every access is inside a live object.
    ValidDeref,
    /// Only live heap objects are freed, once, by their start.
    ValidFree,
    /// No heap object is lost.
    ValidMemtrack,
    /// No signed integer arithmetic overflows, and no shift is by more than the type allows.
    NoOverflow,
    /// Every run ends.
    Termination,
}

impl Property {
    /// Those that are asked for when none is named.
    pub const ALL: [Property; 5] = [
        Property::UnreachCall,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::NoOverflow,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::NoOverflow => "no-overflow",
            Property::Termination => "termination",
        }
    }

    /// The kinds of checks that it consists of.
    pub fn kinds(self) -> KindSet {
        match self {
            Property::UnreachCall => KindSet::of(&[K::Assertion, K::ErrorCall]),
            Property::ValidDeref => KindSet::of(&[
                K::NullDeref,
                K::InvalidDeref,
                K::OutOfBoundsRead,
                K::OutOfBoundsWrite,
                K::UseAfterFree,
                K::UseAfterScope,
                K::ReadOnlyWrite,
                K::InvalidCall,
            ]),
            Property::ValidFree => KindSet::of(&[K::DoubleFree, K::InvalidFree]),
            Property::ValidMemtrack => KindSet::of(&[K::Leak]),
            Property::NoOverflow => KindSet::of(&[K::SignedOverflow, K::ShiftRange]),
            // No place where a program can go wrong: see [`crate::termination`].
            Property::Termination => KindSet::EMPTY,
        }
    }
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Asked {
    /// Properties, without repetition.
    pub properties: Vec<Property>,
    /// A property that the tool does not know how to show, by name.
    pub unsupported: Option<String>,
    /// The entry that a property file names, when it is not `main`.
    pub entry: Option<String>,
    /// The function that a property file says must not be called. Then failing assertions are nobody's question, unless
    /// `unreach-call` was asked for by its name, too.
    pub called: Option<String>,
}

impl Asked {
    /// All kinds that are asked for: those of the properties, and those whose failure ends an execution so that nothing
    /// after it counts. What is undefined in C does not make a program safe.
    pub fn kinds_with_ends(&self) -> KindSet {
        // An uninitialised `_Bool` is one of the two: what it is not ends nothing.
        let mut all = KindSet::of(K::ALL).without(K::UninitRead).without(K::InvalidValue);
        if !self.kinds().contains(K::Leak) {
            all = all.without(K::Leak);
        }
        all.without(K::ArrayIndex)
    }

    /// All kinds that matter.
    pub fn kinds(&self) -> KindSet {
        self.properties.iter().fold(KindSet::EMPTY, |k, p| k.union(self.kinds_of(*p)))
    }

    /// The kinds that a property consists of, as it was asked for.
    fn kinds_of(&self, p: Property) -> KindSet {
        match p {
            Property::UnreachCall if self.called.is_some() => KindSet::of(&[K::ErrorCall]),
            _ => p.kinds(),
        }
    }

    /// The property that a failing check of this kind violates.
    pub fn violated_by(&self, kind: K) -> Option<Property> {
        self.properties.iter().copied().find(|p| self.kinds_of(*p).contains(kind))
    }

    /// A property file asks about calls of this function: the name of the property.
    fn calls(&mut self, function: &str) -> &'static str {
        let other = self.called.as_ref().is_some_and(|c| c != function);
        if other || !ERRORS.contains(&function) {
            self.unsupported = Some(format!("call({function}())"));
        }
        self.called = Some(function.to_string());
        Property::UnreachCall.name()
    }

    fn add(&mut self, name: &str) -> bool {
        use Property::*;
        let new: &[Property] = match name {
            "unreach-call" => &[UnreachCall],
            "valid-memsafety" => &[ValidDeref, ValidFree, ValidMemtrack],
            "valid-deref" => &[ValidDeref],
            "valid-free" => &[ValidFree],
            "valid-memtrack" => &[ValidMemtrack],
            "no-overflow" => &[NoOverflow],
            "termination" => &[Termination],
            "valid-memcleanup" | "no-data-race" => {
                self.unsupported = Some(name.to_string());
                return true;
            }
            _ => return false,
        };
        for p in new {
            if !self.properties.contains(p) {
                self.properties.push(*p);
            }
        }
        true
    }
}

/// Reads what the command line names: properties, or property files.
///
/// # Errors
/// An unknown property; a file that cannot be read or is not of the form.
pub fn read(names: &[String]) -> anyhow::Result<Asked> {
    let mut asked = Asked::default();
    if names.is_empty() {
        asked.properties = Property::ALL.to_vec();
    }
    let mut by_name = names.is_empty();
    for n in names {
        if asked.add(n) {
            by_name |= n == Property::UnreachCall.name();
            continue;
        }
        if !n.ends_with(".prp") && !Path::new(n).exists() {
            return Err(usage(format!(
                "unknown property `{n}`: one of unreach-call, valid-memsafety, no-overflow, termination, or a .prp file"
            )));
        }
        let text = std::fs::read_to_string(n).map_err(|e| usage(format!("{n}: {e}")))?;
        parse(&text, &mut asked).map_err(|e| usage(format!("{n}: {e}")))?;
    }
    if by_name {
        asked.called = None;
    }
    Ok(asked)
}

/// Reads the text of a property file: lines `CHECK( init(main()), LTL(...) )`.
fn parse(text: &str, asked: &mut Asked) -> Result<(), String> {
    let mut any = false;
    for line in text.lines() {
        let line: String = line.split("//").next().unwrap_or("").chars().filter(|c| !c.is_whitespace()).collect();
        if line.is_empty() {
            continue;
        }
        let bad = || format!("`{line}` is not CHECK(init(...),LTL(...))");
        let inner = line.strip_prefix("CHECK(init(").and_then(|l| l.strip_suffix(')')).ok_or_else(bad)?;
        let (entry, formula) = inner.split_once("()),LTL(").ok_or_else(bad)?;
        let formula = formula.strip_suffix(')').ok_or_else(bad)?;
        if entry != "main" {
            asked.entry = Some(entry.to_string());
        }
        let name = match formula {
            "Gvalid-deref" => "valid-deref",
            "Gvalid-free" => "valid-free",
            "Gvalid-memtrack" => "valid-memtrack",
            "Gvalid-memcleanup" => "valid-memcleanup",
            "G!overflow" => "no-overflow",
            "G!data-race" => "no-data-race",
            "Fend" => "termination",
            f if f.starts_with("G!call(") => {
                asked.calls(f["G!call(".len()..].trim_end_matches(')').trim_end_matches('('))
            }
            f if f.starts_with("G!label(") => "unreach-label",
            _ => return Err(format!("the property `{formula}` is not known")),
        };
        if !asked.add(name) {
            asked.unsupported = Some(name.to_string());
        }
        any = true;
    }
    if any { Ok(()) } else { Err("there is no CHECK(...) in it".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[Property]) {
        let mut a = Asked::default();
        parse(text, &mut a).unwrap();
        assert_eq!(a.properties, expect);
    }

    #[test]
    fn property_files() {
        use Property::*;
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", &[UnreachCall]);
        check("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )", &[UnreachCall]);
        check("CHECK( init(main()), LTL(G ! overflow) )", &[NoOverflow]);
        check(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\n",
            &[ValidFree, ValidDeref, ValidMemtrack],
        );
        let mut a = Asked::default();
        parse("CHECK( init(start()), LTL(F end) )", &mut a).unwrap();
        assert_eq!((a.properties.as_slice(), a.entry.as_deref()), (&[Termination][..], Some("start")));
        parse("CHECK( init(main()), LTL(G ! data-race) )", &mut a).unwrap();
        assert_eq!(a.unsupported.as_deref(), Some("no-data-race"));
        let mut b = Asked::default();
        parse("CHECK( init(main()), LTL(G ! call(reach_error())) )", &mut b).unwrap();
        assert_eq!((b.called.as_deref(), b.kinds()), (Some("reach_error"), KindSet::of(&[K::ErrorCall])));
        assert_eq!(b.unsupported, None);
        parse("CHECK( init(main()), LTL(G ! call(my_error())) )", &mut b).unwrap();
        assert_eq!(b.unsupported.as_deref(), Some("call(my_error())"));
        assert!(parse("CHECK(main)", &mut a).is_err());
        assert!(parse("", &mut a).is_err());
    }
}
