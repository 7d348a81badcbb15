//! Labels for trees by the similarity of sets: see [`TreeLabels`].

use super::forest::Forest;
use super::labels::{LabelParams, LabelScheme, Labels, LabelsSize, Signature, elements, label_methods};
use super::numbered_vertices::Edge;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Payload};
use crate::{HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::FRAC_1_SQRT_2;

/// Adjacency labels for a tree or forest, whose size does not depend on the tree.
///
/// # Use when / not when
/// Use it where labels are distributed separately and must not grow with the tree: two labels of a fixed size determine
/// whether their vertices are adjacent, without any other data. Not to save memory: a [`ParentTree`](super::ParentTree)
/// is exact, and smaller for every tree that fits a machine: its 2·⌈log₂ n⌉ bits reach the 646 of a label at 1 % only
/// with 2³²³ vertices.
///
/// # Guarantee
/// Edges have a Jaccard similarity of exactly 1/2, all other pairs of at most 1/3. So [`fnr`](Self::fnr), the share of
/// edges that are missed, is exact, and [`fpr`](Self::fpr), the share of other pairs that are reported, is the worst
/// case: that of siblings, and of vertices and their grandparents. Pairs that are farther apart have fewer errors, most
/// of them none (J = 0). Both rates are over the choice of the hash. The labels of one tree share the hash, and so
/// their errors are correlated: they come in clusters.
///
/// # Space
/// The smallest labels for both rates, whatever the tree. Labels of signs ([`LabelScheme::SimHash`]) are as large: one
/// bit of a smallest value agrees as often as a sign.
///
/// | false positives, negatives | slots | bits per slot | threshold | bits per vertex |
/// |---|---|---|---|---|
/// | 10 %, 10 % | 198 | 1 | 141 | 198 |
/// | 1 %, 1 % | 646 | 1 | 459 | 646 |
/// | 0.1 %, 0.1 % | 1,131 | 1 | 803 | 1,131 |
/// | 0.01 %, 0.01 % | 1,644 | 1 | 1,167 | 1,644 |
///
/// # Time
/// An edge compares two labels, 64 bits at a time. Neighbours and degrees compare with all vertices. Freezing takes a
/// step for each slot and element: sets have up to 4Δ elements, where Δ is the greatest degree in one of the two colour
/// classes of the tree, the better one. A star is fast, a tree of two stars is not.
///
/// # Merge
/// Not supported: freeze the edges of both.
///
/// # Hostile input
/// An attacker who knows the seed and the numbers of vertices can find trees with more errors. Use [`HashSpec::keyed`].
///
/// # Example
/// ```
/// use crivo::HashSpec;
/// use crivo::graph::{LabelScheme, TreeLabels};
/// let edges = [(0, 1), (0, 2), (1, 3), (1, 4)];
/// let params = TreeLabels::params_for(LabelScheme::MinHash, 0.001, 0.001)?;
/// let tree = TreeLabels::freeze(5, &edges, params, HashSpec::default())?;
/// assert!(tree.has_edge(3, 1)? && !tree.has_edge(3, 4)? && !tree.has_edge(3, 0)?);
/// // Two labels are enough.
/// assert!(params.is_edge(tree.label(3)?, tree.label(1)?)?);
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # How it works
/// ```text
/// root    1 2 3 4 5 6 7 8          q = 8 elements
/// child   1 . 3 . 5 . 7 .          one of each pair: J with the root 4/8
/// child   1 . . 4 5 . . 8          the next choice: 2 of 6 in common with its sibling, J = 1/3
///   its child   1 4 5 8 a b c d    all of its parent's elements, then as many new ones: J = 4/8;
///                                  with the root 4/12
/// ```
/// Two choices of one element of each pair differ in half of the pairs: choice i takes the second of pair j if the
/// number of ones in i & j is odd. Inherited elements come first and new ones after, so that no pair mixes them:
/// otherwise a vertex could equal its grandparent. Vertices of one colour of the tree have q elements, those of the
/// other q/2, and only the first make choices. These are the vertices of the colour with the smaller greatest degree,
/// and q/2 is a power of two that is not smaller than that degree.
///
/// Signatures are computed depth first, the largest branch of each vertex last, so that at most log₂ n sets are in
/// memory.
///
/// # References
/// Lopes 2017, section 3.4.2, algorithm 21. New here: the order of elements, the threshold of signs (1/√2 and 1/2 are
/// the cosines of edges and siblings, so 0.75 and 0.667 of the signs agree), few bits per slot, sizes from targets, the
/// choice of the colour. Li and König 2010, doi:10.1145/1772690.1772759, for the bits · Charikar 2002,
/// doi:10.1145/509907.509965, for signs.
///
/// # Measured
/// `crivo-lab run c-tree-labels`, `e-f39`, `e-f40`, `e-tree-cost`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct TreeLabels {
    labels: Labels,
}

impl TreeLabels {
    /// Returns the smallest labels with at most these rates of false positives and false negatives.
    ///
    /// # Errors
    /// Returns `InvalidArgument` unless both lie strictly between 0 and 1 and labels of 65,536 slots or fewer reach
    /// them.
    pub fn params_for(scheme: LabelScheme, fpr: f64, fnr: f64) -> Result<LabelParams> {
        let (not_edge, edge) = similarities(scheme);
        LabelParams::for_rates(scheme, (not_edge, fpr), (edge, fnr))
    }

    /// Builds the labels of the forest with these edges.
    ///
    /// # Errors
    /// Returns `InvalidArgument` if an edge has an unknown end or is a loop, if the edges close a cycle, or if all
    /// labels take more than 2⁴⁰ bits.
    pub fn freeze(vertices: u32, edges: &[Edge], params: LabelParams, spec: HashSpec) -> Result<Self> {
        let mut labels = Labels::new(vertices, params, spec)?;
        for_each_set(
            &Forest::new(vertices, edges)?,
            &spec,
            &Signature::new(&params),
            |vertex, _, signature| {
                labels.set(vertex, signature);
            },
        );
        Ok(Self { labels })
    }

    #[inline]
    fn is_joined(&self, one: u32, other: u32) -> bool {
        one != other && self.labels.agree(one, other)
    }

    /// Returns the false-positive rate of siblings, which is the largest possible rate.
    pub fn fpr(&self) -> f64 {
        self.params().fpr(similarities(self.params().scheme()).0)
    }

    /// Returns the false-negative rate: the share of edges that are missed.
    pub fn fnr(&self) -> f64 {
        self.params().fnr(similarities(self.params().scheme()).1)
    }

    /// Returns the bits of a label.
    pub fn bits_per_vertex(&self) -> u32 {
        self.params().bits_per_vertex()
    }
}

/// Returns the sets behind [`TreeLabels`], as hashes of their elements, for all vertices of the forest with these
/// edges.
///
/// ```
/// use crivo::HashSpec;
/// use crivo::graph::tree_sets;
/// use crivo::similarity::jaccard;
/// let sets = tree_sets(3, &[(0, 1), (1, 2)], HashSpec::default())?;
/// assert_eq!(jaccard(&sets[0], &sets[1]), 1.0 / 2.0); // an edge
/// assert_eq!(jaccard(&sets[0], &sets[2]), 1.0 / 3.0); // not an edge
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// Fails as [`TreeLabels::freeze`] does.
pub fn tree_sets(vertices: u32, edges: &[Edge], spec: HashSpec) -> Result<Vec<Vec<u64>>> {
    let mut sets = vec![Vec::new(); vertices as usize];
    let params = LabelParams::exact(LabelScheme::MinHash, 1, 1, 1)?;
    for_each_set(&Forest::new(vertices, edges)?, &spec, &Signature::new(&params), |vertex, set, _| {
        sets[vertex as usize] = set.to_vec();
    });
    Ok(sets)
}

/// Returns the largest similarity of pairs that are not edges, and the exact similarity of edges.
fn similarities(scheme: LabelScheme) -> (f64, f64) {
    match scheme {
        LabelScheme::MinHash => (1.0 / 3.0, 1.0 / 2.0),
        LabelScheme::SimHash => (1.0 / 2.0, FRAC_1_SQRT_2),
    }
}

/// Returns one element of each pair, by the choice of this number.
fn half_of<T: Copy>(set: &[T], choice: usize) -> Vec<T> {
    set.as_chunks()
        .0
        .iter()
        .zip(0..)
        .map(
            |([first, second], pair)| {
                if (choice & pair).count_ones().is_multiple_of(2) { *first } else { *second }
            },
        )
        .collect()
}

/// A vertex whose branches are being visited.
struct Open {
    vertex: u32,
    parent: u32,
    set: Vec<u64>,
    signature: Signature,
    /// The next of its neighbours.
    next: usize,
    /// The number of its visited children.
    children: usize,
    /// The child with the largest branch, kept for the end, and its number.
    largest: Option<(u32, usize)>,
}

/// Passes the set and the signature of every vertex to the caller; each signature starts as `empty`.
fn for_each_set(
    forest: &Forest,
    spec: &HashSpec,
    empty: &Signature,
    mut show: impl FnMut(u32, &[u64], &Signature),
) {
    let mut sizes = vec![1u32; forest.vertices() as usize];
    for smallest in forest.smallest_of_each() {
        let (root, half) = root_and_choices(forest, smallest);
        for &(vertex, parent) in forest.tree_of(root).iter().skip(1).rev() {
            sizes[parent as usize] += sizes[vertex as usize];
        }
        let owner = |vertex: u32| spec.hash(&vertex);
        let opened = |vertex: u32, parent: u32, set: Vec<u64>, signature: Signature| {
            let others = forest.neighbours(vertex).iter().filter(|&&other| other != parent).zip(0..);
            let largest = others
                .max_by_key(|&(&other, _)| sizes[other as usize])
                .map(|(&other, number)| (other, number));
            Open { vertex, parent, set, signature, next: 0, children: 0, largest }
        };
        let of_child = |above: &Open, child: u32, number: usize| {
            if above.set.len() == 2 * half {
                let set = half_of(&above.set, number);
                let mut signature = empty.clone();
                signature.insert(&set);
                return opened(child, above.vertex, set, signature);
            }
            let (mut set, mut signature) = (above.set.clone(), above.signature.clone());
            set.extend(elements(owner(child), 0..half as u64));
            signature.insert(&set[half..]);
            opened(child, above.vertex, set, signature)
        };
        let set: Vec<u64> = elements(owner(root), 0..2 * half as u64).collect();
        let mut signature = empty.clone();
        signature.insert(&set);
        let mut open = vec![opened(root, root, set, signature)];
        while let Some(mut above) = open.pop() {
            if above.next == 0 {
                show(above.vertex, &above.set, &above.signature);
            }
            let neighbours = forest.neighbours(above.vertex);
            let mut below = None;
            while let (None, Some(&child)) = (&below, neighbours.get(above.next)) {
                above.next += 1;
                if child != above.parent {
                    let number = above.children;
                    above.children += 1;
                    if above.largest != Some((child, number)) {
                        below = Some(of_child(&above, child, number));
                    }
                }
            }
            match (below, above.largest) {
                (Some(below), _) => open.extend([above, below]),
                // The last branch no longer needs its parent.
                (None, Some((child, number))) => open.push(of_child(&above, child, number)),
                (None, None) => {}
            }
        }
    }
}

/// Returns the root of a tree, of the colour with the smaller greatest degree, and the number of choices that its
/// vertices may need: a power of two, and at least 2, so that inherited elements form whole pairs.
fn root_and_choices(forest: &Forest, smallest: u32) -> (u32, usize) {
    let tree = forest.tree_of(smallest);
    // The colour of a vertex differs from that of its parent. Parents come first.
    let mut colours = alloc::collections::BTreeMap::new();
    let (mut greatest, mut first) = ([0; 2], [u32::MAX; 2]);
    for &(vertex, parent) in &tree {
        let colour = if vertex == smallest { 0 } else { 1 - colours[&parent] };
        colours.insert(vertex, colour);
        greatest[colour] = greatest[colour].max(forest.neighbours(vertex).len());
        first[colour] = first[colour].min(vertex);
    }
    let better = usize::from(tree.len() > 1 && greatest[1] < greatest[0]);
    (first[better], greatest[better].next_power_of_two().max(2))
}

label_methods!(TreeLabels);

impl OfSize for TreeLabels {
    type Params = LabelsSize;

    fn params(&self) -> LabelsSize {
        self.labels.size()
    }
}

impl Core for TreeLabels {
    const KIND: Kind = Kind::TreeLabels;

    fn heap_bytes(&self) -> usize {
        self.labels.heap_bytes()
    }

    fn write(&self, payload: &mut Vec<u8>) {
        self.labels.write(payload);
    }

    fn read(size: LabelsSize, file: &mut Payload<'_>) -> Result<Self> {
        Ok(Self { labels: Labels::read(size, file)? })
    }

    fn state(&self) -> Vec<Fact> {
        self.rates()
    }
}

#[cfg(test)]
mod tests;
