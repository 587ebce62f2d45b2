//! The C text of a replay: tables for the shim, and for executions that start in a function a `main` that builds the
//! objects and makes the calls. The unit with the function is included, so that its types, its `static` functions and its
//! macros are at hand; no type is written by this module.

use super::world;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use verify_report::inputs::{Arg, Call, Input, Inputs, Place, Pointer, Start};

/// The tables of the shim.
pub fn tables(inputs: &Inputs) -> String {
    let mut lists: [BTreeMap<&str, Vec<i64>>; 3] = Default::default();
    let mut streams: BTreeMap<&str, String> = BTreeMap::new();
    for c in &inputs.choices {
        match c {
            Input::Fail(what, failed) => lists[0].entry(what).or_default().push(i64::from(*failed)),
            Input::Number(what, n) => lists[1].entry(what).or_default().push(*n as i64),
            Input::System(what, r) => lists[2].entry(what).or_default().push(*r),
            Input::Bytes(what, hex) => streams.entry(what).or_default().push_str(hex),
            _ => {}
        }
    }
    let mut out = String::from(
        "struct table { const char *what; const long long *values; unsigned long count, next; };\n\
         struct stream { const char *what; const unsigned char *bytes; unsigned long count, next; };\n",
    );
    let names = ["__verify_failures", "__verify_numbers", "__verify_system"];
    for (name, list) in names.into_iter().zip(&lists) {
        // The smallest number has no literal of its own.
        let texts = list.values().map(|v| v.iter().map(|v| format!("(long long){}ULL", *v as u64)).collect());
        table(&mut out, name, ["struct table", "long long"], list.keys().copied().zip(texts));
    }
    let texts = streams.values().map(|hex| {
        hex.as_bytes().chunks(2).map(|b| format!("0x{}", String::from_utf8_lossy(b))).collect::<Vec<String>>()
    });
    table(&mut out, "__verify_streams", ["struct stream", "unsigned char"], streams.keys().copied().zip(texts));
    out
}

/// An array of lists by name, and the lists, whose elements are given as C text.
fn table<'a>(
    out: &mut String,
    name: &str,
    [of, element]: [&str; 2],
    lists: impl Iterator<Item = (&'a str, Vec<String>)>,
) {
    let mut rows = String::new();
    for (i, (what, values)) in lists.enumerate() {
        let _ = writeln!(out, "static const {element} {name}_{i}[] = {{{}}};", values.join(", "));
        let _ = writeln!(rows, "    {{{what:?}, {name}_{i}, {}, 0}},", values.len());
    }
    let _ = writeln!(out, "{of} {name}[] = {{\n{rows}    {{0, 0, 0, 0}},\n}};");
}

/// Why a program cannot be told these inputs.
pub fn obstacle(inputs: &Inputs) -> Option<String> {
    if let Start::Calls(calls) = &inputs.start
        && let Some(c) = calls.iter().find(|c| !c.obstacle.is_empty())
    {
        return Some(c.obstacle.clone());
    }
    inputs.choices.iter().find_map(|c| match c {
        Input::Scalar { place: Place::External(name), .. }
        | Input::Pointer(Place::External(name), _)
        | Input::Function(Place::External(name), _) => {
            Some(format!("the execution leans on what `{name}` returns, whose code is not known"))
        }
        Input::Function(_, Some(name)) if name.is_empty() => Some("the execution calls unknown code".into()),
        Input::Number(what, _) | Input::Bytes(what, _) if !world::asks(what) => {
            Some(format!("what `{what}` gives cannot be chosen for a compiled program"))
        }
        Input::Fail(what, true) if !world::asks(what) => {
            Some(format!("`{what}` cannot be made to fail in a compiled program"))
        }
        Input::System(what, _) if !world::asks(what) => {
            Some(format!("the result of the system call `{what}` cannot be chosen for a compiled program"))
        }
        _ => None,
    })
}

/// The source that makes the calls, including the unit `source`.
pub fn calls(inputs: &Inputs, calls: &[Call], source: &Path) -> String {
    let mut b = Builder::default();
    b.read(inputs);
    let mut out = String::from("#define main verify_replaced_main\n");
    let _ = writeln!(out, "#include {:?}", source.display().to_string());
    out.push_str("#undef main\n");
    out.push_str(
        "void *__verify_input_memory(unsigned long);\n\
         static double verify_double(unsigned long long b) { double d; __builtin_memcpy(&d, &b, sizeof d); return d; }\n\
         static float verify_float(unsigned b) { float f; __builtin_memcpy(&f, &b, sizeof f); return f; }\n",
    );
    let n = b.objects.keys().next_back().map_or(0, |k| k + 1);
    let _ = writeln!(out, "static unsigned char *verify_object[{}];", n.max(1));
    out.push_str("int main(void)\n{\n    (void)verify_double; (void)verify_float;\n");
    for (o, size) in &b.objects {
        let _ = writeln!(out, "    verify_object[{o}] = __verify_input_memory({size}ULL);");
        let _ = writeln!(out, "    __builtin_memset(verify_object[{o}], 0, {size}ULL);");
    }
    for line in &b.cells {
        let _ = writeln!(out, "    {line}");
    }
    for (i, c) in calls.iter().enumerate() {
        let args: Vec<String> = c.args.iter().map(|a| b.argument(*a)).collect();
        let used = calls.iter().any(|c| c.args.contains(&Arg::Result(i as u32)));
        let call = format!("{}({})", c.function, args.join(", "));
        if used {
            let _ = writeln!(out, "    __auto_type verify_result{i} = {call};");
        } else {
            let _ = writeln!(out, "    (void){call};");
        }
    }
    out.push_str("    return 0;\n}\n");
    out
}

/// Objects and values by where they end up.
#[derive(Default)]
struct Builder {
    /// Bytes of each object.
    objects: BTreeMap<u32, u64>,
    cells: Vec<String>,
    params: BTreeMap<u32, String>,
}

impl Builder {
    fn read(&mut self, inputs: &Inputs) {
        let all = &inputs.choices;
        for (i, c) in all.iter().enumerate() {
            match c {
                Input::Object(o, n, size) => {
                    self.objects.insert(*o, n.saturating_mul(*size));
                }
                Input::Scalar { place, value, bits, part, float } => self.scalar(place, *value, *bits, *part, *float),
                Input::Pointer(place, to) => {
                    let object = match to {
                        Pointer::Null => None,
                        Pointer::Known(o) => Some(*o),
                        Pointer::New => all[i + 1..].iter().find_map(|c| match c {
                            Input::Object(o, ..) => Some(*o),
                            _ => None,
                        }),
                    };
                    let text = object.map_or_else(|| "(void *)0".into(), |o| format!("(void *)verify_object[{o}]"));
                    self.pointer(place, text);
                }
                Input::Function(place, f) => {
                    let text = f.clone().unwrap_or_else(|| "(void *)0".into());
                    self.pointer(place, text);
                }
                _ => {}
            }
        }
    }

    fn pointer(&mut self, place: &Place, text: String) {
        match place {
            Place::Param(p) => {
                self.params.insert(*p, text);
            }
            Place::Cell(o, at) => self.cells.push(format!("*(void **)(verify_object[{o}] + {at}) = (void *){text};")),
            Place::External(_) => {}
        }
    }

    fn scalar(&mut self, place: &Place, value: u64, bits: u32, part: u32, float: bool) {
        match place {
            Place::Param(p) if part == 0 => {
                let text = match (float, bits) {
                    (true, 64) => format!("verify_double({value}ULL)"),
                    (true, 32) => format!("verify_float({value}U)"),
                    _ => {
                        // The sign goes along, so that converting to the parameter's type keeps the bits.
                        let shift = 64 - bits.clamp(1, 64);
                        let signed = ((value << shift) as i64) >> shift;
                        if bits == 1 { value.to_string() } else { format!("(long long){}ULL", signed as u64) }
                    }
                };
                self.params.insert(*p, text);
            }
            Place::Cell(o, at) => {
                let at = at + 8 * u64::from(part);
                let bytes = u64::from(bits.div_ceil(8));
                self.cells.push(format!(
                    "{{ unsigned long long v = {value}ULL; __builtin_memcpy(verify_object[{o}] + {at}, &v, {bytes}); }}"
                ));
            }
            _ => {}
        }
    }

    fn argument(&self, a: Arg) -> String {
        let param = |p: u32| self.params.get(&p).cloned().unwrap_or_else(|| "0".into());
        match a {
            Arg::Free(p) => param(p),
            Arg::Result(r) => format!("verify_result{r}"),
            Arg::Pointee(p, bits) => match bits {
                0 => format!("*(void **)({})", param(p)),
                64 => format!("*(unsigned long long *)({})", param(p)),
                32 => format!("*(unsigned *)({})", param(p)),
                16 => format!("*(unsigned short *)({})", param(p)),
                _ => format!("*(unsigned char *)({})", param(p)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_gets_its_objects() {
        let place = |o, at| Place::Cell(o, at);
        let inputs = Inputs {
            start: Start::Calls(vec![]),
            choices: vec![
                Input::Pointer(Place::Param(0), Pointer::New),
                Input::Object(0, 1, 16),
                Input::Pointer(place(0, 8), Pointer::Known(0)),
                Input::Scalar { place: place(0, 0), value: 7, bits: 32, part: 0, float: false },
                Input::Scalar { place: Place::Param(1), value: 0xffff_ffff, bits: 32, part: 0, float: false },
            ],
        };
        let call = Call {
            function: "f".into(),
            file: "a.c".into(),
            args: vec![Arg::Free(0), Arg::Free(1)],
            obstacle: String::new(),
        };
        let text = calls(&inputs, &[call], Path::new("/x/a.c"));
        assert!(text.contains("#include \"/x/a.c\""), "{text}");
        assert!(text.contains("*(void **)(verify_object[0] + 8) = (void *)(void *)verify_object[0];"), "{text}");
        assert!(text.contains("(void)f((void *)verify_object[0], (long long)18446744073709551615ULL);"), "{text}");
    }

    #[test]
    fn every_source_of_bytes_has_its_own_stream() {
        let bytes = |what: &str, hex: &str| Input::Bytes(what.into(), hex.into());
        let choices = vec![bytes("accept", "0102"), bytes("read", "41"), bytes("accept", "03"), bytes("read", "42")];
        let text = tables(&Inputs { start: Start::Main(vec![]), choices });
        assert!(text.contains("__verify_streams_0[] = {0x01, 0x02, 0x03};"), "{text}");
        assert!(text.contains("__verify_streams_1[] = {0x41, 0x42};"), "{text}");
        assert!(text.contains("{\"read\", __verify_streams_1, 2, 0},"), "{text}");
    }

    #[test]
    fn what_cannot_be_fed_is_said() {
        let with = |c: Input| obstacle(&Inputs { start: Start::Main(vec![]), choices: vec![c] });
        assert_eq!(with(Input::Fail("malloc".into(), true)), None);
        assert_eq!(with(Input::Bytes("recvfrom".into(), "00".into())), None);
        assert!(with(Input::Fail("their_own".into(), true)).unwrap().contains("`their_own`"));
        assert!(with(Input::Bytes("their_own".into(), "00".into())).unwrap().contains("`their_own`"));
        assert!(with(Input::Function(Place::Param(0), Some(String::new()))).unwrap().contains("unknown code"));
    }
}
