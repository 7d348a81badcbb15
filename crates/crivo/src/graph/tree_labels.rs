//! Trees by the likeness of sets: see [`TreeLabels`].

use super::forest::Forest;
use super::labels::{LabelParams, LabelScheme, Labels, LabelsSize, Signature, elements, label_methods};
use super::numbered::Edge;
use crate::kind::Kind;
use crate::sketch::{Core, Fact, OfSize, Payload};
use crate::{HashSpec, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::FRAC_1_SQRT_2;

/// A tree, or forest, in labels whose size does not depend on it.
///
/// # Use when / not when
/// Use it where labels travel alone and must not grow with the tree: two labels of a fixed size tell whether their
/// vertices are joined, and nothing else is asked. Not to save memory: a [`ParentTree`](super::ParentTree) is exact,
/// and smaller for every tree that fits a machine, as its 2·⌈log₂ n⌉ bits reach the 646 of a label at 1 % with 2³²³
/// vertices.
///
/// # Guarantee
/// Edges have Jaccard's similarity 1/2 exactly, all other pairs 1/3 at most. So [`fnr`](Self::fnr), the rate of edges
/// that are missed, is what it says, and [`fpr`](Self::fpr), of other pairs taken for edges, is the worst: that of
/// siblings, and of vertices and their grandparents. Pairs that are farther apart err less, most of them never (J = 0).
/// Both rates are over the choice of the hash. The labels of one tree share it, and so do their errors: they come in
/// clusters.
///
/// # Space
/// The smallest labels for both rates, whatever the tree. By signs ([`LabelScheme::SimHash`]) they are as large: one
/// bit of a smallest value agrees as often as a sign.
///
/// | false positives, negatives | slots | bits a slot | threshold | bits a vertex |
/// |---|---|---|---|---|
/// | 10 %, 10 % | 198 | 1 | 141 | 198 |
/// | 1 %, 1 % | 646 | 1 | 459 | 646 |
/// | 0.1 %, 0.1 % | 1,131 | 1 | 803 | 1,131 |
/// | 0.01 %, 0.01 % | 1,644 | 1 | 1,167 | 1,644 |
///
/// # Time
/// An edge compares two labels, 64 bits at a time. Neighbours and degrees ask all vertices. Freezing takes a step for
/// each slot and element: sets have up to 4Δ elements, Δ being the greatest degree on one side of the tree, namely on
/// the better one. A star is quick, a tree of two stars is not.
///
/// # Merge
/// None: freeze the edges of both.
///
/// # Hostile input
/// Whoever knows the seed and the numbers of vertices can find trees that err more. Use [`HashSpec::keyed`].
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
/// root    1 2 3 4 5 6 7 8          q = 8 elements of its own
/// child   1 . 3 . 5 . 7 .          one of each pair: J with the root 4/8
/// child   1 . . 4 5 . . 8          the next choice: 2 of 6 in common with its sibling, J = 1/3
///   its child   1 4 5 8 a b c d    all of its parent's, then as many new ones: J = 4/8;
///                                  with the root 4/12
/// ```
/// Choices of one of each pair differ from one another in half of the pairs: choice i takes the second of pair j when
/// the number of ones in i & j is odd. Inherited elements come first and new ones after, so that no pair mixes them:
/// else a vertex could equal its grandparent. Vertices of one colour of the tree have q elements, those of the other
/// q/2, and only the first make choices. They are those of the colour with the smaller greatest degree, and q/2 is a
/// power of two and no smaller than that.
///
/// Signatures are made depth first, the largest branch of each vertex last, so that log₂ n sets at most are kept
/// meanwhile.
///
/// # References
/// LOPES 3.4.2, algorithm 21 (G7, G8). Beyond it: the order of elements, the threshold of signs (1/√2 and 1/2 are the
/// cosines of edges and siblings, so 0.75 and 0.667 of the signs agree), few bits a slot, sizes from targets, the
/// choice of the colour. Li and König 2010, doi:10.1145/1772690.1772759, for the bits · Charikar 2002,
/// doi:10.1145/509907.509965, for signs.
///
/// # Measured
/// `crivo lab run c-tree-labels`, `e-f39`, `e-f40`, `e-tree-cost`; the last full run is in `docs/lab`.
#[derive(Clone, PartialEq)]
pub struct TreeLabels {
    labels: Labels,
}

impl TreeLabels {
    /// The smallest labels with at most these rates of false positives and false negatives.
    ///
    /// # Errors
    /// `InvalidArgument` unless both lie strictly between 0 and 1 and labels of 65,536 slots or fewer reach them.
    pub fn params_for(scheme: LabelScheme, fpr: f64, fnr: f64) -> Result<LabelParams> {
        let (not_edge, edge) = similarities(scheme);
        LabelParams::for_rates(scheme, (not_edge, fpr), (edge, fnr))
    }

    /// The labels of the forest with these edges.
    ///
    /// # Errors
    /// `InvalidArgument` when an edge has an unknown end or joins a vertex to itself, the edges close a cycle, or all
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

    /// The rate of pairs that are no edges, but taken for some, among siblings: the most it can be.
    pub fn fpr(&self) -> f64 {
        self.params().fpr(similarities(self.params().scheme()).0)
    }

    /// The rate of edges that are missed.
    pub fn fnr(&self) -> f64 {
        self.params().fnr(similarities(self.params().scheme()).1)
    }

    /// The bits of a label.
    pub fn bits_per_vertex(&self) -> u32 {
        self.params().bits_per_vertex()
    }
}

/// The sets behind [`TreeLabels`], as hashes of their elements: for all vertices of the forest with these edges.
///
/// ```
/// use crivo::HashSpec;
/// use crivo::graph::tree_sets;
/// use crivo::similarity::jaccard;
/// let sets = tree_sets(3, &[(0, 1), (1, 2)], HashSpec::default())?;
/// assert_eq!(jaccard(&sets[0], &sets[1]), 1.0 / 2.0); // an edge
/// assert_eq!(jaccard(&sets[0], &sets[2]), 1.0 / 3.0); // none
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// # Errors
/// As [`TreeLabels::freeze`].
pub fn tree_sets(vertices: u32, edges: &[Edge], spec: HashSpec) -> Result<Vec<Vec<u64>>> {
    let mut sets = vec![Vec::new(); vertices as usize];
    let params = LabelParams::exact(LabelScheme::MinHash, 1, 1, 1)?;
    for_each_set(&Forest::new(vertices, edges)?, &spec, &Signature::new(&params), |vertex, set, _| {
        sets[vertex as usize] = set.to_vec();
    });
    Ok(sets)
}

/// What pairs that are no edges have at most, and edges exactly.
fn similarities(scheme: LabelScheme) -> (f64, f64) {
    match scheme {
        LabelScheme::MinHash => (1.0 / 3.0, 1.0 / 2.0),
        LabelScheme::SimHash => (1.0 / 2.0, FRAC_1_SQRT_2),
    }
}

/// One element of each pair, by the choice of this number.
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
    /// How many of its children were passed.
    children: usize,
    /// The child with the largest branch, kept for the end, and its number.
    largest: Option<(u32, usize)>,
}

/// Shows the set of every vertex and its signature, which begins as `empty`.
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
                // The last branch needs its parent no more.
                (None, Some((child, number))) => open.push(of_child(&above, child, number)),
                (None, None) => {}
            }
        }
    }
}

/// The root of a tree, of the colour whose vertices have fewer neighbours at most, and how many choices they may need:
/// a power of two, and 2 at least, so that inherited elements are a whole number of pairs.
fn root_and_choices(forest: &Forest, smallest: u32) -> (u32, usize) {
    let tree = forest.tree_of(smallest);
    // The colour of a vertex differs from its parent's. Parents come first.
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
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::similarity::jaccard;
    use alloc::collections::BTreeSet;

    /// LOPES, figure 37 (G7).
    #[test]
    fn subsets_of_eight() {
        let subsets: Vec<Vec<u32>> =
            (0..4).map(|choice| half_of(&[1, 2, 3, 4, 5, 6, 7, 8], choice)).collect();
        assert_eq!(subsets, [[1, 3, 5, 7], [1, 4, 5, 8], [1, 3, 6, 8], [1, 4, 6, 7]]);
    }

    /// A random tree whose vertices prefer parents of many children when `steep` is large, its numbers shuffled.
    fn tree(rng: &mut Rng, vertices: u32, steep: u64) -> Vec<Edge> {
        let mut names: Vec<u32> = (0..vertices).collect();
        for place in (1..names.len()).rev() {
            names.swap(place, rng.below(place as u64 + 1) as usize);
        }
        (1..vertices)
            .map(|vertex| {
                let parent =
                    (0..steep).map(|_| rng.below(vertex.into())).min().unwrap_or(u64::from(vertex) - 1);
                (names[vertex as usize], names[parent as usize])
            })
            .collect()
    }

    /// G7 and G8: edges have J = 1/2 and a cosine of 1/√2, others 1/3 and 1/2 at most. Paths, bushes and stars.
    #[test]
    fn edges_are_half_alike_and_others_a_third_at_most() {
        let mut rng = Rng::new(9);
        let mut greatest = (0.0f64, 0.0f64);
        for (vertices, steep) in [(2, 1), (40, 0), (60, 1), (60, 1), (60, 2), (60, 3), (50, 8), (50, 40)] {
            let edges = tree(&mut rng, vertices, steep);
            let joined: BTreeSet<Edge> =
                edges.iter().flat_map(|&(one, other)| [(one, other), (other, one)]).collect();
            let sets = tree_sets(vertices, &edges, HashSpec::default()).unwrap();
            for one in 0..vertices {
                for other in 0..one {
                    let (first, second) = (&sets[one as usize], &sets[other as usize]);
                    let alike = jaccard(first, second);
                    let common = alike * (first.len() + second.len()) as f64 / (1.0 + alike);
                    let cosine = common / libm::sqrt((first.len() * second.len()) as f64);
                    if joined.contains(&(one, other)) {
                        assert_eq!(alike, 0.5, "{one} and {other} of {edges:?}");
                        assert!((cosine - FRAC_1_SQRT_2).abs() < 1e-12);
                    } else {
                        assert!(
                            alike <= 1.0 / 3.0 && cosine <= 0.5 + 1e-12,
                            "{one} and {other}: {alike}, {edges:?}"
                        );
                        greatest = (greatest.0.max(alike), greatest.1.max(cosine));
                    }
                }
            }
        }
        assert_eq!(greatest.0, 1.0 / 3.0);
        assert!((greatest.1 - 0.5).abs() < 1e-12);
    }

    /// The sets of a star are small whichever vertex is its centre, and those of a forest have nothing in common.
    #[test]
    fn the_better_colour_makes_the_choices() {
        let star: Vec<Edge> = (0..1000).filter(|&leaf| leaf != 500).map(|leaf| (leaf, 500)).collect();
        let sets = tree_sets(1000, &star, HashSpec::default()).unwrap();
        assert_eq!((sets[500].len(), sets[0].len(), sets[999].len()), (2, 4, 4));
        let sets = tree_sets(4, &[(0, 1)], HashSpec::default()).unwrap();
        assert_eq!(jaccard(&sets[2], &sets[3]) + jaccard(&sets[0], &sets[2]), 0.0);
        assert_eq!(sets.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2, 4, 4]);
    }

    /// A label is the signature of the set that `tree_sets` shows, in either scheme.
    #[test]
    fn labels_are_signatures_of_the_sets() {
        let mut rng = Rng::new(10);
        let edges = tree(&mut rng, 50, 2);
        let spec = HashSpec::seeded(3);
        let sets = tree_sets(50, &edges, spec).unwrap();
        let mut smallest = crate::MinHash::for_slots(70).unwrap().with_hash(spec);
        let mut signs = crate::SimHash::for_bits(64).unwrap().with_hash(spec);
        let by_bits = LabelParams::exact(LabelScheme::MinHash, 70, 2, 40).unwrap();
        let by_signs = LabelParams::exact(LabelScheme::SimHash, 64, 1, 45).unwrap();
        let by_bits = TreeLabels::freeze(50, &edges, by_bits, spec).unwrap();
        let by_signs = TreeLabels::freeze(50, &edges, by_signs, spec).unwrap();
        for (vertex, set) in (0..).zip(&sets) {
            smallest.clear();
            smallest.insert_hashes(set);
            let label = by_bits.label(vertex).unwrap();
            for (slot, &value) in smallest.slots().iter().enumerate() {
                let kept = label[slot / 32] >> (slot % 32 * 2) & 3;
                assert_eq!(kept, u64::from(crate::similarity::low_bits(slot, value, 2)));
            }
            signs.clear();
            signs.add_hashes(set);
            assert_eq!(by_signs.label(vertex).unwrap(), signs.signature());
        }
    }

    #[test]
    fn what_is_no_forest_is_refused() {
        let params = TreeLabels::params_for(LabelScheme::MinHash, 0.1, 0.1).unwrap();
        let freeze = |edges: &[Edge]| TreeLabels::freeze(3, edges, params, HashSpec::default());
        for bad in [&[(0, 1), (1, 2), (2, 0)][..], &[(0, 3)], &[(1, 1)]] {
            assert!(freeze(bad).is_err(), "{bad:?}");
        }
        let tree = freeze(&[(0, 1), (1, 0)]).unwrap();
        assert!(tree.has_edge(0, 3).is_err() && tree.label(3).is_err() && tree.neighbours(3).is_err());
        assert_eq!(tree.has_edge(1, 1), Ok(false));
        assert!(tree.fpr() <= 0.1 && tree.fnr() <= 0.1);
    }

    /// A label with a bit behind its last slot.
    #[test]
    fn files_of_longer_labels_are_refused() {
        let file = |label: u64| {
            let payload = label.to_le_bytes();
            let file =
                crate::codec::seal(Kind::TreeLabels, Some(&HashSpec::default()), &[1, 1, 5, 4, 3], &payload);
            TreeLabels::from_bytes(&file)
        };
        assert_eq!(file((1 << 20) - 1).unwrap().params().threshold(), 3);
        assert_eq!(file(1 << 20).unwrap_err().kind(), crate::ErrorKind::Malformed);
    }

    /// Edges in another order, turned round or given twice are the same graph.
    #[test]
    fn the_order_of_edges_is_nothing() {
        let mut rng = Rng::new(11);
        let edges = tree(&mut rng, 60, 3);
        let mut others: Vec<Edge> = edges.iter().rev().map(|&(one, other)| (other, one)).collect();
        others.extend_from_slice(&edges[..20]);
        let spec = HashSpec::default();
        let params = LabelParams::exact(LabelScheme::MinHash, 50, 1, 35).unwrap();
        let labels = |edges: &[Edge]| TreeLabels::freeze(60, edges, params, spec).unwrap();
        assert_eq!(labels(&edges), labels(&others));
        let parents = |edges: &[Edge]| super::super::ParentTree::from_edges(60, edges).unwrap();
        assert_eq!(parents(&edges), parents(&others));
        let of_any = |edges: &[Edge]| {
            let sets = super::super::IntersectionSets::for_graph(60, edges, (1, 3)).unwrap();
            super::super::IntersectionLabels::freeze(60, edges, sets, params, spec).unwrap()
        };
        assert_eq!(of_any(&edges), of_any(&others));
    }
}
