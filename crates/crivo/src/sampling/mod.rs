//! A fair part of a stream.
