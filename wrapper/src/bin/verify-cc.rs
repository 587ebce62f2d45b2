//! The C compiler wrapper: `make CC=verify-cc`.
#![forbid(unsafe_code)]

fn main() {
    verify_wrapper::main()
}
