//! One test per rule of the linker.

use verify_ir::link::{Archive, DiagnosticKind, LinkError, LinkOptions, Linked, link};
use verify_ir::{Const, InitData, InstKind, Linkage, Module, Operand, SymbolRef, Visibility, check, text};

const OBJECT: &str = "directory \"/d\" producer \"\" language \"C11\" flags \"\"";
const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A unit from the text form of its symbols. `E` stands for `unit0 external default`, `I` for internal, `W` weak.
fn unit(name: &str, items: &str) -> Module {
    let items = items
        .replace(" E ", " unit0 external default ")
        .replace(" I ", " unit0 internal default ")
        .replace(" W ", " unit0 weak default ")
        .replace(" C ", " unit0 common default ")
        .replace(" X ", " unit0 available_externally default ");
    let source = format!(
        "verify-ir {} target \"x86_64-pc-linux-gnu\" 64 little unit0 \"{name}\" {OBJECT}
         file0 \"<unknown>\" directory \"\" hash \"{NO_HASH}\" system
         file1 \"{name}\" directory \"/d\" hash \"{NO_HASH}\" file2 \"h.h\" directory \"/d\" hash \"{NO_HASH}\"
         span0 file0 0 0 span1 file1 1 1 span2 file2 2 1 at span1
         type0 void type1 base \"int\" signed 32
         type2 struct \"list\" size 16 align 8 {{ \"next\" type3 0 64, \"value\" type1 64 32 }} type3 pointer type2
         {items}",
        verify_ir::FORMAT_VERSION
    );
    let m = text::parse(&source).unwrap_or_else(|e| panic!("{name}: {e}\n{source}"));
    check::check(&m).unwrap_or_else(|p| panic!("{name}: {p:?}"));
    m
}

/// A function that returns a constant: tells definitions apart.
fn returns(id: usize, name: &str, linkage: &str, n: u32) -> String {
    format!("func{id} \"{name}\" {linkage} () -> (i32) !1 {{ b0: return {n}:i32 }}\n")
}

fn run(modules: Vec<Module>, options: &LinkOptions) -> Linked {
    let linked = link(modules.clone(), options).unwrap();
    check::check(&linked.module).unwrap_or_else(|p| panic!("{p:?}\n{}", text::print(&linked.module)));
    assert_eq!(linked, link(modules, options).unwrap(), "not deterministic");
    linked
}

fn program(modules: Vec<Module>) -> Linked {
    run(modules, &LinkOptions::default())
}

/// What the function of this name returns; `None` for a declaration.
fn value(m: &Module, s: SymbolRef) -> Option<u128> {
    let (SymbolRef::Func(f), _) = m.resolve(s) else { return None };
    match &m.func(f).body.as_ref()?.blocks[0].term {
        verify_ir::Terminator::Return(v) => match &v[0] {
            Operand::Const(Const::Int { value, .. }) => Some(*value),
            _ => None,
        },
        _ => None,
    }
}

fn named(m: &Module, name: &str) -> SymbolRef {
    let visible = |l| l != Linkage::Internal;
    let f = m.functions.iter().position(|f| f.name == name && visible(f.linkage));
    let g = m.globals.iter().position(|g| g.name == name && visible(g.linkage));
    let a = m.aliases.iter().position(|a| a.name == name && visible(a.linkage));
    match (f, g, a) {
        (Some(i), None, None) => SymbolRef::Func(verify_ir::FuncId::new(i)),
        (None, Some(i), None) => SymbolRef::Global(verify_ir::GlobalId::new(i)),
        (None, None, Some(i)) => SymbolRef::Alias(verify_ir::AliasId::new(i)),
        other => panic!("`{name}` is {other:?} in\n{}", text::print(m)),
    }
}

fn has(m: &Module, name: &str) -> bool {
    m.functions.iter().any(|f| f.name == name) || m.globals.iter().any(|g| g.name == name)
}

fn value_of(l: &Linked, name: &str) -> Option<u128> {
    value(&l.module, named(&l.module, name))
}

fn kinds(l: &Linked) -> Vec<DiagnosticKind> {
    l.diagnostics.iter().map(|d| d.kind).collect()
}

const DECLARES_F: &str = "func0 \"main\" E () -> (i32) { b0: v0: i32 = call @f() return v0 }
                          func1 \"f\" E () -> (i32)";

#[test]
fn declarations_become_the_definition() {
    let l = program(vec![unit("a.c", DECLARES_F), unit("b.c", &returns(0, "f", "E", 7))]);
    assert_eq!(l.module.functions.len(), 2);
    assert_eq!(value_of(&l, "f"), Some(7));
    assert!(l.diagnostics.is_empty());
    let InstKind::Call(c) = &l.module.functions[0].body.as_ref().unwrap().blocks[0].insts[0].kind else { panic!() };
    assert_eq!(c.callee, Operand::Const(Const::Symbol(named(&l.module, "f"))));
    assert_eq!(l.module.units.len(), 2);
}

#[test]
fn internal_symbols_never_clash() {
    let a = unit("a.c", &(returns(0, "f", "I", 1) + "func1 \"ga\" E () -> (ptr) { b0: return @f }"));
    let b = unit("b.c", &(returns(0, "f", "I", 2) + "func1 \"gb\" E () -> (ptr) { b0: return @f }"));
    let l = program(vec![a, b]);
    assert_eq!(l.module.functions.iter().filter(|f| f.name == "f" && f.linkage == Linkage::Internal).count(), 2);
    for (g, n) in [("ga", 1), ("gb", 2)] {
        let SymbolRef::Func(g) = named(&l.module, g) else { panic!() };
        let verify_ir::Terminator::Return(v) = &l.module.func(g).body.as_ref().unwrap().blocks[0].term else {
            panic!()
        };
        let Operand::Const(Const::Symbol(s)) = &v[0] else { panic!() };
        assert_eq!(value(&l.module, *s), Some(n));
    }
}

#[test]
fn strong_beats_weak_in_either_order_and_first_weak_wins() {
    let (w1, w2, s) = (returns(0, "f", "W", 1), returns(0, "f", "W", 2), returns(0, "f", "E", 3));
    let l = |parts: &[&String]| program(parts.iter().map(|p| unit("u.c", p)).collect());
    assert_eq!(value_of(&l(&[&w1, &s]), "f"), Some(3));
    assert_eq!(value_of(&l(&[&s, &w1]), "f"), Some(3));
    assert_eq!(value_of(&l(&[&w1, &w2]), "f"), Some(1));
    assert_eq!(value_of(&l(&[&w1, &returns(0, "f", "X", 9)]), "f"), Some(1));
    assert_eq!(
        value_of(
            &l(&[
                &(returns(0, "f", "X", 9)
                    + "global0 \"p\" source \"\" E size 8 align 8 init { 0 address @f 0 size 8 }"),
                &s
            ]),
            "f"
        ),
        Some(3)
    );
    assert!(l(&[&w1, &s]).diagnostics.is_empty());
}

#[test]
fn available_externally_stays_when_it_is_all_there_is() {
    let a = unit("a.c", &(returns(0, "f", "X", 9) + "func1 \"main\" E () -> (ptr) { b0: return @f }"));
    let l = program(vec![a.clone()]);
    assert_eq!(value_of(&l, "f"), Some(9));
    let models = vec![unit("f.c", &returns(0, "f", "E", 1))];
    assert_eq!(value_of(&run(vec![a], &LinkOptions { models, ..LinkOptions::default() }), "f"), Some(1));
    let unused = program(vec![unit("a.c", &returns(0, "f", "X", 9))]);
    assert!(!has(&unused.module, "f"));
}

#[test]
fn an_inline_definition_beside_another_one_is_not_silent() {
    let uses = "func1 \"main\" E () -> (ptr) { b0: return @f }";
    let a = unit("a.c", &(returns(0, "f", "X", 9) + uses));
    let notes = |l: Linked| l.module.unmodelled;
    let other = program(vec![a.clone(), unit("b.c", &returns(0, "f", "E", 1))]);
    assert!(matches!(named(&other.module, "f"), SymbolRef::Func(f) if other.module.has_other_inline(f)));
    assert_eq!(notes(other), ["inline definition of `f`: calls are of it or of the external one"]);
    // One text in a header, compiled twice.
    let header = |linkage: &str| returns(0, "f", linkage, 9).replace("!1", "!2");
    let both = vec![unit("a.c", &(header("X") + uses)), unit("b.c", &header("E"))];
    assert!(notes(program(both)).is_empty());
    assert!(notes(program(vec![a.clone()])).is_empty());
    let models = vec![unit("f.c", &returns(0, "f", "E", 1))];
    assert!(notes(run(vec![a], &LinkOptions { models, ..LinkOptions::default() })).is_empty());
}

#[test]
fn duplicate_definitions_are_reported_and_the_first_is_kept() {
    let l = program(vec![unit("a.c", &returns(0, "f", "E", 1)), unit("b.c", &returns(0, "f", "E", 2))]);
    assert_eq!(value_of(&l, "f"), Some(1));
    assert_eq!(kinds(&l), [DiagnosticKind::MultipleDefinition]);
    assert_eq!(l.diagnostics[0].to_string(), "multiple definition of `f`: a.c:1 and b.c:1; the first is used");
}

#[test]
fn commons_grow_and_yield_to_definitions() {
    let common = |size: u32, align: u32| format!("global0 \"x\" source \"x\" C size {size} align {align} init {{ }}");
    let strong = "global0 \"x\" source \"x\" E size 4 align 4 init { 0 bytes \"abcd\" }";
    let weak = "global0 \"x\" source \"x\" W size 4 align 4 init { 0 bytes \"weak\" }";
    let x = |parts: &[&str]| {
        let l = program(parts.iter().map(|p| unit("u.c", p)).collect());
        let SymbolRef::Global(g) = named(&l.module, "x") else { panic!() };
        (l.module.global(g).clone(), kinds(&l))
    };
    let (g, d) = x(&[&common(4, 16), &common(8, 8)]);
    assert_eq!((g.size, g.align, g.linkage, d.len()), (8, 16, Linkage::Common, 0));
    let (g, d) = x(&[&common(4, 4), strong]);
    assert_eq!((g.linkage, d.len()), (Linkage::External, 0));
    assert!(matches!(g.init.unwrap().pieces[0].data, InitData::Bytes(_)));
    let (g, _) = x(&[weak, &common(4, 4)]);
    assert_eq!(g.linkage, Linkage::Common);
    let (_, d) = x(&[&common(8, 4), strong]);
    assert_eq!(d, [DiagnosticKind::SizeMismatch]);
}

#[test]
fn comdat_keeps_the_first_group() {
    let f = |n: u32| {
        format!(
            "func0 \"f\" W () -> (i32) comdat \"f\" {{ b0: return {n}:i32 }}
             func1 \"init\" I () -> () {{ b0: return }} constructor 100 @init
             func2 \"s\" E () -> (i32) comdat \"f\" {{ b0: return {n}:i32 }}"
        )
    };
    let l = program(vec![unit("a.c", &f(1)), unit("b.c", &f(2))]);
    assert_eq!((value_of(&l, "f"), value_of(&l, "s")), (Some(1), Some(1)));
    assert!(l.diagnostics.is_empty(), "{:?}", l.diagnostics);
    assert_eq!(l.module.constructors.len(), 2);
}

#[test]
fn mismatches_are_reported() {
    let uses = "func0 \"main\" E () -> () { b0: v0: i32 = call @f(i32 1:i32) v1: i32 = load @x align 4 return }
                func1 \"f\" E (i32) -> (i32) global0 \"x\" source \"x\" E size 4 align 4 ctype type1";
    let other = "func0 \"f\" E (i64) -> (i32) { b0(v0: i64): return 1:i32 }
                 global0 \"x\" source \"x\" E size 8 align 8 ctype type3 init { }";
    let l = program(vec![unit("a.c", uses), unit("b.c", other)]);
    assert_eq!(kinds(&l), [DiagnosticKind::SignatureMismatch, DiagnosticKind::SizeMismatch]);
    assert!(l.diagnostics[0].detail.contains("(i64) -> (i32), elsewhere (i32) -> (i32)"), "{}", l.diagnostics[0]);
    // The call stays as it is.
    let InstKind::Call(c) = &l.module.functions[0].body.as_ref().unwrap().blocks[0].insts[0].kind else { panic!() };
    assert_eq!(c.params[0].ty, verify_ir::Ty::Int(32));

    let no_prototype = "func0 \"main\" E () -> () { b0: v0: i32 = call @f(i32 1:i32) return }
                        func1 \"f\" E (...) -> (i32) no_prototype";
    assert!(program(vec![unit("a.c", no_prototype), unit("b.c", &returns(0, "f", "E", 1))]).diagnostics.is_empty());
    let variable = "global0 \"f\" source \"f\" E size 4 align 4 init { }";
    let l = program(vec![unit("a.c", DECLARES_F), unit("b.c", variable)]);
    assert_eq!(kinds(&l), [DiagnosticKind::KindMismatch]);
    let thread = "global0 \"x\" source \"x\" E thread_local size 4 align 4 ctype type1 init { }";
    let plain = "global0 \"x\" source \"x\" E size 4 align 4 ctype type1";
    assert_eq!(kinds(&program(vec![unit("a.c", plain), unit("b.c", thread)])), [DiagnosticKind::ThreadLocalMismatch]);
    let float = "type4 base \"float\" float 32 global0 \"x\" source \"x\" E size 4 align 4 ctype type4 init { }";
    assert_eq!(kinds(&program(vec![unit("a.c", plain), unit("b.c", float)])), [DiagnosticKind::TypeMismatch]);
}

#[test]
fn fields_of_declared_variables_get_their_names() {
    let uses = "func0 \"main\" E () -> (ptr) { b0: v0: ptr = addr @x field(? 2 8) return v0 }
                global0 \"x\" source \"x\" E size 16 align 8";
    let defines = "global0 \"x\" source \"x\" E size 16 align 8 ctype type2 init { }";
    let l = program(vec![unit("a.c", uses), unit("b.c", defines)]);
    let InstKind::Addr { steps, .. } = &l.module.functions[0].body.as_ref().unwrap().blocks[0].insts[0].kind else {
        panic!()
    };
    let record = l.module.globals[0].ctype;
    // The layout of the compiler counts its own way; the field is the one at that offset.
    assert_eq!(steps, &[verify_ir::Step::Field { record, index: 1, offset: 8 }]);

    // Where the unit declares another layout, the middle of a field has no name.
    let l = program(vec![unit("a.c", &uses.replace("(? 2 8)", "(? 2 10)")), unit("b.c", defines)]);
    let InstKind::Addr { steps, .. } = &l.module.functions[0].body.as_ref().unwrap().blocks[0].insts[0].kind else {
        panic!()
    };
    assert_eq!(steps, &[verify_ir::Step::Field { record: None, index: 2, offset: 10 }]);
}

#[test]
fn aliases_keep_their_own_target() {
    let a = returns(0, "f", "W", 1)
        + "alias0 \"g\" external default unit0 @f 0 func1 \"main\" E () -> (ptr) { b0: return @f }";
    let l = program(vec![unit("a.c", &a), unit("b.c", &returns(0, "f", "E", 2))]);
    assert_eq!((value_of(&l, "f"), value_of(&l, "g")), (Some(2), Some(1)));
    let SymbolRef::Func(main) = named(&l.module, "main") else { panic!() };
    let verify_ir::Terminator::Return(v) = &l.module.func(main).body.as_ref().unwrap().blocks[0].term else { panic!() };
    assert_eq!(v[0], Operand::Const(Const::Symbol(named(&l.module, "f"))));
}

#[test]
fn an_alias_is_a_definition() {
    let a = returns(0, "impl", "I", 5) + "alias0 \"f\" external default unit0 @impl 0";
    let l = program(vec![unit("a.c", DECLARES_F), unit("b.c", &a)]);
    assert_eq!(value_of(&l, "f"), Some(5));
    assert!(!l.module.functions.iter().any(|f| f.name == "f"));
    let ifunc = "func0 \"pick\" I () -> (ptr) { b0: return null } alias0 \"f\" external default unit0 @pick 0 ifunc";
    let l = program(vec![unit("a.c", DECLARES_F), unit("b.c", ifunc)]);
    assert!(l.module.aliases[0].ifunc && l.diagnostics.is_empty());
}

#[test]
fn tables_of_labels_keep_their_function() {
    let f = |n: u32, linkage: &str| {
        format!(
            "func0 \"f\" {linkage} () -> (i32) {{ b0: jump b1 b1: return {n}:i32 }}
             global0 \"f.table\" source \"\" I size 8 align 8 init {{ 0 block func0 b1 size 8 }}"
        )
    };
    let l = program(vec![unit("a.c", &f(1, "W")), unit("b.c", &f(2, "E"))]);
    let owners: Vec<String> = l
        .module
        .globals
        .iter()
        .map(|g| {
            let InitData::BlockAddr { func, .. } = &g.init.as_ref().unwrap().pieces[0].data else { panic!() };
            format!("{:?}", l.module.func(*func).linkage)
        })
        .collect();
    assert_eq!(owners, ["Internal", "External"]);
}

#[test]
fn archive_members_come_when_needed() {
    let member = |f: &str, n: u32, more: &str| unit(&format!("{f}.c"), &(returns(0, f, "E", n) + more));
    // f needs g from an archive searched earlier; h is not needed; the second f neither.
    let calls_g = "func1 \"f2\" E () -> (ptr) { b0: return @g } func2 \"g\" E () -> (i32)";
    let archives = vec![
        Archive { name: "libg.a".into(), members: vec![member("g", 3, ""), member("h", 4, "")] },
        Archive { name: "libf.a".into(), members: vec![member("f", 1, calls_g), member("f", 2, "")] },
    ];
    let options = LinkOptions { archives, ..LinkOptions::default() };
    let l = run(vec![unit("main.c", DECLARES_F)], &options);
    assert_eq!((value_of(&l, "f"), value_of(&l, "g")), (Some(1), Some(3)));
    assert!(!has(&l.module, "h") && l.diagnostics.is_empty());
    let sources: Vec<&str> = l.module.units.iter().map(|u| u.source.as_str()).collect();
    assert_eq!(sources, ["main.c", "f.c", "g.c"]);
    // A weak reference and an unused declaration pull nothing; a root does.
    let weak = "func0 \"main\" E () -> (ptr) { b0: return @f } func1 \"f\" W () -> (i32) func2 \"h\" E () -> (i32)";
    assert_eq!(value_of(&run(vec![unit("main.c", weak)], &options), "f"), None);
    let rooted = LinkOptions { roots: vec!["h".into()], ..options };
    assert_eq!(value_of(&run(vec![unit("main.c", weak)], &rooted), "h"), Some(4));
}

#[test]
fn an_archive_definition_replaces_a_common() {
    let common = "global0 \"x\" source \"x\" C size 4 align 4 init { }";
    let strong = "global0 \"x\" source \"x\" E size 4 align 4 init { 0 bytes \"a\" }";
    let archives = vec![Archive { name: "libx.a".into(), members: vec![unit("x.c", strong)] }];
    let l = run(vec![unit("main.c", common)], &LinkOptions { archives, ..LinkOptions::default() });
    assert_eq!(l.module.globals[0].linkage, Linkage::External);
}

#[test]
fn models_fill_what_is_undefined_function_by_function() {
    let model = unit(
        "models/heap.c",
        "func0 \"calloc\" E () -> (ptr) { b0: v0: ptr = call @malloc() v1: ptr = call @helper() return v0 }
         func1 \"malloc\" E () -> (ptr) { b0: v0: ptr = load @heap align 8 return v0 }
         func2 \"helper\" I () -> (ptr) { b0: return null }
         func3 \"unused\" E () -> (ptr) { b0: v0: ptr = call @__verify_other() return v0 }
         func4 \"__verify_other\" E () -> (ptr)
         func5 \"setup\" I () -> () { b0: return } constructor 10 @setup
         global0 \"heap\" source \"heap\" I size 8 align 8 init { }
         macro \"INTERNAL\" \"1\" ? 1",
    );
    let other = unit("models/math.c", "func0 \"init\" I () -> () { b0: return } constructor 1 @init");
    let options = LinkOptions { models: vec![model, other], ..LinkOptions::default() };
    let main = "func0 \"main\" E () -> (ptr) { b0: v0: ptr = call @calloc() return v0 } func1 \"calloc\" E () -> (ptr)";
    let l = run(vec![unit("main.c", main)], &options);
    let names: Vec<&str> = l.module.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["main", "calloc", "malloc", "helper", "setup"]);
    assert!(has(&l.module, "heap") && l.module.macros.is_empty());
    assert_eq!((l.module.constructors.len(), l.module.units.len()), (1, 2));
    // The program's own malloc serves the model's calloc.
    let own = "func0 \"malloc\" E () -> (ptr) { b0: return null }";
    let l = run(vec![unit("main.c", main), unit("own.c", own)], &options);
    let names: Vec<&str> = l.module.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["main", "malloc", "calloc", "helper", "setup"]);
    assert!(!has(&l.module, "heap") && l.diagnostics.is_empty());
    // Nothing used, nothing taken; a weak use takes.
    let l = run(vec![unit("main.c", &returns(0, "main", "E", 0))], &options);
    assert_eq!((l.module.functions.len(), l.module.constructors.len()), (1, 0));
    let weak = main.replace("func1 \"calloc\" E", "func1 \"calloc\" W");
    assert!(has(&run(vec![unit("main.c", &weak)], &options).module, "malloc"));
    let rooted = LinkOptions { roots: vec!["malloc".into()], ..options };
    assert!(has(&run(vec![unit("main.c", &returns(0, "main", "E", 0))], &rooted).module, "malloc"));
}

#[test]
fn constructors_by_priority_then_link_order() {
    let c =
        |f: &str, p: u32| format!("func0 \"{f}\" I () -> () {{ b0: return }} constructor {p} @{f} destructor {p} @{f}");
    let l = program(vec![unit("a.c", &c("a", 65535)), unit("b.c", &c("b", 101)), unit("c.c", &c("c", 65535))]);
    let names =
        |list: &[verify_ir::Structor]| list.iter().map(|s| l.module.func(s.func).name.clone()).collect::<String>();
    assert_eq!(names(&l.module.constructors), "bac");
    assert_eq!(names(&l.module.destructors), "bac");
}

#[test]
fn visibility_is_the_most_constraining_and_weak_declarations_stay_weak() {
    let hidden = "func0 \"f\" unit0 external hidden () -> (i32) func1 \"g\" E () -> (ptr) { b0: return @f }";
    let l = program(vec![unit("a.c", hidden), unit("b.c", &returns(0, "f", "E", 1))]);
    let SymbolRef::Func(f) = named(&l.module, "f") else { panic!() };
    assert_eq!(l.module.func(f).visibility, Visibility::Hidden);
    let weak = "func0 \"f\" W () -> (i32)";
    let linkage = |parts: &[&str]| {
        let l = program(parts.iter().map(|p| unit("u.c", p)).collect());
        let SymbolRef::Func(f) = named(&l.module, "f") else { panic!() };
        l.module.func(f).linkage
    };
    assert_eq!(linkage(&[weak, weak]), Linkage::Weak);
    assert_eq!(linkage(&[weak, "func0 \"f\" E () -> (i32)"]), Linkage::External);
}

#[test]
fn unreferenced_declarations_can_go() {
    let a = unit("a.c", &(returns(0, "main", "E", 0) + "func1 \"f\" E () -> (i32)"));
    assert!(has(&program(vec![a.clone()]).module, "f"));
    let options = LinkOptions { strip_unreferenced_declarations: true, ..LinkOptions::default() };
    assert!(!has(&run(vec![a], &options).module, "f"));
    assert!(has(&run(vec![unit("a.c", DECLARES_F)], &options).module, "f"));
}

#[test]
fn tables_are_merged() {
    let l = program(vec![
        unit("a.c", &(returns(0, "f", "E", 1) + "macro \"M\" \"1\" file2 3")),
        unit("b.c", &(returns(0, "g", "E", 1) + "macro \"M\" \"1\" file2 3 type4 typedef \"L\" type2")),
    ]);
    let m = &l.module;
    let paths: Vec<&str> = m.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["<unknown>", "a.c", "h.h", "b.c"]);
    assert_eq!(m.ctypes.len(), 5, "{:?}", m.ctypes);
    assert_eq!(m.macros.len(), 1);
    assert_eq!(m.span(m.functions[1].span).file, verify_ir::FileId(3));
}

#[test]
fn one_target_only() {
    let mut b = unit("b.c", "");
    b.target.pointer_bits = 32;
    b.target.triple = "i386-pc-linux-gnu".into();
    let e = link(vec![unit("a.c", ""), b], &LinkOptions::default()).unwrap_err();
    assert!(matches!(e, LinkError::Target { .. }));
    assert!(e.to_string().contains("b.c is") || e.to_string().contains("and b.c for i386-pc-linux-gnu (32-bit"), "{e}");
}

#[test]
fn appending_arrays_are_concatenated() {
    let used = |f: &str| {
        format!(
            "func0 \"{f}\" I () -> () {{ b0: return }}
             global0 \"llvm.used\" source \"\" unit0 appending default size 8 align 8 init {{ 0 address @{f} 0 size 8 }}"
        )
    };
    let l = program(vec![unit("a.c", &used("f")), unit("b.c", &used("g"))]);
    let g = &l.module.globals[0];
    assert_eq!((l.module.globals.len(), g.size, g.init.as_ref().unwrap().pieces.len()), (1, 16, 2));
    assert!(l.diagnostics.is_empty());
}
