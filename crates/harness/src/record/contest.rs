//! A contest of solvers: the contestants, the sets and the rules. Users write it as TOML, and the record of a leaderboard contains it as
//! JSON.

use std::collections::BTreeMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AnswerKind, DatasetRecord, RecordError, read_stored_file, stored_text};

/// A contest of solvers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contest {
    /// Title of the leaderboard page.
    pub title: String,
    /// The date that the leaderboard page shows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub date: Option<String>,
    /// The person or project that made the measurements.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub author: Option<String>,
    /// Address of a page with more information about the contest.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub link: Option<String>,
    /// Text below the title.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// The rules for all contestants.
    #[serde(default)]
    pub rules: Rules,
    /// The sets of puzzles, in the order of the tables.
    #[serde(rename = "set", default)]
    pub sets: Vec<ContestSet>,
    /// The contestants.
    #[serde(rename = "contestant", default)]
    pub contestants: Vec<ContestantSpec>,
}

/// The rules of a contest. They work as in `sudobench bench`, except that each puzzle is solved in a random equivalent form. Built-in
/// solvers get the same form in all rounds. External programs get a new form in each round; within a round, all of them get the same form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// For each puzzle, a built-in solver stops after this number of solutions. The default is 2: a search that looks for two solutions and
    /// finds only one proves that the puzzle has exactly one solution.
    pub max_solutions: NonZeroU64,
    /// Seed of random choices, such as the order of the puzzles and their equivalent forms.
    pub seed: u64,
    /// Number of rounds of each pair of a contestant and a set.
    pub rounds: NonZeroUsize,
    /// Minimum time of measurement of a pair with a built-in solver, if `max_time` allows it. An external program makes only one pass in
    /// each round, even if the measurement then takes less than this time.
    #[serde(with = "time_text")]
    pub min_time: Duration,
    /// Maximum time of measurement of a pair, warm-up included.
    #[serde(with = "time_text")]
    pub max_time: Duration,
    /// Maximum number of puzzles taken from each set, if there is a maximum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<NonZeroU64>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            max_solutions: NonZeroU64::MIN.saturating_add(1),
            seed: 1,
            rounds: NonZeroUsize::MIN.saturating_add(9),
            min_time: Duration::from_secs(2),
            max_time: Duration::from_secs(60),
            sample: None,
        }
    }
}

/// Stores times as they are typed: `2s`.
mod time_text {
    use std::time::Duration;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&humantime::format_duration(*time))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(deserializer)?;
        let time = humantime::parse_duration(&text);
        time.map_err(|error| D::Error::custom(format!("`{text}` is not a time such as 500ms or 2s: {error}")))
    }
}

/// A set of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestSet {
    /// Name in tables.
    pub name: String,
    /// Path of the file, relative to the folder of the contest file.
    pub file: String,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Where others can get the file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
}

/// A contestant in a contest file. Without a command, it is the built-in solver of this name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContestantSpec {
    /// Name in tables.
    pub name: String,
    /// Command that starts the contestant. It runs in the folder of the contest file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command: Option<String>,
    /// The value of `--engine-protocol`; `lines` by default.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub protocol: Option<String>,
    /// The value of `--engine-answers`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answers: Option<AnswerKind>,
    /// Version or commit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
    /// Licence, such as `MIT`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub licence: Option<String>,
    /// Programming language.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub language: Option<String>,
    /// Compiler with its flags.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compiler: Option<String>,
    /// Web address of the contestant's project.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub link: Option<String>,
    /// Anything else that readers should know.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

pub(super) const DEFAULT_PROTOCOL: &str = "lines";

impl ContestantSpec {
    /// Returns the name of the contestant's protocol for `--engine-protocol`. `None` for a built-in solver.
    pub fn protocol(&self) -> Option<&str> {
        self.command.as_ref().map(|_| self.protocol.as_deref().unwrap_or(DEFAULT_PROTOCOL))
    }

    /// Returns whether both contestants have the same command, protocol and kind of answers. Other fields are not compared.
    fn runs_like(&self, other: &ContestantSpec) -> bool {
        let run = |it: &ContestantSpec| (it.command.clone(), it.protocol.clone(), it.answers);
        run(self) == run(other)
    }
}

impl Contest {
    /// Reads a contest from a TOML file.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the file can't be read or isn't a valid contest.
    pub fn read(path: &Path) -> Result<Contest, RecordError> {
        let content = |fault: String| RecordError::Content { path: path.display().to_string(), fault };
        let text = read_stored_file(path).and_then(stored_text);
        let text = text.map_err(|error| content(format!("cannot be read: {error}")))?;
        let contest: Contest = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            content(format!("is not a contest: line {line}: {}", error.message().replace('\n', " ")))
        })?;
        contest.check().map_err(content)?;
        Ok(contest)
    }

    /// Checks that names are valid and different, that there is something to measure, and that each set has a SHA-256.
    fn check(&self) -> Result<(), String> {
        let sets: Vec<&str> = self.sets.iter().map(|set| set.name.as_str()).collect();
        let contestants: Vec<&str> =
            self.contestants.iter().map(|contestant| contestant.name.as_str()).collect();
        for (what, names) in [("set", &sets), ("contestant", &contestants)] {
            if names.is_empty() {
                return Err(format!("has no {what}: add a table [[{what}]]"));
            }
            for (at, name) in names.iter().enumerate() {
                if name.trim() != *name || name.is_empty() || name.contains('=') {
                    return Err(format!(
                        "has a {what} with the name `{name}`: write a name that is not empty, without `=`, and without spaces at its start or end"
                    ));
                }
                if names[..at].contains(name) {
                    return Err(format!(
                        "has two {what}s with the name `{name}`: rename one of them, or leave it out"
                    ));
                }
            }
        }
        let is_digest = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match self.sets.iter().find(|set| !is_digest(&set.sha256)) {
            Some(set) => Err(format!(
                "has no SHA-256 of 64 hexadecimal digits for the set `{}`: see `sha256sum`",
                set.name
            )),
            None => Ok(()),
        }
    }
}

/// The fields that only the record of a leaderboard has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaderboard {
    /// The contest.
    pub contest: Contest,
    /// The files of each contestant. The key is the contestant's name.
    pub files: BTreeMap<String, Vec<ContestantFile>>,
    /// Start of the measurement of each contestant (inner key) on each set (outer key), in RFC 3339, UTC. Contestants with the same start
    /// on a set took turns; contestants with different starts were measured at different times.
    pub measured: BTreeMap<String, BTreeMap<String, String>>,
    /// For each set, the cost of the pipes: the time per puzzle of a program that only prints its input.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub pipes_ns: BTreeMap<String, f64>,
}

/// A file of a contestant: its program, its library, or another file that its command names, such as a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestantFile {
    /// Name without folders.
    pub name: String,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

impl Leaderboard {
    /// Replaces the description of the contest and the files of its contestants. Removes the measurements of contestants that changed, and
    /// of sets and contestants that the contest no longer has. A contestant whose files don't exist on this machine keeps its measurements,
    /// unless its command, protocol or kind of answers changed.
    ///
    /// # Errors
    ///
    /// The reason, if the rules or the puzzles differ from those of the old measurements.
    pub fn update(
        &mut self,
        contest: Contest,
        files: BTreeMap<String, Vec<ContestantFile>>,
        datasets: &[DatasetRecord],
    ) -> Result<(), String> {
        if contest.rules != self.contest.rules {
            return Err("its rules differ from the rules in contest.toml".to_owned());
        }
        for set in &contest.sets {
            let measured = datasets.iter().find(|dataset| dataset.name == set.name);
            if measured.is_some_and(|measured| !measured.sha256.eq_ignore_ascii_case(&set.sha256)) {
                return Err(format!(
                    "its set `{}` has another SHA-256 than the set in contest.toml",
                    set.name
                ));
            }
        }
        let old = std::mem::replace(&mut self.contest, contest);
        for contestant in &self.contest.contestants {
            let was = old.contestants.iter().find(|was| was.name == contestant.name);
            let now = files.get(&contestant.name).filter(|files| !files.is_empty());
            let has_new_files = now.is_some_and(|now| self.files.get(&contestant.name) != Some(now));
            if was.is_none_or(|was| !was.runs_like(contestant)) || has_new_files {
                self.measured.values_mut().for_each(|measured| drop(measured.remove(&contestant.name)));
            }
            if let Some(now) = now {
                self.files.insert(contestant.name.clone(), now.clone());
            }
        }
        let (sets, contestants) = (&self.contest.sets, &self.contest.contestants);
        let is_contestant = |name: &String| contestants.iter().any(|contestant| contestant.name == *name);
        let is_set = |name: &String| sets.iter().any(|set| set.name == *name);
        self.measured.retain(|set, _| is_set(set));
        self.measured.values_mut().for_each(|measured| measured.retain(|name, _| is_contestant(name)));
        self.pipes_ns.retain(|set, _| is_set(set));
        self.files.retain(|name, _| is_contestant(name));
        Ok(())
    }

    /// Returns whether this contestant was measured on this set, successfully or not.
    pub fn has_measured(&self, set: &str, contestant: &str) -> bool {
        self.measured.get(set).is_some_and(|measured| measured.contains_key(contestant))
    }

    /// Returns the contestant with this name.
    pub fn contestant(&self, name: &str) -> Option<&ContestantSpec> {
        self.contest.contestants.iter().find(|contestant| contestant.name == name)
    }

    /// Returns the contestants that have no measurement on a set yet.
    pub fn to_measure(&self, set: &str) -> Vec<&ContestantSpec> {
        self.contest
            .contestants
            .iter()
            .filter(|contestant| !self.has_measured(set, &contestant.name))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEST: &str = r#"
        title = "Two solvers"
        [rules]
        rounds = 3
        min_time = "100ms"
        [[set]]
        name = "hard"
        file = "hard.csv"
        sha256 = "00000000000000000000000000000000000000000000000000000000000000aa"
        [[contestant]]
        name = "bitslice"
        [[contestant]]
        name = "mine"
        command = "./mine"
        answers = "unique"
    "#;

    fn read(text: &str) -> Result<Contest, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let shown = file.path().display().to_string();
        Contest::read(file.path()).map_err(|error| error.to_string().replace(&shown, "contest.toml"))
    }

    fn files(digest: &str) -> BTreeMap<String, Vec<ContestantFile>> {
        let file = ContestantFile { name: "mine".to_owned(), sha256: digest.to_owned() };
        BTreeMap::from([("mine".to_owned(), vec![file]), ("bitslice".to_owned(), Vec::new())])
    }

    /// Returns a leaderboard with a measurement of every contestant.
    fn measured() -> Leaderboard {
        let contest = read(CONTEST).unwrap();
        let names = contest.contestants.iter().map(|contestant| (contestant.name.clone(), "now".to_owned()));
        let measured = BTreeMap::from([("hard".to_owned(), names.collect())]);
        Leaderboard { contest, files: files("1"), measured, pipes_ns: BTreeMap::new() }
    }

    fn names(contestants: &[&ContestantSpec]) -> Vec<String> {
        contestants.iter().map(|contestant| contestant.name.clone()).collect()
    }

    #[test]
    fn a_contest_is_read_and_round_trips_as_json() {
        let contest = read(CONTEST).unwrap();
        assert_eq!(contest.rules.rounds.get(), 3);
        assert_eq!(
            (contest.rules.min_time, contest.rules.max_time),
            (Duration::from_millis(100), Rules::default().max_time)
        );
        assert_eq!(contest.contestants[1].answers, Some(AnswerKind::Unique));
        let text = serde_json::to_string(&contest).unwrap();
        assert_eq!(serde_json::from_str::<Contest>(&text).unwrap(), contest);
    }

    #[test]
    fn a_wrong_contest_is_refused_with_the_reason() {
        let cases = [
            ("title = 1", "invalid type: integer `1`, expected a string"),
            ("title = \"a\"\nrule = 1", "contest.toml is not a contest: line 2: unknown field `rule`"),
            ("title = \"a\"", "contest.toml has no set: add a table [[set]]"),
        ];
        let changed = [
            (CONTEST.replace("100ms", "soon"), "`soon` is not a time such as 500ms or 2s"),
            (
                CONTEST.replace("\"mine\"", "\"bitslice\""),
                "has two contestants with the name `bitslice`: rename one of them, or leave it out",
            ),
            (CONTEST.replace("\"mine\"", "\"a=b\""), "has a contestant with the name `a=b`"),
            (CONTEST.replace("00aa", "zz"), "has no SHA-256 of 64 hexadecimal digits for the set `hard`"),
        ];
        let cases = cases.map(|(text, message)| (text.to_owned(), message)).into_iter().chain(changed);
        for (text, message) in cases {
            let error = read(&text).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn only_what_changed_is_measured_again() {
        let to_measure = |contest: &str, files| {
            let mut board = measured();
            board.update(read(contest).unwrap(), files, &[]).unwrap();
            names(&board.to_measure("hard"))
        };
        assert_eq!(to_measure(CONTEST, files("1")), Vec::<String>::new());
        assert_eq!(to_measure(CONTEST, BTreeMap::new()), Vec::<String>::new(), "its files are not here");
        assert_eq!(to_measure(CONTEST, files("2")), ["mine"]);
        let described = CONTEST.replace("command = ", "licence = \"MIT\"\ncommand = ");
        assert_eq!(to_measure(&described, files("1")), Vec::<String>::new());
        assert_eq!(to_measure(&CONTEST.replace("./mine", "./mine -q"), files("1")), ["mine"]);
        let added = format!("{CONTEST}\n[[contestant]]\nname = \"mrv\"");
        assert_eq!(to_measure(&added, files("1")), ["mrv"]);
        let set_added = CONTEST.replace("[[set]]", "[[set]]\nname='b'\nfile='b'\nsha256='00000000000000000000000000000000000000000000000000000000000000bb'\n[[set]]");
        let mut board = measured();
        board.update(read(&set_added).unwrap(), files("1"), &[]).unwrap();
        assert_eq!(names(&board.to_measure("b")), ["bitslice", "mine"]);
    }

    #[test]
    fn a_removed_contestant_loses_its_measurements() {
        let mut board = measured();
        let (without, _) = CONTEST.rsplit_once("[[contestant]]").unwrap();
        board.update(read(without).unwrap(), BTreeMap::new(), &[]).unwrap();
        assert!(
            board.has_measured("hard", "bitslice")
                && !board.has_measured("hard", "mine")
                && !board.files.contains_key("mine")
        );
    }

    #[test]
    fn other_rules_and_other_puzzles_are_not_mixed() {
        let mut board = measured();
        let other = read(&CONTEST.replace("rounds = 3", "rounds = 4")).unwrap();
        assert_eq!(
            board.update(other, files("1"), &[]).unwrap_err(),
            "its rules differ from the rules in contest.toml"
        );
        let dataset = DatasetRecord {
            name: "hard".to_owned(),
            ..super::super::fixtures::bench_record().datasets.remove(0)
        };
        let error = board.update(read(CONTEST).unwrap(), files("1"), &[dataset]).unwrap_err();
        assert_eq!(error, "its set `hard` has another SHA-256 than the set in contest.toml");
    }
}
