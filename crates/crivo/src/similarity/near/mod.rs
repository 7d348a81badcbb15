//! Near-duplicates among many documents: see [`NearDuplicates`].

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

/// A search for near-duplicates among many documents, of which only signatures are kept.
///
/// # Use when / not when
/// Use it to find near-duplicates in a collection that is complete, or is read once: copies of texts, users with the same
/// films. For texts in memory, [`near_duplicates`] is one call. Not for repeated queries while documents come and go: use an
/// [`LshIndex`](crate::LshIndex). Not to compare a few sets: [`ExactSet`] is simpler.
///
/// # Guarantee
/// Of the pairs whose similarity is exactly the threshold, the share given by the [parameters](NearParams) is found, 99.5 %
/// by default, and more of those above it: for the threshold 0.8, 99.6 % at 0.8, 99.9 % at 0.82, and all but one in a million
/// at 0.9. Misses are random and depend on the hashes. If pairs are verified exactly, every reported pair is correct. Equal
/// sets are always found, by 128 bits, which two different sets among n documents share with probability n²/2¹²⁹.
///
/// If pairs are verified by [signatures](Verify::Signature), as many are found, together with pairs a little below the
/// threshold: for the threshold 0.8, 93 % of those at 0.75, 61 % at 0.7, 20 % at 0.65 and 3 % at 0.6.
///
/// # Space
/// For each distinct set, one byte per slot of its signature and about 35 more; for each document 8 bytes. At the threshold
/// 0.8 there are 120 slots:
///
/// | documents, one in ten equal to another | memory | during the search for groups |
/// |---|---|---|
/// | 1,000 | 0.15 MB | 0.03 MB more |
/// | 1,000,000 | 158 MB | 26 MB more |
///
/// [Keeping the sets](Self::keeping_sets) takes 8 more bytes per shingle. Without them, exact verification
/// [asks](Verify::Asked) for the sets of candidates once more.
///
/// # Time
/// Linear, apart from sorting each band, as long as few documents share bands: there is no list of pairs, and no pair is
/// compared twice. Groups of similar documents take about one comparison per document, pairs one each. The quadratic case is
/// m documents that share a band and are not connected: then the signatures of up to m²/2 pairs are compared. This happens
/// if many documents are slightly less similar than the threshold, and if a low threshold leaves bands of a row or two.
///
/// # Merge
/// Not supported: documents are numbered in the order of arrival. The expensive part, [`sign`](Self::sign), needs no search
/// and can be spread over threads or machines, as [below](#on-many-threads); an insertion takes well below a microsecond.
///
/// # Hostile input
/// An attacker who knows the seed of the hashes can write texts whose signatures look similar although the texts are not,
/// which costs time, or the reverse, which hides similar texts. Hash the shingles with [`HashSpec::keyed`].
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
/// // The texts are read once more where they may be similar.
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
/// No thread is started here, but your threads can sign documents. If the order is the same, so is the result:
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
/// document   signature, one byte per slot            band 1 sorted   band 2 sorted
///    a       4f 07 | 3c 90 | ..                      02 5e  c        11 a4  b c
///    b       4f 07 | 11 a4 | ..                      4f 07  a b      3c 90  a d
///    c       02 5e | 11 a4 | ..                      81 2d  d
///    d       81 2d | 3c 90 | ..                      a-b             b-c, a-d
/// ```
/// Slot i holds the least value of hash function i over the document's set, so two documents agree there if the smallest
/// value of their union is common to both: with a probability equal to their similarity. One byte of it is enough: other
/// slots agree by chance once in 256. Documents that agree in a whole band are candidates, unless they disagree in too many
/// other slots or their sizes differ too much. Candidates are compared exactly, and a forest of the pairs gives the groups.
/// Documents with equal sets are treated as one from the start.
///
/// # References
/// Broder 1997, doi:10.1109/SEQUEN.1997.666900 · Indyk and Motwani 1998, doi:10.1145/276698.276876 · Li and König 2010,
/// doi:10.1145/1772690.1772759, on a few bits per slot · Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, chapter
/// 3. New here: keys are read from the few bits themselves, and the share of misses is divided between bands and slots.
#[derive(Clone)]
pub struct NearDuplicates {
    params: NearParams,
    classes: Classes,
    /// The class of the set of each document.
    class_of: Vec<u32>,
    /// The number of shingles of each document, including repetitions.
    lengths: Vec<u32>,
}

/// A pair of near-duplicates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The document that was inserted first, by its index from 0.
    pub first: u32,
    /// The other document.
    pub second: u32,
    /// The similarity of their sets: exact, or estimated from the signatures.
    pub similarity: f64,
}

/// The way in which candidates are verified.
pub enum Verify<'a> {
    /// By their signatures alone. All candidates are accepted, so the recall of the [parameters](NearParams) still
    /// holds, but pairs below the threshold are accepted too: see [the guarantee](NearDuplicates#guarantee). The
    /// similarity is an estimate with a standard error of √(s(1 − s)/slots), and may be below the threshold.
    Signature,
    /// Exactly, by the sets that were [kept](NearDuplicates::keeping_sets).
    Kept,
    /// Exactly, by the hashes of the document with this index, which the function appends to the list: a second pass
    /// over the input. They must equal the hashes that were signed.
    Asked(&'a mut dyn FnMut(u32, &mut Vec<u64>)),
}

/// Statistics of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of documents.
    pub documents: u64,
    /// The number of distinct sets.
    pub different: u64,
    /// The number of compared pairs of distinct sets.
    pub candidates: u64,
    /// The number of compared pairs that reach the threshold.
    pub verified: u64,
}

impl NearDuplicates {
    /// The largest number of documents in one search.
    pub const MAX_DOCUMENTS: u32 = u32::MAX;

    /// Creates a search without documents that keeps signatures only; exact verification [asks](Verify::Asked) for the
    /// hashes again.
    pub fn with_params(params: NearParams) -> Self {
        Self {
            params,
            classes: Classes::new(params.slots(), false),
            class_of: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// Creates a search without documents that keeps signatures and sets: 8 more bytes for each distinct shingle.
    pub fn keeping_sets(params: NearParams) -> Self {
        Self { classes: Classes::new(params.slots(), true), ..Self::with_params(params) }
    }

    /// Returns whether sets are kept.
    pub fn keeps_sets(&self) -> bool {
        self.classes.keeps_sets()
    }

    /// Drops the kept sets, and keeps none from now on: for when they take too much memory after all. Exact
    /// verification then [asks](Verify::Asked) for the hashes.
    pub fn forget_sets(&mut self) {
        self.classes.forget_sets();
    }

    /// Signs a document with the parameters of this search: see [`NearParams::sign`].
    pub fn sign(&self, hashes: &[u64]) -> Document {
        self.params.sign(hashes)
    }

    /// Inserts a document, and returns its index, counted from 0.
    ///
    /// # Errors
    /// Returns `Incompatible` if it was signed with other parameters, and `Full` after 2³² − 1 documents. On error
    /// nothing changes.
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
            return Err(Error::full(
                "a search takes at most 4,294,967,295 documents; search the collection in parts",
            ));
        }
        self.class_of.push(self.classes.insert(document, index));
        self.lengths.push(document.length);
        Ok(index)
    }

    /// Visits all pairs of near-duplicates that are found, each once, in no particular order. m equal documents make
    /// m(m − 1)/2 pairs; [`groups`](Self::groups) avoids them.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if [`Verify::Kept`] is used although sets are not kept.
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

    /// Returns groups of near-duplicates; in each, all documents are similar to the one to keep. Preferred documents
    /// are considered first, and each that is similar to none of those already kept is kept itself. So no two kept
    /// documents were found similar, and every dropped document has a kept one within the threshold.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if [`Verify::Kept`] is used although sets are not kept.
    pub fn groups(&self, verify: Verify<'_>, keep: Keep) -> Result<(Vec<Group>, Summary)> {
        let (mut connector, mut judge) = (Connector::new(self.classes.len()), self.judge(verify)?);
        join(&mut judge, &mut connector);
        let lengths = class_lengths(&self.class_of, &self.lengths, self.classes.len());
        let leaders = leaders(connector.forest.roots(), &lengths, keep, &mut judge);
        Ok((groups(&leaders, true, &self.class_of, &self.lengths, keep), self.summary(&judge)))
    }

    /// Returns the connected components: documents that pairs connect, directly or through others. The ends of a long
    /// chain may have nothing in common.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if [`Verify::Kept`] is used although sets are not kept.
    pub fn components(&self, verify: Verify<'_>, keep: Keep) -> Result<(Vec<Group>, Summary)> {
        let (mut connector, mut judge) = (Connector::new(self.classes.len()), self.judge(verify)?);
        join(&mut judge, &mut connector);
        let roots = connector.forest.roots();
        Ok((groups(&roots, false, &self.class_of, &self.lengths, keep), self.summary(&judge)))
    }

    /// Returns the documents whose hashes a search may [ask](Verify::Asked) for, by their indexes in ascending order:
    /// those with a candidate. For equal documents it asks for the first.
    pub fn candidates(&self) -> Vec<u32> {
        let mut marked = Marked { marks: vec![false; self.classes.len()] };
        join(&mut Judge::new(&self.classes, &self.params, Verify::Signature), &mut marked);
        let classes = marked.marks.iter().zip(0..).filter(|(is_marked, _)| **is_marked);
        classes.map(|(_, class)| self.classes.first(class)).collect()
    }

    fn judge<'a, 'v>(&'a self, verify: Verify<'v>) -> Result<Judge<'a, 'v>> {
        if matches!(verify, Verify::Kept) && !self.keeps_sets() {
            return Err(Error::invalid(
                "the sets to compare were not kept; create the search with NearDuplicates::keeping_sets or give the hashes \
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

    /// Returns the parameters.
    pub fn params(&self) -> NearParams {
        self.params
    }

    /// Returns the number of documents.
    pub fn len(&self) -> usize {
        self.class_of.len()
    }

    /// Returns whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.class_of.is_empty()
    }

    /// Returns the memory in bytes, including the struct itself.
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

/// The result of [`near_duplicates`].
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The pairs, in ascending order of their documents. The first of texts with equal sets stands for all: each other
    /// one is in a single pair, with the first.
    pub pairs: Vec<Pair>,
    /// All groups, in the order of their first documents.
    pub groups: Vec<Group>,
    /// Statistics of the search.
    pub summary: Summary,
}

/// Finds the near-duplicates among texts, verified exactly. The first text of each group is the one to keep. Texts
/// without a shingle are ignored.
///
/// m equal texts make m − 1 pairs with the first of them, instead of m(m − 1)/2. [`NearDuplicates::pairs`] visits all
/// pairs one by one, without a list of them.
///
/// ```
/// use crivo::similarity::{NearParams, Shingles, near_duplicates};
/// let texts = ["to be or not to be", "to err is human", "To be, or not to be!", "to be or not to see"];
/// let report = near_duplicates(texts, &Shingles::words(2)?, NearParams::for_threshold(0.6)?)?;
/// let pairs: Vec<_> = report.pairs.iter().map(|pair| (pair.first, pair.second, pair.similarity)).collect();
/// // The third text has the same set as the first, which stands for both.
/// assert_eq!(pairs, [(0, 2, 1.0), (0, 3, 0.8)]);
/// assert_eq!(report.groups[0].members, [0, 2, 3]);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Returns `Full` after 2³² − 1 texts.
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
        // The leader of the first class is final: all pairs with earlier classes have passed.
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

/// Returns the bytes that a vector has allocated.
fn memory_of<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

#[cfg(test)]
mod tests;
