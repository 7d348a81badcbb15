//! Arbitrary bytes decode to a sketch that writes the same bytes again, in its usual or its compact form, or to an error;
//! no panic, and no memory beyond a small multiple of the input.

use crate::allocator::peak_of;
use crate::golden::one_of_each;
use crate::structures::{FROZEN_SIZES, Frozen, KEY, OPTIONS, Reading, Specimen, Subject, distinct, specs};
use crivo::BinaryFuse;
use crivo::QuotientFilter;
use crivo::membership::BinaryFuseParams;
use crivo::membership::{HashCompaction, HashCompactionParams, QuotientParams};
use crivo::rng::Rng;
use crivo::sketch::Sketch;
use crivo::{
    BloomFilter, BloomParams, DecodeOptions, ErrorKind, HashSpec, HyperLogLog, KINDS, Kind, decode, peek,
};

/// Magic, version, flags, kind, hash algorithm, seed.
const HEADER_BYTES: usize = 4 + 1 + 1 + 2 + 1 + 8;
/// Larger files would only repeat what smaller ones show.
const MOST_BYTES: usize = 1200;

/// `body` with its correct checksum, to get past the first check.
pub(crate) fn sealed(body: &[u8]) -> Vec<u8> {
    let checksum = HashSpec::rapid(0x6368_6563_6b73_756d).hash_bytes(body);
    [body, &checksum.to_le_bytes()].concat()
}

/// A sketch, its file, and the common checks of every sketch that is read.
struct Target<'a> {
    sketch: &'a dyn Specimen,
    file: &'a [u8],
    work: fn(&dyn Specimen),
}

/// [`read`] for a file that an attacker without the key has sealed again: no keyed file is accepted.
fn read_resealed(target: &Target<'_>, body: &[u8]) {
    let bytes = sealed(body);
    let is_forged = read(target, &bytes) && bytes != target.file && peek(&bytes).unwrap().keyed;
    assert!(!is_forged, "changed without the key, and accepted: {bytes:x?}");
}

/// Reads untrusted bytes. Accepted bytes must be canonical, and the sketch must work.
fn read(target: &Target<'_>, bytes: &[u8]) -> bool {
    let Reading { result, peak, .. } = target.sketch.read(bytes, &OPTIONS);
    let most = 16 * bytes.len() + 4096;
    assert!(peak <= most, "{peak} bytes of memory for {} bytes of input: {bytes:x?}", bytes.len());
    let Ok(sketch) = result else { return false };
    assert!(is_canonical(&*sketch, bytes), "accepted, but written otherwise: {bytes:x?}");
    assert!(!sketch.facts().is_empty());
    (target.work)(&*sketch);
    true
}

fn is_canonical(sketch: &dyn Sketch, bytes: &[u8]) -> bool {
    sketch.to_bytes() == bytes || sketch.to_compact_bytes() == bytes
}

fn merges_and_answers<S: Subject>(sketch: &dyn Specimen) {
    let sketch: &S = (sketch as &dyn Sketch).downcast_ref().unwrap();
    let mut doubled = sketch.clone().merged_with(sketch);
    doubled.see_hash(1);
    doubled.ask_hash(1);
    assert_eq!(S::from_bytes_with(&doubled.to_bytes(), &OPTIONS).unwrap(), doubled);
}

fn answers<S: Frozen>(sketch: &dyn Specimen) {
    let sketch: &S = (sketch as &dyn Sketch).downcast_ref().unwrap();
    let hashes = [0, 1, 1 << 32, 1 << 63, u64::MAX];
    assert_eq!(sketch.ask_hashes(&hashes), sketch.clone().ask_hashes(&hashes));
}

/// A law of every structure: its files, corrupted in every conceivable way.
pub(crate) fn hostile_bytes<S: Subject>(make: impl Fn(HashSpec) -> S) {
    let mut rng = Rng::new(90);
    for (turn, spec) in specs().into_iter().enumerate() {
        let (scale, most) = (make(spec).scale(), make(spec).most());
        for (place, length) in [0, 1, scale, 4 * scale].map(|length| length.min(most)).iter().enumerate() {
            let sketch = make(spec).having_seen(&distinct(&mut rng, *length));
            damage_is_harmless(&sketch, merges_and_answers::<S>, is_turn_of_body(turn, place), &mut rng);
        }
    }
}

/// The hash is in the header, which is corrupted under each hash; the bytes behind it are corrupted under one hash per
/// size, in turn.
fn is_turn_of_body(spec: usize, size: usize) -> bool {
    size % specs().len() == spec
}

/// The corresponding law of static structures.
pub(crate) fn frozen_hostile_bytes<S: Frozen>(make: impl Fn(&[u64], HashSpec) -> S) {
    let mut rng = Rng::new(92);
    for (turn, spec) in specs().into_iter().enumerate() {
        for (place, length) in FROZEN_SIZES.into_iter().enumerate() {
            let sketch = make(&distinct(&mut rng, length), spec);
            damage_is_harmless(&sketch, answers::<S>, is_turn_of_body(turn, place), &mut rng);
        }
    }
}

fn damage_is_harmless(sketch: &dyn Specimen, work: fn(&dyn Specimen), body_too: bool, rng: &mut Rng) {
    let mut files = vec![sketch.to_bytes(), sketch.to_compact_bytes()];
    files.dedup();
    for file in &files {
        let target = Target { sketch, file, work };
        assert!(read(&target, target.file));
        limits_hold(&target);
        if target.file.len() <= MOST_BYTES {
            damage_is_noticed(&target, rng);
            resealed_header_is_harmless(&target);
            if body_too {
                resealed_body_is_harmless(&target, rng);
            }
        }
    }
}

/// Accidental corruption: the checksum detects it.
fn damage_is_noticed(target: &Target<'_>, rng: &mut Rng) {
    let file = target.file;
    for end in 0..file.len() {
        assert!(!read(target, &file[..end]), "cut at {end}");
    }
    for place in 0..file.len() {
        let values: Vec<u8> =
            if place < HEADER_BYTES { (1..=255).collect() } else { (0..8).map(|i| 1 << i).collect() };
        for difference in values {
            let mut bytes = file.to_vec();
            bytes[place] ^= difference;
            assert!(!read(target, &bytes), "byte {place} differs by {difference:#x}");
        }
    }
    for extra in 1..=20 {
        let tail: Vec<u8> = (0..extra).map(|_| rng.next_u64() as u8).collect();
        assert!(!read(target, &[file, &tail].concat()), "{extra} more bytes");
        assert!(!read(target, &[file, &vec![0; extra]].concat()), "{extra} more zeros");
    }
}

/// Deliberate corruption: the checksum is correct, so the deeper checks must detect it.
fn resealed_header_is_harmless(target: &Target<'_>) {
    let body = &target.file[..target.file.len() - 8];
    assert_eq!(sealed(body), target.file);
    for end in 0..HEADER_BYTES {
        read_resealed(target, &body[..end]);
    }
    for place in 0..HEADER_BYTES {
        for difference in 1..=255 {
            let mut bytes = body.to_vec();
            bytes[place] ^= difference;
            read_resealed(target, &bytes);
        }
    }
}

/// Deliberate corruption behind the header.
fn resealed_body_is_harmless(target: &Target<'_>, rng: &mut Rng) {
    let body = &target.file[..target.file.len() - 8];
    for end in HEADER_BYTES..body.len() {
        read_resealed(target, &body[..end]);
    }
    for place in HEADER_BYTES..body.len() {
        let all_values = place < HEADER_BYTES + 12;
        let values: Vec<u8> = if all_values { (1..=255).collect() } else { (0..8).map(|i| 1 << i).collect() };
        for difference in values {
            let mut bytes = body.to_vec();
            bytes[place] ^= difference;
            read_resealed(target, &bytes);
        }
    }
    // Numbers of every size where a length or a count may be.
    for place in HEADER_BYTES..body.len().min(HEADER_BYTES + 24) {
        for bits in 0..64 {
            for number in [1 << bits, (1 << bits) - 1, u64::MAX - (1 << bits)] {
                for replaced in 0..4 {
                    let rest = &body[body.len().min(place + replaced)..];
                    read_resealed(target, &[&body[..place], &varint(number), rest].concat());
                }
            }
        }
    }
    for _ in 0..3000 {
        read_resealed(target, &mutated(body, rng));
    }
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Changes, inserts, deletes or doubles a few bytes behind the header.
fn mutated(body: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = body.to_vec();
    for _ in 0..=rng.below(4) {
        let place = HEADER_BYTES + rng.below((bytes.len() - HEADER_BYTES + 1) as u64) as usize;
        match rng.below(4) {
            0 => bytes.insert(place, rng.next_u64() as u8),
            1 if place < bytes.len() => {
                bytes.remove(place);
            }
            2 if place < bytes.len() => bytes[place] = rng.next_u64() as u8,
            _ => {
                let end = (place + 1 + rng.below(8) as usize).min(bytes.len());
                let copy = bytes[place.min(end)..end].to_vec();
                bytes.splice(place..place, copy);
            }
        }
    }
    bytes
}

/// A limit on memory refuses what needs more, and nothing that stays below.
fn limits_hold(&Target { sketch, file, .. }: &Target<'_>) {
    let read = |max_memory| {
        let Reading { result, kept, .. } =
            sketch.read(file, &DecodeOptions { max_memory: Some(max_memory), ..OPTIONS });
        (result, kept)
    };
    let mut refused = 0;
    for bits in 0..40 {
        match read(1 << bits) {
            (Ok(copy), kept) => {
                assert!(sketch.equals(&*copy), "{copy:?}, not {sketch:?}");
                assert!(kept as u64 <= 1 << bits, "{kept} bytes kept, 2^{bits} allowed");
            }
            (Err(error), _) => {
                assert_eq!(error.kind(), ErrorKind::Unsupported);
                assert_eq!(refused, bits, "a higher limit refuses what a lower one allowed");
                refused += 1;
            }
        }
    }
    assert_eq!(read(0).0.unwrap_err().kind(), ErrorKind::Unsupported);
    assert!(refused < 39, "a limit of 2^39 refuses {sketch:?}");
}

/// Reads bytes as the kind that they claim to be.
fn read_any(bytes: &[u8]) {
    let _ = peek(bytes);
    let (result, peak) = peak_of(|| decode(bytes, &OPTIONS));
    assert!(peak <= 16 * bytes.len() + 4096, "{peak} bytes of memory for {bytes:x?}");
    if let Ok(sketch) = result {
        assert!(is_canonical(&*sketch, bytes), "{bytes:x?}");
    }
}

#[test]
fn random_bytes_are_refused_or_canonical() {
    let mut rng = Rng::new(91);
    let all = one_of_each();
    let unhashed: Vec<Kind> =
        all.iter().filter(|sketch| sketch.hashing().is_none()).map(|sketch| sketch.kind()).collect();
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..rng.below(200)).map(|_| rng.next_u64() as u8).collect();
        read_any(&bytes);
        read_any(&sealed(&bytes));
        for info in KINDS {
            let spec = specs()[rng.below(3) as usize];
            let keyed = u8::from(spec == HashSpec::keyed(KEY));
            let id = info.kind.id().to_le_bytes();
            let head = if unhashed.contains(&info.kind) {
                [b"CRVO", &[1, 0][..], &id, &[0; 9]].concat()
            } else {
                [b"CRVO", &[1, keyed][..], &id, &[1 + keyed], &spec.fingerprint().to_le_bytes()].concat()
            };
            read_any(&sealed(&[&head[..], &bytes].concat()));
            // With correct frames, only the contents are random.
            let (params, payload) = bytes.split_at(bytes.len().min(rng.below(6) as usize));
            let frames =
                [&varint(params.len() as u64), params, &varint(payload.len() as u64), payload].concat();
            read_any(&sealed(&[&head[..], &frames].concat()));
        }
    }
}

/// Such bits would survive a round trip, but then two files would be one filter.
#[test]
fn bits_beyond_the_end_of_a_filter_are_refused() {
    for bits in [1, 7, 63, 65, 1003] {
        let file = BloomFilter::with_params(BloomParams::exact(bits, 3).unwrap()).to_bytes();
        let mut body = file[..file.len() - 8].to_vec();
        *body.last_mut().unwrap() = 1 << (bits % 8);
        assert_eq!(decode(&sealed(&body), &OPTIONS).unwrap_err().kind(), ErrorKind::Malformed, "{bits} bits");
    }
}

#[test]
fn bits_beyond_the_last_cell_are_refused() {
    for width in [1, 3, 5, 31] {
        let params = BinaryFuseParams::with_width(width).unwrap();
        let file = BinaryFuse::freeze_hashes([1], params, HashSpec::default()).unwrap().to_bytes();
        let mut body = file[..file.len() - 8].to_vec();
        *body.last_mut().unwrap() |= 0x80; // 12 cells leave 4 bits
        assert_eq!(
            decode(&sealed(&body), &OPTIONS).unwrap_err().kind(),
            ErrorKind::Malformed,
            "{width} bits"
        );
    }
}

/// The largest rank is the number of remaining bits of a hash, plus one.
#[test]
fn impossible_ranks_are_refused() {
    for precision in 4..=18u8 {
        let mut sketch = HyperLogLog::for_precision(precision).unwrap();
        sketch.extend(0..1u32 << precision);
        let file = sketch.to_bytes();
        let registers = file.len() - 8 - (6 << precision) / 8;
        for (rank, is_possible) in [(65 - precision, true), (66 - precision, false), (63, false)] {
            let mut body = file[..file.len() - 8].to_vec();
            // The first register lies in the low six bits.
            body[registers] = body[registers] & 0xc0 | rank;
            let result = decode(&sealed(&body), &OPTIONS);
            assert_eq!(result.is_ok(), is_possible, "rank {rank} at precision {precision}");
        }
    }
}

/// Such files would survive a round trip, but then two files would be one filter.
#[test]
fn fingerprints_out_of_order_or_place_are_refused() {
    let assert_swap_is_refused = |file: &[u8], place: usize| {
        let mut body = file[..file.len() - 8].to_vec();
        assert!(body[place] != body[place + 1], "nothing to swap");
        body.swap(place, place + 1);
        assert_eq!(decode(&sealed(&body), &OPTIONS).unwrap_err().kind(), ErrorKind::Malformed);
    };
    // Remainders 1 and 2 of quotient 5, at the start of the payload.
    let mut filter = QuotientFilter::with_params(QuotientParams::exact(64, 8).unwrap());
    filter.insert_hashes(&[(5 << 8 | 1) << 50, (5 << 8 | 2) << 50]).unwrap();
    assert_swap_is_refused(&filter.to_bytes(), HEADER_BYTES + 4);
    // Fingerprint 1 in its own cell, alone and with fingerprint 2 behind it.
    let mut set = HashCompaction::with_params(HashCompactionParams::exact(7, 8).unwrap());
    set.insert_hash(0);
    assert_swap_is_refused(&set.to_bytes(), HEADER_BYTES + 5);
    set.insert_hash(u64::MAX / 255 * 3 / 2);
    assert_swap_is_refused(&set.to_bytes(), HEADER_BYTES + 5);
}

#[test]
fn a_structure_that_hashes_needs_its_hash() {
    for sketch in one_of_each().iter().filter(|sketch| sketch.hashing().is_some()) {
        let file = sketch.to_bytes();
        let mut body = file[..file.len() - 8].to_vec();
        body[8] = 0;
        assert_eq!(decode(&sealed(&body), &OPTIONS).unwrap_err().kind(), ErrorKind::Malformed, "{sketch:?}");
    }
}

#[test]
fn a_structure_that_does_not_hash_names_no_hash() {
    for sketch in one_of_each().iter().filter(|sketch| sketch.hashing().is_none()) {
        let file = sketch.to_bytes();
        for (place, value) in [(8, 1), (9, 1), (16, 0x80)] {
            let mut body = file[..file.len() - 8].to_vec();
            body[place] = value;
            let error = decode(&sealed(&body), &OPTIONS).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Malformed, "byte {place} of {sketch:?}");
        }
    }
}

#[test]
fn files_of_newer_versions_are_distinguished_from_corrupt_ones() {
    let kind_of = |bytes: &[u8]| decode(bytes, &OPTIONS).unwrap_err().kind();
    let head = [b"CRVO", &[1, 0, 1, 1, 1][..], &[0; 8]].concat();
    let changed = |place: usize, value: u8| {
        let mut head = head.clone();
        head[place] = value;
        sealed(&head)
    };
    assert_eq!(kind_of(&changed(4, 2)), ErrorKind::Unsupported, "version");
    assert_eq!(kind_of(&changed(5, 16)), ErrorKind::Unsupported, "flags");
    assert_eq!(kind_of(&changed(5, 12)), ErrorKind::Malformed, "typed and text");
    assert_eq!(kind_of(&changed(5, 2)), ErrorKind::Malformed, "a tag without a key");
    assert_eq!(kind_of(&changed(7, 0x7f)), ErrorKind::Unsupported, "kind");
    assert_eq!(kind_of(&changed(8, 9)), ErrorKind::Unsupported, "hash algorithm");
    assert_eq!(kind_of(&changed(0, b'X')), ErrorKind::Malformed, "magic");
    assert_eq!(kind_of(&[]), ErrorKind::Malformed, "nothing");
}
