//! Where, when and by which program something was measured.

use std::path::Path;
use std::process::{Command, Stdio};

use crivo::HashSpec;
use jiff::{Timestamp, Unit};
use serde::{Deserialize, Serialize};

/// The machine, the program and the moment of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The version of Crivo.
    pub version: String,
    /// The commit of the sources, with `-dirty` where they were changed since; `unknown` away from them.
    pub commit: String,
    /// A hash of the program: two runs of the same one need not be repeated.
    pub program: String,
    /// The processor, its cores and the operating system.
    pub machine: String,
    /// Universal time, to the second.
    pub date: String,
}

impl About {
    /// Here and now.
    pub fn here_and_now() -> Self {
        let now = Timestamp::now();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit().unwrap_or_else(|| "unknown".to_owned()),
            program: program().unwrap_or_else(|| "unknown".to_owned()),
            machine: machine(),
            date: now.round(Unit::Second).unwrap_or(now).to_string(),
        }
    }
}

/// Of the folder in which this was compiled, if it is still there and a checkout.
fn commit() -> Option<String> {
    let sources = env!("CARGO_MANIFEST_DIR");
    let mut git = Command::new("git");
    git.args(["-C", sources, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]);
    let output = git.stderr(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|commit| !commit.is_empty())
}

fn program() -> Option<String> {
    let bytes = std::fs::read(std::env::current_exe().ok()?).ok()?;
    Some(format!("{:016x}", HashSpec::default().hash_bytes(&bytes)))
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let plural = if cores == 1 { "" } else { "s" };
    let processor =
        processor(Path::new("/proc/cpuinfo")).unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{processor}, {cores} core{plural}, {}", std::env::consts::OS)
}

/// As Linux tells it.
fn processor(cpu_info: &Path) -> Option<String> {
    let text = std::fs::read_to_string(cpu_info).ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_and_when() {
        let about = About::here_and_now();
        assert_eq!((about.version.as_str(), about.program.len()), (env!("CARGO_PKG_VERSION"), 16));
        assert!(about.machine.contains("core") && about.date.ends_with('Z'), "{about:?}");
        assert!(about.date.parse::<Timestamp>().is_ok() && !about.date.contains('.'), "{}", about.date);
        assert_eq!(about.program, About::here_and_now().program);
    }
}
