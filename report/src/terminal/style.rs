//! ANSI colours, or none.

/// Puts colours around text when asked to.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Write escape sequences.
    pub colour: bool,
}

macro_rules! styles {
    ($($name:ident = $code:literal,)*) => { impl Style { $(pub fn $name(self, s: &str) -> String { self.paint($code, s) })* } };
}

styles! {
    bold = "1",
    dim = "2",
    red = "1;31",
    yellow = "1;33",
    green = "1;32",
    blue = "1;34",
    cyan = "36",
}

impl Style {
    fn paint(self, code: &str, s: &str) -> String {
        if self.colour && !s.is_empty() { format!("\x1b[{code}m{s}\x1b[0m") } else { s.to_string() }
    }
}
