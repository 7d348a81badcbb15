use super::*;
use crate::stats::binomial_band;

/// Compares with results of the reference implementation of rapidhash v3 in C, with seed 5.
#[test]
fn rapidhash_is_the_published_function() {
    let bytes: alloc::vec::Vec<u8> = (0..1000usize).map(|i| (i * 7 + i / 256) as u8).collect();
    let reference = [
        (0, 0x5af5_c8a6_3a25_5ade),
        (250, 0xa3ce_05a7_7d1b_d6dc),
        (500, 0xd7d6_150d_e31b_68fb),
        (750, 0x0e37_c2b0_ae9a_786f),
        (1000, 0xdad0_3d43_54f3_7078),
    ];
    for (length, hash) in reference {
        assert_eq!(HashSpec::rapid(5).hash_bytes(&bytes[..length]), hash, "{length} bytes");
    }
}

/// Compares with results of the reference implementation of XXH3 in C (xxHash 0.8.4), on both sides of every
/// change of method.
#[test]
fn xxh3_is_the_published_function() {
    let bytes: alloc::vec::Vec<u8> = (0..2000usize).map(|i| (i * 7 + i / 256) as u8).collect();
    let reference = [
        (0, 0x388e_c5bd_0562_e095),
        (1, 0x88a9_1797_a140_efb7),
        (3, 0x1d33_cb74_e278_e585),
        (4, 0xfaae_4b29_b217_553e),
        (8, 0xb009_28a3_6bf9_0a42),
        (9, 0x47d1_0075_4187_68bf),
        (16, 0xd61b_e53e_bc55_ae1a),
        (17, 0x69f8_357d_845c_5591),
        (64, 0xb787_4b5b_1af5_a5e3),
        (128, 0x690c_e85d_24ed_557f),
        (129, 0x3b5c_eccc_7db8_df6d),
        (240, 0x555b_9974_5d22_b5ed),
        (241, 0x936a_2ed0_dfbe_eac9),
        (512, 0x536e_b1b8_3cbd_d034),
        (1024, 0x69ab_dcd0_1897_d001),
        (1025, 0xdaca_a0af_5dba_28b5),
        (2000, 0x4436_bdc3_e07b_e1aa),
    ];
    for (length, hash) in reference {
        assert_eq!(HashSpec::seeded(5).hash_bytes(&bytes[..length]), hash, "{length} bytes");
    }
}

/// Integers have the same hash under both seeded algorithms.
#[test]
fn frozen_hashes() {
    for (spec, bytes, framed) in
        [(HashSpec::default(), BYTES, FRAMED), (HashSpec::rapid(DEFAULT_SEED), EARLY_BYTES, EARLY_FRAMED)]
    {
        let all = [
            spec.hash(""),
            spec.hash("a"),
            spec.hash("crivo"),
            spec.hash("The quick brown fox jumps over the lazy dog"),
        ];
        assert_eq!(all, bytes, "{all:#x?}");
        let all = [
            spec.hash(&0u64),
            spec.hash(&1u64),
            spec.hash(&-1i64),
            spec.hash(&1.5f64),
            spec.hash(&true),
            spec.hash(&'a'),
        ];
        assert_eq!(all, WORDS, "{all:#x?}");
        let all =
            [spec.hash(&("a", 1u8)), spec.hash(&Some(1u8)), spec.hash(&None::<u8>), spec.hash(&u128::MAX)];
        assert_eq!(all, framed, "{all:#x?}");
    }
    let keyed = HashSpec::keyed([7; 16]);
    let others = [
        HashSpec::seeded(1).hash("a"),
        HashSpec::rapid(1).hash("a"),
        keyed.hash("a"),
        keyed.hash(&1u64),
        keyed.fingerprint(),
    ];
    assert_eq!(others, OTHERS, "{others:#x?}");
}

#[test]
fn a_prepared_hasher_is_the_same_function() {
    let bytes = [7; 300];
    for spec in [HashSpec::default(), HashSpec::seeded(0), HashSpec::rapid(0), HashSpec::keyed([3; 16])] {
        for length in 0..bytes.len() {
            let item = &bytes[..length];
            assert_eq!(spec.bytes_hasher().hash(item), spec.hash_bytes(item), "{spec}, {length} bytes");
            let (hasher, hash) = (spec.framed_hasher(Domain::Tuple), spec.framed(Domain::Tuple, item));
            assert_eq!(hasher.hash(item), hash, "{spec}, a tuple of {length} bytes");
        }
    }
}

const BYTES: [u64; 4] =
    [0x7eb5_c2c0_82c4_af67, 0xb6c4_1d1e_e967_b49c, 0xd17b_a29b_46ae_cec3, 0xf34b_e984_b1eb_c229];
const EARLY_BYTES: [u64; 4] =
    [0x1e08_0c93_955c_3a60, 0xd2b6_ba8b_240e_574e, 0xe324_a149_59f8_af2b, 0x5987_7fc9_e31e_adbb];
#[rustfmt::skip]
const WORDS: [u64; 6] = [
    0xedd0_bc52_b373_e6f1, 0x9dc0_5159_e46c_c43d, 0xc8c5_a152_6027_b14f, 0x61b4_c636_d6dd_ff61,
    0xec7f_05e3_aab9_3cef, 0x50db_00d4_2a0b_e24a,
];
const FRAMED: [u64; 4] =
    [0xe3ec_be02_4c79_bd7c, 0xec94_bec8_5e0b_5a59, 0xcb9f_cf18_b4ca_3179, 0x080f_f7ed_b0eb_97d4];
const EARLY_FRAMED: [u64; 4] =
    [0x96a1_9dad_cab7_819b, 0x683a_9a39_96db_727d, 0x3ed7_6444_2869_b471, 0x382c_e08d_8581_269c];
#[rustfmt::skip]
const OTHERS: [u64; 5] = [
    0xd2f6_d099_6f37_a720, 0x3312_1345_e29c_fadd, 0x96ca_9fc6_565c_653a, 0xdd7d_88d7_0bb8_5614,
    0xc78a_e8d4_614e_7b76,
];

#[test]
fn siphash_is_siphash_2_4() {
    // The first vectors of the SipHash reference: key 00..0f, inputs of length 0 and 1.
    let key: [u8; 16] = core::array::from_fn(|i| i as u8);
    let spec = HashSpec::keyed(key);
    assert_eq!(spec.hash_bytes(&[]), 0x726f_db47_dd0e_0e31);
    assert_eq!(spec.hash_bytes(&[0]), 0x74f8_39c5_93dc_67fd);
}

#[test]
fn every_input_bit_flips_every_output_bit_half_the_time() {
    let trials = 4_000u64;
    let (low, high) = binomial_band(trials, 0.5, 1e-6 / 4096.0);
    for input_bit in 0..64 {
        let mut flips = [0u64; 64];
        for i in 0..trials {
            let difference =
                mix(i.wrapping_mul(0x1234_5679)) ^ mix(i.wrapping_mul(0x1234_5679) ^ (1 << input_bit));
            for (bit, count) in flips.iter_mut().enumerate() {
                *count += difference >> bit & 1;
            }
        }
        assert!(flips.iter().all(|&f| (low..=high).contains(&(f as f64))), "bit {input_bit}: {flips:?}");
    }
}

#[test]
fn a_key_is_never_shown() {
    let shown = alloc::format!("{:?}", HashSpec::keyed(*b"abcdefghijklmnop"));
    assert!(shown.contains("fingerprint") && !shown.contains("6867666564636261"), "{shown}");
    let shown = alloc::format!("{:?}", HashSpec::keyed(*b"abcdefghijklmnop").bytes_hasher());
    assert!(shown.contains("fingerprint") && !shown.contains("6867666564636261"), "{shown}");
}
