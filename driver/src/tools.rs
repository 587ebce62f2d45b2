//! What a command needs from its surroundings: the cache, clang and `verify-lower`.

use crate::exit::usage;
use anyhow::Context;
use verify_cache::{Kind, Store};
use verify_compile_db::Ledger;
use verify_compile_db::ledger::Contents;
use verify_wrapper::Config;
use verify_wrapper::capture::{self, Tools};

/// Which program this is, by its content: what another one found out is not known to be what this one would, and the same one
/// built or unpacked again is the same.
pub fn itself() -> Option<Vec<u8>> {
    let mut h = blake3::Hasher::new();
    h.update_reader(std::fs::File::open(std::env::current_exe().ok()?).ok()?).ok()?;
    Some(h.finalize().as_bytes().to_vec())
}

/// The surroundings of a command.
pub struct Env {
    /// The cache, shared with `verify-cc`.
    pub store: Store,
    /// Programs that make units; `Err` says what is missing, for commands that can do without.
    tools: Result<Tools, String>,
    /// The user's own models: file names and texts.
    pub user_models: Vec<(String, String)>,
    /// Threads are followed, one after another.
    pub race_free: bool,
    /// What verify.toml says of functions.
    pub annotations: Vec<crate::annotations::Entry>,
}

impl Env {
    /// Reads the environment and opens the cache.
    ///
    /// # Errors
    /// There is no place for the cache, or it cannot be opened.
    pub fn open() -> anyhow::Result<Env> {
        let config = Config::from_env().map_err(usage)?;
        let store = Store::open(&config.cache)?;
        let tools = config.tools();
        Ok(Env { store, tools, user_models: Vec::new(), race_free: false, annotations: Vec::new() })
    }

    /// What the ledger says, as far as the cache still has the units and they are those of the objects.
    ///
    /// # Errors
    /// It cannot be listed.
    pub fn ledger(&self) -> anyhow::Result<Contents> {
        let mut contents = Ledger::open(self.store.root()).read().context("the capture ledger")?;
        contents.forget(|unit| self.store.has_entry(Kind::UNIT, unit));
        contents.outdate(|record, index, by| capture::text_changed(&self.store, record, index, by));
        Ok(contents)
    }

    /// The programs that make units.
    ///
    /// # Errors
    /// A sentence that names what is missing and how to get it.
    pub fn tools(&self) -> anyhow::Result<&Tools> {
        self.tools.as_ref().map_err(|e| usage(e.clone()))
    }
}
