//! `sudobench explain`: a row for every step to the solution. Also tests the columns of `rate` that summarize the steps.

use super::kept::keep_record;
use super::{Ran, command};

const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// "Golden Nugget", a puzzle that the known techniques do not solve.
const HARDEST: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

fn run(verb: &str, input: &str, arguments: &[&str]) -> Ran {
    let mut command = assert_cmd::Command::from_std(command());
    Ran::of(command.arg(verb).args(arguments).write_stdin(input).output().unwrap())
}

#[test]
fn each_step_is_a_row_and_the_boards_lead_to_the_solution() {
    let columns = ["--columns", "number,technique,rating,placement,eliminations,board,complete"];
    let ran = run("explain", &format!("{EASY}\n"), &columns).expect(0);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 51, "{}", ran.stdout);
    let mut board = EASY.as_bytes().to_vec();
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row[0], EASY);
        assert_eq!((row[1], row[2]), ((number + 1).to_string().as_str(), "Hidden Single"));
        assert!(["1.0", "1.2", "1.5"].contains(&row[3]), "{row:?}");
        assert_eq!((row[5], row[6], row[7]), ("", std::str::from_utf8(&board).unwrap(), "yes"));
        let [b'r', row, b'c', column, b'=', digit] = row[4].as_bytes() else { panic!("{}", row[4]) };
        board[usize::from(row - b'1') * 9 + usize::from(column - b'1')] = *digit;
    }
    let solved = sudobench_sudoku::solve(&EASY.parse().unwrap()).solution.unwrap();
    assert_eq!(std::str::from_utf8(&board).unwrap(), solved.to_string());
    assert!(ran.stderr.contains("steps") && !ran.stderr.contains("incomplete"), "{}", ran.stderr);
}

#[test]
fn rows_without_steps_have_a_reason() {
    let input = format!("{HARDEST}\n{}\nx\n", ".".repeat(81));
    let columns = ["--columns", "number,step,complete,status"];
    let ran = run("explain", &input, &columns).expect(4);
    let rows: Vec<&str> = ran.stdout.lines().skip(1).collect();
    let [.., multiple, malformed] = &rows[..] else { panic!("{}", ran.stdout) };
    assert!(multiple.ends_with(",,,no,multiple") && malformed.ends_with(",,,,malformed"), "{rows:?}");
    assert!(rows[..rows.len() - 2].iter().all(|row| row.ends_with(",no,unique")), "{rows:?}");
    assert!(ran.stderr.contains("2  puzzles that the steps do not solve"), "{}", ran.stderr);

    let columns = ["--columns", "se,se_pearl,se_diamond,hardest_technique,techniques,steps,status,note"];
    let ran = run("rate", &format!("{EASY}\n{input}"), &columns).expect(4);
    let rows: Vec<&str> = ran.stdout.lines().skip(1).collect();
    assert!(rows[0].ends_with(",1.2,1.2,1.2,Hidden Single,Hidden Single:51,51,unique,"), "{}", rows[0]);
    assert!(rows[1].contains(",,,,,,,unique,beyond"), "{}", rows[1]);
    assert!(rows[2].ends_with(",,,,,,,multiple,"), "{}", rows[2]);
    assert!(rows[3].contains(",,,,,,,malformed,"), "{}", rows[3]);
    let ran = run("rate", &format!("{EASY}\n"), &["--columns", "hardest_technique,difficulty"]).expect(0);
    for counted in ["hardest_technique=Hidden Single", "difficulty=singles"] {
        assert!(ran.stderr.contains(counted), "{}", ran.stderr);
    }
}

#[test]
fn steps_have_all_columns_of_their_schema() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema = std::fs::read_to_string(root.join("docs/steps.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    let known: Vec<&str> = sudobench_rows::verbs::EXPLAIN.columns.iter().map(|column| column.name).collect();
    assert_eq!(schema["required"].as_array().unwrap(), &known);
    // Every tenth puzzle of a file for the techniques with chains, and an easy and a very hard puzzle. Together, their steps use more than
    // 20 techniques.
    let puzzles =
        std::fs::read_to_string(root.join("crates/sudoku/tests/data/techniques/chains.csv")).unwrap();
    let puzzles = puzzles.lines().skip(1).map(|line| line.split(',').next().unwrap()).step_by(10);
    let input: String = puzzles.chain([EASY, HARDEST, "x"]).map(|puzzle| format!("{puzzle}\n")).collect();
    let options = ["--columns", "all", "--output-format", "jsonl"];
    let ran = run("explain", &input, &options).expect(4);
    let searched =
        run("explain", &input, &[&options[..], &["--max-se", "4.5", "--search"]].concat()).expect(4);
    let mut techniques = std::collections::BTreeSet::new();
    for line in ran.stdout.lines().chain(searched.stdout.lines()) {
        let step: serde_json::Value = serde_json::from_str(line).unwrap();
        keep_record("steps", &step);
        assert_eq!(
            step["chain"].is_string(),
            step["technique"].as_str().is_some_and(rests_on_chains),
            "{line}"
        );
        techniques.insert(step["technique"].to_string());
    }
    assert!(techniques.len() > 20 && techniques.contains("\"Backtrack\""), "{techniques:?}");
}

fn rests_on_chains(technique: &str) -> bool {
    ["Chain", "Cycle", "Turbot"].iter().any(|word| technique.contains(word))
}

#[test]
fn a_technique_that_does_not_exist_is_refused_with_the_list() {
    let ran = run("explain", EASY, &["--only", "technique=naked"]).expect(2);
    assert!(
        ran.stderr.contains("never has the value `naked`") && ran.stderr.contains("Naked Pair"),
        "{}",
        ran.stderr
    );
    let ran = run("explain", EASY, &["--only", "technique=Naked Single,Guess"]).expect(0);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
}

#[test]
fn ratings_filter_and_order_rows() {
    let puzzles =
        run("generate", "", &["--count", "60", "--minimal", "--output-format", "lines", "-q"]).expect(0);
    let arguments = ["--columns", "se", "--only", "se=2.0..6.6", "--order-by", "-se"];
    let ran = run("rate", &puzzles.stdout, &arguments).expect(0);
    let ratings: Vec<f64> =
        ran.stdout.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(ratings.len() > 5, "{}", ran.stdout);
    assert!(ratings.is_sorted_by(|one, next| one >= next), "{ratings:?}");
    assert!(ratings.iter().all(|rating| (2.0..=6.6).contains(rating)), "{ratings:?}");
}

#[test]
fn a_page_has_the_steps_of_the_first_puzzles_instead_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.html");
    let to_page = ["--export-html", path.to_str().unwrap()];
    let input = format!("{EASY}\n{HARDEST}\nx\n{}", format!("{EASY}\n").repeat(20));
    let ran = run("explain", &input, &to_page).expect(4);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains(":3: malformed: ") && ran.stderr.contains("--skip 20"), "{}", ran.stderr);
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.contains("--skip 20") && page.contains("id=\"puzzle-20\"") && !page.contains("puzzle-21"));
    assert!(page.contains("No known technique finds the next step.") && page.contains("standard input:3"));

    // A second run replaces the page. The new page has the last three puzzles of the input, because the run skips the first 20.
    let ran = run("explain", &input, &[&to_page[..], &["--skip", "20", "--quiet"]].concat()).expect(0);
    assert_eq!(ran.stderr, "");
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(
        page.contains("id=\"puzzle-3-step-51\"") && !page.contains("puzzle-4") && !page.contains("--skip")
    );
    let printed = run("explain", &input, &["--export-html", "-", "--skip", "20"]).expect(0).stdout;
    assert_eq!(printed, page);

    run("explain", &input, &[&to_page[..], &["--skip", &u64::MAX.to_string()]].concat()).expect(0);
    for rows in [&["-o", "rows.csv"][..], &["--hash"]] {
        let ran = run("explain", &input, &[&to_page[..], rows].concat()).expect(2);
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
    }
    std::fs::write(&path, "notes").unwrap();
    let ran = run("explain", &input, &to_page).expect(1);
    assert!(ran.stderr.contains("it exists and is not an HTML page of this program"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "notes");
}

#[test]
fn a_trace_with_search_leads_to_the_solution() {
    let columns = ["--columns", "technique,rating,step,changes,board,complete", "--max-se", "2.3"];
    let ran = run("explain", &format!("{HARDEST}\n"), &columns).expect(0);
    assert!(ran.stdout.lines().last().unwrap().ends_with(",no"), "{}", ran.stdout);
    let ran = run("explain", &format!("{HARDEST}\n"), &[&columns[..], &["--search"]].concat()).expect(0);
    assert!(!ran.stderr.contains("incomplete"), "{}", ran.stderr);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().skip(1).map(|line| line.split('"').collect()).collect();
    let named = |name: &str| ran.stdout.matches(&format!(",{name},,")).count();
    assert!(named("Guess") > named("Backtrack") && named("Backtrack") > 0, "{}", ran.stdout);
    assert!(!rows.is_empty());
    // The column `changes` alone leads from the clues to the solution. Each change replaces the candidates of a cell. At the end, each cell
    // has one candidate.
    let mut cells: [String; 81] = std::array::from_fn(|cell| match &HARDEST[cell..=cell] {
        "." => String::new(),
        digit => digit.to_owned(),
    });
    for change in ran.stdout.lines().skip(1).flat_map(|line| line.split([' ', ',', '"'])) {
        let [b'r', row, b'c', column, b':', ..] = change.as_bytes() else { continue };
        let cell = usize::from(row - b'1') * 9 + usize::from(column - b'1');
        let (before, after) = change[5..].split_once('>').unwrap();
        assert!(cells[cell].is_empty() || cells[cell] == before, "{change}");
        after.clone_into(&mut cells[cell]);
    }
    let solved = sudobench_sudoku::solve(&HARDEST.parse().unwrap()).solution.unwrap();
    assert_eq!(cells.concat(), solved.to_string());

    // The page shows the steps of the search, and its summary counts the guesses.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.html");
    let page = ["--max-se", "2.3", "--search", "--export-html", path.to_str().unwrap()];
    run("explain", &format!("{HARDEST}\n"), &page).expect(0);
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page.contains("<b>-</b> Backtrack: no ") && page.contains(" of them Guess. The hardest is "));
    let ran = run("explain", "", &["--max-se", "high"]).expect(2);
    assert!(ran.stderr.contains("--max-se"), "{}", ran.stderr);
}

#[test]
fn a_page_may_go_to_the_file_to_which_standard_output_is_redirected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let file = std::fs::File::create(&path).unwrap();
    let mut explain = command();
    explain.args(["explain", EASY, "-q", "--export-html", "/dev/stdout"]).stdout(file);
    assert!(explain.status().unwrap().success());
    assert!(std::fs::read_to_string(&path).unwrap().contains("id=\"puzzle-1-step-51\""));
}

#[test]
fn each_step_is_drawn_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/steps");
    let to_folder = ["--export-svg", path.to_str().unwrap()];
    let input = format!("{EASY}\nx\n{HARDEST}\n");
    run("explain", &input, &to_folder).expect(4);
    let svg = std::fs::read_to_string(path.join("puzzle-1-step-01.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.contains("<title>Hidden Single: "), "{svg}");
    assert!(path.join("puzzle-1-step-51.svg").exists() && path.join("puzzle-3-step-1.svg").exists());
    let ran = run("explain", &input, &to_folder).expect(2);
    assert!(ran.stderr.contains("is not empty; add --force"), "{}", ran.stderr);
    run("explain", &input, &[&to_folder[..], &["--force", "--skip", "1"]].concat()).expect(4);
    // The drawings of the first run are replaced. Another file in the folder stays.
    assert!(path.join("puzzle-2-step-1.svg").exists() && !path.join("puzzle-1-step-51.svg").exists());
    let (other, missing) = (path.join("puzzle.svg"), folder.path().join("missing"));
    std::fs::write(&other, "mine").unwrap();
    run("explain", &input, &[&to_folder[..], &["--force"]].concat()).expect(4);
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
    run("explain", "", &["no-such-file", "--export-svg", missing.to_str().unwrap()]).expect(1);
    assert!(!missing.exists());
}
