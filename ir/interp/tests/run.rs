//! Runs of small modules in text form: every check kind that the interpreter itself decides, in both directions; the
//! script, inputs, unknown code, budgets, coverage and traces.

use std::sync::Arc;
use verify_interp::*;
use verify_ir::{CheckKind, FuncId, text};

const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Types: 1 int, 2 char, 3 int*, 4 struct node { int value; struct node *next; }, 5 node*, 6 int(int), 7 int(*)(int),
/// 8 _Bool, 9 int(node*).
fn program(items: &str) -> Program {
    let source = format!(
        "verify-ir {} target \"x86_64-pc-linux-gnu\" 64 little
         unit0 \"a.c\" directory \"\" producer \"\" language \"\" flags \"\"
         file0 \"<unknown>\" directory \"\" hash \"{NO_HASH}\" span0 file0 0 0 span1 file0 1 1 span2 file0 2 2
         type0 void type1 base \"int\" signed 32 type2 base \"char\" signed_char 8 type3 pointer type1
         type4 struct \"node\" size 16 align 8 {{ \"value\" type1 0 32, \"next\" type5 64 64 }} type5 pointer type4
         type6 function type1 (type1) type7 pointer type6 type8 base \"_Bool\" bool 8 type9 function type1 (type5)
         {}",
        verify_ir::FORMAT_VERSION,
        items.replace(" E ", " unit0 external default ").replace(" I ", " unit0 internal default ")
    );
    let module = text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    if let Err(p) = verify_ir::check::check(&module) {
        panic!("{items}\n{}", p.iter().map(|p| format!("{p}\n")).collect::<String>());
    }
    Program::new(Arc::new(module))
}

fn named(p: &Program, name: &str) -> FuncId {
    p.module().function_named(name).unwrap_or_else(|| panic!("no {name}"))
}

fn run_with(items: &str, config: &Config, script: &mut dyn Script) -> Outcome {
    let p = program(items);
    Interp::new(&p, config).run_function(named(&p, "f"), script, None)
}

/// Runs `f` on natural inputs.
fn run(items: &str) -> End {
    run_with(items, &Config { max_steps: 1_000_000, ..Config::default() }, &mut Natural).end
}

/// The body of `f () -> (i32)`.
fn f(body: &str) -> String {
    format!("func0 \"f\" E () -> (i32) {{ var0 \"x\" b0: {body} }}")
}

fn returns(items: &str, value: &str) {
    let end = run(items);
    assert_eq!(end, End::Returned(vec![value.into()]), "{items}");
}

fn fails(items: &str, kind: CheckKind, message: &str) {
    match run(items) {
        End::Failed(f) => {
            assert_eq!(f.kind, kind, "{} in {items}", f.message);
            assert!(f.message.contains(message), "`{}` lacks `{message}`", f.message);
        }
        e => panic!("{e:?} instead of {kind} in {items}"),
    }
}

fn unmodelled(items: &str, what: &str) {
    match run(items) {
        End::Stopped(Stop::Unmodelled { reason, .. }) => assert!(reason.contains(what), "{reason}"),
        e => panic!("{e:?} in {items}"),
    }
}

#[test]
fn arithmetic_checks() {
    returns(&f("v0: i32 = add nsw 2147483646:i32, 1:i32 return v0"), "2147483647");
    fails(&f("v0: i32 = add nsw 2147483647:i32, 1:i32 return v0"), CheckKind::SignedOverflow, "2147483647");
    returns(&f("v0: i32 = add 2147483647:i32, 1:i32 return v0"), "-2147483648");
    fails(&f("v0: i32 = sdiv 1:i32, 0:i32 return v0"), CheckKind::DivByZero, "zero");
    fails(&f("v0: i32 = srem -2147483648:i32, -1:i32 return v0"), CheckKind::SignedOverflow, "");
    fails(&f("v0: i32 = shl 1:i32, 32:i32 return v0"), CheckKind::ShiftRange, "32");
    returns(&f("v0: i32 = lshr -1:i32, 31:i32 return v0"), "1");
    fails(
        &f("v0: i32 = fptosi 3e9:f64 return v0").replace("3e9:f64", "0x41e65a0bc0000000:f64"),
        CheckKind::FloatCast,
        "",
    );
    fails(
        &f(
            "v0: i1 = icmp eq 1:i32, 2:i32 check signed-overflow v0 what \"+\" ctype \"int\" operands(7:i32) return 1:i32",
        ),
        CheckKind::SignedOverflow,
        "`+` in type `int` (7)",
    );
}

#[test]
fn wide_arithmetic() {
    returns(
        &f("v0: i128 = sext -5:i32 v1: i128 = mul v0, v0 v2: i128 = sdiv v1, v0 v3: i32 = trunc v2 return v3"),
        "-5",
    );
    returns(
        &f(
            "v0: i300 = zext 1:i32 v1: i300 = zext 299:i32 v2: i300 = shl v0, v1 v3: i300 = sub v1, v0 v4: i300 = lshr v2, v3 v5: i32 = trunc v4 return v5",
        ),
        "2",
    );
    fails(
        &f("v0: i128 = zext 1:i32 v1: i128 = shl nsw v0, 127:i128 v2: i32 = trunc v1 return v2"),
        CheckKind::SignedOverflow,
        "",
    );
    returns(
        &f("v0: x87 = sitofp 7:i32 v1: x87 = fmul v0, v0 v2: ptr = alloca 16 x 1:i64 align 16 store v2, v1 align 16 \
            v3: x87 = load v2 align 16 v4: i32 = fptosi v3 return v4"),
        "49",
    );
    returns(
        &f(
            "v0: i128 = zext -1:i64 switch v0 [18446744073709551615:i128 => b1] default b2 b1: return 1:i32 b2: return 2:i32",
        ),
        "1",
    );
}

#[test]
fn definedness() {
    fails(
        &f("v0: i32 var0 = uninit v1: i1 = icmp eq v0, 0:i32 branch v1, b1, b1 b1: return 0:i32"),
        CheckKind::UninitRead,
        "`x`",
    );
    returns(
        &f("v0: i32 = uninit v1: i32 = and v0, 0:i32 v2: i1 = icmp eq v1, 0:i32 branch v2, b1, b1 b1: return 3:i32"),
        "3",
    );
    returns(
        &f("v0: i32 = uninit v1: i32 = or v0, 1:i32 v2: i1 = icmp ne v1, 0:i32 branch v2, b1, b1 b1: return 3:i32"),
        "3",
    );
    fails(&f("v0: i32 = uninit switch v0 [1:i32 => b1] default b1 b1: return 0:i32"), CheckKind::UninitRead, "switch");
    fails(&f("v0: ptr = uninit v1: i32 = load v0 align 4 return v1"), CheckKind::UninitRead, "address");
    fails(&f("v0: i1 = uninit v1: i32 = select v0, 1:i32, 2:i32 return v1"), CheckKind::UninitRead, "condition");
    // Memory: a fresh alloca is undefined byte by byte; copying it is no error, padding survives a copy.
    let copy = "v0: ptr = alloca 8 x 1:i64 align 8 v1: ptr = alloca 8 x 1:i64 align 8 store v0, 5:i32 align 4 \
        memcpy v1, v0, 8:i64";
    returns(
        &f(&format!(
            "{copy} v2: i64 = load v1 align 8 v3: i32 = trunc v2 v4: i1 = icmp eq v3, 5:i32 branch v4, b1, b1 b1: return v3"
        )),
        "5",
    );
    fails(
        &f(&format!("{copy} v2: i64 = load v1 align 8 v3: i1 = icmp eq v2, 5:i64 branch v3, b1, b1 b1: return 0:i32")),
        CheckKind::UninitRead,
        "",
    );
    // Frozen: arbitrary, but defined.
    returns(
        &f("v0: i32 = uninit v1: i32 = freeze v0 v2: i1 = icmp eq v1, 0:i32 branch v2, b1, b1 b1: return 4:i32"),
        "4",
    );
    // A partially defined value stored whole stays partially defined.
    returns(
        &f("v0: ptr = alloca 4 x 1:i64 align 4 v1: i32 = uninit v2: i32 = and v1, -256:i32 v3: i32 = or v2, 7:i32 \
            store v0, v3 align 4 v4: i8 = load v0 align 1 v5: i1 = icmp eq v4, 7:i8 branch v5, b1, b1 b1: return 7:i32"),
        "7",
    );
}

#[test]
fn memory_checks() {
    let a = "v0: ptr var0 = alloca 4 x 3:i64 align 4";
    returns(
        &f(&format!(
            "{a} v1: ptr = addr v0 index(2:i64 x 4) store v1, 9:i32 align 4 v2: i32 = load v1 align 4 return v2"
        )),
        "9",
    );
    fails(
        &f(&format!("{a} v1: ptr = addr v0 index(3:i64 x 4) store v1, 9:i32 align 4 return 0:i32")),
        CheckKind::OutOfBoundsWrite,
        "0 bytes past the end of `x` (12 bytes)",
    );
    fails(
        &f(&format!("{a} v1: ptr = addr v0 index(-1:i32 x 1) v2: i8 = load v1 align 1 return 0:i32")),
        CheckKind::OutOfBoundsRead,
        "before the start",
    );
    fails(&f("v0: i32 = load null align 4 return v0"), CheckKind::NullDeref, "null");
    fails(&f("v0: ptr = addr null field(? 0 100000) v1: i32 = load v0 align 4 return v1"), CheckKind::NullDeref, "");
    fails(&f("v0: ptr = inttoptr 77777:i64 v1: i32 = load v0 align 4 return v1"), CheckKind::InvalidDeref, "");
    fails(&f("v0: i32 = load @f align 4 return v0"), CheckKind::InvalidDeref, "function `f`");
    fails(
        &f(&format!(
            "{a} lifetime.start v0 store v0, 1:i32 align 4 lifetime.end v0 v1: i32 = load v0 align 4 return v1"
        )),
        CheckKind::UseAfterScope,
        "`x`",
    );
    // From an integer back to a pointer: the address decides.
    returns(
        &f(&format!(
            "{a} store v0, 6:i32 align 4 v1: i64 = ptrtoint v0 v2: i64 = xor v1, 1:i64 v3: i64 = xor v2, 1:i64 v4: ptr = inttoptr v3 v5: i32 = load v4 align 4 return v5"
        )),
        "6",
    );
    let g = "global0 \"g\" source \"g\" E constant size 4 align 4 init { 0 bytes \"*\\0\\0\\0\" }";
    returns(&(g.to_string() + &f("v0: i32 = load @g align 4 return v0")), "42");
    fails(&(g.to_string() + &f("store @g, 1:i32 align 4 return 0:i32")), CheckKind::ReadOnlyWrite, "`g`");
    let over = format!("{a} memset v0, 0:i8, 12:i64 v1: ptr = addr v0 index(1:i64 x 4)");
    fails(&f(&format!("{over} memcpy v1, v0, 8:i64 return 0:i32")), CheckKind::InvalidArgument, "overlap");
    returns(&f(&format!("{over} memmove v1, v0, 8:i64 memcpy v0, v0, 8:i64 return 1:i32")), "1");
    returns(&f("memcpy null, null, 0:i64 return 1:i32"), "1");
    // A pointer to a dead frame.
    let dead = "func1 \"h\" I () -> (ptr) { b0: v0: ptr = alloca 4 x 1:i64 align 4 store v0, 1:i32 align 4 return v0 }";
    fails(&(f("v0: ptr = call @h() v1: i32 = load v0 align 4 return v1") + dead), CheckKind::UseAfterScope, "");
}

#[test]
fn control_flow() {
    // Parameters of a block are a parallel assignment: a swap, three times.
    returns(
        &f("jump b1(1:i32, 2:i32, 0:i32) b1(v0: i32, v1: i32, v2: i32): v3: i32 = add v2, 1:i32 \
            v4: i1 = icmp ult v2, 3:i32 branch v4, b1(v1, v0, v3), b2 b2: return v0"),
        "2",
    );
    returns(&f("switch 5:i32 [5:i32 => b1, 700:i32 => b2] default b2 b1: return 1:i32 b2: return 2:i32"), "1");
    returns(&f("indirectjump blockaddr(func0 b2) [b1, b2] b1: return 1:i32 b2: return 2:i32"), "2");
    fails(
        &f("indirectjump blockaddr(func0 b3) [b1, b2] b1: return 1:i32 b2: return 2:i32 b3: return 3:i32"),
        CheckKind::InvalidCall,
        "goto",
    );
    fails(&f("unreachable"), CheckKind::Unreachable, "");
    unmodelled(&f("unmodelled \"magic\" return 1:i32"), "magic");
}

#[test]
fn calls() {
    let g = "func1 \"g\" E (i32) -> (i32) { b0(v0: i32): v1: i32 = add v0, 1:i32 return v1 }";
    returns(&(f("v0: i32 = call @g(i32 4:i32) return v0") + g), "5");
    let through = "v0: ptr = alloca 8 x 1:i64 align 8 store v0, @g align 8 v1: ptr = load v0 align 8";
    returns(&(f(&format!("{through} v2: i32 = call v1(i32 4:i32) return v2")) + g), "5");
    fails(&(f(&format!("{through} v2: i32 = call v1() return v2")) + g), CheckKind::InvalidCall, "takes 1");
    fails(
        &(f(&format!("{through} v2: i32 = call v1(f32 0:f32) return v2")) + g).replace("0:f32", "0x0:f32"),
        CheckKind::InvalidCall,
        "another type",
    );
    fails(
        &f("v0: ptr = alloca 4 x 1:i64 align 4 v1: i32 = call v0() return v1"),
        CheckKind::InvalidCall,
        "not a function",
    );
    fails(&f("v0: i32 = call null() return v0"), CheckKind::NullDeref, "call");
    // Another integer type: the low bits arrive, what is above them is undefined.
    let long = "func1 \"g\" E (i64) -> (i64) { b0(v0: i64): v1: i64 = and v0, 255:i64 return v1 }";
    returns(&(f(&format!("{through} v2: i32 = call v1(i32 260:i32) return v2")) + long), "4");
    let whole = long.replace("255:i64", "-1:i64");
    fails(
        &(f(&format!(
            "{through} v2: i64 = call v1(i32 260:i32) v3: i1 = icmp eq v2, 260:i64 branch v3, b1, b1 b1: return 1:i32"
        )) + &whole),
        CheckKind::UninitRead,
        "",
    );
    // By value: the callee has its own copy.
    let byval = "func1 \"g\" E (ptr byval(8 8)) -> (i32) { b0(v0: ptr): store v0, 9:i32 align 4 v1: i32 = load v0 align 4 return v1 }";
    returns(
        &(f(
            "v0: ptr = alloca 8 x 1:i64 align 8 store v0, 1:i32 align 4 v1: i32 = call @g(ptr v0 byval(8 8)) v2: i32 = load v0 align 4 \
             v3: i32 = add v1, v2 return v3",
        ) + byval),
        "10",
    );
    // A variadic function that reads through the overflow area, and past its end.
    let va = |off: u32| {
        format!(
            "func1 \"g\" E (i32, ...) -> (i32) {{ b0(v0: i32): v1: ptr = alloca 24 x 1:i64 align 8 va.start v1 \
         v2: ptr = addr v1 field(? 2 8) v3: ptr = load v2 align 8 v4: ptr = addr v3 field(? 0 {off}) v5: i32 = load v4 align 4 return v5 }}"
        )
    };
    let call = "v0: i32 = call @g(i32 2:i32, i64 7:i64, i32 8:i32) fixed 1 return v0";
    returns(&(f(call) + &va(8)), "8");
    fails(&(f(call) + &va(16)), CheckKind::OutOfBoundsRead, "last variadic argument");
}

#[test]
fn jumps_over_frames() {
    let p = "func1 \"setjmp\" E (ptr) -> (i32) func2 \"longjmp\" E (ptr, i32) -> () noreturn \
        global0 \"b\" source \"b\" E size 200 align 16 init { }";
    let g = "func3 \"g\" E () -> () { b0: call @longjmp(ptr @b, i32 5:i32) noreturn unreachable }";
    returns(
        &(f(
            "v0: i32 = call @setjmp(ptr @b) v1: i1 = icmp eq v0, 0:i32 branch v1, b1, b2 b1: call @g() return 1:i32 b2: return v0",
        ) + p
            + g),
        "5",
    );
    let h = "func3 \"g\" E () -> () { b0: v0: i32 = call @setjmp(ptr @b) return }";
    fails(
        &(f("call @g() call @longjmp(ptr @b, i32 1:i32) return 1:i32") + p + h),
        CheckKind::UseAfterScope,
        "returned",
    );
}

const NODE: &str = "func0 \"f\" E (ptr) -> (i32) ctype type9 { var0 \"p\" type5 param 1
    b0(v0: ptr var0): v1: ptr = addr v0 field(type4 1 8) v2: ptr = load v1 align 8 !1 v3: i32 = load v2 align 4 !2 return v3 }";

#[test]
fn inputs_by_type() {
    // Natural inputs are fresh objects: p->next points to another node whose value is 0.
    returns(NODE, "0");
    // Null parameters and null members.
    let answers = |first: u64, second: u64| {
        let mut n = 0;
        let mut script = |q: &Question<'_>| {
            Ok(match q {
                Question::Pointer { .. } => {
                    n += 1;
                    if n == 1 { first } else { second }
                }
                q => q.natural(),
            })
        };
        run_with(NODE, &Config::default(), &mut script).end
    };
    let kind = |e: End| e.failure().map(|f| (f.kind, f.message.clone()));
    let (k, m) = kind(answers(0, 1)).unwrap();
    assert_eq!(k, CheckKind::NullDeref);
    assert!(m.contains("p->next"), "{m}");
    assert_eq!(kind(answers(1, 0)).unwrap().0, CheckKind::NullDeref);
    // An alias of the first node: its own value.
    assert_eq!(answers(1, 2), End::Returned(vec!["0".into()]));
    // Paths and types of the questions.
    let mut seen = Vec::new();
    let mut script = |q: &Question<'_>| {
        if let Question::Pointer { path, .. } | Question::Scalar { path, .. } = q {
            seen.push(path.to_string());
        }
        Ok(q.natural())
    };
    run_with(NODE, &Config::default(), &mut script);
    assert_eq!(seen, ["p", "p->next", "p->next->value"]);
}

#[test]
fn recordings_replay() {
    let p = program(NODE);
    let func = named(&p, "f");
    for seed in 0..50 {
        let mut recorder = Recorder::new(Seeded::new(seed));
        let first = Interp::new(&p, &Config::default()).run_function(func, &mut recorder, None);
        let recording = recorder.into_recording();
        let bytes = postcard::to_stdvec(&recording).unwrap();
        let recording: Recording = postcard::from_bytes(&bytes).unwrap();
        let mut replay = Replay::new(&recording);
        let again = Interp::new(&p, &Config::default()).run_function(func, &mut replay, None);
        assert_eq!(first, again, "seed {seed}");
        assert_eq!(replay.used(), recording.0.len());
        let short = Recording(recording.0[..recording.0.len() - 1].to_vec());
        let cut = Interp::new(&p, &Config::default()).run_function(func, &mut Replay::new(&short), None);
        assert_eq!(cut.end, End::Stopped(Stop::Script(ScriptStop::Ended)));
    }
}

#[test]
fn unknown_code() {
    let items = f(
        "v0: ptr = alloca 4 x 1:i64 align 4 store v0, 1:i32 align 4 v1: i32 = call @ext(ptr v0) v2: i32 = load v0 align 4 \
        v3: i32 = add v1, v2 return v3",
    ) + "func1 \"ext\" E (ptr) -> (i32)";
    let stopped = run_with(&items, &Config::default(), &mut Natural);
    assert!(matches!(stopped.end, End::Stopped(Stop::External { ref name, .. }) if name == "ext"));
    let config = Config { externals: ExternalPolicy::Havoc, ..Config::default() };
    let mut script = |q: &Question<'_>| Ok(if let Question::Scalar { .. } = q { 20 } else { q.natural() });
    let o = run_with(&items, &config, &mut script);
    assert_eq!((o.end, o.externals), (End::Returned(vec!["40".into()]), vec!["ext".to_string()]));
    let undefined = f("v0: i32 = uninit v1: i32 = call @ext(i32 v0) return v1") + "func1 \"ext\" E (i32) -> (i32)";
    let o = run_with(&undefined, &config, &mut Natural);
    assert_eq!(o.end.failure().map(|f| f.kind), Some(CheckKind::UninitRead));
}

#[test]
fn function_pointers_from_outside() {
    let items = "func0 \"f\" E (ptr) -> (i32) { var0 \"p\" type7 param 1 b0(v0: ptr var0): v1: i32 = call v0(i32 3:i32) return v1 }
        func1 \"g\" I (i32) -> (i32) ctype type6 { b0(v0: i32): v1: i32 = mul v0, v0 return v1 }
        global0 \"t\" source \"t\" E size 8 align 8 init { 0 address @g 0 size 8 }";
    let mut script = |q: &Question<'_>| match q {
        Question::Function { candidates, .. } => {
            assert_eq!(candidates.len(), 1);
            Ok(2)
        }
        q => Ok(q.natural()),
    };
    assert_eq!(run_with(items, &Config::default(), &mut script).end, End::Returned(vec!["9".into()]));
    assert!(matches!(run(items), End::Failed(f) if f.kind == CheckKind::NullDeref));
}

const HEAP: &str = "func1 \"__verify_alloc\" E (i64, i64, i32) -> (ptr) func2 \"__verify_free\" E (ptr, i32) -> ()
    func3 \"__verify_object_size\" E (ptr) -> (i64) global0 \"keep\" source \"keep\" E size 8 align 8 init { }
    global1 \"__verify_weak_list\" source \"\" E size 8 align 8 init { }";

#[test]
fn heap() {
    let h =
        |body: &str| f(&format!("v0: ptr = call @__verify_alloc(i64 8:i64, i64 16:i64, i32 1:i32) !1 {body}")) + HEAP;
    returns(
        &h(
            "v1: i64 = call @__verify_object_size(ptr v0) call @__verify_free(ptr v0, i32 1:i32) v2: i32 = trunc v1 return v2",
        ),
        "8",
    );
    let free = "call @__verify_free(ptr v0, i32 1:i32)";
    fails(&h(&format!("{free} v1: i32 = load v0 align 4 return v1")), CheckKind::UseAfterFree, "freed");
    fails(&h(&format!("{free} {free} return 0:i32")), CheckKind::DoubleFree, "");
    fails(
        &h("v1: ptr = addr v0 field(? 0 4) call @__verify_free(ptr v1, i32 1:i32) return 0:i32"),
        CheckKind::InvalidFree,
        "4 bytes into",
    );
    fails(&h("call @__verify_free(ptr v0, i32 2:i32) return 0:i32"), CheckKind::InvalidFree, "`operator delete`");
    fails(&h("call @__verify_free(ptr @keep, i32 1:i32) return 0:i32"), CheckKind::InvalidFree, "not on the heap");
    fails(
        &h("v1: i32 = load v0 align 4 v2: i1 = icmp eq v1, 0:i32 branch v2, b1, b1 b1: return 0:i32"),
        CheckKind::UninitRead,
        "",
    );
    let config = Config { leaks_at_return: true, ..Config::default() };
    let leak = |body: &str| run_with(&h(body), &config, &mut Natural).end;
    assert!(matches!(leak("return 0:i32"), End::Failed(f) if f.kind == CheckKind::Leak && f.span.0 == 1));
    assert!(matches!(leak("store @keep, v0 align 8 return 0:i32"), End::Returned(_)));
    assert!(matches!(leak("v1: ptr = addr v0 field(? 0 3) store @keep, v1 align 8 return 0:i32"), End::Returned(_)));
    assert!(
        matches!(leak("store @__verify_weak_list, v0 align 8 return 0:i32"), End::Failed(f) if f.kind == CheckKind::Leak)
    );
    assert!(matches!(leak(&format!("{free} return 0:i32")), End::Returned(_)));
    // Lost with the object that held it.
    let two = "v1: ptr = call @__verify_alloc(i64 8:i64, i64 16:i64, i32 1:i32) !2 store v0, v1 align 8";
    assert!(matches!(leak(&format!("{two} store @keep, v0 align 8 return 0:i32")), End::Returned(_)));
    assert!(matches!(leak(&format!("{two} {free} return 0:i32")), End::Failed(f) if f.span.0 == 2));
}

#[test]
fn budgets() {
    let endless = f("jump b1 b1: jump b1");
    let o = run_with(&endless, &Config { max_steps: 1000, ..Config::default() }, &mut Natural);
    assert_eq!((o.end, o.steps <= 1010), (End::Stopped(Stop::Steps), true));
    let deep = f("v0: i32 = call @f() return v0");
    assert_eq!(
        run_with(&deep, &Config { max_depth: 500, ..Config::default() }, &mut Natural).end,
        End::Stopped(Stop::CallDepth)
    );
    let big = f("v0: ptr = alloca 1 x 100000000:i64 align 1 return 0:i32");
    assert_eq!(
        run_with(&big, &Config { max_memory: 1 << 20, ..Config::default() }, &mut Natural).end,
        End::Stopped(Stop::Memory)
    );
    // Stack objects of finished calls do not pile up, not even in a 32-bit address space (1.8 GB of addresses).
    let many = f(
        "jump b1(0:i32) b1(v0: i32): call @g() v1: i32 = add v0, 1:i32 v2: i1 = icmp ult v1, 200000:i32 branch v2, b1(v1), b2 b2: return v1",
    ) + "func1 \"g\" E () -> () { b0: v0: ptr = alloca 4 x 1:i64 align 4 store v0, 1:i32 align 4 return }";
    let o = run_with(&many, &Config { max_memory: 1 << 16, ..Config::default() }, &mut Natural);
    assert_eq!(o.end, End::Returned(vec!["200000".into()]));
    let narrow = many.replace("alloca 4 x 1:i64", "alloca 65536 x 1:i64");
    let mut module = program(&narrow).module().clone();
    module.target.pointer_bits = 32;
    let p = Program::new(Arc::new(module));
    let o = Interp::new(&p, &Config::default()).run_function(named(&p, "f"), &mut Natural, None);
    assert_eq!(o.end, End::Returned(vec!["200000".into()]));
}

#[test]
fn lifetimes_in_loops() {
    // Each round has a new variable; ten thousand other objects come and go in between.
    let items = f("v0: ptr = alloca 4 x 1:i64 align 4 jump b1(0:i32) b1(v1: i32): lifetime.start v0 store v0, v1 align 4
        jump b2(0:i32) b2(v2: i32): call @g() v3: i32 = add v2, 1:i32 v4: i1 = icmp ult v3, 10000:i32 branch v4, b2(v3), b3
        b3: v5: i32 = load v0 align 4 lifetime.end v0 jump b4(0:i32) b4(v6: i32): call @g() v7: i32 = add v6, 1:i32
        v8: i1 = icmp ult v7, 10000:i32 branch v8, b4(v7), b5 b5: v9: i32 = add v1, 1:i32 v10: i1 = icmp ult v9, 3:i32
        branch v10, b1(v9), b6 b6: return v5")
        + "func1 \"g\" E () -> () { b0: v0: ptr = alloca 4 x 1:i64 align 4 store v0, 1:i32 align 4 return }";
    returns(&items, "2");
    // A pointer kept from the last round, however long ago that was.
    let kept = items.replace(
        "b3: v5: i32 = load v0 align 4",
        "b3: v11: ptr = load @p align 8 store @p, v0 align 8 v12: i32 = load v11 align 4 v5: i32 = load v0 align 4",
    ) + "global0 \"p\" source \"p\" E size 8 align 8 init { 0 address @q 0 size 8 } global1 \"q\" source \"q\" E size 4 align 4 init { }";
    fails(&kept, CheckKind::UseAfterScope, "");
}

#[test]
fn coverage_and_trace() {
    let items =
        f("v0: i1 = icmp eq 1:i32, 1:i32 debug var0 = v0 branch v0, b1, b2 !1 b1: return 1:i32 b2: return 2:i32");
    let p = program(&items);
    let config = Config { coverage: true, trace: 10, ..Config::default() };
    let o = Interp::new(&p, &config).run_function(named(&p, "f"), &mut Natural, None);
    let edges: Vec<_> = o.coverage.unwrap().iter().map(|e| p.edge(e).unwrap()).collect();
    assert_eq!(edges.len(), 2);
    assert_eq!((edges[0].from, edges[1].index, edges[1].to.0), (None, 0, 1));
    assert_eq!(p.edges_of(named(&p, "f")), 0..3);
    let kinds: Vec<_> = o.trace.iter().map(|e| e.kind.clone()).collect();
    assert_eq!(kinds[0], TraceKind::Assign { var: "x".into(), value: "1".into() });
    assert_eq!(kinds[1], TraceKind::Branch { taken: true });
    assert_eq!(kinds[2], TraceKind::Return { value: Some("1".into()) });
}

#[test]
fn failures_tell_their_stack() {
    let items = "func0 \"f\" E (i32) -> (i32) { var0 \"n\" type1 param 1 b0(v0: i32 var0): debug var0 = v0 v1: i32 = call @g(i32 v0) !1 return v1 }
        func1 \"g\" E (i32) -> (i32) { var0 \"m\" type1 param 1 b0(v0: i32 var0): debug var0 = v0 v1: i32 = sdiv 1:i32, v0 !2 return v1 }";
    let End::Failed(failure) = run(items) else { panic!() };
    let stack: Vec<_> = failure.stack.iter().map(|s| (s.func.0, s.span.0)).collect();
    assert_eq!(stack, [(1, 2), (0, 1)]);
    assert_eq!((failure.span.0, failure.loc.inst), (2, 1));
    let values: Vec<_> = failure.values.iter().map(|v| format!("{}={}", v.name, v.value)).collect();
    assert_eq!(values, ["m=0", "n=0"]);
}

#[test]
fn inline_assembly() {
    returns(&f("asm \"\" \"~{memory}\" () memory sideeffects return 5:i32"), "5");
    returns(&f("asm \"rep; nop # wait\" \"\" () sideeffects return 5:i32"), "5");
    unmodelled(&f("v0: i32 = asm \"\" \"=r\" () sideeffects return v0"), "does not set");
    let place = "v0: ptr = alloca 4 x 1:i64 align 4 store v0, 7:i32 align 4";
    let load = "v1: i32 = load v0 align 4 return v1";
    unmodelled(&f(&format!("{place} asm \"\" \"=*imr\" (v0) written(v0 4) {load}")), "does not set");
    unmodelled(&f("v0: i32 = asm \"neg $0\" \"=r,0\" (5:i32) return v0"), "neg $0");
}

/// What the input contract says of memory that is handed in, handed out and released.
#[test]
fn contract_of_memory() {
    let free = "func1 \"__verify_free\" E (ptr, i32) -> ()";
    let once = "b0(v0: ptr var0): call @__verify_free(ptr v0, i32 1:i32)";
    let head = "func0 \"f\" E (ptr) -> (i32) ctype type9 { var0 \"p\" type5 param 1";
    // What a function releases came from the allocator that fits: once, and from its start.
    returns(&format!("{head} {once} return 1:i32 }} {free}"), "1");
    fails(
        &format!("{head} {once} call @__verify_free(ptr v0, i32 1:i32) return 1:i32 }} {free}"),
        CheckKind::DoubleFree,
        "",
    );
    fails(&format!("{head} {once} v1: i32 = load v0 align 4 return v1 }} {free}"), CheckKind::UseAfterFree, "freed");
    let inside = "b0(v0: ptr var0): v1: ptr = addr v0 field(? 0 8) call @__verify_free(ptr v1, i32 1:i32) return 1:i32";
    fails(&format!("{head} {inside} }} {free}"), CheckKind::InvalidFree, "");
    // Unknown code that is asked for memory returns that much.
    let config = Config { externals: ExternalPolicy::Havoc, max_steps: 1000, ..Config::default() };
    let hook = |args: &str, types: &str, at: u32| {
        let items = f(&format!(
            "v3: ptr = alloca 8 x 1:i64 align 8 store v3, @hook align 8 v2: ptr = load v3 align 8 v0: ptr = call v2({args}) v1: ptr = addr v0 field(? 0 {at}) store v1, 1:i32 align 4 return 1:i32"
        ));
        run_with(&(items + &format!("func1 \"hook\" E ({types}) -> (ptr)")), &config, &mut Natural).end
    };
    for (args, types, size) in [
        ("i64 40:i64", "i64", 40),
        ("ptr null, i32 5:i32, i32 8:i32", "ptr, i32, i32", 40),
        ("ptr null, ptr null, i64 8:i64, i64 40:i64", "ptr, ptr, i64, i64", 40),
    ] {
        assert_eq!(hook(args, types, size - 4), End::Returned(vec!["1".into()]), "{types}");
        let end = hook(args, types, size - 3);
        assert_eq!(end.failure().map(|f| f.kind), Some(CheckKind::OutOfBoundsWrite), "{types}");
    }
    // A caller that keeps the contract passes nothing that is dead.
    let g = "func2 \"g\" E (ptr) -> (i32) { b0(v0: ptr): v1: i32 = load v0 align 4 return v1 }";
    let caller = format!("{head} {once} v1: i32 = call @g(ptr v0) return v1 }} {free} {g}");
    let keeps = Config { contract_caller: true, ..Config::default() };
    assert_eq!(run_with(&caller, &keeps, &mut Natural).end, End::Exited(0));
    fails(&caller, CheckKind::UseAfterFree, "");
}
