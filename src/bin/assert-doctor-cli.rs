//! The console program.
fn main() {}
