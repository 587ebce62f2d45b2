//! One program for all: each test program more would be linked with the whole crate again.

mod baseline;
mod common;
mod json;
mod sarif;
mod schema;
mod terminal;
