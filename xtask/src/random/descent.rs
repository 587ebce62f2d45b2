//! Recursive functions that end or do not, for [`super::endless`]: functions of numbers that call themselves and each other
//! with arguments that mostly get smaller. Natively every activation is kept on a stack of its own: one that is called
//! with the same arguments as an activation still in progress can go on for ever, with the same inputs again.

use super::loops::TYPES;
use crate::sh::Rng;
use std::fmt::Write;

/// What the native text needs before the functions.
pub const NATIVE: &str = r"#include <setjmp.h>
static jmp_buf out;
static long calls[400][3];
static unsigned long depth, called;
static void enter(long f, long a, long b)
{
    if (depth == 400 || ++called > 20000)
        longer++, longjmp(out, 1);
    for (unsigned long i = 0; i < depth; i++)
        if (calls[i][0] == f && calls[i][1] == a && calls[i][2] == b)
            again++, longjmp(out, 1);
    calls[depth][0] = f, calls[depth][1] = a, calls[depth++][2] = b;
}
";

/// The functions, with `ENTER(f, a, b)` and `LEAVE` in them, and a statement that calls the first.
pub fn functions(rng: &mut Rng) -> (String, String) {
    let n = 1 + rng.below(2);
    let types: Vec<[&str; 2]> = (0..n).map(|_| [*rng.pick(TYPES), *rng.pick(TYPES)]).collect();
    let mut text = String::new();
    for (f, [a, b]) in types.iter().enumerate() {
        let _ = writeln!(text, "static int r{f}({a} a, {b} b);");
    }
    for (f, [a, b]) in types.iter().enumerate() {
        let _ = writeln!(text, "static int r{f}({a} a, {b} b)\n{{\n    int t = 0;\n    ENTER({f}, a, b);");
        for _ in 0..=rng.below(2) {
            let condition = *rng.pick(&["a <= 0", "a == 0", "b <= 0", "b == 0", "a > 20", "a >= b", "a == b", "b < 1"]);
            let value = *rng.pick(&["0", "1", "a", "b", "a + b"]);
            let _ = writeln!(text, "    if ({condition}) {{ LEAVE return {value}; }}");
        }
        for _ in 0..=rng.below(2) {
            let call = call(rng, n);
            let line = match rng.below(4) {
                0 => format!("if ({}) t += {call};", rng.pick(&["a & 1", "b > a", "a > 2", "nd()"])),
                1 => format!("t = {call};"),
                _ => format!("t += {call};"),
            };
            let _ = writeln!(text, "    {line}");
        }
        text += "    LEAVE return t;\n}\n";
    }
    let first = *rng.pick(&["nd()", "nd() & 15", "7", "100"]);
    (text, format!("r0({first}, {});", rng.pick(&["nd()", "nd() & 7", "3"])))
}

fn call(rng: &mut Rng, n: usize) -> String {
    let arguments =
        ["a - 1", "a", "a - 1", "b - 1", "b", "a / 2", "a & 7", "a - b", "-a", "0", "1", "t", "nd() & 3", "a + 1"];
    let (a, b) = (*rng.pick(&arguments), *rng.pick(&["b", "b", "b - 1", "b / 2", "a", "a - 1", "t", "b + 1", "0"]));
    format!("r{}({a}, {b})", rng.below(n))
}
