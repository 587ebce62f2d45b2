//! What users are told about each [`CheckKind`]: names, texts, CWE numbers, severity. One static [`Rule`] per kind, in
//! the order of [`CheckKind::ALL`]; the long text is a Markdown file per rule in `rules/`, shared by SARIF and the book.
//! Nothing here is used to decide anything.
//!
//! The CWE numbers are of MITRE's list, the most fitting first. `security_severity` is on the scale of CVSS (0 to 10) as
//! code scanning services expect it: above 9 critical, from 7 high, from 4 medium, below low.

use verify_ir::CheckKind;

/// How many of a rule's findings are expected to be real, in the words of code scanning services.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Replayed, but what counts as wrong is partly a convention (a leak, an assertion).
    High,
    /// Replayed, and undefined behaviour of C.
    VeryHigh,
}

impl Precision {
    /// `high` or `very-high`.
    pub fn name(self) -> &'static str {
        match self {
            Precision::High => "high",
            Precision::VeryHigh => "very-high",
        }
    }
}

/// The description of a check kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rule {
    /// The kind.
    pub kind: CheckKind,
    /// The stable id: the kind's name, e.g. `null-deref`.
    pub id: &'static str,
    /// In PascalCase, e.g. `NullDeref`. Not the id in other letters: SARIF wants the two to differ.
    pub name: &'static str,
    /// A noun phrase without final stop.
    pub short: &'static str,
    /// One or two sentences.
    pub full: &'static str,
    /// What it means, a bad and a fixed example in C, what to do. Markdown without a title.
    pub help_markdown: &'static str,
    /// Weakness numbers, the most fitting first.
    pub cwe: &'static [u32],
    /// 0.1 to 10.0.
    pub security_severity: f32,
    /// Expected share of real findings.
    pub precision: Precision,
    /// Topics; [`Rule::all_tags`] adds the CWE tags.
    pub tags: &'static [&'static str],
}

impl Rule {
    /// The topics followed by one `external/cwe/cwe-NNN` per weakness. At most ten: services show no more.
    pub fn all_tags(&self) -> Vec<String> {
        let cwe = self.cwe.iter().map(|n| format!("external/cwe/cwe-{n:03}"));
        self.tags.iter().map(|t| t.to_string()).chain(cwe).collect()
    }
    /// The help with links to the weaknesses.
    pub fn help_with_references(&self) -> String {
        let mut s = self.help_markdown.trim_end().to_string();
        s.push_str("\n\n## References\n\n");
        for n in self.cwe {
            s.push_str(&format!("- [CWE-{n}](https://cwe.mitre.org/data/definitions/{n}.html)\n"));
        }
        s
    }
    /// Is it about security (and not only about what the author wanted)?
    pub fn is_security(&self) -> bool {
        self.tags.contains(&"security")
    }
}

/// The rule of a kind.
pub fn rule(kind: CheckKind) -> &'static Rule {
    &RULES[kind as usize]
}

const MEMORY: &[&str] = &["security", "correctness", "memory-safety"];
const ARITHMETIC: &[&str] = &["security", "correctness", "arithmetic"];
const UNDEFINED: &[&str] = &["security", "correctness", "undefined-behavior"];
const RESOURCE: &[&str] = &["security", "reliability", "resource-leak"];
const CONVERSION: &[&str] = &["security", "correctness", "arithmetic", "opt-in"];
const CONTRACT: &[&str] = &["correctness", "contract"];

macro_rules! rules {
    ($($kind:ident $id:literal $name:literal $severity:literal $precision:ident $tags:ident $cwe:expr, $short:literal, $full:literal;)*) => {
        /// All rules, in the order of [`CheckKind::ALL`].
        pub static RULES: &[Rule] = &[$(Rule {
            kind: CheckKind::$kind,
            id: $id,
            name: $name,
            short: $short,
            full: $full,
            help_markdown: include_str!(concat!("../rules/", $id, ".md")),
            cwe: &$cwe,
            security_severity: $severity,
            precision: Precision::$precision,
            tags: $tags,
        },)*];
    };
}

rules! {
    NullDeref "null-deref" "NullDeref" 7.5 VeryHigh MEMORY [476],
        "Dereference of a null pointer",
        "The program reads or writes through a null pointer, or through a null pointer plus the offset of a member.";
    InvalidDeref "invalid-deref" "InvalidDeref" 8.1 VeryHigh MEMORY [119, 823, 587],
        "Access through a pointer that points to no object",
        "The program reads or writes through a pointer made from an integer, from an unrelated object or from a function, and no object is there.";
    OutOfBoundsRead "out-of-bounds-read" "OutOfBoundsRead" 8.2 VeryHigh MEMORY [125],
        "Read outside the bounds of an object",
        "The program reads before the beginning or after the end of an object.";
    OutOfBoundsWrite "out-of-bounds-write" "OutOfBoundsWrite" 9.3 VeryHigh MEMORY [787],
        "Write outside the bounds of an object",
        "The program writes before the beginning or after the end of an object.";
    ArrayIndex "array-index" "ArrayIndex" 7.3 VeryHigh MEMORY [129, 119],
        "Array index out of bounds",
        "An index lies outside the declared bounds of an array, even if the access still hits the object that the array is a part of.";
    UseAfterFree "use-after-free" "UseAfterFree" 9.3 VeryHigh MEMORY [416],
        "Use of a heap object after it was freed",
        "The program reads or writes a heap object after `free` or `realloc` ended its life.";
    UseAfterScope "use-after-scope" "UseAfterScope" 8.6 VeryHigh MEMORY [562, 825],
        "Use of a local variable outside its lifetime",
        "The program reads or writes a local variable, through a pointer, after the block or function that declares it has ended.";
    ReadOnlyWrite "read-only-write" "ReadOnlyWrite" 5.5 VeryHigh UNDEFINED [758],
        "Write to a constant or string literal",
        "The program writes to a string literal or to an object declared `const`.";
    DoubleFree "double-free" "DoubleFree" 9.1 VeryHigh MEMORY [415],
        "Heap object freed twice",
        "The program passes a pointer to `free` or `realloc` whose object was freed before.";
    InvalidFree "invalid-free" "InvalidFree" 8.4 VeryHigh MEMORY [590, 761, 763, 762],
        "Free of something that is not the start of a live heap object",
        "The program frees a local or global variable, a pointer into the middle of an object, or memory of another kind of allocator.";
    Leak "leak" "MemoryLeak" 4.3 High RESOURCE [401],
        "Heap object lost without being freed",
        "The last pointer to a heap object is gone and the object was not freed.";
    UninitRead "uninit-read" "UninitRead" 6.8 VeryHigh MEMORY [457, 908],
        "Use of an uninitialized value",
        "A value that was never written decides a branch, is used as an address, reaches code outside the program or is output.";
    SignedOverflow "signed-overflow" "SignedOverflow" 6.5 VeryHigh ARITHMETIC [190, 191],
        "Signed integer overflow",
        "The result of a signed operation does not fit its type; C leaves the behavior undefined.";
    DivByZero "div-by-zero" "DivByZero" 5.9 VeryHigh ARITHMETIC [369],
        "Integer division by zero",
        "The divisor of an integer `/` or `%` is zero.";
    ShiftRange "shift-range" "ShiftRange" 5.3 VeryHigh ARITHMETIC [1335, 758],
        "Shift by a negative or too large amount",
        "The amount of a shift is negative or not less than the width of the promoted left operand.";
    FloatCast "float-cast" "FloatCast" 5.0 VeryHigh ARITHMETIC [681],
        "Floating-point number does not fit the integer type it is converted to",
        "A floating-point number is converted to an integer type that cannot hold its integral part, or it is a NaN.";
    InvalidValue "invalid-value" "InvalidValue" 5.0 VeryHigh UNDEFINED [758, 704],
        "Object holds a value that its type does not have",
        "A `_Bool` or enumeration object holds none of the values of its type.";
    VlaBound "vla-bound" "VlaBound" 7.0 VeryHigh MEMORY [1284, 758],
        "Variable length array of non-positive length",
        "The length of a variable length array is zero or negative.";
    InvalidArgument "invalid-argument" "InvalidArgument" 6.0 VeryHigh UNDEFINED [475, 687],
        "Argument that the called function does not allow",
        "A function is called with an argument that its documentation or declaration excludes.";
    NullReturn "null-return" "NullReturn" 5.5 VeryHigh UNDEFINED [758, 476],
        "Function declared to return non-null returns null",
        "A function with the attribute `returns_nonnull` returns a null pointer.";
    InvalidCall "invalid-call" "InvalidCall" 8.8 VeryHigh UNDEFINED [686, 843],
        "Call through a pointer to something that is no function of a fitting type",
        "A call through a pointer reaches something that is not a function, or a function whose type does not fit the call.";
    Unreachable "unreachable" "UnreachableReached" 5.5 VeryHigh UNDEFINED [758],
        "Code declared unreachable is reached",
        "Control reaches `__builtin_unreachable()` or the end of a function that must not end there.";
    Assertion "assertion" "AssertionFailure" 3.7 High CONTRACT [617],
        "Assertion can fail",
        "The condition of an `assert` of the program is false.";
    ErrorCall "error-call" "ErrorCall" 3.7 High CONTRACT [617],
        "Error function is called",
        "The program calls a function that marks a place that must not be reached.";
    IntegerTruncation "integer-truncation" "IntegerConversion" 5.0 High CONVERSION [197, 195, 194, 681],
        "Implicit conversion changes an integer",
        "A value does not fit the integer type that it is converted to without a cast: bits are lost or the sign changes. Off unless asked for: C defines the result.";
    UnsignedWrap "unsigned-wrap" "UnsignedWrap" 5.0 High CONVERSION [190, 191],
        "Unsigned arithmetic wraps around",
        "The result of `+`, `-` or `*` does not fit its unsigned type. Off unless asked for: C defines the result.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_sane_rule() {
        assert_eq!(RULES.len(), CheckKind::ALL.len());
        for (&kind, r) in CheckKind::ALL.iter().zip(RULES) {
            assert_eq!((r.kind, r.id), (kind, kind.name()));
            assert_eq!(rule(kind), r);
            let (first, rest) = r.name.split_at(1);
            assert!(first.chars().all(|c| c.is_ascii_uppercase()) && rest.chars().all(|c| c.is_ascii_alphanumeric()));
            assert!(!r.name.eq_ignore_ascii_case(r.id), "{}", r.id);
            assert!(!r.short.ends_with('.') && r.short.len() < 80, "{}", r.id);
            assert!(r.full.ends_with('.') && r.full.len() > r.short.len(), "{}", r.id);
            assert!((0.1..=10.0).contains(&r.security_severity), "{}", r.id);
            assert!(!r.cwe.is_empty() && r.all_tags().len() <= 10, "{}", r.id);
            let h = r.help_markdown;
            assert_eq!(h.matches("```c\n").count(), 2, "{}: one bad and one fixed example", r.id);
            for part in ["## Bad\n", "## Fixed\n", "## What to do\n"] {
                assert!(h.contains(part), "{}: {part}", r.id);
            }
        }
    }

    #[test]
    fn weaknesses_are_those_of_the_field() {
        fn check(kind: CheckKind, cwe: &[u32]) {
            for n in cwe {
                assert!(rule(kind).cwe.contains(n), "{kind}: CWE-{n}");
            }
        }
        check(CheckKind::NullDeref, &[476]);
        check(CheckKind::OutOfBoundsRead, &[125]);
        check(CheckKind::OutOfBoundsWrite, &[787]);
        check(CheckKind::ArrayIndex, &[129]);
        check(CheckKind::UseAfterFree, &[416]);
        check(CheckKind::UseAfterScope, &[562, 825]);
        check(CheckKind::DoubleFree, &[415]);
        check(CheckKind::InvalidFree, &[590, 761, 763]);
        check(CheckKind::Leak, &[401]);
        check(CheckKind::UninitRead, &[457, 908]);
        check(CheckKind::SignedOverflow, &[190]);
        check(CheckKind::DivByZero, &[369]);
        check(CheckKind::ShiftRange, &[1335, 758]);
        check(CheckKind::FloatCast, &[681]);
        check(CheckKind::Assertion, &[617]);
        assert_eq!(rule(CheckKind::NullDeref).all_tags().last().unwrap(), "external/cwe/cwe-476");
    }
}
