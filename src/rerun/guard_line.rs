//! Lines of the guard, as far as a running run needs them.
