//! Hyphenation of a list of words, compared with Node packages.

use crate::data::Data;
use crate::options::Options;
use crate::run::{Contender, Measured, best, measure, print};
use bench_report::Targets;
use std::io;

/// A filter in front of the exceptions may cost so much more than none.
const FILTER: f64 = 1.1;

pub(crate) fn hyphenate(options: &Options, targets: &mut Targets) -> io::Result<()> {
    let Some(words) = Data::words(options)? else {
        println!("Hyphenation is not measured: no --words were given.\n");
        return Ok(());
    };
    let command = format!("{} hyphenate {words}", options.crivo);
    let mut contenders = vec![
        Contender::new("crivo hyphenate, 1 thread", format!("{command} --jobs 1")),
        Contender::new("crivo hyphenate", command.clone()),
    ];
    if let Some(patterns) = &options.patterns {
        let line = format!("{command} --patterns {patterns} --jobs 1");
        contenders.push(Contender::new("crivo hyphenate --patterns, 1 thread", line));
    }
    let npm = options.has_node_packages(&["hypher", "hyphenation.en-us"]);
    if npm {
        contenders.push(Contender::new("npm hypher", options.node(&npm_hypher(&words))));
    }
    let measured = measure(&contenders, options.rounds)?;
    print("Hyphenation of a list of words, ten times over", &contenders, &measured);
    if npm {
        for ours in ["crivo hyphenate, 1 thread", "crivo hyphenate"] {
            let wall = |name| best(&contenders, &measured, name, Measured::wall);
            targets.at_most(
                format!("{ours}, seconds, to npm hypher"),
                wall(ours),
                wall("npm hypher"),
                1.0 / 3.0,
            );
        }
    }
    filters(options, &command, targets)
}

fn filters(options: &Options, command: &str, targets: &mut Targets) -> io::Result<()> {
    let Some(exceptions) = &options.exceptions else {
        println!("Filters in front of exceptions are not measured: no --exceptions were given.\n");
        return Ok(());
    };
    let line = |filter| format!("{command} --exceptions {exceptions} --jobs 1 --filter {filter}");
    let contenders = [
        Contender::new("no filter", line("none")),
        Contender::new("bloom", line("bloom")),
        Contender::new("blocked", line("blocked")),
        Contender::new("cuckoo", line("cuckoo")),
        Contender::new("fuse", line("fuse")),
    ];
    let measured = measure(&contenders, options.rounds)?;
    print("Hyphenation with exceptions behind a filter, 1 thread", &contenders, &measured);
    let cpu = |name| best(&contenders, &measured, name, Measured::cpu);
    for contender in &contenders[1..] {
        let name = contender.name;
        targets.at_most(
            format!("hyphenation, CPU seconds, {name} to no filter"),
            cpu(name),
            cpu("no filter"),
            FILTER,
        );
    }
    Ok(())
}

/// What a user of the package would write.
fn npm_hypher(words: &str) -> String {
    format!(
        "const Hypher = require('hypher'), fs = require('fs'); \
         const hypher = new Hypher(require('hyphenation.en-us')); \
         const lines = fs.readFileSync('{words}', 'utf8').split('\\n'); \
         fs.writeFileSync('/dev/stdout', lines.map(word => hypher.hyphenate(word).join('-')).join('\\n'))"
    )
}
