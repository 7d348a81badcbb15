//! How the values of a stream became items.

use crate::{Error, Result};

/// How the values that a sketch has taken became items: by their types, or as texts.
///
/// A number hashes as a number if it is inserted as one, and as text if its digits are inserted: the integer
/// 7 and the text `"7"` are distinct items. A sketch of numbers and a sketch of the texts of the same numbers
/// have nothing in common, although they look alike. The form is therefore part of the [`HashSpec`], of the
/// file, and of what a merge compares. A text is the same item in both forms, so a sketch of texts alone needs
/// no mark.
///
/// The library leaves a sketch unmarked unless its hash spec is marked: it does not look at the type of an
/// item while it inserts. The command marks its sketches as [`Text`](Self::Text), and the Python package marks
/// a sketch according to its input.
///
/// ```
/// use crivo::{ErrorKind, HashSpec, HyperLogLog, ItemForm};
/// let empty = |form| Ok(HyperLogLog::for_precision(12)?.with_hash(HashSpec::default().with_form(form)));
/// let mut numbers = empty(ItemForm::Typed)?;
/// numbers.insert(&7);
/// let mut texts = empty(ItemForm::Text)?;
/// texts.insert("7");
/// assert_eq!(numbers.merge(&texts).unwrap_err().kind(), ErrorKind::Incompatible);
///
/// let mut words = HyperLogLog::for_precision(12)?;
/// words.insert("seven");
/// words.merge(&texts)?;
/// assert_eq!(words.hash_spec().form(), ItemForm::Text);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// [`HashSpec`]: crate::HashSpec
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ItemForm {
    /// Nothing is known, or all values were texts or bytes.
    #[default]
    Unmarked,
    /// Values other than text were hashed by their types: an integer as an integer.
    Typed,
    /// Values other than text were hashed as their texts.
    Text,
}

impl ItemForm {
    /// Returns the word that messages and the command use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unmarked => "unmarked",
            Self::Typed => "typed",
            Self::Text => "text",
        }
    }

    /// Returns the form of two sketches together.
    ///
    /// # Errors
    /// `Incompatible` if one is [`Typed`](Self::Typed) and the other [`Text`](Self::Text).
    pub fn join(self, other: Self) -> Result<Self> {
        match (self, other) {
            (form, Self::Unmarked) | (Self::Unmarked, form) => Ok(form),
            (ours, theirs) if ours == theirs => Ok(ours),
            (ours, theirs) => Err(Error::incompatible(
                "form of items",
                ours.name(),
                theirs.name(),
                "a number and its text are distinct items; build both from typed values, or both from texts, as the \
                 command does and Python does with text=True",
            )),
        }
    }
}
