//! Filters queried in their files: the same answers, no memory, no panic.

use crate::allocator::peak_of;
use crate::golden::golden_files;
use crate::structures::{KEY, OPTIONS, distinct, specs};
use crivo::membership::BinaryFuseParams;
use crivo::rng::Rng;
use crivo::{BinaryFuse, BloomFilter, BloomParams, DecodeOptions, ErrorKind, FilterView, decode};

/// The view of a file answers as the filter that is read from it.
fn assert_same_answers(file: &[u8], probes: &[u64]) {
    let sketch = decode(file, &OPTIONS).unwrap();
    let filter = (sketch.kind().info().membership.unwrap())(&*sketch).unwrap();
    let view = FilterView::open(file, &OPTIONS).unwrap();
    view.verify().unwrap();
    assert_eq!((view.kind(), Some(view.hash_spec())), (sketch.kind(), sketch.hashing()));
    assert!(format!("{view:?}").contains(sketch.kind().name()));
    let answers = filter.contains_hashes(probes);
    assert_eq!(view.contains_hashes(probes), answers, "{sketch:?}");
    let one_by_one: Vec<bool> = probes.iter().map(|&hash| view.contains_hash(hash)).collect();
    assert_eq!(one_by_one, answers, "{sketch:?}");
    for (item, hash) in (0..100u64).map(|item| (item, view.hash_spec().hash(&item))) {
        assert_eq!(view.contains(&item), filter.contains_hash(hash));
    }
}

/// Filters of every size, and the hashes inside and outside of them.
fn files(rng: &mut Rng) -> Vec<(Vec<u8>, Vec<u64>)> {
    let mut files = Vec::new();
    for spec in specs() {
        for count in [0usize, 1, 2, 7, 64, 500] {
            let hashes: Vec<u64> = distinct(rng, count).iter().map(|item| spec.hash(item)).collect();
            let probes = [hashes.clone(), (0..500).map(|_| rng.next_u64()).collect()].concat();
            for bits in [1, 7, 8, 63, 64, 65, 1003, 8192] {
                let mut filter =
                    BloomFilter::with_params(BloomParams::exact(bits, 3).unwrap()).with_hash(spec);
                filter.insert_hashes(&hashes);
                files.push((filter.to_bytes(), probes.clone()));
                if let Ok(half) = filter.fold() {
                    files.push((half.to_bytes(), probes.clone()));
                }
            }
            for width in 1..=32 {
                let params = BinaryFuseParams::with_width(width).unwrap();
                let filter = BinaryFuse::freeze_hashes(hashes.iter().copied(), params, spec).unwrap();
                files.push((filter.to_bytes(), probes.clone()));
            }
        }
    }
    files
}

#[test]
fn a_view_answers_as_the_filter() {
    for (file, probes) in files(&mut Rng::new(1)) {
        assert_same_answers(&file, &probes);
    }
}

#[test]
fn golden_files_are_viewed_or_refused() {
    let mut rng = Rng::new(2);
    let mut viewed = 0;
    for (name, file) in golden_files() {
        match FilterView::open(&file, &OPTIONS) {
            Ok(_) => {
                let probes: Vec<u64> = (0..1000).map(|_| rng.next_u64()).collect();
                assert_same_answers(&file, &probes);
                viewed += 1;
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported, "{name}: {error}"),
        }
    }
    assert!(viewed >= 14, "only {viewed} golden files have a view");
}

#[test]
fn keys_are_needed() {
    for (file, _) in files(&mut Rng::new(3)).into_iter().step_by(7) {
        let kind_with =
            |key| FilterView::open(&file, &DecodeOptions { key, ..OPTIONS }).map_err(|e| e.kind()).err();
        let is_keyed = crivo::peek(&file).unwrap().keyed;
        assert_eq!(kind_with(None), is_keyed.then_some(ErrorKind::Unsupported));
        assert_eq!(kind_with(Some([1; 16])), is_keyed.then_some(ErrorKind::Incompatible));
        assert_eq!(kind_with(Some(KEY)), None);
    }
}

/// Queries a view of untrusted bytes; bytes that cannot be opened must not be decodable either.
fn ask(bytes: &[u8], rng: &mut Rng) -> bool {
    let (view, peak) = peak_of(|| FilterView::open(bytes, &OPTIONS));
    assert!(peak < 1000, "{peak} bytes to open a view");
    let Ok(view) = view else {
        assert!(decode(bytes, &OPTIONS).is_err(), "read, but not viewed");
        return false;
    };
    for hash in [0, 1, u64::MAX, 1 << 63, rng.next_u64(), rng.next_u64()] {
        view.contains_hash(hash);
    }
    true
}

#[test]
fn damaged_files_give_answers_or_errors() {
    let mut rng = Rng::new(4);
    for (file, _) in files(&mut rng).into_iter().filter(|(file, _)| file.len() < 300) {
        assert!(ask(&file, &mut rng));
        for end in 0..file.len() {
            assert!(!ask(&file[..end], &mut rng), "cut at {end}");
        }
        assert!(!ask(&[&file[..], &[0]].concat(), &mut rng), "one byte more");
        for place in 0..file.len() {
            let mut bytes = file.clone();
            bytes[place] ^= 1 << rng.below(8);
            if ask(&bytes, &mut rng) {
                let view = FilterView::open(&bytes, &OPTIONS).unwrap();
                assert_eq!(view.verify().unwrap_err().kind(), ErrorKind::Malformed, "byte {place}");
            }
        }
        // Numbers of every size where a parameter or a length is.
        for place in 17..file.len().min(30) {
            for value in 0..=255 {
                let mut bytes = file.clone();
                bytes[place] = value;
                ask(&bytes, &mut rng);
            }
        }
    }
}

/// The frames are correct, but the payload has another length than the parameters say.
#[test]
fn a_payload_of_another_length_is_refused() {
    for (file, _) in files(&mut Rng::new(5)).into_iter().filter(|(file, _)| file.len() < 140) {
        let length = 18 + usize::from(file[17]);
        let end = file.len() - 8;
        let mut longer = file.clone();
        longer[length] += 1;
        longer.insert(end, 0);
        let mut wrong = vec![longer];
        if file[length] > 0 {
            let mut shorter = file.clone();
            shorter[length] -= 1;
            shorter.remove(end - 1);
            wrong.push(shorter);
        }
        for file in wrong {
            assert_eq!(FilterView::open(&file, &OPTIONS).unwrap_err().kind(), ErrorKind::Malformed);
        }
    }
}

#[test]
fn a_view_takes_no_memory() {
    let mut filter = BloomFilter::for_fpr(1_000_000, 0.01).unwrap();
    filter.extend(0..1000u32);
    for file in [filter.to_bytes(), BinaryFuse::freeze(0..100_000u32, 0.01).unwrap().to_bytes()] {
        let ask = || {
            let view = FilterView::open(&file, &OPTIONS).unwrap();
            (0..1000u32).filter(|item| view.contains(item)).count()
        };
        let (inside, peak) = peak_of(ask);
        assert_eq!((inside, peak), (1000, 0));
    }
}
