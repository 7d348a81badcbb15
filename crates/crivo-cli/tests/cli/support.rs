//! A directory of one's own, and the command run in it.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A scratch directory, removed at the end.
pub(crate) struct Dir {
    dir: TempDir,
}

impl Dir {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// A secret key, for its owner alone.
    pub(crate) fn write_key(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.write(name, bytes);
        #[cfg(unix)]
        fs::set_permissions(self.path(name), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command, to be started in this directory.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crivo"));
        command.current_dir(self.dir.path()).args(line.split_whitespace());
        command
    }

    /// Runs `crivo` with the words of `line` and no input.
    pub(crate) fn run(&self, line: &str) -> Run {
        self.run_with(line, b"")
    }

    /// Runs `crivo` with the words of `line` and this standard input.
    pub(crate) fn run_with(&self, line: &str, stdin: &[u8]) -> Run {
        let mut command = self.command(line);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let stdin = stdin.to_vec();
        let writer = std::thread::spawn(move || {
            // The command may stop reading before the end.
            let _ = pipe.write_all(&stdin);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Run::new(line, output)
    }
}

/// What the command said.
#[derive(Debug)]
pub(crate) struct Run {
    line: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn new(line: &str, output: Output) -> Self {
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
        Self { line: line.into(), code: output.status.code(), stdout: output.stdout, stderr }
    }

    /// The output of a run that must succeed without a word on standard error.
    #[track_caller]
    pub(crate) fn text(&self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "crivo {}", self.line);
        String::from_utf8(self.stdout.clone()).unwrap()
    }

    /// The objects of a run with `--json` that must succeed.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// A run that must fail with code 2, say all of `words`, and print nothing.
    #[track_caller]
    pub(crate) fn fails_with(&self, words: &[&str]) {
        assert_eq!(self.code, Some(2), "crivo {}: {self:?}", self.line);
        for word in words {
            assert!(self.stderr.contains(word), "crivo {}: no '{word}' in: {}", self.line, self.stderr);
        }
        assert!(self.stdout.is_empty(), "crivo {}: {self:?}", self.line);
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

/// What `crivo distinct` says of so few items: it keeps 31 bits of their hashes.
pub(crate) fn few_different(items: u32) -> String {
    let pairs = f64::from(items).powi(2) / 2.0;
    let chance = crivo_program::significant(-f64::exp_m1(-pairs / 2f64.powi(31)), 2);
    format!("{items} different  (exact, barring hash collisions: chance {chance})")
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
