//! Texts that files keep.

use std::fs;
use std::path::Path;

/// The text is the one that the file keeps. With `CRIVO_WRITE_SNAPSHOTS` it is written first.
#[track_caller]
pub fn is_kept(path: &Path, text: &str) {
    if std::env::var_os("CRIVO_WRITE_SNAPSHOTS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(text, kept, "{}: CRIVO_WRITE_SNAPSHOTS=1 writes it anew, if this is meant", path.display());
}
