//! One refused module per rule of the checker, and a body too deep for recursion.

use verify_ir::{Module, check, text};

const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn module(items: &str) -> Module {
    let source = format!(
        "verify-ir {} target \"t\" 64 little unit0 \"a.c\" directory \"\" producer \"\" language \"\" flags \"\"
         file0 \"<unknown>\" directory \"\" hash \"{NO_HASH}\" span0 file0 0 0 type0 void type1 base \"int\" signed 32
         {}",
        verify_ir::FORMAT_VERSION,
        items.replace(" E ", " unit0 external default ")
    );
    text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

fn accepted(items: &str) {
    if let Err(p) = check::check(&module(items)) {
        panic!("{items}\n{}", p.iter().map(|p| format!("{p}\n")).collect::<String>());
    }
}

/// Refused with a problem that says `what`, and printed with its function.
fn refused(items: &str, what: &str) {
    let Err(problems) = check::check(&module(items)) else { panic!("accepted: {items}") };
    let all: String = problems.iter().map(|p| format!("{p}\n")).collect();
    assert!(all.contains(what), "expected `{what}`, got:\n{all}\nfor {items}");
}

/// A function of (v0: i32, v1: ptr, v2: i1, v3: f64, v4: i8) with this body text after the entry's parameters.
fn f(body: &str) -> String {
    format!(
        "func0 \"f\" E (i32, ptr, i1, f64, i8) -> () {{ var0 \"x\"
         b0(v0: i32, v1: ptr, v2: i1, v3: f64, v4: i8): {body} }} func1 \"g\" E (i32) -> (i32)"
    )
}

#[test]
fn typing_rules() {
    let good = [
        "v5: i32 = add nsw v0, 1:i32",
        "v5: i1 = icmp eq v1, null",
        "v5: f64 = ldexp v3, v0",
        "v5: f64 = pow v3, v3",
        "v5: i1 = fcmp olt v3, v3",
        "v5: i32 = bswap v0",
        "v5: f64 = fma v3, v3, v3",
        "v5: i64 = zext v0",
        "v5: f128 = fpext v3",
        "v5: x87 = fpext v3",
        "v5: i64 = fptosi v3",
        "v5: i64 = bitcast v3",
        "v5: ptr = inttoptr v0",
        "v5: ptr = select v2, v1, null",
        "v5: i32, v6: i1 = overflow sadd v0, v0",
        "v5: i32 = funnel left v0, v0, 3:i32",
        "v5: i300 = uninit",
        "v5: ptr = addr v1 field(? 0 4) index(v4 x 4)",
        "v5: ptr = alloca 4 x 1:i64 align 4 ctype type1",
        "v5: i32 = load v1 align 1",
        "store v1, v3 align 8",
        "memcpy v1, v1, 4:i64",
        "memset v1, v4, v0",
        "v5: f64 = rmw fadd v1, v3",
        "v5: ptr, v6: i1 = cmpxchg v1, null, v1",
        "v5: i32 = call @g(i32 v0)",
        "v5: i64 = call @g(ptr v1 byval(8 8), i32 v0) fixed 1",
        "check uninit-read v2 operands(v3)",
        "debug var0 = v3",
        "v5: i64 = objectsize v1",
        "v5: ptr = opaque \"frame\"",
        "v5: f64, v6: i32 = unmodelled \"x\"",
    ];
    good.iter().for_each(|g| accepted(&f(&format!("{g} return"))));
    let bad = [
        ("v5: i32 = add v0, 1:i64", "operand is i64, must be i32"),
        ("v5: i64 = add v0, v0", "result v5 is i64"),
        ("v5: i64 = add v0, v0", "must be i32"),
        ("v5: i1 = icmp eq v3, v3", "integer comparison of floating-point"),
        ("v5: i1 = icmp eq v1, v0", "operand is i32, must be ptr"),
        ("v5: f64 = fadd v3, v0", "right operand"),
        ("v5: i12 = uninit v6: i12 = bswap v5", "bswap of i12"),
        ("v5: i32 = trunc v0", "trunc from i32 to i32"),
        ("v5: i64 = bitcast v1", "bitcast from ptr"),
        ("v5: f32 = bitcast v3", "bitcast from"),
        ("v5: i32 = select v0, v0, v0", "condition is i32"),
        ("v5: i32 = overflow sadd v0, v0", "1 results, must have 2"),
        ("v5: ptr = addr v0", "base is i32"),
        ("v5: ptr = addr v1 index(v3 x 4)", "index is f64"),
        ("v5: ptr = addr v1 field(type9 0 0)", "type type9 does not exist"),
        ("v5: ptr = alloca 4 x v0 align 3", "alignment 3 of the alloca"),
        ("v5: i32 = load v1 align 0", "alignment 0 of the load"),
        ("memset v1, v0, v0", "byte is i32"),
        ("v5: f64 = rmw add v1, v3", "value is f64"),
        ("v5: f64, v6: i1 = cmpxchg v1, v3, v3", "cmpxchg of floating"),
        ("v5: i32 = call @g(i64 v0)", "argument 0 is i32, must be i64"),
        ("v5: i32 = call @g(i32 v0) fixed 2", "2 named arguments but only 1"),
        ("v5: i32 = call @g(i32 v0 lanes(2))", "vector of 2 lanes"),
        ("v5: i32 = call @g(i32 v0 sret(4))", "byval or sret but not a pointer"),
        ("debug var7 = v0", "variable var7 does not exist"),
        ("assume v0", "condition is i32"),
        ("v5: f64 = opaque \"x\"", "opaque result"),
        ("v5: i32 = add @func9, v0", "function func9 does not exist"),
        ("v5: i8388609 = uninit", "v5 has type i8388609"),
        ("v5: ptr = freeze blockaddr(func0 b7)", "address of b7"),
        ("uninit !9", "position span9 does not exist"),
    ];
    bad.iter().for_each(|(b, what)| refused(&f(&format!("{b} return")), what));
}

#[test]
fn definitions_and_dominance() {
    accepted(&f("branch v2, b1, b2 b1: v5: i32 = add v0, v0 jump b3(v5) b2: jump b3(v0) b3(v6: i32): return"));
    refused(
        &f("branch v2, b1, b2 b1: v5: i32 = add v0, v0 jump b2 b2: v6: i32 = add v5, v5 return"),
        "does not dominate",
    );
    refused(&f("v5: i32 = add v6, v0 v6: i32 = add v0, v0 return"), "does not dominate");
    refused(&f("v5: i32 = add v5, v0 return"), "does not dominate");
    refused(&f("v0: i32 = add v0, v0 return"), "v0 is defined a second time");
    refused("func0 \"f\" E () -> () { undefined v0: i32 b0: return }", "v0 is never defined");
    refused("func0 \"f\" E () -> () { b0: v0: i32 = freeze v7 return }", "value v7 does not exist");
    // Loops: the header dominates the body; a value of the body reaches the header only as an argument.
    accepted(&f("jump b1(v0) b1(v5: i32): v6: i32 = add v5, v5 branch v2, b1(v6), b2 b2: return"));
    // Code that is not reached may use what it likes, but nothing that is reached may use its values.
    accepted(&f("return b1: v5: i32 = add v6, v6 jump b2 b2: v6: i32 = add v5, v5 jump b1"));
    refused(&f("jump b2 b1: v5: i32 = add v0, v0 jump b2 b2: v6: i32 = add v5, v5 return"), "does not dominate");
}

#[test]
fn edges_and_terminators() {
    refused(&f("jump b1(v0) b1: return"), "1 arguments for the 0 parameters of b1");
    refused(&f("jump b1(v1) b1(v5: i32): return"), "argument 0 for b1 is ptr, its parameter i32");
    refused(&f("jump b7"), "b7 does not exist");
    refused(&f("jump b0(v0, v1, v2, v3, v4)"), "b0 jumps to the entry block");
    refused(&f("return v0"), "returns 1 values, the signature has 0");
    refused("func0 \"f\" E (i32) -> () { b0(v0: i64): return }", "not those of the signature");
    refused("func0 \"f\" E (i32) -> () { b0: return }", "not those of the signature");
    refused("func0 \"f\" E () -> (i32) { b0: return null }", "returned value is ptr");
    refused("func0 \"f\" E () -> () { }", "no blocks");
    accepted(&f("switch v0 [1:i32 => b1, 2:i32 => b1] default b1 b1: return"));
    refused(&f("switch v0 [1:i32 => b1, 1:i32 => b1] default b1 b1: return"), "case 1 repeats a value");
    refused(&f("switch v0 [1:i64 => b1] default b1 b1: return"), "case 0 is i64");
    refused(&f("switch v0 [null => b1] default b1 b1: return"), "case 0 is not an integer");
    refused(&f("indirectjump v0 []"), "address is i32");
    accepted(&f("invoke @g(i32 v0) normal b1(v0) unwind b2(v0) b1(v5: i32, v6: i32): return b2(v7: i32): resume v7"));
    refused(
        &f("invoke @g(i32 v0) normal b1 unwind b2 b1: return b2(v5: i32): resume v5"),
        "0 arguments for the 1 parameters of b2",
    );
}

#[test]
fn tables() {
    let g = |rest: &str| format!("global0 \"g\" source \"g\" E size 8 align 8 {rest}");
    accepted(&g("init { 0 bytes \"ab\", 2 undef 2, 4 address @g 0 size 4 }"));
    refused(&g("init { 4 bytes \"ab\", 0 bytes \"a\" }"), "not sorted, or overlaps");
    refused(&g("init { 0 undef 5, 4 bytes \"a\" }"), "not sorted, or overlaps");
    refused(&g("init { 7 bytes \"ab\" }"), "outside the object's 8 bytes");
    refused(&g("init { 18446744073709551615 undef 18446744073709551615 }"), "outside the object");
    refused(&g("init { 0 address @global9 0 size 8 }"), "global global9 does not exist");
    refused(&g("init { 0 address @g 0 size 0 }"), "0 or more than 16 bytes");
    refused(&g("init { 0 difference (undef 4, address @g 0 size 4) 0 size 4 }"), "not an address");
    refused(&g("!5"), "position span5");
    refused(&g("ctype type5"), "type type5");
    refused("global0 \"g\" source \"\" unit7 external default size 1 align 1", "unit unit7");
    refused("global0 \"g\" source \"\" E size 1 align 6", "alignment 6");
    refused("global0 \"g\" source \"\" unit0 internal default size 1 align 1", "only declared, with linkage Internal");
    refused("func0 \"g\" unit0 internal default () -> ()", "only declared");
    refused("func0 \"g\" E () -> () func1 \"g\" E () -> ()", "2 linker-visible symbols are named `g`");
    refused("func0 \"\" E () -> ()", "no name");
    refused("func0 \"g\" E () -> () alloc_size(0)", "alloc_size");
    refused("func0 \"g\" E () -> () constructor 1 @func4", "func4 does not exist");
    refused("alias0 \"a\" external default unit0 @b 0 alias1 \"b\" external default unit0 @a 0", "alias of itself");
    refused(&(g("") + "alias0 \"a\" external default unit0 @g 0 ifunc"), "does not name a function");
    refused("type2 typedef \"t\" type2", "contains itself by value");
    refused("type2 struct \"s\" size 4 align 4 { \"x\" type3 0 32 } type3 array type2 [1]", "contains itself by value");
    accepted("type2 struct \"s\" size 8 align 8 { \"x\" type3 0 64 } type3 pointer type2");
    refused("type2 struct \"s\" size 4 align 4 { \"x\" type1 8 32 }", "outside its 4 bytes");
    refused("type2 struct \"s\" size 4 align 3 { }", "alignment 3");
    refused("type2 struct \"s\" size 4 align 4 incomplete { }", "incomplete record");
    refused("type2 pointer type8", "type type8 does not exist");
    refused("span1 file0 1 1 at span2 span2 file0 1 1 at span1", "cycle");
    refused("span1 file9 1 1", "file file9");
    refused("macro \"M\" \"\" file9 1", "file file9");
    let mut m = module("");
    m.spans[0].line = 3;
    assert!(check::check(&m).unwrap_err()[0].to_string().contains("span0"));
    m = module("");
    m.ctypes[0] = verify_ir::CType::Pointer(verify_ir::TypeId(0));
    assert!(check::check(&m).unwrap_err()[0].to_string().contains("type0"));
    m.target.pointer_bits = 24;
    assert!(check::check(&m).unwrap_err()[0].to_string().contains("24 bits"));
}

#[test]
fn constants_are_canonical() {
    use verify_ir::{Const, FloatKind, InstKind, Operand, Ty};
    let with = |c: Const| {
        let mut m = module("func0 \"f\" E () -> () { b0: v0: i32 = freeze 1:i32 return }");
        let body = m.functions[0].body.as_mut().unwrap();
        body.values[0].ty = c.ty();
        body.blocks[0].insts[0].kind = InstKind::Freeze { arg: Operand::Const(c) };
        check::check(&m).is_ok()
    };
    assert!(with(Const::int(128, u128::MAX)) && with(Const::int(200, 5)) && with(Const::int(1, 1)));
    assert!(!with(Const::Int { width: 8, value: 256 }));
    assert!(!with(Const::Int { width: 0, value: 0 }));
    assert!(!with(Const::Int { width: 129, value: 0 }));
    assert!(!with(Const::Wide { width: 128, limbs: [0, 0].into() }));
    assert!(!with(Const::Wide { width: 130, limbs: [0, 0, 4].into() }));
    assert!(!with(Const::Wide { width: 130, limbs: [0, 0].into() }));
    assert!(!with(Const::Float { kind: FloatKind::Single, bits: 1 << 32 }));
    assert!(!with(Const::Undef(Ty::Int(0))));
}

/// A chain of 100 000 blocks, one of 100 000 nested branches back to the start, and a chain of aliases: linear and
/// without recursion.
#[test]
fn large_functions() {
    use std::fmt::Write;
    let n = 100_000;
    let mut chain = f("jump b1");
    chain.truncate(chain.find('}').unwrap());
    for i in 1..n {
        let next = if i + 1 == n { "return".into() } else { format!("branch v2, b{}, b{}", i + 1, (i / 2).max(1)) };
        write!(chain, "b{i}: v{}: i32 = add v0, v{} {next} ", i + 4, if i == 1 { 0 } else { i + 3 }).unwrap();
    }
    let start = std::time::Instant::now();
    accepted(&format!("{chain} }}"));
    let mut aliases = String::from("func0 \"f\" E () -> () ");
    for i in 0..2000 {
        let target = if i == 0 { "f".into() } else { format!("a{}", i - 1) };
        write!(aliases, "alias{i} \"a{i}\" external default unit0 @{target} 0 ").unwrap();
    }
    accepted(&aliases);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// Dominators against the definition: `a` dominates `b` when `b` is not reachable without `a`.
#[test]
fn dominators_by_definition() {
    use verify_ir::graph::{DomTree, Graph};
    let mut seed = 1u64;
    let mut next = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    for _ in 0..400 {
        let n = 1 + next(12) as u32;
        let edges: Vec<(u32, u32)> =
            (0..next(30)).map(|_| (next(u64::from(n)) as u32, next(u64::from(n)) as u32)).collect();
        let dom = DomTree::new(&Graph::from_edges(n as usize, &edges), 0);
        let reach = |without: u32| {
            let kept: Vec<(u32, u32)> = edges.iter().copied().filter(|(a, b)| *a != without && *b != without).collect();
            let roots: &[u32] = if without == 0 { &[] } else { &[0] };
            Graph::from_edges(n as usize, &kept).preorder(roots)
        };
        let all = reach(u32::MAX);
        for a in 0..n {
            let rest = reach(a);
            for b in 0..n {
                let want = all.contains(&a) && all.contains(&b) && !rest.contains(&b);
                assert_eq!(dom.dominates(a, b), want, "{a} dominates {b} in {edges:?}");
            }
            assert_eq!(dom.reachable(a), all.contains(&a));
            if let Some(d) = dom.idom(a) {
                assert!(d != a && dom.dominates(d, a));
                assert!((0..n).all(|c| c == a || !dom.dominates(c, a) || dom.dominates(c, d)));
            }
        }
    }
}

#[test]
fn compacting_makes_the_table_exact() {
    let mut m = module(
        "func0 \"f\" E (i32) -> (i32) { undefined v1: ptr, v4: i8
         b0(v3: i32): jump b1(v3) b1(v2: i32): v0: i32 = add v2, v3 return v0 }",
    );
    assert_eq!(check::check(&m).unwrap_err().len(), 2);
    verify_ir::compact::compact_values(m.functions[0].body.as_mut().unwrap());
    assert!(check::check(&m).is_ok());
    let printed = text::print_function(&m, verify_ir::FuncId(0));
    assert!(printed.contains("v2: i32 = add v1, v0") && printed.contains("return v2"), "{printed}");
}
