//! `bisect` from end to end: real repositories whose engines are scripts with planted changes. No assertion on a time.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

use super::gate::{BINARY, expect};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn git(folder: &Path, words: &[&str]) -> String {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").args(identity).args(words).current_dir(folder).output().unwrap();
    expect(&output, 0);
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// An engine that says that it took so many nodes for each puzzle.
fn counting(nodes: u64) -> String {
    format!("while read line; do echo {SOLUTION} nodes={nodes}; done")
}

/// A repository with a commit for each script of an engine, and the hashes of the commits. The build copies the script, which git
/// does not ignore.
fn repository(scripts: &[String]) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("p.txt"), format!("{PUZZLE}\n").repeat(3)).unwrap();
    git(path, &["init", "-q"]);
    let commit = |(at, script): (usize, &String)| {
        std::fs::create_dir_all(path.join("sub")).unwrap();
        std::fs::write(path.join("sub/source.sh"), script).unwrap();
        std::fs::write(path.join("sub/note"), at.to_string()).unwrap();
        git(path, &["add", "-A"]);
        git(path, &["commit", "-qm", &format!("change {at}")]);
        git(path, &["rev-parse", "HEAD"])
    };
    let commits = scripts.iter().enumerate().map(commit).collect();
    (folder, commits)
}

fn bisect(folder: &Path, good: &str, bad: &str, words: &[&str]) -> Output {
    let range = ["bisect", "--good", good, "--bad", bad, "../p.txt"];
    Command::new(BINARY).args(range).args(words).current_dir(folder.join("sub")).output().unwrap()
}

const ENGINE: [&str; 7] =
    ["--engine", "mine=sh ./solve.sh", "--", "sh", "-ec", "sh -n source.sh; cp source.sh solve.sh", "-q"];

/// The user's tree, branch and list of work trees are what they were.
#[track_caller]
fn assert_untouched(folder: &Path) {
    assert_eq!(git(folder, &["status", "--porcelain"]), "");
    assert_eq!(
        git(folder, &["worktree", "list"]).lines().count(),
        1,
        "those that git knows are there no more"
    );
}

#[test]
fn the_commit_whose_counts_are_worse_is_found_over_one_that_does_not_build() {
    let mut scripts: Vec<String> = (0..9).map(|at| counting(if at >= 6 { 52 } else { 51 })).collect();
    scripts[4] = "if".to_owned();
    let (folder, commits) = repository(&scripts);
    let output = bisect(folder.path(), &commits[0], "HEAD", &ENGINE);
    let shown = expect(&output, 0);
    assert!(shown.contains(&format!("first bad commit: {}\n  change 6\n", commits[6])), "{shown}");
    assert!(shown.contains("mine on p.txt: more nodes on 3 puzzles: "), "{shown}");
    assert!(shown.contains("(51 -> 52)") && shown.contains("exact counts against "), "{shown}");
    assert!(
        shown.contains("1 commit skipped") && shown.contains(&format!("skip: {}", commits[4])),
        "{shown}"
    );
    assert_untouched(folder.path());
}

#[test]
fn a_range_of_one_commit_is_that_commit() {
    let (folder, commits) = repository(&[counting(51), counting(60)]);
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[1], &ENGINE), 0);
    assert!(shown.contains(&format!("first bad commit: {}", commits[1])), "{shown}");
    assert!(shown.contains("(51 -> 60)") && shown.contains("2 builds, 0 commits skipped"), "{shown}");
}

#[test]
fn what_is_hidden_by_commits_that_cannot_be_measured_is_told() {
    let wrong = format!("while read line; do echo {}; done", SOLUTION.replace('1', "2"));
    let (folder, commits) = repository(&[counting(51), "if".to_owned(), wrong, counting(60)]);
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[3], &ENGINE), 4);
    assert!(shown.contains("cannot tell which of these is the first bad commit"), "{shown}");
    assert!(commits[1..].iter().all(|commit| shown.contains(commit.as_str())), "{shown}");
    assert_untouched(folder.path());
}

#[test]
fn what_is_not_worse_is_told_and_limits_let_through() {
    let (folder, commits) = repository(&[counting(51), counting(52)]);
    let lenient = [&["--limits", "nodes=5%,time=100000%"][..], &ENGINE].concat();
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[1], &lenient), 4);
    assert!(shown.contains(&format!("{} is not worse than {}", commits[1], commits[0])), "{shown}");
}

#[test]
fn where_counts_are_the_same_trials_decide() {
    // Ten times the work, and more: no noise of a machine hides it.
    let slow = |turns: u64| {
        format!(
            "i=0; while [ $i -lt {turns} ]; do i=$((i+1)); done; while read line; do echo {SOLUTION}; done"
        )
    };
    let scripts: Vec<String> = (0..5).map(|at| slow(if at >= 2 { 50_000 } else { 1_000 })).collect();
    let (folder, commits) = repository(&scripts);
    let limited = [&["--limits", "time=50%"][..], &ENGINE].concat();
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[4], &limited), 0);
    assert!(shown.contains(&format!("first bad commit: {}", commits[2])), "{shown}");
    assert!(shown.contains("slower: time +") && shown.contains("paired trials against "), "{shown}");
    assert_untouched(folder.path());
}

#[test]
fn a_binary_of_this_program_counts_by_itself() {
    // A version that gives puzzles up sooner finds out less: its answers are worse.
    let wrapper = |changes: &str| format!("#!/bin/sh\nexec '{BINARY}' \"$@\" {changes}\n");
    let (plain, other) = (wrapper(""), wrapper("--include 'dlx|mrv' --exclude none"));
    let fewer = "sed 's/--max-nodes 1000000/--max-nodes 1/'";
    let gives_up = format!("#!/bin/sh\nexec '{BINARY}' $(echo \"$@\" | {fewer})\n");
    let (folder, commits) = repository(&[plain.clone(), plain, other, gives_up.clone(), gives_up]);
    let words =
        ["--binary", "tool", "--solvers", "mrv,dlx", "--", "sh", "-ec", "cp source.sh tool; chmod +x tool"];
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[4], &words), 0);
    assert!(shown.contains(&format!("first bad commit: {}", commits[3])), "{shown}");
    assert!(shown.contains("on p.txt: other answers on 3 puzzles"), "{shown}");
    assert_untouched(folder.path());
}

#[test]
fn what_cannot_be_bisected_is_told() {
    let (folder, commits) = repository(&[counting(51), counting(52), "if".to_owned()]);
    let path = folder.path();
    let [good, bad, broken] = &commits[..] else { panic!("{commits:?}") };
    for (good, bad, words, code, remedy) in [
        (good, good, &ENGINE[..], 2, "are the same commit"),
        (&"none".to_owned(), bad, &ENGINE, 2, "git knows no commit `none`"),
        (&"-x".to_owned(), bad, &ENGINE, 2, "'-x'"),
        (good, bad, &[], 2, "--engine"),
        (good, bad, &["--engine", "a=b", "--binary", "c"], 2, "cannot be used with"),
        (good, bad, &["--engine", "a=b", "--limits", "p99=1s"], 2, "`p99=1s` in --limits"),
        (good, bad, &["--engine", "a=b", "--limits", "memory=1%"], 2, "`memory` in --limits"),
        (good, bad, &["-", "--engine", "a=b"], 2, "standard input cannot be read for each commit"),
        (good, broken, &ENGINE, 1, "--bad cannot be measured: the build failed"),
        (broken, bad, &ENGINE, 1, "--good cannot be measured: the build failed"),
        (good, bad, &["--engine", "mine=./none"], 1, "--good cannot be measured: "),
    ] {
        let shown = expect(&bisect(path, good, bad, words), code);
        assert!(shown.contains(remedy), "{words:?}: {shown}");
    }
    assert_untouched(path);
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::create_dir(elsewhere.path().join("sub")).unwrap();
    std::fs::copy(path.join("p.txt"), elsewhere.path().join("p.txt")).unwrap();
    let shown = expect(&bisect(elsewhere.path(), good, bad, &ENGINE), 2);
    assert!(shown.contains("not a git repository"), "{shown}");
}

/// A repository of which one commit's build does something to its work tree.
fn with_a_build_that(does: &str, at: impl Fn(usize) -> bool) -> (tempfile::TempDir, Vec<String>) {
    let script = |number: usize| {
        let build = if at(number) { does } else { ":" };
        let nodes = if number >= 3 { 52 } else { 51 };
        format!("if [ \"$1\" = build ]; then cp source.sh solve.sh; {build}; exit; fi; {}", counting(nodes))
    };
    repository(&(0..5).map(script).collect::<Vec<_>>())
}

const BUILD: [&str; 6] = ["--engine", "mine=sh ./solve.sh", "--", "sh", "source.sh", "build"];

#[test]
fn a_build_that_moves_head_is_not_of_its_commit() {
    let stamp = "date >version; git add version; git -c user.email=a -c user.name=a commit -qm stamp";
    for does in [stamp, "git checkout -q --force HEAD~1"] {
        let (folder, commits) = with_a_build_that(does, |number| number == 2);
        let shown = expect(&bisect(folder.path(), &commits[0], &commits[4], &BUILD), 4);
        assert!(
            shown.contains(&format!("skip: {} change 2: the build moved HEAD to ", commits[2])),
            "{shown}"
        );
        assert!(commits[2..4].iter().all(|commit| shown.contains(&format!("  {commit} change"))), "{shown}");
        assert_untouched(folder.path());
    }
    let (folder, commits) = with_a_build_that(stamp, |_| true);
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[4], &BUILD), 1);
    assert!(shown.contains("--good cannot be measured: the build moved HEAD to "), "{shown}");
    assert_untouched(folder.path());
}

#[test]
fn an_engine_that_commits_leads_nowhere_else() {
    let stamp = "date >v; git add v; git -c user.email=a -c user.name=a commit -qm stamp >/dev/null; ";
    let scripts: Vec<String> =
        (0..5).map(|at| stamp.to_owned() + &counting(if at >= 3 { 52 } else { 51 })).collect();
    let (folder, commits) = repository(&scripts);
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[4], &ENGINE), 0);
    assert!(shown.contains(&format!("first bad commit: {}", commits[3])), "{shown}");
    assert_untouched(folder.path());
}

#[test]
fn what_a_build_does_to_its_work_tree_hinders_nothing() {
    // The repository within must not be there when the next commit is built.
    let nested = "[ ! -e nested ] || exit 1; git init -q nested; touch nested/file";
    for does in [
        nested,
        "rm ../.git",
        "rm ../.git; git init -q ..",
        "touch \"$(git rev-parse --git-dir)/index.lock\"",
    ] {
        let (folder, commits) = with_a_build_that(does, |_| true);
        let shown = expect(&bisect(folder.path(), &commits[0], &commits[4], &BUILD), 0);
        assert!(shown.contains(&format!("first bad commit: {}", commits[3])), "{does}: {shown}");
        assert!(shown.contains(", 0 commits skipped"), "{does}: {shown}");
        assert_untouched(folder.path());
    }
    let (folder, commits) = repository(&[counting(51), counting(52)]);
    let gone = ["--engine", "mine=sh -c 'rm -rf ../.git; sh source.sh'"];
    expect(&bisect(folder.path(), &commits[0], &commits[1], &gone), 1);
    assert_untouched(folder.path());
}

#[test]
fn counters_that_only_one_of_the_two_tells_decide_nothing() {
    let silent = format!("while read line; do echo {SOLUTION}; done");
    let (folder, commits) = repository(&[counting(51), counting(51), silent]);
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[2], &ENGINE), 4);
    let words = format!("cannot tell whether {} is worse than {}", commits[2], commits[0]);
    assert!(shown.contains(&words), "{shown}");
    assert!(shown.contains("mine on p.txt: good has nodes, and now none are told"), "{shown}");
    assert!(!shown.contains("is not worse"), "{shown}");
}

#[test]
fn a_commit_is_named_as_git_names_it_and_may_lack_the_folder() {
    let (folder, commits) = repository(&[counting(51), counting(51), counting(52)]);
    let path = folder.path();
    let shown = expect(&bisect(path, ":/change 1", "HEAD", &ENGINE), 0);
    assert!(shown.contains(&format!("first bad commit: {}", commits[2])), "{shown}");
    git(path, &["checkout", "-q", "--orphan", "bare"]);
    git(path, &["rm", "-rqf", "sub"]);
    git(path, &["commit", "-qm", "bare"]);
    let bare = git(path, &["rev-parse", "HEAD"]);
    git(path, &["checkout", "-q", &commits[2]]);
    let shown = expect(&bisect(path, &bare, &commits[2], &ENGINE), 1);
    assert!(shown.contains("--good cannot be measured: this commit has no folder sub"), "{shown}");
}

#[test]
fn faults_are_told_in_the_words_of_a_bisection() {
    let wrong = format!("while read line; do echo {}; done", SOLUTION.replace('1', "2"));
    let (folder, commits) = repository(&[counting(51), wrong, counting(52)]);
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[2], &ENGINE), 4);
    assert!(shown.contains("skip: ") && !shown.contains("head: "), "{shown}");
    let (folder, commits) = repository(&[counting(51), "sleep 60".to_owned()]);
    let limited = [&["--max-time", "2s"][..], &ENGINE].concat();
    let shown = expect(&bisect(folder.path(), &commits[0], &commits[1], &limited), 1);
    assert!(shown.contains("in bisect of --max-time"), "{shown}");
    let help = Command::new(BINARY).args(["bisect", "--help"]).output().unwrap();
    let help = expect(&help, 0);
    let ends = help.lines().skip_while(|line| *line != "Examples:");
    let longest = ends.map(|line| line.chars().count()).max();
    assert!(
        longest.is_some_and(|longest| longest <= 100),
        "a terminal of that width breaks none: {longest:?}"
    );
}

#[test]
fn an_interrupt_leaves_nothing() {
    let (folder, commits) = repository(&[counting(51), counting(52)]);
    let path = folder.path();
    let mut running = Command::new(BINARY)
        .args([
            "bisect",
            "--good",
            &commits[0],
            "--bad",
            &commits[1],
            "../p.txt",
            "--engine",
            "mine=sh solve.sh",
        ])
        .args(["--", "sh", "-c", "touch \"$0\"; sleep 600", path.join("started").to_str().unwrap()])
        .current_dir(path.join("sub"))
        .spawn()
        .unwrap();
    let start = std::time::Instant::now();
    while !path.join("started").exists() {
        assert!(start.elapsed() < std::time::Duration::from_secs(60));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::fs::remove_file(path.join("started")).unwrap();
    assert!(Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap().success());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert_untouched(path);
}
