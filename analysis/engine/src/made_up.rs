//! Does a failure rest on an object that callers of sense get from the library only ([`Ownership`])? The choices of the
//! run tell: a pointer to such an object that the run was simply given, or one in an object that
//! no call made, where it is null. An object that was given, but that the run never looked into, is no reason for anything
//! that fails elsewhere.

use crate::log::{Asked, Choice, Place};
use std::collections::BTreeMap;
use verify_facts::Ownership;
use verify_interp::{Failure, Origin, Question};
use verify_ir::{CheckKind, Module, TypeId};

/// Knows the types of the input objects of a run so far.
#[derive(Clone, Debug)]
pub struct Tracker<'a> {
    module: &'a Module,
    own: &'a Ownership,
    objects: BTreeMap<u32, TypeId>,
}

impl<'a> Tracker<'a> {
    /// At the start of a run.
    pub fn new(module: &'a Module, own: &'a Ownership) -> Tracker<'a> {
        Tracker { module, own, objects: BTreeMap::new() }
    }

    /// What the library alone makes, when the question is for a pointer to it: `record` or `record.field`.
    pub fn asked(&mut self, q: &Question<'_>) -> Option<String> {
        if self.own.is_empty() {
            return None;
        }
        match q {
            Question::Elements { object, pointee, .. } => {
                self.object(*object, *pointee);
                None
            }
            Question::Pointer { origin: Origin::Param(_), pointee, .. } => self.owned(None, *pointee),
            Question::Pointer { origin: Origin::Cell { object, offset }, pointee, .. } => {
                self.owned(Some((*object, *offset)), *pointee)
            }
            _ => None,
        }
    }

    fn object(&mut self, object: u32, pointee: Option<TypeId>) {
        if let Some(t) = pointee {
            self.objects.insert(object, t);
        }
    }

    fn owned(&self, cell: Option<(u32, u64)>, pointee: Option<TypeId>) -> Option<String> {
        let field = cell.and_then(|(o, at)| self.own.field(self.module, *self.objects.get(&o)?, at));
        field.or_else(|| pointee.and_then(|t| self.own.record(self.module, t)))
    }
}

/// What was made up that only the library makes, when the failure rests on that.
pub fn made_up(module: &Module, own: &Ownership, choices: &[Choice], failure: &Failure) -> Option<String> {
    if own.is_empty() {
        return None;
    }
    let mut tracker = Tracker::new(module, own);
    let null_matters = matches!(failure.kind, CheckKind::NullDeref | CheckKind::InvalidArgument);
    // Null pointers that were read: the last one when it is what fails, and else any that the library alone sets.
    let mut null: Option<String> = None;
    // The first that was given to the function.
    let mut given: Option<String> = None;
    for c in choices {
        match &c.what {
            Asked::Elements { object, pointee, .. } => tracker.object(*object, *pointee),
            Asked::Pointer { place, pointee, .. } => {
                let owned = match place {
                    Place::Param(_) => tracker.owned(None, *pointee),
                    Place::Cell { object, offset } => tracker.owned(Some((*object, *offset)), *pointee),
                    Place::External(_) => continue,
                };
                match (c.value, place) {
                    (0, Place::Param(_)) if null_matters => return None,
                    (0, Place::Param(_)) => {}
                    (0, _) if null_matters => null = owned,
                    (0, _) => null = null.or(owned),
                    (_, Place::Param(_)) => given = given.or(owned),
                    _ if owned.is_some() => return owned,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    given.filter(|_| looked_into(&tracker, choices, failure)).or(null)
}

/// The failure has to do with what is in an object that only the library makes, or with its bounds.
fn looked_into(known: &Tracker<'_>, choices: &[Choice], failure: &Failure) -> bool {
    let owned = |object: u32| {
        let t = known.objects.get(&object);
        t.is_none_or(|t| known.own.record(known.module, *t).is_some())
    };
    let inside = |c: &Choice| {
        let place = match &c.what {
            Asked::Scalar { place, .. } | Asked::Pointer { place, .. } | Asked::Function { place, .. } => place,
            _ => return false,
        };
        matches!(place, Place::Cell { object, .. } if owned(*object))
    };
    failure.object.as_ref().is_some_and(|o| o.kind == "input") || choices.iter().any(inside)
}
