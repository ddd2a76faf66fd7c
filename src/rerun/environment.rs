//! What is set for a run. Everything else of the environment reaches it as it is.
