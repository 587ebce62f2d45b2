//! S-expressions with the lines that they begin in.

/// What is wrong with a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line of the command, from 1; 0 before it is known.
    pub line: usize,
    /// What it is.
    pub what: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Error {}

impl Error {
    pub(super) fn at(self, line: usize) -> Error {
        Error { line, ..self }
    }
}

pub(super) fn error<T>(what: &str) -> Result<T, Error> {
    Err(Error { line: 0, what: what.into() })
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Atom(String),
    List(Vec<Expr>),
}

impl std::fmt::Display for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expr::Atom(a) => f.write_str(a),
            Expr::List(l) => {
                f.write_str("(")?;
                for (i, e) in l.iter().enumerate() {
                    write!(f, "{}{e}", if i == 0 { "" } else { " " })?;
                }
                f.write_str(")")
            }
        }
    }
}

impl Expr {
    pub fn list(&self) -> Result<&[Expr], Error> {
        match self {
            Expr::List(l) => Ok(l),
            Expr::Atom(a) => error(&format!("`{a}` where a list is expected")),
        }
    }
    pub fn atom(&self) -> Result<&str, Error> {
        match self {
            Expr::Atom(a) => Ok(a),
            Expr::List(_) => error("a list where a symbol is expected"),
        }
    }
    pub fn number(&self) -> Result<u32, Error> {
        let a = self.atom()?;
        a.parse().or_else(|_| error(&format!("`{a}` is no number")))
    }
}

/// The expressions of a text.
pub(super) fn parse(text: &str) -> Result<Vec<(usize, Expr)>, Error> {
    let mut done = Vec::new();
    let mut open: Vec<(usize, Vec<Expr>)> = Vec::new();
    let mut line = 1;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let fail = |what: &str| error::<Vec<(usize, Expr)>>(what).map_err(|e| e.at(line));
        let length = match c {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '(' => {
                open.push((line, Vec::new()));
                1
            }
            ')' => {
                let Some((at, l)) = open.pop() else { return fail("`)` without `(`") };
                match open.last_mut() {
                    Some((_, outer)) => outer.push(Expr::List(l)),
                    None => done.push((at, Expr::List(l))),
                }
                1
            }
            c if c.is_whitespace() => c.len_utf8(),
            '|' | '"' => {
                let Some(end) = rest[1..].find(c) else { return fail("a quoted symbol without end") };
                let inner = if c == '|' { &rest[1..=end] } else { &rest[..end + 2] };
                let Some((_, l)) = open.last_mut() else { return fail("a symbol outside of a command") };
                l.push(Expr::Atom(inner.into()));
                end + 2
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '|' | '"');
                let end = rest.find(ends).unwrap_or(rest.len());
                let Some((_, l)) = open.last_mut() else { return fail("a symbol outside of a command") };
                l.push(Expr::Atom(rest[..end].into()));
                end
            }
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    match open.first() {
        Some((at, _)) => error("a list without end").map_err(|e| e.at(*at)),
        None => Ok(done),
    }
}
