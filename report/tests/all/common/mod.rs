//! Scan results made by hand: programs are sources and checks, positions are found in the text.
#![allow(dead_code)]

use std::sync::Arc;
use verify_checks::{Check, Checks};
use verify_engine::result::*;
use verify_ir::*;

/// Place, function, depth, message, values.
pub type Step<'a> = (&'a str, &'a str, u32, &'a str, &'a [(&'a str, &'a str)]);

/// A program under construction.
pub struct Program {
    pub module: Module,
    checks: Vec<(Check, Verdict)>,
    name: String,
}

impl Program {
    /// A program of files (path relative to `/project/build`, text).
    pub fn new(name: &str, files: &[(&str, &str)]) -> Program {
        let mut module = Module::new(Target::default());
        for (path, text) in files {
            module.files.push(SourceFile {
                path: path.to_string(),
                directory: "/project/build".into(),
                hash: *blake3::hash(text.as_bytes()).as_bytes(),
                text: Some(Arc::from(*text)),
                system: false,
            });
        }
        module.units.push(UnitInfo {
            source: files[0].0.into(),
            directory: "/project/build".into(),
            ..UnitInfo::default()
        });
        Program { module, checks: Vec::new(), name: name.into() }
    }
    /// The span of a marker: `"file:needle"` is where `needle` first stands in that file.
    pub fn at(&mut self, place: &str) -> SpanId {
        let (path, needle) = place.split_once(':').unwrap();
        let file = self.module.files.iter().position(|f| f.path.ends_with(path)).unwrap();
        let text = self.module.files[file].text.clone().unwrap();
        let offset = text.find(needle).unwrap_or_else(|| panic!("{place}"));
        let line = text[..offset].matches('\n').count() as u32 + 1;
        let column = (offset - text[..offset].rfind('\n').map_or(0, |n| n + 1)) as u32 + 1;
        self.module.spans.push(Span { file: FileId::new(file), line, column, inlined_at: None });
        SpanId::new(self.module.spans.len() - 1)
    }
    /// The function of this name.
    pub fn func(&mut self, name: &str) -> FuncId {
        if let Some(f) = self.module.function_named(name) {
            return f;
        }
        self.module.functions.push(Function {
            name: name.into(),
            unit: UnitId(0),
            linkage: Linkage::External,
            visibility: Visibility::Default,
            comdat: None,
            sig: Signature::default(),
            attrs: FnAttrs::default(),
            ctype: None,
            span: SpanId(0),
            body: None,
        });
        FuncId::new(self.module.functions.len() - 1)
    }
    /// Adds a check.
    pub fn check(&mut self, kind: CheckKind, func: &str, place: &str, expr: &str, message: &str, verdict: Verdict) {
        let (func, span) = (self.func(func), self.at(place));
        let loc = Loc { block: Block(0), inst: self.checks.len() as u32 };
        let check = Check { kind, func, loc, span, expr: expr.into(), message: message.into() };
        self.checks.push((check, verdict));
    }
    /// Evidence at a place; steps are (place, function, depth, message, values).
    pub fn evidence(
        &mut self,
        call: &str,
        message: &str,
        place: &str,
        func: &str,
        steps: &[Step<'_>],
        notes: &[(&str, &str)],
    ) -> Box<Evidence> {
        let steps = steps
            .iter()
            .map(|(place, func, depth, message, values)| TraceStep {
                span: self.at(place),
                func: self.func(func),
                depth: *depth,
                message: message.to_string(),
                values: values.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect(),
                on_path: true,
            })
            .collect();
        let notes = notes.iter().map(|(place, text)| (self.at(place), text.to_string())).collect();
        Box::new(Evidence {
            entry: FuncId(0),
            call: call.into(),
            message: message.into(),
            span: self.at(place),
            func: self.func(func),
            on_input: false,
            steps,
            notes,
            condition: None,
            made_up: None,
            bodiless: Vec::new(),
            waypoints: Vec::new(),
            recording: vec![1, 2, 3],
            choices: Vec::new(),
        })
    }
    /// The result.
    pub fn done(mut self) -> ProgramResult {
        self.checks.sort_by_key(|(c, _)| (c.func, c.loc, c.kind));
        let (checks, verdicts): (Vec<Check>, Vec<Verdict>) = self.checks.into_iter().unzip();
        let lines = self.module.files.iter().filter_map(|f| f.text.as_ref()).map(|t| t.lines().count() as u64).sum();
        ProgramResult {
            name: self.name,
            kind: TargetKind::Executable,
            module: Arc::new(self.module),
            checks: Arc::new(Checks::from_vec(checks)),
            verdicts,
            externals: vec![],
            diagnostics: vec![],
            incomplete: false,
            stats: Stats { units: 2, lines, functions: 4, functions_reached: 3, runs: 120, steps: 4567 },
            history: Default::default(),
        }
    }
}

const LIST: &str = "\
/* lists: größe 😀 */ struct node { struct node *next; int value; };

struct node *push(struct node *rest, int value)
{
\tstruct node *p = make();
\tp->next = rest;
\tp->value = table[value + 1];
\treturn p;
}
";
const MAIN: &str = "\
#include \"list.h\"
int main(int argc, char **argv)
{
    char *buf = malloc(argc);
    for (int i = 0; i < argc; i++)
        buf[i] = 0;
    return use(push(0, argc)); /* \u{202e} */
}
";

/// Two programs that share a file; every verdict occurs.
pub fn scan() -> ScanResult {
    let files = [("../src/main.c", MAIN), ("../src/list å.c", LIST)];
    let mut app = Program::new("app", &files);
    let steps: &[Step<'_>] = &[
        ("main.c:int main", "main", 0, "start of main", &[("argc", "1")]),
        ("main.c:malloc", "main", 0, "allocation of 1 byte fails", &[("buf", "NULL")]),
        ("main.c:push", "main", 0, "call of push", &[]),
        ("å.c:make", "push", 1, "call of make", &[]),
        ("å.c:struct node *push", "make", 2, "allocation fails", &[]),
        ("å.c:p->next", "push", 1, "write through `p`", &[("p", "NULL"), ("rest", "NULL")]),
    ];
    let e = app.evidence(
        "main(argc = 1)",
        "write of 8 bytes at null",
        "å.c:next = rest",
        "push",
        steps,
        &[("å.c:make", "`p` becomes null here [1]")],
    );
    let title = "dereference of null pointer `p`";
    app.check(CheckKind::NullDeref, "push", "å.c:next = rest", "p->next", title, Verdict::Violated(e));
    let why = UnknownReason::NotProvedYet;
    let expr = "table[value + 1]";
    app.check(
        CheckKind::OutOfBoundsRead,
        "push",
        "å.c:table",
        expr,
        "read outside `table`",
        Verdict::Unknown(why.clone()),
    );
    app.check(
        CheckKind::SignedOverflow,
        "push",
        "å.c:+ 1",
        "value + 1",
        "signed overflow in `value + 1`",
        Verdict::Proved("intervals".into()),
    );
    app.check(CheckKind::OutOfBoundsWrite, "main", "main.c:buf[i]", "buf[i]", "", Verdict::Unreachable);
    let mut lib = Program::new("lib*.so", &files);
    let mut e = lib.evidence("push(rest = NULL, value = 41)", "index 42 of 8", "å.c:table", "push", &steps[3..4], &[]);
    e.condition = Some("value > 6".into());
    lib.check(CheckKind::OutOfBoundsRead, "push", "å.c:table", expr, "read outside `table`", Verdict::Latent(e));
    lib.check(CheckKind::NullDeref, "push", "å.c:next = rest", "p->next", title, Verdict::Unknown(why));
    let mut app = app.done();
    app.externals = vec!["use".into()];
    let mut lib = lib.done();
    lib.incomplete = true;
    lib.diagnostics = vec!["cannot read unit of src/odd.c: `x` of wrong version".into()];
    ScanResult {
        programs: vec![app, lib],
        assumptions: vec!["pointers given to the program are null or valid".into(), "no data races".into()],
        notes: vec![],
        suppressions: vec![],
    }
}
