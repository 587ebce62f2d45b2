//! Annotations as a C model. Every line is marked as the line of its entry, so that what clang says is said of verify.toml.
//!
//! - A result is any value of its own type: all of its bytes are arbitrary. A pointer or a record, which bytes do not
//!   make, is what code that is not known returns (`NAME__outside`): the input contract holds for it.
//! - Bounds are compared as numbers, whatever the types: no bound is cut to the width of the result.
//! - Where no value of the type is within the bounds the execution is not continued (`unknown`): an assumption that
//!   nothing passes would prove all that comes after.

use super::types::{self, Types};
use super::{Annotation, Entry};
use std::collections::BTreeSet;
use std::fmt::Write;

const PREAMBLE: &str = r#"#include "internal.h"
#include <stdbool.h>
#include <wchar.h>
#define VERIFY_CLASS(x) __builtin_classify_type(x)
#define VERIFY_IS_POINTER(x) (VERIFY_CLASS(x) == 5)
#define VERIFY_IS_RECORD(x) (VERIFY_CLASS(x) >= 12)
#define VERIFY_IS_REAL(x) (VERIFY_CLASS(x) == 8)
#define VERIFY_IS_BOOL(x) _Generic((x), _Bool: 1, default: 0)
#define VERIFY_IS_LONG_DOUBLE(x) _Generic((x), long double: 1, default: 0)
#define VERIFY_LE(a, b) ((VERIFY_IS_REAL(a) || VERIFY_IS_REAL(b)) ? (a) <= (b) \
    : (a) < 0 ? ((b) < 0 ? (long long)(a) <= (long long)(b) : 1) \
    : (b) < 0 ? 0 : (unsigned long long)(a) <= (unsigned long long)(b))
#define VERIFY_SIGNED(r) ((__typeof__(r))-1 < 0)
#define VERIFY_MAX(r) (VERIFY_SIGNED(r) ? ~0ull >> (65 - 8 * sizeof(r)) : (unsigned long long)(__typeof__(r))-1)
#define VERIFY_MIN(r) (VERIFY_SIGNED(r) ? -(long long)VERIFY_MAX(r) - 1 : 0)
#define VERIFY_POSSIBLE(low, high, r) (VERIFY_LE(low, high) && (VERIFY_IS_REAL(r) \
    || (VERIFY_LE(low, VERIFY_MAX(r)) && VERIFY_LE(VERIFY_MIN(r), high))))
"#;

/// The model of these functions, with the types of the program that declares them.
pub fn model(entries: &[&Entry], types: Option<&Types<'_>>) -> String {
    let mut out = String::from(PREAMBLE);
    if let Some(t) = types {
        out.push_str(&t.declarations(entries.iter().map(|e| {
            let own: BTreeSet<&str> = e.names.iter().map(String::as_str).chain([e.name.as_str()]).collect();
            let words: Vec<&str> =
                [e.result.as_str(), &e.params].into_iter().chain(super::expressions(&e.said)).collect();
            (words.join(" ; "), own)
        })));
    } else {
        // Known by name only, at file scope: otherwise each prototype would have its own.
        let text: Vec<&str> = entries.iter().flat_map(|e| [e.result.as_str(), &e.params]).collect();
        let text = text.join(" ; ");
        let words: Vec<&str> = types::words(&text).collect();
        for w in words.windows(2).filter(|w| matches!(w[0], "struct" | "union")) {
            let _ = writeln!(out, "{} {};", w[0], w[1]);
        }
    }
    for e in entries {
        for line in function(e).lines() {
            let _ = writeln!(out, "#line {} \"verify.toml\"\n{line}", e.line);
        }
    }
    out
}

fn function(e: &Entry) -> String {
    let Entry { name, result, params, names, said, family, .. } = e;
    let mut c = String::new();
    let outside = format!("{name}__outside({})", names.join(", "));
    let _ = writeln!(c, "extern {result} {name}__outside({params});");
    let _ = writeln!(c, "{result} {name}({params}) {{");
    for p in &said.nonnull {
        let _ = writeln!(c, "if (({p}) == 0) __verify_fail(\"invalid-argument\", \"null passed to `{name}`\");");
    }
    for (p, n) in &said.reads {
        let _ = writeln!(c, "if (({n}) != 0) __verify_check_defined((const void *)({p}), ({n}), \"{name}\");");
    }
    for (p, n) in &said.writes {
        let _ = writeln!(c, "if (({n}) != 0) __verify_nondet_bytes((void *)({p}), ({n}), \"{name}\");");
    }
    if let Some(p) = &said.frees {
        let _ = writeln!(c, "if (({p}) != 0) __verify_free((void *)({p}), {family});");
    }
    if said.noreturn {
        c.push_str("__verify_exit(1);\n");
    } else if result == "void" && said.allocates.is_none() && said.returns.is_none() && !said.returns_non_null {
    } else {
        let _ = writeln!(c, "__typeof__({outside}) verify_result;");
        match &said.allocates {
            Some(size) => allocation(&mut c, e, size),
            None => any_value(&mut c, e, &outside),
        }
    }
    c.push_str("}\n");
    c
}

fn allocation(c: &mut String, e: &Entry, size: &str) {
    let Entry { name, family, said: Annotation { returns_non_null, .. }, .. } = e;
    c.push_str("_Static_assert(VERIFY_IS_POINTER(verify_result), \"it `allocates` and does not return a pointer\");\n");
    let _ = writeln!(c, "unsigned long verify_size = ({size});");
    // As for malloc: what is larger cannot be had.
    let _ = match returns_non_null {
        true => {
            writeln!(c, "if (verify_size > UINT_MAX) __verify_unmodelled(\"`{name}` of verify.toml: too many bytes\");")
        }
        false => writeln!(c, "if (verify_size > UINT_MAX || __verify_choose_failure(\"{name}\")) return 0;"),
    };
    let _ = writeln!(c, "return __verify_alloc(verify_size, 16, {family});");
}

fn any_value(c: &mut String, e: &Entry, outside: &str) {
    let Entry { name, said, .. } = e;
    let _ = writeln!(
        c,
        "if (VERIFY_IS_POINTER(verify_result) || VERIFY_IS_RECORD(verify_result)) verify_result = {outside};"
    );
    let _ = writeln!(
        c,
        "else if (VERIFY_IS_LONG_DOUBLE(verify_result)) __verify_unmodelled(\"`{name}` of verify.toml: a long double\");"
    );
    let _ = writeln!(c, "else __verify_nondet_bytes(&verify_result, sizeof(verify_result), \"{name}\");");
    c.push_str("if (VERIFY_IS_BOOL(verify_result)) *(unsigned char *)&verify_result &= 1;\n");
    if said.returns_non_null {
        c.push_str("_Static_assert(VERIFY_IS_POINTER(verify_result), \"it does not return a pointer\");\n");
        c.push_str("__verify_assume(verify_result != 0);\n");
    }
    if let Some((low, high)) = &said.returns {
        c.push_str(
            "_Static_assert(!VERIFY_IS_POINTER(verify_result) && !VERIFY_IS_RECORD(verify_result) \
             && (VERIFY_IS_REAL(verify_result) || sizeof(verify_result) <= 8), \"its result has no bounds\");\n",
        );
        let _ = writeln!(c, "__auto_type verify_low = ({low}); __auto_type verify_high = ({high});");
        let _ = writeln!(
            c,
            "if (!VERIFY_POSSIBLE(verify_low, verify_high, verify_result)) \
             __verify_unmodelled(\"verify.toml: nothing is within the bounds of `{name}`\");"
        );
        c.push_str("__verify_assume(VERIFY_LE(verify_low, verify_result) && VERIFY_LE(verify_result, verify_high));\n");
    }
    c.push_str("return verify_result;\n");
}
