//! Finds items in a tree of places: see [`RoutingTree`].

use super::{BloomFilter, BloomParams};
use crate::sketch::Empty;
use crate::{Error, HashSpec, Item, Result};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// A tree of places, each with a Bloom filter of all items at or below it: the filter of a place is the union
/// of its own items and the filters of its children.
///
/// A lookup descends from the root, only into places whose filter reports the item. It never misses a place
/// that has the item; a false positive leads it to a place without the item.
///
/// ```text
///            root  a b c d           lookup(c): root reports, west denies, east reports,
///           /          \                        of its children: c reports, d denies
///     west  a b      east  c d       queried: 5 filters; candidates: the place of c
///      /     \        /     \
///     a       b      c       d
/// ```
///
/// All filters have one size, so that they can be merged; choose it for the number of items of the whole
/// tree.
///
/// ```
/// use crivo::membership::RoutingTree;
/// use crivo::{BloomParams, HashSpec};
/// let mut region = RoutingTree::with_params(BloomParams::for_fpr(1000, 0.001)?);
/// let (west, east) = (region.add_child(RoutingTree::ROOT)?, region.add_child(RoutingTree::ROOT)?);
/// let harbour = region.add_child(west)?;
/// region.insert(harbour, "phone 17")?;
/// region.insert(east, "phone 18")?;
/// let route = region.route("phone 17");
/// assert_eq!((route.candidates, route.asked), (vec![harbour], 4));
/// assert_eq!(region.route("phone 99").asked, 1); // the root denies it
/// # Ok::<(), crivo::Error>(())
/// ```
///
/// `examples/routing.rs` finds phones in a region that is divided into quarters recursively.
#[derive(Clone, Debug)]
pub struct RoutingTree {
    places: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    parent: usize,
    children: Vec<usize>,
    /// True if items were inserted here and not only below.
    has_items: bool,
    filter: BloomFilter,
}

/// The result of a lookup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The places that may have the item.
    pub candidates: Vec<usize>,
    /// The number of filters that were queried.
    pub asked: usize,
}

impl RoutingTree {
    /// The id of the root, which has no parent.
    pub const ROOT: usize = 0;

    /// Creates a tree with only a root; all filters of the tree have this size.
    pub fn with_params(params: BloomParams) -> Self {
        Self::of(BloomFilter::with_params(params))
    }

    /// Returns a tree with only a root and a custom hash for all filters.
    #[must_use]
    pub fn with_hash(self, spec: HashSpec) -> Self {
        Self::of(BloomFilter::empty(self.places[Self::ROOT].filter.params(), spec))
    }

    fn of(filter: BloomFilter) -> Self {
        Self { places: vec![Place { parent: Self::ROOT, children: Vec::new(), has_items: false, filter }] }
    }

    /// Adds an empty place below another; returns its id. Ids count from 0, the root.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such place.
    pub fn add_child(&mut self, parent: usize) -> Result<usize> {
        let filter = self.filter(parent)?;
        let filter = BloomFilter::empty(filter.params(), *filter.hash_spec());
        let id = self.places.len();
        self.places[parent].children.push(id);
        self.places.push(Place { parent, children: Vec::new(), has_items: false, filter });
        Ok(id)
    }

    /// Inserts an item at a place: into its filter and the filters of all places above.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such place.
    pub fn insert<T: Item + ?Sized>(&mut self, place: usize, item: &T) -> Result<()> {
        let hash = self.filter(place)?.hash_spec().hash(item);
        self.change(place, |filter| {
            filter.insert_hash(hash);
            Ok(())
        })
    }

    /// Inserts all items of a filter at a place: merges it with the place's filter and the filters of all places above.
    ///
    /// ```
    /// use crivo::membership::RoutingTree;
    /// use crivo::{BloomFilter, BloomParams};
    /// let params = BloomParams::for_fpr(1000, 0.001)?;
    /// let mut harbour = BloomFilter::with_params(params);
    /// harbour.insert("phone 17");
    /// let mut region = RoutingTree::with_params(params);
    /// let west = region.add_child(RoutingTree::ROOT)?;
    /// region.merge(west, &harbour)?;
    /// assert_eq!(region.route("phone 17").candidates, [west]);
    /// # Ok::<(), crivo::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such place, `Incompatible` if size or hash differ.
    pub fn merge(&mut self, place: usize, items: &BloomFilter) -> Result<()> {
        self.filter(place)?;
        // All filters of the tree are alike, so only the first can fail.
        self.change(place, |filter| filter.merge(items))
    }

    /// Changes the filters of a place and of all places above.
    fn change(&mut self, place: usize, change: impl Fn(&mut BloomFilter) -> Result<()>) -> Result<()> {
        let mut above = place;
        loop {
            change(&mut self.places[above].filter)?;
            if above == Self::ROOT {
                break;
            }
            above = self.places[above].parent;
        }
        self.places[place].has_items = true;
        Ok(())
    }

    /// Returns all places that may have the item, and the number of filters queried to find them.
    ///
    /// A place with children and its own items is a candidate whenever its filter, which includes all places
    /// below, reports the item.
    pub fn route<T: Item + ?Sized>(&self, item: &T) -> Route {
        self.route_hash(self.places[Self::ROOT].filter.hash_spec().hash(item))
    }

    /// Like [`route`](Self::route), for the item with this hash.
    pub fn route_hash(&self, hash: u64) -> Route {
        let mut route = Route { candidates: Vec::new(), asked: 0 };
        let mut waiting = vec![Self::ROOT];
        while let Some(id) = waiting.pop() {
            let place = &self.places[id];
            route.asked += 1;
            if !place.filter.contains_hash(hash) {
                continue;
            }
            if place.has_items {
                route.candidates.push(id);
            }
            waiting.extend(place.children.iter().rev());
        }
        route
    }

    /// Returns the filter of a place, which it would send to its parent.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no such place.
    pub fn filter(&self, place: usize) -> Result<&BloomFilter> {
        let found = self.places.get(place).map(|place| &place.filter);
        found.ok_or_else(|| {
            Error::invalid(format!("there are {} places, got {place}; ids count from 0", self.places.len()))
        })
    }

    /// Returns the number of places, including the root.
    pub fn places(&self) -> usize {
        self.places.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a root with four places, each with four places.
    fn quadtree(fpr: f64) -> (RoutingTree, Vec<usize>) {
        let mut tree = RoutingTree::with_params(BloomParams::for_fpr(1600, fpr).unwrap());
        let mut leaves = Vec::new();
        for _ in 0..4 {
            let quarter = tree.add_child(RoutingTree::ROOT).unwrap();
            for _ in 0..4 {
                leaves.push(tree.add_child(quarter).unwrap());
            }
        }
        for item in 0..1600u32 {
            tree.insert(leaves[item as usize % 16], &item).unwrap();
        }
        (tree, leaves)
    }

    #[test]
    fn every_item_is_found_at_its_place() {
        for fpr in [0.3, 1e-6] {
            let (tree, leaves) = quadtree(fpr);
            for item in 0..1600u32 {
                let route = tree.route(&item);
                assert!(route.candidates.contains(&leaves[item as usize % 16]), "{item}");
                assert!((9..=tree.places()).contains(&route.asked));
            }
        }
        let (tree, _) = quadtree(1e-6);
        assert!((0..1600u32).all(|item| tree.route(&item).asked == 9)); // the root, 4 quarters, 4 leaves of one
        assert!((1600..3000u32).all(|item| tree.route(&item) == Route { candidates: vec![], asked: 1 }));
    }

    #[test]
    fn a_place_has_the_union_of_the_places_below() {
        let (tree, _) = quadtree(0.01);
        for (id, place) in tree.places.iter().enumerate().filter(|(_, place)| !place.children.is_empty()) {
            let mut union =
                BloomFilter::with_params(place.filter.params()).with_hash(*place.filter.hash_spec());
            for &child in &place.children {
                union.merge(tree.filter(child).unwrap()).unwrap();
                assert_eq!(tree.places[child].parent, id);
            }
            assert_eq!(union, place.filter, "{id}");
        }
    }

    #[test]
    fn items_of_inner_places_are_found() {
        let (mut tree, _) = quadtree(0.01);
        tree.insert(1, "at a quarter").unwrap();
        tree.insert(RoutingTree::ROOT, "at the root").unwrap();
        assert!(tree.route("at a quarter").candidates.contains(&1));
        assert!(tree.route("at the root").candidates.contains(&RoutingTree::ROOT));
    }

    /// A tree of merged filters is the tree of their items.
    #[test]
    fn filters_are_merged_as_their_items_are_inserted() {
        let (tree, leaves) = quadtree(0.01);
        let mut merged = RoutingTree::with_params(tree.filter(0).unwrap().params());
        for place in &tree.places[1..] {
            merged.add_child(place.parent).unwrap();
        }
        for &leaf in &leaves {
            merged.merge(leaf, tree.filter(leaf).unwrap()).unwrap();
        }
        let spec = HashSpec::default();
        for item in 0..3000u32 {
            assert_eq!(merged.route_hash(spec.hash(&item)), tree.route(&item), "{item}");
        }
        let other = BloomFilter::with_params(BloomParams::for_fpr(10, 0.01).unwrap());
        assert!(merged.merge(leaves[0], &other).is_err() && merged.merge(99, &other).is_err());
        assert!((0..21).all(|place| merged.filter(place).unwrap() == tree.filter(place).unwrap()));
    }

    #[test]
    fn places_that_are_not_there_are_refused() {
        let (mut tree, _) = quadtree(0.01);
        let before = tree.filter(0).unwrap().clone();
        for bad in [21, usize::MAX] {
            assert!(
                tree.add_child(bad).is_err() && tree.insert(bad, "x").is_err() && tree.filter(bad).is_err()
            );
        }
        assert_eq!((tree.places(), tree.filter(0).unwrap()), (21, &before));
    }
}
