//! A scratch directory, and the command run in it.

pub(crate) use crivo_testing::Run;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::ops::Deref;
use std::path::Path;

/// A scratch directory for `crivo`, removed at the end.
pub(crate) struct Dir(crivo_testing::Dir);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(crivo_testing::Dir::of(env!("CARGO_BIN_EXE_crivo")))
    }
}

impl Deref for Dir {
    type Target = crivo_testing::Dir;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Lines `prefix0` to `prefix{count - 1}`.
pub(crate) fn numbered(prefix: &str, count: u32) -> String {
    (0..count).map(|i| format!("{prefix}{i}\n")).collect()
}

/// The `distinct` estimate of a run with `--json`, when it must be exact.
#[track_caller]
pub(crate) fn exact_distinct(run: &Run) -> u64 {
    let answer = &run.json()[0];
    let value = answer["distinct"]["value"].as_f64().unwrap();
    assert_eq!(answer["distinct"]["lower"].as_f64(), Some(value), "{answer}");
    assert_eq!(answer["distinct"]["upper"].as_f64(), Some(value), "{answer}");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an exact count")]
    let count = value as u64;
    count
}

/// Returns the answer of `crivo distinct` for a few items.
pub(crate) fn few_different(items: u32) -> String {
    format!("{items} distinct  (exact)")
}

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

/// The path of a data set, if it is there.
pub(crate) fn data(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if !path.is_file() {
        println!("skipped: {} is absent", path.display());
        return None;
    }
    path.to_str().map(Into::into)
}
