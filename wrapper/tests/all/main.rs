//! One program for all: each test program more would be linked with the whole crate again.

mod build;
mod common;
mod coverage;
mod options;
mod stale;
mod trouble;
