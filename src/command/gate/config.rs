//! Validates the command line of `gate`.

use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Variant};

use super::budgets::BudgetConfig;
use super::builds::BuildsConfig;
use super::commands::CommandsConfig;
use super::exact::ExactConfig;
use super::measured::{Command, Measured};
use super::paired::{PairedConfig, batch_sample};
use crate::cli::{GateArgs, GateEngineArgs, GateOutputArgs, InstructionsFrom, PuzzleArgs};
use crate::command::UsageError;
use crate::command::measuring::{commands, inputs_of, names_variants, variants};
use sudobench_harness::gate::{AllowMissing, BaselineTerms, GateLimits};
use sudobench_harness::record::registry::{Figure, FoundBy, INSTRUCTIONS, Limit};

/// The default maximum of solutions and of nodes, the default seed and the default sample. They are used if neither the command line nor a
/// baseline gives other values.
const TERMS: BaselineTerms = BaselineTerms { max_solutions: 2, max_nodes: 1_000_000, seed: 1, sample: 500 };

/// Default limit for the rise of instructions counted by callgrind, in percent.
const INSTRUCTIONS_PERCENT: f64 = 1.0;

pub(super) struct GateConfig {
    pub(super) measured: Measured,
    pub(super) limits: GateLimits,
    pub(super) allow_missing: AllowMissing,
    pub(super) exact: Option<ExactConfig>,
    pub(super) paired: Option<PairedConfig>,
    pub(super) builds: Option<BuildsConfig>,
    pub(super) commands: Option<CommandsConfig>,
    pub(super) budgets: Option<BudgetConfig>,
    pub(super) uses_callgrind: bool,
    pub(super) output: GateOutputArgs,
}

impl GateConfig {
    /// Validates the options. Reads the baseline, which provides default values, and the record of `--record`.
    ///
    /// # Errors
    ///
    /// [`UsageError`] if there is nothing to do, or if an option contradicts another option or a file that the command line names. Other
    /// errors if such a file can't be read.
    pub(super) fn new(typed: GateArgs, level: Level, stop: &Arc<AtomicBool>) -> anyhow::Result<GateConfig> {
        let GateArgs {
            datasets,
            commands: any_programs,
            selection,
            engines,
            limits,
            allow_missing,
            exact,
            paired,
            budgets,
            puzzles,
            output,
        } = typed;
        let allow_missing = allow_missing.unwrap_or_default();
        let max_silence = paired.max_silence;
        let uses_callgrind = paired.instructions == Some(InstructionsFrom::Callgrind);
        let limits = match uses_callgrind {
            true => limits.with_default(&INSTRUCTIONS, INSTRUCTIONS_PERCENT),
            false => limits,
        };
        let exact = ExactConfig::new(exact)?;
        let terms = terms(&puzzles, exact.as_ref())?;
        let GateEngineArgs { engines, base_engines, engine_use } = engines;
        let engines = commands(&engines, Some(&engine_use))?;
        check_engines(&engines, exact.is_some())?;
        let stored = exact.as_ref().and_then(ExactConfig::compared);
        let any_programs = CommandsConfig::new(any_programs, &paired, terms.seed)?;
        let chosen = if any_programs.is_some() { Vec::new() } else { variants(&selection)? };
        let batch_sample = if puzzles.sample.is_none() { batch_sample(&chosen, level, terms) } else { None };
        let variants = match (names_variants(&selection), engines.is_empty(), stored) {
            (true, _, _) => chosen,
            (false, false, _) => Vec::new(),
            // If no solver is named, `gate` counts the nodes of the solvers in the baseline.
            (false, true, Some(stored)) => {
                let is_stored =
                    |variant: &&Variant| stored.pairs.iter().any(|pair| pair.solver == variant.name);
                chosen.into_iter().filter(is_stored).collect()
            }
            (false, true, None) => chosen,
        };
        if variants.is_empty() && engines.is_empty() && names_variants(&selection) {
            let message =
                "no solver is left to measure: choose some with --solvers; `sudobench solvers` lists them";
            return Err(UsageError(message.to_owned()).into());
        }
        if let Some(exact) = exact.as_ref().filter(|_| allow_missing != AllowMissing::All) {
            exact.check_selection(&selection, &variants)?;
        }
        let budgets = BudgetConfig::new(&limits, budgets, &puzzles, &selection, terms, stop)?;
        let builds = BuildsConfig::new(&base_engines, &engines, &paired, terms.seed)?;
        let paired = PairedConfig::new(paired, terms, batch_sample, selection)?;
        let config = GateConfig {
            measured: Measured {
                inputs: inputs_of(&datasets)?,
                variants,
                level,
                engines,
                blank: engine_use.blank,
                max_silence,
                terms,
            },
            limits,
            allow_missing,
            exact,
            paired,
            builds,
            commands: any_programs,
            budgets,
            uses_callgrind,
            output,
        };
        config.check()?;
        // A baseline stores the name of a dataset in a line of text, so the name must not contain a line break.
        if let Some(path) = datasets.iter().find(|path| config.exact.is_some() && has_line_end(path)) {
            let message = format!(
                "a baseline cannot store the name {}, because it contains a line break: rename the file",
                path.display()
            );
            return Err(UsageError(message).into());
        }
        Ok(config)
    }

    /// Checks the options together. For example, there must be something to compare. If a check measures puzzles, a dataset must be named;
    /// otherwise no dataset may be named.
    fn check(&self) -> Result<(), UsageError> {
        let refuse = |message: String| Err(UsageError(message));
        let Measured { inputs, variants, engines, .. } = &self.measured;
        let has_budgets = self.budgets.is_some();
        let is_paired = self.paired.is_some() || self.builds.is_some() || self.commands.is_some();
        if self.uses_callgrind && !is_paired {
            let message = "--instructions compares two builds: name a --base binary, a --base-engine or a --base-command";
            return refuse(message.to_owned());
        }
        if self.commands.is_some() {
            return match has_budgets {
                true => refuse(
                    "a --command has no times of single puzzles: leave limits such as p99=80ms out of --limits"
                        .to_owned(),
                ),
                false => Ok(()),
            };
        }
        if self.exact.is_none() && self.paired.is_none() && self.builds.is_none() && !has_budgets {
            let message = "there is nothing to compare with: name a --baseline, a --base binary, a --base-engine, a --command with its \
            --base-command, or a limit such as p99=80ms in --limits";
            return refuse(message.to_owned());
        }
        let has_base = |name: &str| {
            self.builds.as_ref().is_some_and(|builds| builds.base.iter().any(|(base, _)| base.name == name))
        };
        let measures_budgets = self.budgets.as_ref().is_some_and(BudgetConfig::measures);
        let guarded = self.exact.is_some() || measures_budgets;
        if let Some((engine, _)) = engines.iter().find(|(engine, _)| !guarded && !has_base(&engine.name)) {
            return refuse(format!(
                "there is nothing to compare the engine `{0}` with: name its old build with --base-engine {0}=COMMAND, or a --baseline",
                engine.name
            ));
        }
        if self.paired.is_some() && variants.is_empty() {
            let message =
                "--base compares built-in solvers: besides the --engine, choose some with --solvers";
            return refuse(message.to_owned());
        }
        let measures = self.exact.is_some() || self.times_something();
        match inputs.first() {
            None if measures => refuse("name a dataset to measure: a file with puzzles".to_owned()),
            Some(input) if !measures => refuse(format!(
                "{input} is not used, because the limits are checked in the record of --record and nothing is measured; leave out the dataset or --record"
            )),
            _ => Ok(()),
        }
    }

    /// Returns whether a check of this run measures the figure.
    pub(super) fn finds(&self, figure: &Figure) -> bool {
        let Some(Limit::Rise { found_by, .. }) = figure.limit else { return false };
        let builds = self.builds.is_some() || self.commands.is_some();
        match found_by {
            FoundBy::Counts => self.exact.is_some() || self.builds.is_some(),
            FoundBy::Trials { only_external, .. } => builds || self.paired.is_some() && !only_external,
        }
    }

    /// Returns the names of the counters of `--counter`. A counter is a number that a command prints.
    pub(super) fn counter_names(&self) -> impl Iterator<Item = &str> {
        let counters = self.commands.iter().flat_map(|commands| &commands.counters);
        counters.map(|counter| counter.name.as_str())
    }

    /// Returns the limits of this run in the form of `--limits`. The defaults of figures that this run doesn't measure are left out.
    pub(super) fn limits_in_force(&self) -> String {
        let limits = self.limits.clone().with_counters(self.counter_names());
        limits.to_text(|figure| self.finds(figure))
    }

    /// Returns whether times are measured, so that noise matters.
    pub(super) fn times_something(&self) -> bool {
        self.paired.is_some()
            || self.builds.is_some()
            || self.commands.is_some()
            || self.budgets.as_ref().is_some_and(BudgetConfig::measures)
    }
}

fn has_line_end(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Returns the limits on solutions and on nodes, the seed and the sample. Each value comes from the options, or else from the baseline, or
/// else from the defaults. An option that differs from the baseline is an error, because the counts would not be comparable.
fn terms(typed: &PuzzleArgs, exact: Option<&ExactConfig>) -> Result<BaselineTerms, UsageError> {
    let baseline = exact.and_then(|exact| Some((&exact.path, exact.stored.as_ref()?.terms)));
    let decide = |option: &str, typed: Option<u64>, of: fn(&BaselineTerms) -> u64| match (typed, baseline) {
        (Some(typed), Some((path, stored))) if typed != of(&stored) => Err(UsageError(format!(
            "{option} {typed} does not fit --baseline {}, which was counted with {option} {}: leave out the option, or remove the file \
             and make it again",
            path.display(),
            of(&stored)
        ))),
        (Some(typed), _) => Ok(typed),
        (None, Some((_, stored))) => Ok(of(&stored)),
        (None, None) => Ok(of(&TERMS)),
    };
    let number = |typed: Option<NonZeroU64>| typed.map(NonZeroU64::get);
    Ok(BaselineTerms {
        max_solutions: decide("--max-solutions", number(typed.max_solutions), |terms| terms.max_solutions)?,
        max_nodes: decide("--max-nodes", number(typed.max_nodes), |terms| terms.max_nodes)?,
        seed: decide("--seed", typed.seed, |terms| terms.seed)?,
        sample: decide("--sample", number(typed.sample), |terms| terms.sample)?,
    })
}

/// Checks the names of the engines. They must differ from each other and from the names of the built-in solvers. If there is a baseline,
/// they must not contain spaces.
fn check_engines(engines: &[Command], has_baseline: bool) -> Result<(), UsageError> {
    for (at, (engine, _)) in engines.iter().enumerate() {
        let name = &engine.name;
        if solver::find(name).is_some() || engines[..at].iter().any(|(other, _)| other.name == *name) {
            return Err(UsageError(format!(
                "the name `{name}` occurs twice among the solvers and engines: rename an engine"
            )));
        }
        if has_baseline && name.contains(char::is_whitespace) {
            let message =
                format!("a baseline cannot store the engine name `{name}`: choose a name without spaces");
            return Err(UsageError(message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::paired::BATCHES;
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser as _;
    use std::ffi::OsStr;
    #[cfg(unix)]
    use std::path::PathBuf;

    fn config(arguments: &[&str]) -> anyhow::Result<GateConfig> {
        let typed = Cli::try_parse_from([&["sudobench", "gate"], arguments].concat()).unwrap();
        let Command::Gate(typed) = typed.command else { panic!() };
        GateConfig::new(*typed, Level::widest(), &Arc::default())
    }

    /// Returns the command lines of the base and the head.
    fn serving(options: &[&str]) -> [String; 2] {
        let config = config(&[&["p.txt", "--base", "b", "--head", "h"], options].concat()).unwrap();
        let (paths, paired) = (config.measured.paths(), config.paired.unwrap());
        [false, true]
            .map(|is_head| paired.arguments(&paths, is_head).join(OsStr::new(" ")).into_string().unwrap())
    }

    #[test]
    fn both_binaries_get_the_same_request() {
        let asked = "serve p.txt --sample 500 --seed 1 --max-solutions 2 --max-nodes 1000000 \
                     --max-time-per-pair 8000000000ns";
        let asked_for_batches = asked.replace("500", &batches("auto").to_string());
        let asked_for_batches = [asked_for_batches.as_str(); 2];
        assert_eq!(serving(&[]), asked_for_batches);
        assert_eq!(serving(&["--solvers", "all", "--warm-up-time", "2s"]), asked_for_batches);
        let [base, head] = serving(&["--solvers", "mrv,dlx", "--exclude", "x"]);
        assert_eq!(
            base,
            format!("{asked} --include ^(mrv|dlx)$ --exclude x"),
            "the names are a pattern, because an old base may lack one of the solvers"
        );
        assert_eq!(head, format!("{asked} --solvers mrv,dlx --exclude x"));
        let [base, head] = serving(&["--solvers", "mrv,dlx", "--include", "^m"]);
        assert_eq!(
            base,
            format!("{asked} --include ^(mrv)$"),
            "the names that the pattern of --include keeps"
        );
        assert_eq!(head, format!("{asked} --solvers mrv,dlx --include ^m"));
    }

    #[cfg(unix)]
    #[test]
    fn both_binaries_get_the_bytes_of_a_name() {
        use std::os::unix::ffi::OsStrExt as _;
        let paired = config(&["p.txt", "--base", "b"]).unwrap().paired.unwrap();
        let names = [&b"\xff.txt"[..], b"-\xff.txt", b"-"].map(|name| PathBuf::from(OsStr::from_bytes(name)));
        let arguments = paired.arguments(&names, true);
        let passed: Vec<&[u8]> = arguments[1..4].iter().map(|word| word.as_bytes()).collect();
        assert_eq!(passed, [&b"\xff.txt"[..], b"./-\xff.txt", b"-"]);
    }

    /// Returns the number of puzzles per dataset on which a batch solver is timed.
    fn batches(solver: &str) -> u64 {
        let solver = solver::find(solver).unwrap().build(Level::widest()).unwrap();
        BATCHES * solver.batch_size() as u64
    }

    #[test]
    fn batch_solvers_are_timed_on_full_batches_and_others_on_the_sample() {
        let (_folder, baseline, _) = files();
        // Returns the sizes of three samples: for exact counts, for timing, and for timing the solvers that solve one puzzle at a time.
        // The last size is `None` if these solvers are timed on the second sample.
        let samples = |options: &[&str]| {
            let config = config(&[&["p.txt", "--base", "b"], options].concat()).unwrap();
            let (counted, paired) = (config.measured.terms.sample, config.paired.unwrap());
            let arguments = paired.arguments(&[], true);
            let at = arguments.iter().position(|word| word == "--sample").unwrap();
            (counted, arguments[at + 1].to_str().unwrap().parse::<u64>().unwrap(), paired.single_sample())
        };
        for variant in solver::VARIANTS {
            let of_batches = batches(variant.name);
            let expected = match of_batches > BATCHES {
                true => (500, of_batches, Some(500)),
                false => (500, 500, None),
            };
            assert_eq!(samples(&["--solvers", variant.name]), expected, "{}", variant.name);
        }
        assert_eq!(samples(&["--solvers", "mrv,bitslice"]), (500, batches("bitslice"), Some(500)));
        assert_eq!(samples(&["--exclude", "auto|bitslice"]), (500, 500, None));
        // A typed `--sample` applies to all solvers.
        assert_eq!(samples(&["--sample", "20"]), (20, 20, None));
        assert_eq!(samples(&["--sample", "100k", "--solvers", "bitslice"]), (100_000, 100_000, None));
        // If there is a baseline, its sample is the number of puzzles for exact counts.
        assert_eq!(samples(&["--baseline", &baseline]), (500, batches("auto"), Some(500)));
        let text = std::fs::read_to_string(&baseline).unwrap();
        for (stored, all, single) in [(20, batches("auto"), Some(20)), (1_000_000, 1_000_000, None)] {
            std::fs::write(&baseline, text.replace("sample=500", &format!("sample={stored}"))).unwrap();
            assert_eq!(samples(&["--baseline", &baseline]), (stored, all, single));
        }
    }

    /// Makes a folder with a baseline of `mrv` and `dlx` on p.txt and a record of some measurement. Returns the folder and the paths of
    /// both files.
    fn files() -> (tempfile::TempDir, String, String) {
        let folder = tempfile::tempdir().unwrap();
        let [baseline, record] = ["b.txt", "r.json"].map(|name| folder.path().join(name));
        let pair = |solver: &str| format!("pair {solver} p.txt puzzles=1 sha256=aa\nu1:51/1:4c5e72\n");
        let question = "question max_solutions=2 max_nodes=7 seed=3 sample=500";
        let text = format!("# sudobench baseline 2\n{question}\n{}{}", pair("mrv"), pair("dlx"));
        std::fs::write(&baseline, text).unwrap();
        std::fs::write(&record, include_str!("../../../tests/harness/golden/bench.json")).unwrap();
        let [baseline, record] = [baseline, record].map(|path| path.to_str().unwrap().to_owned());
        (folder, baseline, record)
    }

    #[test]
    fn contradictory_options_are_refused_with_a_remedy() {
        let (_folder, baseline, record) = files();
        let (b, r) = (baseline.as_str(), record.as_str());
        let error = |arguments: &[&str]| format!("{:#}", config(arguments).err().unwrap());
        for (arguments, remedy) in [
            (&["p.txt"][..], "name a --baseline, a --base binary, a --base-engine, a --command"),
            (&["--base", "b"], "name a dataset"),
            (&["--limits", "max=1s"], "name a dataset"),
            (&["--baseline", b, "--record", r, "--limits", "max=1s"], "name a dataset"),
            (
                &["p.txt", "--base", "b", "--max-trials", "5"],
                "--max-trials 5 is below --min-trials 10: raise --max-trials",
            ),
            (&["p.txt", "p.txt", "--base", "b"], "p.txt is named twice"),
            (&["-", "-", "--base", "b"], "standard input (`-`) can be read only once"),
            (&["p.txt", "--base", "b", "--solvers", "magic"], "there is no solver `magic`"),
            (&["p\nq", "--baseline", b], "contains a line break"),
            (
                &["p.txt", "--baseline", "no-such"],
                "there is no baseline no-such: the file does not exist or is empty; make one with --update-baseline",
            ),
            (&["p.txt", "--baseline", b, "--sample", "20"], "--sample 20 does not fit --baseline "),
            (
                &["p.txt", "--baseline", b, "--sample", "20"],
                "b.txt, which was counted with --sample 500: leave",
            ),
            (&["p.txt", "--baseline", b, "--max-nodes", "8"], "counted with --max-nodes 7"),
            (&["p.txt", "--baseline", b, "--seed", "1", "--update-baseline"], "counted with --seed 3"),
            (
                &["p.txt", "--baseline", b, "--solvers", "mrv"],
                "b.txt has the solver dlx, which this run leaves out: add the solver to --solvers, ",
            ),
            (
                &["p.txt", "--baseline", b, "--include", "^mrv$"],
                "b.txt has the solver dlx, which this run leaves out: change --include, ",
            ),
            (
                &["p.txt", "--baseline", b, "--exclude", "mrv"],
                "b.txt has the solver mrv, which this run leaves out: change --exclude, ",
            ),
            (&["--record", r], "write a limit such as p99=80ms"),
            (&["p.txt", "--record", r, "--limits", "max=1s"], "p.txt is not used"),
            (
                &["--record", r, "--limits", "max=1s", "--max-nodes", "9"],
                "--max-nodes 9 does not fit --record ",
            ),
            (
                &["--record", r, "--limits", "max=1s", "--solvers", "mrv"],
                "because only one of the two contains bitslice",
            ),
            (&["p.txt", "--engine", "e=cat", "--limits", "nodes=0%"], "there is nothing to compare with"),
            (
                &["p.txt", "--engine", "e=cat", "--base", "b"],
                "name its old build with --base-engine e=COMMAND",
            ),
            (
                &["p.txt", "--engine", "e=cat", "--base-engine", "e=cat", "--base", "b"],
                "besides the --engine, choose some with --solvers",
            ),
            (
                &["p.txt", "--engine", "e=cat", "--base-engine", "f=cat"],
                "--base-engine f: there is no engine of that name",
            ),
            (
                &["p.txt", "--engine", "e=cat", "--base-engine", "e=cat", "--base-engine", "e=cat"],
                "--base-engine e occurs twice: leave one out",
            ),
            (
                &["p.txt", "--engine", "mrv=cat", "--base-engine", "mrv=cat"],
                "the name `mrv` occurs twice among the solvers and engines: rename",
            ),
            (&["p.txt", "--engine", "a b=cat", "--baseline", b], "choose a name without spaces"),
            (&["p.txt", "--engine", "e=", "--base-engine", "e=cat"], "is not a name and a command"),
            (&["p.txt", "--baseline", b, "--include", "zzz"], "no solver is left to measure"),
            (
                &["--command", "c=cat", "--base-command", "d=cat"],
                "--base-command d: there is no command of that name",
            ),
            (
                &["--command", "c=cat", "--command", "d=cat", "--base-command", "c=cat"],
                "there is nothing to compare the command `d` with: name its old build with --base-command d=COMMAND",
            ),
            (
                &["--command", "c=cat", "--base-command", "c=cat", "--base-command", "c=tac"],
                "two commands are called `c`",
            ),
            (&["--command", "c='", "--base-command", "c=cat"], "is not a name and a command"),
            (
                &["--command", "c=cat", "--base-command", "c=cat", "--prepare", "'"],
                "--prepare `'` is not a command",
            ),
            (
                &["--command", "c=cat", "--base-command", "c=cat", "--counter", "output=(1)"],
                "the name `output` is already used for another check",
            ),
            (
                &["p.txt", "--baseline", b, "--instructions", "callgrind"],
                "--instructions compares two builds: name a --base binary",
            ),
            (
                &["--command", "c=cat", "--base-command", "c=cat", "--limits", "p99=1s"],
                "a --command has no times of single puzzles",
            ),
        ] {
            assert!(error(arguments).contains(remedy), "{arguments:?}: {}", error(arguments));
        }
        assert!(config(&["--record", r, "--limits", "max=1s"]).is_ok());
        assert!(config(&["p.txt", "--baseline", b, "--solvers", "mrv", "--allow-missing"]).is_ok());
        assert!(config(&["p.txt", "--baseline", b, "--solvers", "mrv", "--update-baseline"]).is_ok());
    }

    #[test]
    fn commands_refuse_the_options_of_puzzles() {
        let refused = |arguments: &[&str]| {
            let commands = ["sudobench", "gate", "--command", "c=cat", "--base-command", "c=cat"];
            Cli::try_parse_from([&commands[..], arguments].concat()).err().map(|error| error.to_string())
        };
        assert_eq!(
            refused(&["--same-output", "--seed", "7", "--counter", "n=n=([0-9])", "--prepare", "true"]),
            None
        );
        for (arguments, remedy) in [
            (&["p.txt"][..], "cannot be used with"),
            (&["--base", "b"], "cannot be used with"),
            (&["--engine", "e=cat"], "cannot be used with"),
            (&["--solvers", "mrv"], "cannot be used with"),
            (&["--baseline", "b"], "cannot be used with"),
            (&["--record", "r"], "cannot be used with"),
            (&["--sample", "7"], "cannot be used with"),
            (&["--counter", "n"], "`n` is not a counter: write NAME='REGEX'"),
            (&["--counter", "n=[0-9]+"], "has no group: put the number in parentheses"),
            (&["--counter", "n=("], "the counter `n`: "),
        ] {
            assert!(
                refused(arguments).is_some_and(|error| error.contains(remedy)),
                "{arguments:?}: {:?}",
                refused(arguments)
            );
        }
    }

    #[test]
    fn a_baseline_provides_defaults() {
        let (_folder, baseline, _) = files();
        let terms = |arguments: &[&str]| config(arguments).unwrap().measured.terms;
        let with = ["p.txt", "--baseline", &baseline, "--sample", "500"];
        assert_eq!(terms(&with), BaselineTerms { max_solutions: 2, max_nodes: 7, seed: 3, sample: 500 });
        assert_eq!(terms(&["p.txt", "--base", "b", "--sample", "9"]), BaselineTerms { sample: 9, ..TERMS });
    }

    #[test]
    fn without_named_solvers_only_engines_are_checked() {
        let gated = |arguments: &[&str]| {
            let typed =
                ["p.txt", "--engine", "e=cat", "--base-engine", "e=tac", "--engine-protocol", "e=files"];
            let config = config(&[&typed[..], arguments].concat()).unwrap();
            let base = config.builds.unwrap().base;
            assert_eq!(
                (base[0].0.text.as_str(), base[0].1.protocol),
                ("tac", sudobench_harness::bench::EngineProtocol::Files)
            );
            config.measured.variants.len()
        };
        assert_eq!((gated(&[]), gated(&["--solvers", "mrv,dlx"])), (0, 2));
    }

    #[test]
    fn without_named_solvers_those_of_the_baseline_are_counted() {
        let (_folder, baseline, _) = files();
        let counted = |arguments: &[&str]| -> Vec<&str> {
            let config = config(&[&["p.txt", "--baseline", &baseline], arguments].concat()).unwrap();
            config.measured.variants.iter().map(|variant| variant.name).collect()
        };
        assert_eq!(counted(&[]), ["mrv", "dlx"]);
        assert_eq!(counted(&["--solvers", "mrv,dlx,bitboard"]), ["mrv", "dlx", "bitboard"]);
        assert!(counted(&["--update-baseline"]).len() > 2, "an updated baseline may contain all solvers");
    }
}
