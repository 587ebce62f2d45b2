//! `run-units UNIT... [--model UNIT...] [--function NAME] [--seed N] [--repeat N] [-- ARG...]`: links unit files and runs `main` (or
//! one function on scripted inputs) in the interpreter. Standard streams are real, the rest of the system is not there.
//! A tool for working on the interpreter; users have `verify run`.

use std::io::{Read, Write};
use std::sync::Arc;
use verify_interp::{Config, End, Host, Interp, Natural, Program, Seeded, Stat};

struct Streams;

impl Host for Streams {
    fn read(&mut self, fd: i32, n: u64) -> Result<Vec<u8>, i32> {
        let mut buf = vec![0; n.min(1 << 16) as usize];
        if fd != 0 {
            return Err(9);
        }
        let k = std::io::stdin().read(&mut buf).map_err(|_| 5)?;
        buf.truncate(k);
        Ok(buf)
    }
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<u64, i32> {
        match fd {
            1 => std::io::stdout().write_all(bytes).map_err(|_| 5)?,
            2 => std::io::stderr().write_all(bytes).map_err(|_| 5)?,
            _ => return Err(9),
        }
        Ok(bytes.len() as u64)
    }
    fn open(&mut self, _: &[u8], _: i32, _: i32) -> Result<i32, i32> {
        Err(2)
    }
    fn close(&mut self, _: i32) -> Result<(), i32> {
        Ok(())
    }
    fn lseek(&mut self, _: i32, _: i64, _: i32) -> Result<i64, i32> {
        Err(29)
    }
    fn unlink(&mut self, _: &[u8]) -> Result<(), i32> {
        Err(2)
    }
    fn rename(&mut self, _: &[u8], _: &[u8]) -> Result<(), i32> {
        Err(2)
    }
    fn stat(&mut self, _: Option<&[u8]>, fd: i32) -> Result<Stat, i32> {
        if (0..3).contains(&fd) { Ok(Stat { mode: 0o100_644, size: 0, mtime: 0 }) } else { Err(2) }
    }
    fn time(&mut self, _: i32) -> Result<i64, i32> {
        Ok(0)
    }
    fn getenv(&mut self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

fn main() {
    let (mut units, mut models, mut args) = (Vec::new(), Vec::new(), vec![b"program".to_vec()]);
    let (mut function, mut seed, mut model, mut repeat) = (None, None, false, 1u32);
    let mut config = Config { max_steps: 2_000_000_000, ..Config::default() };
    let mut it = std::env::args().skip(1);
    while let Some(a) = it.next() {
        match a.as_str() {
            "--model" => model = true,
            "--function" => function = it.next(),
            "--seed" => seed = it.next().and_then(|s| s.parse::<u64>().ok()),
            "--repeat" => repeat = it.next().and_then(|s| s.parse().ok()).unwrap_or(1),
            "--steps" => config.max_steps = it.next().and_then(|s| s.parse().ok()).unwrap_or(u64::MAX),
            "--leaks" => (config.leaks_at_exit, config.leaks_at_return) = (true, true),
            "--" => args.extend(it.by_ref().map(String::into_bytes)),
            p => {
                let bytes = std::fs::read(p).unwrap_or_else(|e| panic!("{p}: {e}"));
                let m = verify_ir::binary::decode(&bytes).unwrap_or_else(|e| panic!("{p}: {e}"));
                if model { models.push(m) } else { units.push(m) }
            }
        }
    }
    let roots = vec!["exit".to_string(), "environ".to_string()];
    let options = verify_ir::link::LinkOptions { models, roots, ..Default::default() };
    let linked = verify_ir::link::link(units, &options).unwrap_or_else(|e| panic!("{e}"));
    let program = Program::new(Arc::new(linked.module));
    let started = std::time::Instant::now();
    if let Some(f) = function.as_deref().and_then(|f| program.module().function_named(f)) {
        for k in 1..repeat {
            Interp::new(&program, &config).run_function(f, &mut Seeded::new(u64::from(k)), None);
        }
    }
    let interp = Interp::new(&program, &config);
    let outcome = match (function, seed) {
        (None, _) => interp.run_main(&args, &[], &mut Natural, Some(&mut Streams)),
        (Some(f), seed) => {
            let f = program.module().function_named(&f).unwrap_or_else(|| panic!("no function {f}"));
            match seed {
                None => interp.run_function(f, &mut Natural, None),
                Some(s) => interp.run_function(f, &mut Seeded::new(s), None),
            }
        }
    };
    let _ = std::io::stdout().flush();
    let t = started.elapsed();
    let rate = outcome.steps as f64 / t.as_secs_f64() / 1e6;
    eprintln!("[{} steps, {:.2} s, {rate:.0} M/s, peak {} bytes]", outcome.steps, t.as_secs_f64(), outcome.peak_memory);
    let module = program.module();
    let place = |s: verify_ir::SpanId| {
        let s = module.span(s);
        format!("{}:{}:{}", module.files[s.file.index()].path, s.line, s.column)
    };
    let code = match outcome.end {
        End::Exited(s) => s,
        End::Aborted => 134,
        End::Returned(v) => {
            eprintln!("returned {}", v.join(", "));
            0
        }
        End::Failed(f) => {
            eprintln!("ERROR: {} {}: {}", f.kind, place(f.user_frame().span), f.message);
            for frame in &f.stack {
                eprintln!("  in {} at {}", module.func(frame.func).name, place(frame.span));
            }
            for n in &f.notes {
                eprintln!("  {}: {}", place(n.span), n.text);
            }
            for v in &f.values {
                eprintln!("  {}: {} = {}", module.func(v.func).name, v.name, v.value);
            }
            125
        }
        End::Stopped(s) => {
            eprintln!("STOPPED: {s}");
            if let verify_interp::Stop::Unmodelled { span, .. } | verify_interp::Stop::External { span, .. } = s {
                eprintln!("  at {}", place(span));
            }
            126
        }
    };
    std::process::exit(code);
}
