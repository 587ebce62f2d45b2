//! One program for all: each test program more would be linked with the whole crate again.

mod binary;
mod check;
mod common;
mod link;
mod round_trip;
