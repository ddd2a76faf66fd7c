//! Integration tests.

mod crash_log_cuts;
