//! Distinct items, exactly, while they are few.

/// The number of distinct values that are counted exactly before a sketch takes over, as in `crivo profile`.
pub(super) const FEW: usize = 8192;

/// Distinct items in the order in which they came, while they are few: a list, and a table of places in it.
#[derive(Clone, Debug)]
pub(super) struct Few<T> {
    items: Vec<T>,
    /// One more than the place of an item, or 0 where there is none; a power of two of them, half of which stay empty.
    places: Vec<u16>,
}

/// What tells items apart.
pub(super) trait Distinct: Copy {
    /// Equal for equal items; its low bits should differ for others.
    fn hash(&self) -> u64;

    fn is_equal(&self, other: &Self) -> bool;
}

/// Items by their hashes of 64 bits. That two of 8,192 items share one has a probability below 2⁻³⁸.
impl Distinct for u64 {
    fn hash(&self) -> u64 {
        *self
    }

    fn is_equal(&self, other: &Self) -> bool {
        self == other
    }
}

/// An item by its hash, with how often it came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) hash: u64,
    pub(super) seen: u64,
}

impl Distinct for Counted {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn is_equal(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self { items: Vec::new(), places: vec![0; 16] }
    }
}

impl<T: Distinct> Few<T> {
    /// What it takes at most.
    pub(super) const FULL_BYTES: usize = FEW * (size_of::<T>() + 2 * size_of::<u16>());

    /// Where an item is, or where it would be.
    #[inline]
    fn slot(&self, item: &T) -> usize {
        let mask = self.places.len() - 1;
        let mut slot = item.hash() as usize & mask;
        while let Some(place) = self.places[slot].checked_sub(1) {
            if self.items[usize::from(place)].is_equal(item) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The item that is equal to this one.
    #[inline]
    pub(super) fn get(&self, item: &T) -> Option<&T> {
        let place = self.places[self.slot(item)].checked_sub(1)?;
        Some(&self.items[usize::from(place)])
    }

    /// The item that is equal to this one, or this one, if it is new. None if they would be too many.
    #[inline]
    pub(super) fn insert(&mut self, item: T) -> Option<&mut T> {
        let slot = self.slot(&item);
        match self.places[slot].checked_sub(1) {
            Some(place) => self.items.get_mut(usize::from(place)),
            None if self.items.len() < FEW => self.push(slot, item),
            None => None,
        }
    }

    #[cold]
    fn push(&mut self, slot: usize, item: T) -> Option<&mut T> {
        self.items.push(item);
        self.places[slot] = self.items.len() as u16;
        if 2 * self.items.len() > self.places.len() {
            self.places = vec![0; 2 * self.places.len()];
            for place in 0..self.items.len() {
                let slot = self.slot(&self.items[place]);
                self.places[slot] = place as u16 + 1;
            }
        }
        self.items.last_mut()
    }

    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>() + size_of_val(&self.places[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::rng::Rng;

    #[test]
    fn few_items_are_kept_once_in_their_order() {
        let mut rng = Rng::new(1);
        let items: Vec<u64> = (0..FEW).map(|_| rng.next_u64() & !0xff).collect();
        let mut few = Few::default();
        for item in items.iter().flat_map(|&item| [item, item, items[0]]) {
            assert_eq!(few.insert(item), Some(&mut item.clone()));
        }
        assert_eq!(few.items(), items);
        assert!(few.insert(7).is_none() && few.get(&7).is_none() && few.get(&items[9]).is_some());
        assert!(few.memory_bytes() <= Few::<u64>::FULL_BYTES);
    }
}
