//! How many, in a few bits?
