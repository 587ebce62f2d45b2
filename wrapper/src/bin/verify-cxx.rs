//! The C++ compiler wrapper: `make CXX=verify-c++`.
#![forbid(unsafe_code)]

fn main() {
    verify_wrapper::main()
}
