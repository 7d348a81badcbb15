//! Which documents of many are nearly the same? See [`NearDuplicates`].

mod candidates;
mod classes;
mod document;
mod exact_set;
mod grouped_rows;
mod groups;
mod params;

pub use document::Document;
pub use exact_set::ExactSet;
pub use grouped_rows::GroupedRows;
pub use groups::{Group, Keep};
pub use params::NearParams;

use super::Shingles;
use crate::{Error, HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use candidates::{AllPairs, Judge, Marked, join};
use classes::Classes;
use core::fmt;
use groups::{Connector, Members, class_lengths, groups, leaders};

/// Finds the near-duplicates among many documents, of which it keeps signatures alone.
///
/// # Use when / not when
/// Use it to find what is nearly the same in a collection that is all there, or comes past once: copies of texts, users
/// with the same films. For texts in memory, [`near_duplicates`] is one call. Not to ask for one document again and again
/// while others come and go: that is an [`LshIndex`](crate::LshIndex). Not to compare a few: [`ExactSet`] does that in
/// less.
///
/// # Guarantee
/// Of the pairs whose similarity is the threshold, the share that the [parameters](NearParams) promise is found, 99.5 %
/// unless told otherwise, and more of those above it: for the threshold 0.8, 99.6 % at 0.8, 99.9 % at 0.82, and all but
/// one in a million at 0.9. What is missed is missed at random, by the hashes. Of what is reported nothing is wrong if it
/// is verified exactly. Equal sets are always found. They are told by 128 bits: among n documents two different sets
/// share these with probability n²/2¹²⁹.
///
/// Verified by [signatures](Verify::Signature) as many are found, and pairs a little below the threshold with them: for
/// the threshold 0.8, 93 % of those at 0.75, 61 % at 0.7, 20 % at 0.65 and 3 % at 0.6.
///
/// # Space
/// Of each different set, a byte for each slot of its signature and about 35 more; of each document 8. At the threshold
/// 0.8 that is 120 slots:
///
/// | documents, one in ten equal to another | memory | while it searches for groups |
/// |---|---|---|
/// | 1,000 | 0.15 MB | 0.03 MB more |
/// | 1,000,000 | 158 MB | 26 MB more |
///
/// Sets that are [kept](Self::keeping_sets) take 8 bytes a shingle beside that. Without them, exact verification
/// [asks](Verify::Asked) for the sets of candidates once more.
///
/// # Time
/// Linear but for the sorting of each band, where few documents share bands: there is no list of pairs, and no pair is
/// compared twice. Groups of alike documents take about a comparison a document, pairs one each. What stays quadratic is m
/// documents that share a band and are not connected: the signatures of up to m²/2 pairs are compared then. So it is
/// where many are a little less alike than the threshold, and where the threshold is so low that bands have a row or two.
///
/// # Merge
/// None: documents are numbered as they come. What takes the time, [`sign`](Self::sign), needs no search and can be spread
/// over threads or machines, as [below](#on-many-threads); inserting a signed document takes well below a microsecond.
///
/// # Hostile input
/// Whoever knows the seed of the shingles' hashes can make texts that look alike to signatures and are not, which costs
/// time, or that are alike and look unlike, which hides them. Hash the shingles with [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::similarity::{Keep, NearDuplicates, NearParams, Shingles, Verify};
/// use crivo::HashSpec;
/// let texts = [
///     "The quick brown fox jumps over the lazy dog, and the lazy dog sleeps on.",
///     "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
///     "The quick brown fox jumps over the lazy dog, and the lazy dog snores on.",
///     "LOREM IPSUM: dolor sit amet - consectetur adipiscing elit",
/// ];
/// let (shingles, spec) = (Shingles::words(2)?, HashSpec::default());
/// let mut search = NearDuplicates::with_params(NearParams::for_threshold(0.7)?);
/// for text in &texts {
///     let document = search.sign(&shingles.hashes(text, &spec));
///     search.insert(&document)?;
/// }
/// // The texts are read once more where they may be alike.
/// let mut again = |index: u32, hashes: &mut Vec<u64>| {
///     shingles.for_each(texts[index as usize], &spec, |hash| hashes.push(hash));
/// };
/// let mut pairs = Vec::new();
/// search.pairs(Verify::Asked(&mut again), |pair| pairs.push((pair.first, pair.second, pair.similarity)))?;
/// pairs.sort_by_key(|pair| pair.0);
/// assert_eq!(pairs, [(0, 2, 10.0 / 14.0), (1, 3, 1.0)]);
///
/// let (groups, summary) = search.groups(Verify::Asked(&mut again), Keep::First)?;
/// assert_eq!(groups.len(), 2);
/// assert_eq!((groups[0].keep, groups[0].members.as_slice()), (0, &[0, 2][..]));
/// assert_eq!((summary.documents, summary.different), (4, 3));
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// ## On many threads
/// No thread is started here, but yours can sign. In the same order, the answer is the same:
/// ```
/// use crivo::similarity::{Document, Keep, NearDuplicates, NearParams, Shingles, Verify};
/// use crivo::HashSpec;
/// let texts: Vec<String> = (0..100).map(|text| format!("this is text {} of many, and a short one", text % 40)).collect();
/// let (shingles, spec, params) = (Shingles::words(2)?, HashSpec::default(), NearParams::for_threshold(0.9)?);
/// let sign = |text: &String| params.sign(&shingles.hashes(text, &spec));
/// let mut search = NearDuplicates::keeping_sets(params);
/// std::thread::scope(|scope| {
///     let parts = texts.chunks(25).map(|part| scope.spawn(move || part.iter().map(sign).collect()));
///     let threads: Vec<_> = parts.collect();
///     for thread in threads {
///         let documents: Vec<Document> = thread.join().expect("it does not panic");
///         documents.iter().try_for_each(|document| search.insert(document).map(|_| ()))?;
///     }
///     Ok::<(), crivo::Error>(())
/// })?;
/// let (groups, _) = search.groups(Verify::Kept, Keep::First)?;
/// assert_eq!(groups.len(), 40);
///
/// let mut alone = NearDuplicates::keeping_sets(params);
/// texts.iter().try_for_each(|text| alone.insert(&sign(text)).map(|_| ()))?;
/// assert_eq!(alone.groups(Verify::Kept, Keep::First)?.0, groups);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// document   signature, a byte a slot, in bands      band 1 sorted   band 2 sorted
///    a       4f 07 | 3c 90 | ..                      02 5e  c        11 a4  b c
///    b       4f 07 | 11 a4 | ..                      4f 07  a b      3c 90  a d
///    c       02 5e | 11 a4 | ..                      81 2d  d
///    d       81 2d | 3c 90 | ..                      a-b             b-c, a-d
/// ```
/// Slot i holds the least value of function i over the document's set, so two documents agree there when the smallest of
/// both together is common to them: with the probability that is their similarity. A byte of it is enough: others agree by
/// accident once in 256. Documents that agree in a whole band are candidates, unless they disagree in too many other slots
/// or have too unlike sizes. Candidates are compared exactly, and a forest of the pairs gives the groups. Documents with
/// equal sets are one from the start.
///
/// # References
/// Broder 1997, doi:10.1109/SEQUEN.1997.666900 · Indyk and Motwani 1998, doi:10.1145/276698.276876 · Li and König 2010,
/// doi:10.1145/1772690.1772759, that a few bits of a slot will do · Leskovec, Rajaraman and Ullman, Mining of Massive
/// Datasets, chapter 3. Beyond them: keys are read from the few bits themselves, and what may be missed is shared out
/// between bands and slots.
#[derive(Clone)]
pub struct NearDuplicates {
    params: NearParams,
    classes: Classes,
    /// Of each document, the class of its set.
    class_of: Vec<u32>,
    /// Of each document, how many shingles it has, repeated ones included.
    lengths: Vec<u32>,
}

/// Two near-duplicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The document that was inserted first, by its index from 0.
    pub first: u32,
    /// The other.
    pub second: u32,
    /// How alike their sets are: exactly, or as the signatures tell.
    pub similarity: f64,
}

/// How candidates are verified.
pub enum Verify<'a> {
    /// By their signatures alone. All candidates are accepted, so that what the [parameters](NearParams) promise is found
    /// still, and with it pairs below the threshold: see [the guarantee](NearDuplicates#guarantee). How alike they are is
    /// an estimate, with a standard error of √(s(1 − s)/slots), and may be below the threshold.
    Signature,
    /// Exactly, by the sets that were [kept](NearDuplicates::keeping_sets).
    Kept,
    /// Exactly, by the hashes of the document with this index, which the function appends to the list: a second pass
    /// over the input. They must be the ones that were signed.
    Asked(&'a mut dyn FnMut(u32, &mut Vec<u64>)),
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many documents there are.
    pub documents: u64,
    /// How many different sets they have.
    pub different: u64,
    /// How many pairs of different sets were compared.
    pub candidates: u64,
    /// How many of these reach the threshold.
    pub verified: u64,
}

impl NearDuplicates {
    /// Most documents that one search can have.
    pub const MAX_DOCUMENTS: u32 = u32::MAX;

    /// No documents yet. Of each its signature is kept; exact verification [asks](Verify::Asked) for its hashes again.
    pub fn with_params(params: NearParams) -> Self {
        Self {
            params,
            classes: Classes::new(params.slots(), false),
            class_of: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// No documents yet. Of each its signature and its set are kept: 8 bytes more for each different shingle.
    pub fn keeping_sets(params: NearParams) -> Self {
        Self { classes: Classes::new(params.slots(), true), ..Self::with_params(params) }
    }

    /// Whether sets are kept.
    pub fn keeps_sets(&self) -> bool {
        self.classes.keeps_sets()
    }

    /// Forgets the sets that were kept, and keeps none from now on: for when they become too many after all. Exact
    /// verification then [asks](Verify::Asked) for the hashes.
    pub fn forget_sets(&mut self) {
        self.classes.forget_sets();
    }

    /// [`NearParams::sign`], with the parameters of this search.
    pub fn sign(&self, hashes: &[u64]) -> Document {
        self.params.sign(hashes)
    }

    /// Takes a document in; its index, counted from 0.
    ///
    /// # Errors
    /// `Incompatible` when other parameters signed it, `Full` after 2³² − 1 documents; nothing changes then.
    pub fn insert(&mut self, document: &Document) -> Result<u32> {
        let (ours, theirs) = (self.params.slots(), document.slots.len());
        if theirs != ours as usize {
            return Err(Error::incompatible(
                "slots",
                ours,
                theirs,
                "sign documents with the same parameters",
            ));
        }
        let index = self.class_of.len() as u32;
        if index == Self::MAX_DOCUMENTS {
            return Err(Error::full("a search has at most 4,294,967,295 documents; search parts of them"));
        }
        self.class_of.push(self.classes.insert(document, index));
        self.lengths.push(document.length);
        Ok(index)
    }

    /// Visits all pairs of near-duplicates that are found, each once, in no particular order. Of m equal documents
    /// there are m(m − 1)/2 pairs; [`groups`](Self::groups) does without them.
    ///
    /// # Errors
    /// `InvalidArgument` when sets are to be compared that were not kept.
    pub fn pairs(&self, verify: Verify<'_>, mut visit: impl FnMut(Pair)) -> Result<Summary> {
        let members = Members::new(self.class_of.iter().copied(), self.classes.len());
        let mut all = AllPairs::new(|one: u32, other: u32, similarity| {
            for &one in members.of(one as usize) {
                for &other in members.of(other as usize) {
                    visit(Pair { first: one.min(other), second: one.max(other), similarity });
                }
            }
        });
        let mut judge = self.judge(verify)?;
        join(&mut judge, &mut all);
        let summary = self.summary(&judge);
        for class in members.iter() {
            for (place, &first) in class.iter().enumerate() {
                class[place + 1..].iter().for_each(|&second| visit(Pair { first, second, similarity: 1.0 }));
            }
        }
        Ok(summary)
    }

    /// Groups of near-duplicates: in each, all documents are alike to the one to keep. The preferred documents are taken
    /// first, and each that is like none of those already kept is kept itself. So no two kept documents were found alike, and
    /// what is dropped has a kept document within the threshold.
    ///
    /// # Errors
    /// `InvalidArgument` when sets are to be compared that were not kept.
    pub fn groups(&self, verify: Verify<'_>, keep: Keep) -> Result<(Vec<Group>, Summary)> {
        let (mut connector, mut judge) = (Connector::new(self.classes.len()), self.judge(verify)?);
        join(&mut judge, &mut connector);
        let lengths = class_lengths(&self.class_of, &self.lengths, self.classes.len());
        let leaders = leaders(connector.forest.roots(), &lengths, keep, &mut judge);
        Ok((groups(&leaders, true, &self.class_of, &self.lengths, keep), self.summary(&judge)))
    }

    /// The components: documents that pairs connect, directly or through others. The ends of a long chain may have nothing in
    /// common.
    ///
    /// # Errors
    /// `InvalidArgument` when sets are to be compared that were not kept.
    pub fn components(&self, verify: Verify<'_>, keep: Keep) -> Result<(Vec<Group>, Summary)> {
        let (mut connector, mut judge) = (Connector::new(self.classes.len()), self.judge(verify)?);
        join(&mut judge, &mut connector);
        let roots = connector.forest.roots();
        Ok((groups(&roots, false, &self.class_of, &self.lengths, keep), self.summary(&judge)))
    }

    /// The documents whose hashes a search may [ask](Verify::Asked) for, by their indexes in ascending order: those with
    /// a candidate. Of equal documents it asks for the first.
    pub fn candidates(&self) -> Vec<u32> {
        let mut marked = Marked { marks: vec![false; self.classes.len()] };
        join(&mut Judge::new(&self.classes, &self.params, Verify::Signature), &mut marked);
        let classes = marked.marks.iter().zip(0..).filter(|(is_marked, _)| **is_marked);
        classes.map(|(_, class)| self.classes.first(class)).collect()
    }

    fn judge<'a, 'v>(&'a self, verify: Verify<'v>) -> Result<Judge<'a, 'v>> {
        if matches!(verify, Verify::Kept) && !self.keeps_sets() {
            return Err(Error::invalid(
                "sets are compared that were not kept; begin with NearDuplicates::keeping_sets or give the hashes \
                 when asked",
            ));
        }
        Ok(Judge::new(&self.classes, &self.params, verify))
    }

    fn summary(&self, judge: &Judge<'_, '_>) -> Summary {
        Summary {
            documents: self.len() as u64,
            different: self.classes.len() as u64,
            candidates: judge.compared,
            verified: judge.found,
        }
    }

    /// The parameters.
    pub fn params(&self) -> NearParams {
        self.params
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.class_of.len()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.class_of.is_empty()
    }

    /// The memory it holds, in bytes, itself included.
    pub fn memory_bytes(&self) -> usize {
        let documents = memory_of(&self.class_of) + memory_of(&self.lengths);
        size_of::<Self>() + documents + self.classes.memory_bytes()
    }
}

impl fmt::Debug for NearDuplicates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NearDuplicates({} documents, {} different)", self.len(), self.classes.len())
    }
}

impl fmt::Debug for Verify<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Signature => "Signature",
            Self::Kept => "Kept",
            Self::Asked(_) => "Asked",
        })
    }
}

/// What [`near_duplicates`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The pairs, by their documents in ascending order. Of texts with equal sets the first stands for all: the others
    /// are in one pair each, with it.
    pub pairs: Vec<Pair>,
    /// All groups, by their first documents.
    pub groups: Vec<Group>,
    /// What was done.
    pub summary: Summary,
}

/// The near-duplicates among texts, verified exactly. The first of each group is the one to keep. Texts without a shingle
/// are left alone.
///
/// m equal texts are m − 1 pairs with the first of them, instead of m(m − 1)/2. All pairs one by one, without a list of
/// them, are [`NearDuplicates::pairs`].
///
/// ```
/// use crivo::similarity::{NearParams, Shingles, near_duplicates};
/// let texts = ["to be or not to be", "to err is human", "To be, or not to be!", "to be or not to see"];
/// let report = near_duplicates(texts, &Shingles::words(2)?, NearParams::for_threshold(0.6)?)?;
/// let pairs: Vec<_> = report.pairs.iter().map(|pair| (pair.first, pair.second, pair.similarity)).collect();
/// // The third is equal to the first, which stands for both.
/// assert_eq!(pairs, [(0, 2, 1.0), (0, 3, 0.8)]);
/// assert_eq!(report.groups[0].members, [0, 2, 3]);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// `Full` after 2³² − 1 texts.
pub fn near_duplicates<T: AsRef<[u8]>>(
    texts: impl IntoIterator<Item = T>,
    shingles: &Shingles,
    params: NearParams,
) -> Result<Report> {
    let spec = HashSpec::default();
    let mut search = NearDuplicates::keeping_sets(params);
    for text in texts {
        let document = search.sign(&shingles.hashes(text, &spec));
        search.insert(&document)?;
    }
    let NearDuplicates { classes, class_of, .. } = &search;
    let mut pairs = Vec::new();
    // Classes are in the order of their first documents.
    let mut of_firsts = AllPairs::new(|one: u32, other: u32, similarity| {
        let (first, second) = (classes.first(one.min(other)), classes.first(one.max(other)));
        pairs.push(Pair { first, second, similarity });
    });
    let mut judge = search.judge(Verify::Kept)?;
    join(&mut judge, &mut of_firsts);
    let summary = search.summary(&judge);
    pairs.sort_unstable_by_key(|pair| (pair.first, pair.second));
    let documents: Vec<u32> = (0..search.len() as u32).collect();
    let mut leader_of = documents.clone();
    for &Pair { first, second, .. } in &pairs {
        // Whether the first is led is known: all pairs with those before it have passed.
        if leader_of[first as usize] == first && leader_of[second as usize] == second {
            leader_of[second as usize] = first;
        }
    }
    for (&class, second) in class_of.iter().zip(0..) {
        let first = classes.first(class);
        if first != second && classes.size(class) > 0 {
            pairs.push(Pair { first, second, similarity: 1.0 });
            leader_of[second as usize] = leader_of[first as usize];
        }
    }
    pairs.sort_unstable_by_key(|pair| (pair.first, pair.second));
    Ok(Report { pairs, groups: groups(&leader_of, true, &documents, &search.lengths, Keep::First), summary })
}

/// What a vector has allocated, in bytes.
fn memory_of<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

#[cfg(test)]
mod tests;
