//! What is inside a file that a link reads: the kind of file, the members of an archive, and the symbols an
//! object defines and needs, as far as the choice of archive members depends on them.

use std::collections::BTreeSet;
use std::path::Path;

use crate::record::Marks;
use object::read::archive::ArchiveFile;
use object::{FileKind, Object, ObjectKind, ObjectSection, ObjectSymbol};

/// What kind of file the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Relocatable object, or a compiler's own object form (LLVM bitcode).
    Object,
    /// Static archive, thin or not.
    Archive,
    /// Shared object, or an executable (a position-independent one looks the same).
    Dynamic,
    /// None of these.
    Other,
}

/// Tells by content, never by name.
#[must_use]
pub fn sort_of(bytes: &[u8]) -> Sort {
    if bytes.starts_with(b"!<arch>\n") || bytes.starts_with(b"!<thin>\n") {
        return Sort::Archive;
    }
    if bytes.starts_with(b"BC\xc0\xde") {
        return Sort::Object;
    }
    match object::File::parse(bytes).map(|file| file.kind()) {
        Ok(ObjectKind::Relocatable) => Sort::Object,
        Ok(ObjectKind::Dynamic | ObjectKind::Executable) => Sort::Dynamic,
        _ => Sort::Other,
    }
}

/// Whether the first bytes of a file can be those of a program or shared object.
#[must_use]
pub fn may_be_linked(head: &[u8]) -> bool {
    matches!(FileKind::parse(head), Ok(FileKind::Elf32 | FileKind::Elf64 | FileKind::MachO32 | FileKind::MachO64))
        || head.starts_with(b"\x7fELF")
}

/// Symbols of an object, archive member or shared object, by linkage name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Global and weak definitions, common symbols included.
    pub defined: BTreeSet<Vec<u8>>,
    /// Undefined references that make the linker look into archives (weak ones do not).
    pub needed: BTreeSet<Vec<u8>>,
    /// The symbols are not to be had: bitcode or a slim link-time-optimisation object.
    pub opaque: bool,
}

/// Reads the symbols; a file that is no object gives opaque symbols.
#[must_use]
pub fn symbols(bytes: &[u8]) -> Symbols {
    let Ok(file) = object::File::parse(bytes) else {
        return Symbols { opaque: true, ..Symbols::default() };
    };
    let mut out = Symbols::default();
    let dynamic = file.kind() == ObjectKind::Dynamic || file.kind() == ObjectKind::Executable;
    let all: Vec<_> = match dynamic {
        true => file.dynamic_symbols().collect(),
        false => file.symbols().collect(),
    };
    for symbol in all {
        let Ok(name) = symbol.name_bytes() else { continue };
        if name == b"__gnu_lto_slim" {
            out.opaque = true;
        }
        if name.is_empty() || symbol.is_local() {
            continue;
        }
        if symbol.is_undefined() {
            if !symbol.is_weak() {
                out.needed.insert(name.to_vec());
            }
        } else {
            out.defined.insert(name.to_vec());
        }
    }
    // gcc marks slim objects by the symbol above up to some versions and by this section alone later.
    let lto = file.sections().any(|s| s.name_bytes().is_ok_and(|n| n.starts_with(b".gnu.lto_")));
    let code = file.sections().any(|s| s.name_bytes().is_ok_and(|n| n.starts_with(b".text")) && s.size() > 0);
    out.opaque |= lto && !code && out.defined.is_empty();
    out
}

/// What an object can be known by when its content is not; none when the bytes are no object.
#[must_use]
pub fn marks(bytes: &[u8]) -> Option<Marks> {
    let file = object::File::parse(bytes).ok()?;
    let mut sources = Vec::new();
    let mut defined = BTreeSet::new();
    let mut bound = BTreeSet::new();
    for symbol in file.symbols() {
        let Ok(name) = symbol.name_bytes() else { continue };
        if symbol.kind() == object::SymbolKind::File {
            sources.push(String::from_utf8_lossy(name).into_owned());
        } else if !name.is_empty() && !symbol.is_local() {
            bound.insert((name, symbol.is_undefined(), symbol.is_weak()));
            if !symbol.is_undefined() {
                defined.insert(name);
            }
        }
    }
    let mut hasher = blake3::Hasher::new();
    for name in &defined {
        hasher.update(name);
        hasher.update(&[0]);
    }
    let mut bindings = blake3::Hasher::new();
    for (name, undefined, weak) in &bound {
        bindings.update(name).update(&[0, u8::from(*undefined), u8::from(*weak)]);
    }
    let mut names: Vec<u64> = defined.iter().map(|name| number(name)).collect();
    names.sort_unstable();
    let body = body(&file);
    Some(Marks {
        defined: (!defined.is_empty()).then(|| hasher.finalize()),
        body: body.map(|(hash, _)| hash),
        small: body.is_some_and(|(_, size)| size < TELLING),
        sources,
        names,
        bindings: (!bound.is_empty()).then(|| bindings.finalize()),
    })
}

/// Bytes of code and data that hardly two sources have in common.
const TELLING: u64 = 64;

/// A name as a number.
fn number(name: &[u8]) -> u64 {
    let hash = blake3::hash(name);
    hash.as_bytes().iter().take(8).fold(0, |n, byte| n << 8 | u64::from(*byte))
}

/// Hash of what the object brings into a program: the contents of its sections, whose names may be edited, and where in
/// them other symbols go; and how many bytes that are. None where there is nothing.
fn body(file: &object::File) -> Option<(blake3::Hash, u64)> {
    let mut hasher = blake3::Hasher::new();
    let mut size = 0;
    for section in file.sections() {
        use object::SectionKind as K;
        let brought = matches!(
            section.kind(),
            K::Text
                | K::Data
                | K::ReadOnlyData
                | K::ReadOnlyString
                | K::UninitializedData
                | K::Tls
                | K::UninitializedTls
        );
        // Unwinding tables repeat what the code says.
        if !brought || section.size() == 0 || section.name_bytes().is_ok_and(|name| name.ends_with(b".eh_frame")) {
            continue;
        }
        size += section.size();
        hasher.update(&section.size().to_le_bytes()).update(section.data().ok()?);
        for (offset, relocation) in section.relocations() {
            hasher.update(&offset.to_le_bytes());
            hasher.update(format!("{:?} {}", relocation.flags(), relocation.addend()).as_bytes());
        }
    }
    (size > 0).then(|| (hasher.finalize(), size))
}

/// The same for one file that is compared with another.
#[must_use]
pub fn code(bytes: &[u8]) -> Option<blake3::Hash> {
    body(&object::File::parse(bytes).ok()?).map(|(hash, _)| hash)
}

/// The GNU build id in hex, if the file has one.
#[must_use]
pub fn build_id(bytes: &[u8]) -> Option<String> {
    let id = object::File::parse(bytes).ok()?.build_id().ok()??.to_vec();
    Some(id.iter().map(|b| format!("{b:02x}")).collect())
}

/// One member of an archive with its content.
#[derive(Clone, Debug)]
pub struct MemberBytes {
    /// The name; for a thin archive the path as stored.
    pub name: String,
    /// The content; none when the file behind a thin member cannot be read.
    pub bytes: Option<Vec<u8>>,
}

/// Reads the members in order: System V/GNU long names, BSD names, symbol tables left out, thin archives followed.
///
/// # Errors
/// One line that says what is wrong with the archive.
pub fn members(path: &Path, bytes: &[u8]) -> Result<Vec<MemberBytes>, String> {
    let archive = ArchiveFile::parse(bytes).map_err(|e| format!("not a readable archive: {e}"))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut out = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|e| format!("damaged archive: {e}"))?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let content = if archive.is_thin() {
            std::fs::read(folder.join(os_path(member.name()))).ok()
        } else {
            let data = member.data(bytes).map_err(|e| format!("damaged archive member {name}: {e}"))?;
            Some(data.to_vec())
        };
        out.push(MemberBytes { name, bytes: content });
    }
    Ok(out)
}

fn os_path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// The global symbols that a program or shared object defines, from its full symbol table; empty when stripped.
#[must_use]
pub fn linked_definitions(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    let Ok(file) = object::File::parse(bytes) else { return BTreeSet::new() };
    file.symbols()
        .filter(|s| !s.is_undefined() && !s.is_local())
        .filter_map(|s| s.name_bytes().ok().filter(|n| !n.is_empty()).map(<[u8]>::to_vec))
        .collect()
}
