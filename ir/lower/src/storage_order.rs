//! gcc's `scalar_storage_order`, as an attribute and as a pragma: members of a structure lie in memory in another byte order than
//! the machine's. clang does not know it, warns, and reads them in the machine's order; so a source that uses it has no unit.
//! Read from the text, as the bitcode has no trace of it; where there is no text (preprocessed sources whose files are
//! gone) it is not seen.

use verify_ir::Module;

const NAME: &str = "scalar_storage_order";

/// The path of the first file of the unit that sets a byte order.
#[must_use]
pub fn set_in(module: &Module) -> Option<&str> {
    let sets = |text: &str| text.match_indices(NAME).any(|(at, _)| is_used(text, at));
    module.files.iter().find(|f| f.text.as_deref().is_some_and(sets)).map(|f| &*f.path)
}

/// The name there is one of an attribute that has an argument, or of a pragma: not a word in a comment.
fn is_used(text: &str, at: usize) -> bool {
    let rest = text[at + NAME.len()..].trim_start_matches("__").trim_start();
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    rest.starts_with('(') || line.trim_start().starts_with('#') && line.contains("pragma") || line.contains("_Pragma")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_told_from_words() {
        let used = |text: &str| text.match_indices(NAME).any(|(at, _)| is_used(text, at));
        assert!(used("struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int x; };"));
        assert!(used("struct __attribute__((__scalar_storage_order__ (\"big-endian\"))) s { int x; };"));
        assert!(used("int a;\n# pragma scalar_storage_order big-endian\n"));
        assert!(used("_Pragma(\"scalar_storage_order big-endian\")"));
        assert!(!used("/* We do without scalar_storage_order here. */"));
    }
}
