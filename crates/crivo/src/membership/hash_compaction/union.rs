//! The union of two sorted sequences: see [`union()`].

/// Returns the union of two sorted sequences, with common values once.
pub(super) fn union<A, B>(ours: A, theirs: B) -> Union<A, B>
where
    A: Iterator<Item = u64>,
    B: Iterator<Item = u64>,
{
    Union { ours: ours.peekable(), theirs: theirs.peekable() }
}

#[derive(Clone)]
pub(super) struct Union<A: Iterator<Item = u64>, B: Iterator<Item = u64>> {
    ours: core::iter::Peekable<A>,
    theirs: core::iter::Peekable<B>,
}

impl<A: Iterator<Item = u64>, B: Iterator<Item = u64>> Iterator for Union<A, B> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let least = match (self.ours.peek(), self.theirs.peek()) {
            (Some(&one), Some(&other)) => one.min(other),
            (one, other) => *one.or(other)?,
        };
        self.ours.next_if_eq(&least);
        self.theirs.next_if_eq(&least);
        Some(least)
    }
}
