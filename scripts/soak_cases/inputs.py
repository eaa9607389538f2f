"""Inputs of a case: puzzles, files that contain puzzles, and the options of the verb that reads these files."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
import zipfile

from .case import ROOT, ZSTD

# A puzzle whose first rows have almost no clues, so that a row-major backtracker exceeds any node limit.
MONSTER = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


def column(name, title):
    """Returns a column of a dataset of this repository."""
    with open(ROOT / "datasets" / name, newline="") as rows:
        return [row[title] for row in csv.DictReader(rows)]


SAMPLE = list(zip(column("sample.csv", "puzzle"), column("sample.csv", "solution")))
OTHERS = column("statuses.csv", "puzzle")


def puzzle(case):
    """Returns a puzzle and its alleged solution. Most solutions are right."""
    pick = case.random
    clues, solution = pick.choice(SAMPLE)
    if case.chance(0.6):
        return clues, solution
    if case.chance(0.4):
        return pick.choice(OTHERS), solution if case.chance(0.3) else ""
    at = pick.randrange(81)
    return pick.choice([
        (clues[:at] + pick.choice("123456789.") + clues[at + 1:], solution),
        ("." * at + clues[at:], ""),
        (MONSTER, ""),
        (clues.replace(".", "0"), solution),
        (clues[:-1], solution),
        (clues + "1", solution),
        (clues[:at] + pick.choice(["x", "\x1b", "é", '"', ",", " ", "\t", "\x00"]) + clues[at + 1:], solution),
        ("", ""),
    ])


def label(case):
    """Returns a random text for a field that contains neither a puzzle nor a solution."""
    return case.random.choice([
        "", "1", "id7", "a b", "say \"hi\"", "x,y", "a;b", "two\nlines", "\x1b[31mred", "ünï", "::error::x", "=1+1", "\x85",
    ])


def as_csv(case):
    """Makes a table as CSV. Some rows are damaged: for example, cut off, or with misplaced quotes."""
    pick = case.random
    delimiter, end = pick.choice([",", ",", ";", "\t"]), pick.choice(["\n", "\n", "\r\n", "\r"])
    names = [*["puzzle", "solution"][:pick.randint(1, 2)], *["id", "level", "note,d", "status"][:pick.randint(0, 4)]]
    pick.shuffle(names)
    torn, wild = case.chance(0.3), case.chance(0.4)
    labels = [label(case) if wild else str(number) for number in range(20)]

    def row():
        clues, solution = puzzle(case)
        fields = [clues if name == "puzzle" else solution if name == "solution" else pick.choice(labels) for name in names]
        out = io.StringIO()
        quoting = pick.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerow(fields)
        text = out.getvalue()
        if torn and case.chance(0.05):
            text = pick.choice([
                text[:pick.randrange(len(text))] + end, text.replace('"', ""), end, "#" + text, '"' + text,
                text.replace(delimiter, "", 1), text[:-len(end)] + delimiter + "more" + end, "\x00" + text,
            ])
        return text.encode()

    pool = [row() for _ in range(300)]
    head = pick.choice(["", "", "\ufeff"])
    if case.chance(0.8):
        head += delimiter.join(f'"{name}"' if delimiter in name else name for name in names) + end
    return head.encode(), pool, case.random.choice([".csv", ".csv", ".txt", ".tsv"])


def as_predictions(case):
    """Makes a table of puzzles with right and wrong predictions."""
    pick = case.random

    def row():
        clues, solution = puzzle(case)
        at = pick.randrange(81)
        prediction = pick.choice([
            solution, solution, solution[:at] + pick.choice("123456789.x") + solution[at + 1:], clues, "", f"The answer is {solution}.",
        ])
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerow([pick.randrange(9), clues, solution, prediction])
        return out.getvalue().encode()

    return b"id,puzzle,solution,prediction\n", [row() for _ in range(300)], ".csv"


def as_lines(case):
    """Makes lines of puzzles, with labels and comments."""
    pick = case.random
    end, has_label = pick.choice(["\n", "\n", "\r\n"]), case.chance(0.3)

    def line():
        clues, _ = puzzle(case)
        before = pick.choice(["id7: ", "x ", ""]) if has_label else ""
        after = pick.choice(["", " 1.2", " # said", "\tredé"]) if has_label else ""
        return f"{before}{clues}{after}{end}".encode()

    pool = [line() for _ in range(300)] + [b"# remark\n"] * pick.randint(0, 3) + [b"\n"] * pick.randint(0, 2)
    return pick.choice([b"", b"", b"100\n", b"\xef\xbb\xbf", b"# first\n"]), pool, pick.choice([".txt", ".sdm"])


def as_grids(case):
    """Makes grids of nine lines, in one of several forms."""
    pick = case.random
    form = pick.choice(["boj2580", "boj2239", "sdk", "grid"])

    def grid():
        clues = pick.choice([*SAMPLE, *((MONSTER, ""),) * 3])[0]
        if form.startswith("boj"):
            clues = clues.replace(".", "0")
        if case.chance(0.03):
            clues = clues.replace("1", "x", 1)
        lines = [clues[at:at + 9] for at in range(0, 81, 9)]
        if form == "boj2580":
            lines = [" ".join(line) for line in lines]
        if form == "grid":
            lines = [f"{' '.join(line[:3])} | {' '.join(line[3:6])} | {' '.join(line[6:])}" for line in lines]
            lines[6:6], lines[3:3] = ["------+-------+------"], ["------+-------+------"]
        if case.chance(0.02):
            lines.pop()
        if form == "sdk":
            lines = ["#D words", "[Puzzle]", *lines]
        return ("\n".join(lines) + "\n" + pick.choice(["", "\n"] if form.startswith("boj") else ["\n"])).encode()

    return b"", [grid() for _ in range(60)], ".sdk" if form == "sdk" else ".txt"


def as_jsonl(case):
    """Makes JSON lines. In some inputs, the order of the members changes from line to line, and some lines are damaged.
    Objects may have members besides the puzzle and the solution."""
    pick = case.random
    names = [*["puzzle", "solution"][:pick.randint(1, 2)], *["id", "level", "note,d", "status"][:pick.randint(0, 4)]]
    pick.shuffle(names)
    end, torn = pick.choice(["\n", "\n", "\r\n"]), case.chance(0.3)
    board = pick.choice(["text", "text", "array", "grid"])

    def clues_of(clues):
        if board == "text" or not re.fullmatch(r"[1-9.]{81}", clues):
            return clues
        cells = [0 if cell == "." else int(cell) for cell in clues]
        return cells if board == "array" else [cells[at:at + 9] for at in range(0, 81, 9)]

    def line():
        clues, solution = puzzle(case)
        values = {"puzzle": clues_of(clues), "solution": solution}
        more = {name: pick.choice([label(case), 7, None, 0.5, True, [1, "x"], {"a": {}}]) for name in names if name not in values}
        said = {**values, **more}
        order = pick.sample(names, len(names)) if torn else names
        text = json.dumps({name: said[name] for name in order}, ensure_ascii=case.chance(0.5))
        if torn and case.chance(0.05):
            text = pick.choice([text[:pick.randrange(len(text))], "", "[]", "null", "{}", text + text, text.replace('"', "'"), " " + text])
        return (text + end).encode()

    return b"", [line() for _ in range(300)], ".jsonl"


def as_array(case):
    """Makes the rows of a NumPy array of numbers or texts. `inputs` adds the header, when the number of rows is known."""
    pick = case.random
    kind = pick.choice(["|u1", "<i8", ">i2", "|S81", "|S90", "<U81"])

    def row():
        clues, _ = puzzle(case)
        if kind[1] == "S":
            return clues.encode()[:int(kind[2:])].ljust(int(kind[2:]), b"\0")
        if kind[1] == "U":
            return clues[:81].encode("utf-32-le").ljust(4 * 81, b"\0")
        cells = [int(cell) if cell.isdigit() and cell.isascii() else 0 for cell in clues.ljust(81, ".")[:81]]
        if case.chance(0.02):
            cells[pick.randrange(81)] = pick.choice([10, 127])
        return b"".join(cell.to_bytes(int(kind[2:]), "big" if kind[0] == ">" else "little") for cell in cells)

    return kind, [row() for _ in range(300)], ".npy"


def head_of_array(kind, rows):
    """Returns the header of a NumPy array with this many rows."""
    shape = f"({rows},)" if kind[1] in "SU" else f"({rows}, 81)"
    words = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\0" + len(words).to_bytes(2, "little") + words.encode()


def as_tables(case, paths):
    """Converts CSV inputs to Parquet or Arrow files. Returns None if the inputs can't be converted to tables."""
    made, end = [], case.random.choice([".parquet", ".arrow"])
    for path in paths:
        table = path.with_name(path.name + end)
        words = ["solve", str(path), "-o", str(table), "--columns", "status", "--solver", "mrv", "--max-nodes", "1", "--quiet"]
        # With `--limit`, the table has at most 9,000 rows, so its row groups are smaller.
        ran = case.run([*words, *(["--limit", "9000"] if case.chance(0.3) else [])])
        if ran.code not in (0, 4):
            return None
        made.append(table)
    for path in paths:
        path.unlink()
    for table in made:
        if case.chance(0.05):
            data = table.read_bytes()
            table.write_bytes(case.random.choice([data[:-1], data[:len(data) // 2], data[:9] + b"xyz" + data[12:]]))
    return made


def packed(case, data, path):
    """Writes an input, perhaps compressed. Returns its path."""
    pick, kind = case.random, case.random.choice(["", "", "", "gz", "zip", *(["zst"] if ZSTD else [])])
    if kind == "gz":
        cut = pick.randrange(len(data) + 1)
        data = gzip.compress(data[:cut], 1) + gzip.compress(data[cut:], 1)
        data += pick.choice([b"", b"\0" * 512])
    elif kind == "zip":
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("in" + path.suffix, data)
        data = out.getvalue()
    elif kind == "zst":
        data = subprocess.run([ZSTD, "-qc1"], input=data, capture_output=True, check=True).stdout
    if kind and case.chance(0.1):
        data = pick.choice([data[:-pick.randint(1, 40)], data[:len(data) // 2] + b"x" + data[len(data) // 2 + 1:]])
    path = path.with_name(path.name + ("." + kind if kind else ""))
    path.write_bytes(data)
    return path


def inputs(case, speed, form=None):
    """Makes the inputs of a run that takes at most about a second if the program processes `speed` rows per second. Draws the form of the
    inputs if `form` is None."""
    pick = case.random
    form = form or pick.choice([as_csv, as_csv, as_csv, as_lines, as_lines, as_grids, as_jsonl, as_jsonl, as_array, as_tables, as_tables])
    make = as_csv if form is as_tables else form
    head, pool, suffix = make(case)
    count = 1 if case.chance(0.7) else pick.randint(2, 4)
    # A run with more rows than this maximum would not test anything more.
    rows = min(200_000, int(speed * pick.choice([0.002, 0.1, 0.5, 1, 1]))) // count + 1
    paths = []
    for number in range(count):
        name = pick.choice(["in", "in", "in", "a b", "\x1b]0;x\x07", "new\nline", "ünï"]) + f"-{number}"
        chosen = pick.choices(pool, k=pick.choice([rows, rows, max(1, rows // 10)]))
        if form is as_array:
            cut = pick.randrange(1, 200) if case.chance(0.05) else 0
            data = head_of_array(head, len(chosen)) + b"".join(chosen)
            paths.append(packed(case, data[:len(data) - cut], case.folder / "in" / (name + suffix)))
            continue
        data = head + b"".join(chosen)
        if case.chance(0.05):
            data = data.rstrip(b"\n")
        if case.chance(0.04):
            # Adds a fault after the part of the file that is read first.
            data += pick.choice([b'"', b'"' + b"9\n" * 40_000, b"id7: " + SAMPLE[0][0].encode() + b" late\n", b"\xff" * 70_000])
        if number and case.chance(0.1):
            data = pick.choice([b"", b"no puzzle\n", b"a,b\n1,2\n", as_csv(case)[0] + data])
        paths.append(packed(case, data, case.folder / "in" / (name + suffix)))
    if form is as_tables:
        paths = as_tables(case, paths) or paths
    return paths


# For each solver, the approximate number of rows per second and thread. Naive solvers give up after a few thousand nodes.
SPEEDS = {"auto": 500_000, "bitslice": 500_000, "bitboard": 200_000, "mrv": 60_000, "dlx": 8_000, "blank-scan": 6_000, "bitmask": 6_000}


def flags(case, solver):
    """Draws a name for the output, and options of `solve` that affect the bytes of the output."""
    pick, words = case.random, ["--solver", solver]
    if solver not in ("auto", "bitslice", "bitboard") or case.chance(0.5):
        words += ["--max-nodes", str(pick.choice([1, 30, 500, 2000, 2000, 2000]))]
    if case.chance(0.2):
        words += ["--max-solutions", str(pick.choice([1, 2, 3, 50]))]
    forms = [None, None, None, "csv", "jsonl", "lines", "boj2580", "boj2239", "npy", "npy", "parquet", "parquet", "arrow", "arrow"]
    columns = ["solution", "status", "count", "clues", "nodes", "guesses", "match", "note"]
    of_rows, name = flags_of_rows(case, forms, columns, ["unique", "multiple", "unsolvable", "aborted", "malformed", "mismatch"])
    words += of_rows
    for share, more in [
        (0.1, ["--budgets", pick.choice(["1s", "80ms,1h", "boj2580", "boj2239", "1ns"])]),
        (0.05, ["--simd", "baseline"]),
    ]:
        if case.chance(share):
            words += more
    return words, name


def flags_of_rows(case, forms, columns, statuses):
    """Draws a name for the output, and options that verbs have in common and that affect the bytes of the output."""
    pick, words = case.random, []
    form = pick.choice(forms)
    name = {"jsonl": "out.jsonl", "csv": "out.csv", "npy": "out.npy", "parquet": "out.parquet", "arrow": "out.arrow",
            None: pick.choice(["out.csv", "out", "out.jsonl"])}.get(form, "out.txt")
    if form not in ("npy", "parquet", "arrow"):
        name += pick.choice(["", "", "", ".gz", *([".zst"] if ZSTD else [])])
    if form and case.chance(0.8):
        words += ["--output-format", form]
    if columns and form in (None, "csv", "jsonl", "parquet", "arrow") and case.chance(0.5):
        words += ["--columns", ",".join(pick.sample(columns, pick.randint(1, len(columns))))]
    for share, more in [
        *([(0.15, ["--only", ",".join(pick.sample(statuses, 3))])] if statuses else []),
        (0.15, ["--skip", str(pick.choice([1, 10, 1000, 3000]))]),
        (0.1, ["--limit", str(pick.choice([1, 1000, 5000, 50_000]))]),
        (0.05, ["--header", pick.choice(["yes", "no"])]),
        (0.05, ["--puzzle-column", pick.choice(["1", "2", "puzzle"])]),
        (0.05, ["--no-sync"]),
    ]:
        if case.chance(share):
            words += more
    return words, name


def question(case, may_be_fed=True):
    """Draws inputs and flags: see `asked`."""
    solver = case.random.choice(list(SPEEDS))
    return asked(case, "solve", inputs(case, SPEEDS[solver]), flags(case, solver), may_be_fed)


def asked(case, verb, paths, flags, may_be_fed=True):
    """Returns the arguments of a run of this verb, the name of the output, and what to feed through a pipe: the file, and the
    number of pieces in which it is sent (None if the run reads files by name)."""
    (words, name), fed = flags, None
    if may_be_fed and len(paths) == 1 and case.chance(0.2):
        fed = (paths[0], case.random.choice([1, 10, 25]))
    else:
        words = [*(os.path.join("..", "in", path.name) for path in paths), *words]
    return [verb, *words, "--progress", "never"], name, fed
