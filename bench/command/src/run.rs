//! Runs commands in turn and tells what they took.

use bench_report::{print_table, significant};
use std::io;
use std::process::{Command, Stdio};
use std::time::Instant;
use wait4::Wait4;

/// A line for the shell, under a name.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    line: String,
}

impl Contender {
    pub(crate) fn new(name: &'static str, line: String) -> Self {
        Self { name, line }
    }
}

/// What a contender took in each round.
#[derive(Default)]
pub(crate) struct Measured {
    wall: Vec<f64>,
    cpu: Vec<f64>,
    peak: Vec<f64>,
}

impl Measured {
    /// The least seconds by the clock.
    pub(crate) fn wall(&self) -> f64 {
        least(&self.wall)
    }

    /// The least seconds of processors.
    pub(crate) fn cpu(&self) -> f64 {
        least(&self.cpu)
    }

    /// The most MiB of memory of a process.
    pub(crate) fn peak(&self) -> f64 {
        self.peak.iter().copied().fold(0.0, f64::max)
    }

    fn median_wall(&self) -> f64 {
        let mut values = self.wall.clone();
        values.sort_by(f64::total_cmp);
        f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
    }
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Runs each once a round, in rotating order.
pub(crate) fn measure(contenders: &[Contender], rounds: usize) -> io::Result<Vec<Measured>> {
    let mut measured: Vec<Measured> = contenders.iter().map(|_| Measured::default()).collect();
    for round in 0..rounds {
        for turn in 0..contenders.len() {
            let place = (round + turn) % contenders.len();
            run(&contenders[place], &mut measured[place])?;
        }
    }
    Ok(measured)
}

fn run(contender: &Contender, measured: &mut Measured) -> io::Result<()> {
    let start = Instant::now();
    let mut shell = Command::new("sh");
    let mut child = shell.args(["-c", &contender.line]).stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let used = child.wait4()?;
    measured.wall.push(start.elapsed().as_secs_f64());
    if !used.status.success() {
        return Err(io::Error::other(format!("{} failed: {}", contender.name, contender.line)));
    }
    measured.cpu.push((used.rusage.utime + used.rusage.stime).as_secs_f64());
    measured.peak.push(used.rusage.maxrss as f64 / f64::from(1 << 20));
    Ok(())
}

/// One table, with ratios to the first contender.
pub(crate) fn print(title: &str, contenders: &[Contender], measured: &[Measured]) {
    let header = ["command", "s min", "s median", "CPU s", "peak MiB", "s, ratio", "CPU s, ratio"];
    let rows = contenders.iter().zip(measured).map(|(contender, took)| {
        let ratio = |value: f64, first: f64| significant(value / first);
        vec![
            contender.name.to_owned(),
            significant(took.wall()),
            significant(took.median_wall()),
            significant(took.cpu()),
            significant(took.peak()),
            ratio(took.wall(), measured[0].wall()),
            ratio(took.cpu(), measured[0].cpu()),
        ]
    });
    print_table(title, &header, rows);
}

/// A figure of the contender with this name, which every caller has entered.
pub(crate) fn best(
    contenders: &[Contender],
    measured: &[Measured],
    name: &str,
    figure: fn(&Measured) -> f64,
) -> f64 {
    let place =
        contenders.iter().position(|contender| contender.name == name).expect("this contender was entered");
    figure(&measured[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_took() {
        let contenders = [
            Contender::new("little", "true".into()),
            Contender::new("much", "head -c 40000000 /dev/zero | tail -c 40000000 | wc -c".into()),
        ];
        let measured = measure(&contenders, 3).unwrap();
        assert!(measured.iter().all(|took| took.wall.len() == 3 && took.wall() <= took.median_wall()));
        // By a child of the shell's, and it counts.
        let peak = |name| best(&contenders, &measured, name, Measured::peak);
        assert!(peak("much") > 38.0 && peak("little") < 20.0, "{} and {}", peak("much"), peak("little"));
        assert!(measure(&[Contender::new("bad", "false".into())], 1).is_err());
    }
}
