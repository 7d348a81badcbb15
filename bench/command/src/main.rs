//! Compares the `crivo` command with the commands that a user might run instead, in one run.
//!
//! Nothing is built: it runs what it finds, and says what it did not find. The output is Markdown.

mod data;
mod hyphenate;
mod options;
mod run;

use bench_report::{Targets, print_head};
use data::Data;
use options::{Options, found};
use run::{Contender, Measured, best, measure, print};
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("crivo-bench-command: {message}\n\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    match work(&options) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("crivo-bench-command: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(options: &Options) -> io::Result<()> {
    if options.help {
        println!("{}", options::USAGE);
        return Ok(());
    }
    if let Some(lines) = options.lines {
        return data::write_lines(&mut io::stdout().lock(), lines);
    }
    print_head(&format!(
        "seconds, of {} rounds, caches warm; in each round every contender runs once, in rotating order; CPU is user and \
         system time of all its processes, the peak is that of the largest",
        options.rounds
    ));
    let mut targets = Targets::default();
    if options.wants("start") {
        start(options, &mut targets)?;
    }
    if options.wants("distinct") {
        distinct(options, &mut targets)?;
    }
    if options.wants("top") {
        top(options, &mut targets)?;
    }
    if options.wants("seen") {
        seen(options, &mut targets)?;
    }
    if options.wants("profile") {
        profile(options, &mut targets)?;
    }
    if options.wants("hyphenate") {
        hyphenate::hyphenate(options, &mut targets)?;
    }
    if options.wants("memory") {
        memory(options, &mut targets)?;
    }
    targets.print();
    Ok(())
}

fn start(options: &Options, targets: &mut Targets) -> io::Result<()> {
    let crivo = &options.crivo;
    let contenders = [
        Contender::new("crivo --version", format!("{crivo} --version")),
        Contender::new("crivo distinct, empty input", format!("{crivo} distinct /dev/null")),
        Contender::new("true", "true".into()),
    ];
    let measured = measure(&contenders, options.rounds.max(20))?;
    print("Start-up, shell included", &contenders, &measured);
    for contender in &contenders[..2] {
        let ours = best(&contenders, &measured, contender.name, Measured::wall);
        targets.at_most(format!("start-up, seconds: {}", contender.name), ours, 0.010, 1.0);
    }
    Ok(())
}

fn distinct(options: &Options, targets: &mut Targets) -> io::Result<()> {
    let (crivo, lines) = (&options.crivo, Data::lines(options)?);
    let mut contenders = vec![
        Contender::new("crivo distinct", format!("{crivo} distinct {lines} --format lines")),
        Contender::new(
            "crivo distinct, 1 thread",
            format!("{crivo} distinct {lines} --format lines --jobs 1"),
        ),
        Contender::new("crivo distinct, pipe", format!("cat {lines} | {crivo} distinct")),
        Contender::new("sort -u, wc -l", format!("LC_ALL=C sort -u {lines} | wc -l")),
    ];
    contenders.extend(
        found("cuniq")
            .map(|cuniq| Contender::new("cuniq -m estimate", format!("{cuniq} -m estimate {lines}"))),
    );
    let measured = measure(&contenders, options.rounds)?;
    print("Different lines of 20 million", &contenders, &measured);
    let wall = |name| best(&contenders, &measured, name, Measured::wall);
    targets.at_most(
        "distinct, seconds, to sort -u".into(),
        wall("crivo distinct"),
        wall("sort -u, wc -l"),
        1.0 / 40.0,
    );
    Ok(())
}

fn top(options: &Options, targets: &mut Targets) -> io::Result<()> {
    let (crivo, lines) = (&options.crivo, Data::lines(options)?);
    let contenders = [
        Contender::new("crivo top", format!("{crivo} top {lines} --format lines")),
        Contender::new("crivo top, 1 thread", format!("{crivo} top {lines} --format lines --jobs 1")),
        Contender::new("crivo top, pipe", format!("cat {lines} | {crivo} top")),
        Contender::new(
            "sort, uniq -c, sort -rn",
            format!("LC_ALL=C sort {lines} | uniq -c | LC_ALL=C sort -rn | head"),
        ),
    ];
    let measured = measure(&contenders, options.rounds)?;
    print("The most frequent of 20 million lines", &contenders, &measured);
    let wall = |name| best(&contenders, &measured, name, Measured::wall);
    targets.at_most(
        "top, seconds, to sort and uniq -c".into(),
        wall("crivo top"),
        wall("sort, uniq -c, sort -rn"),
        0.1,
    );
    Ok(())
}

fn seen(options: &Options, targets: &mut Targets) -> io::Result<()> {
    let crivo = &options.crivo;
    let peers: Vec<&str> = ["mawk", "gawk", "huniq", "runiq"].into_iter().filter_map(found).collect();
    for (data, lines) in [
        ("20 million lines, of which two million differ", Data::lines(options)?),
        ("10 million distinct lines", Data::different_lines(options)?),
    ] {
        let mut contenders = vec![
            Contender::new("crivo seen", format!("{crivo} seen {lines}")),
            Contender::new("crivo seen, 1 thread", format!("{crivo} seen {lines} --jobs 1")),
            Contender::new("crivo seen, pipe", format!("cat {lines} | {crivo} seen")),
            Contender::new("crivo seen --capacity 1e7", format!("{crivo} seen {lines} --capacity 1e7")),
            Contender::new("crivo seen --exact", format!("{crivo} seen {lines} --exact")),
            Contender::new("sort -u", format!("LC_ALL=C sort -u {lines}")),
        ];
        contenders.extend(peers.iter().map(|&peer| {
            let line = match peer {
                "mawk" | "gawk" => format!("LC_ALL=C {peer} '!s[$0]++' {lines}"),
                _ => format!("{peer} < {lines}"),
            };
            Contender::new(peer, line)
        }));
        let measured = measure(&contenders, options.rounds)?;
        print(&format!("Each line once: {data}"), &contenders, &measured);
        let wall = |name| best(&contenders, &measured, name, Measured::wall);
        let cpu = |name| best(&contenders, &measured, name, Measured::cpu);
        let peak = |name| best(&contenders, &measured, name, Measured::peak);
        for &peer in ["sort -u"].iter().chain(&peers) {
            for ours in ["crivo seen", "crivo seen --capacity 1e7"] {
                targets.at_most(
                    format!("{data}: {ours}, seconds, to {peer}"),
                    wall(ours),
                    wall(peer),
                    1.0 / 3.0,
                );
            }
            // On a busy machine the clock favours those with many threads.
            for ours in ["crivo seen, 1 thread", "crivo seen --capacity 1e7"] {
                targets.at_most(
                    format!("{data}: {ours}, CPU seconds, to {peer}"),
                    cpu(ours),
                    cpu(peer),
                    1.0 / 3.0,
                );
            }
            targets.at_most(
                format!("{data}: crivo seen, peak MiB, to {peer}"),
                peak("crivo seen"),
                peak(peer),
                1.0,
            );
        }
    }
    Ok(())
}

fn profile(options: &Options, targets: &mut Targets) -> io::Result<()> {
    let Some(table) = Data::table(options)? else {
        println!("Profiles are not measured: no --table was given.\n");
        return Ok(());
    };
    let crivo = &options.crivo;
    for (kind, file) in [("CSV", Some(&table.csv)), ("Parquet", table.parquet.as_ref())] {
        let Some(file) = file else {
            println!("Profiles of {kind} are not measured: DuckDB, which makes the file, was not found.\n");
            continue;
        };
        let mut contenders = vec![
            Contender::new("crivo profile, 1 thread", format!("{crivo} profile {file} --jobs 1")),
            Contender::new("crivo profile, all threads", format!("{crivo} profile {file}")),
        ];
        if options.has_duckdb() {
            for (name, threads) in [("DuckDB SUMMARIZE, 1 thread", 1), ("DuckDB SUMMARIZE, 2 threads", 2)] {
                contenders.push(Contender::new(
                    name,
                    options.duckdb(&format!(
                        "SET threads={threads}; SUMMARIZE SELECT * FROM {}",
                        if kind == "CSV" {
                            format!("read_csv('{file}', nullstr='NA')")
                        } else {
                            format!("'{file}'")
                        }
                    )),
                ));
            }
        }
        if kind == "CSV" {
            contenders
                .extend(found("xsv").map(|xsv| Contender::new("xsv stats", format!("{xsv} stats {file}"))));
            contenders.extend(
                found("qsv")
                    .map(|qsv| Contender::new("qsv stats", format!("{qsv} stats --jobs 1 --force {file}"))),
            );
        }
        let measured = measure(&contenders, options.rounds)?;
        print(&format!("Profile of a table, {kind}"), &contenders, &measured);
        let cpu = |name| best(&contenders, &measured, name, Measured::cpu);
        let peak = |name| best(&contenders, &measured, name, Measured::peak);
        let (ours, summarize) = ("crivo profile, 1 thread", "DuckDB SUMMARIZE, 1 thread");
        if contenders.iter().any(|contender| contender.name == summarize) {
            targets.at_most(
                format!("profile of {kind}, CPU seconds, to SUMMARIZE"),
                cpu(ours),
                cpu(summarize),
                1.0 / 3.0,
            );
            targets.at_most(
                format!("profile of {kind}, peak MiB, to SUMMARIZE"),
                peak(ours),
                peak(summarize),
                0.25,
            );
        }
        for stats in ["xsv stats", "qsv stats"] {
            if contenders.iter().any(|contender| contender.name == stats) {
                targets.at_most(
                    format!("profile of {kind}, CPU seconds, to {stats}"),
                    cpu(ours),
                    cpu(stats),
                    1.0,
                );
            }
        }
    }
    Ok(())
}

fn memory(options: &Options, targets: &mut Targets) -> io::Result<()> {
    /// What a process may take more of, by chance, when its input is longer.
    const FLAT: f64 = 1.1;
    let (crivo, generator) = (&options.crivo, std::env::current_exe()?.display().to_string());
    let verbs = [
        ("crivo distinct", "distinct"),
        ("crivo top", "top"),
        ("crivo sample", "sample --quiet"),
        ("crivo profile", "profile --format lines"),
    ];
    for (name, verb) in verbs.into_iter().filter(|(_, verb)| options.has_verb(verb)) {
        let contenders = [
            ("10^5 lines", 100_000),
            ("10^6 lines", 1_000_000),
            ("10^7 lines", 10_000_000),
            ("10^8 lines", 100_000_000),
        ]
        .map(|(name, lines)| Contender::new(name, format!("{generator} --lines {lines} | {crivo} {verb}")));
        let measured = measure(&contenders, 1)?;
        print(&format!("{name}, from a pipe"), &contenders, &measured);
        let peak = |name| best(&contenders, &measured, name, Measured::peak);
        targets.at_most(
            format!("{name}, peak MiB at 10^8 lines, to 10^6"),
            peak("10^8 lines"),
            peak("10^6 lines"),
            FLAT,
        );
    }
    Ok(())
}
