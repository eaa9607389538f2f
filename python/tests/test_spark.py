"""Tests `sudobench.spark` on executors that are separate processes. `scripts/check-spark` runs these tests."""

import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import sudobench
from conftest import REPOSITORY, Known, run_examples

pytest.importorskip("pyspark")

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet
import pyspark
import sudobench.spark
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.types import ArrayType, ByteType, LongType, StringType, StructField, StructType
from relabelled import relabelled

ROWS = 1_000_000
FILES = 16
# Time limit of each wait, in seconds. No wait takes this long unless something is wrong.
SECONDS = 180.0

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
EVERY = ["solution", "status", "count", "clues", "nodes", "guesses", "time_ns", "match", "note"]
# Values that are malformed puzzles.
POISON = [None, "", "53..7", "x" * 82, "a" * 81, "\0" * 81, PUZZLE[:80] + "\0", "\ud7ff" * 81, "." * 2_000_000, "NaN"]


def wait_for(is_so: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def processes(mark: str) -> list[int]:
    """Returns the processes that have this mark in their environment. Child processes inherit the mark, so they are
    found even if their parent process has ended."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass
    return found


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Returns a session with two executors of one core each. Checks afterwards that none of their processes is left."""
    mark = uuid.uuid4().hex
    folder = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        # The JVM resolves relative paths against the folder in which it was started.
        patch.chdir(folder)
        patch.setenv("SUDOBENCH_TEST", mark)
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_HOME", str(pathlib.Path(pyspark.__file__).parent))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        settings = {
            "spark.ui.enabled": "false",
            "spark.local.dir": str(folder / "local"),
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            # Each partition is one file.
            "spark.sql.files.openCostInBytes": str(2**27),
            # If musl is installed beside glibc, snappy-java takes the machine for Alpine Linux and can't load its
            # library: https://github.com/xerial/snappy-java/issues/692
            "spark.sql.parquet.compression.codec": "uncompressed",
            "spark.sql.session.timeZone": "UTC",
        }
        builder: Any = SparkSession.builder
        session: SparkSession = builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        gateway: Any = session.sparkContext._gateway
        assert processes(mark)
        try:
            yield session
        finally:
            session.stop()
            gateway.shutdown()
            gateway.proc.stdin.close()
            try:
                wait_for(lambda: not processes(mark), "a process is left")
            finally:
                for process in processes(mark):
                    os.kill(process, signal.SIGKILL)


@pytest.fixture(scope="module")
def million(known: list[Known], tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A million different rows in Parquet files: the known puzzles with digits exchanged at random, and some malformed
    ones."""
    puzzles = relabelled([row.puzzle for row in known if row.status != "malformed"], ROWS)
    is_poison = np.arange(ROWS) % 997 == 3
    poison = [text if text is None else text[:1000] for text in POISON]
    chosen_poison = pa.array([poison[number % len(poison)] for number in range(is_poison.sum())])
    table = pa.table({"id": np.arange(ROWS), "puzzle": pa.compute.replace_with_mask(puzzles, is_poison, chosen_poison)})
    folder = tmp_path_factory.mktemp("million")
    for number in range(FILES):
        rows = range(ROWS * number // FILES, ROWS * (number + 1) // FILES)
        pa.parquet.write_table(table.slice(rows.start, len(rows)), folder / f"{number:02}.parquet", compression="none")
    return folder


@pytest.fixture(scope="module")
def answers(million: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """Returns the answers that the command `solve` gives for the rows of `million`, in the order of their ids."""
    output = tmp_path_factory.mktemp("answers") / "answers.parquet"
    inputs = sorted(map(str, million.glob("*.parquet")))
    command = [sys.executable, "-m", "sudobench", "solve", *inputs, "--columns", "solution,status,count,note", "-o", str(output)]
    # The exit code is 4, because some rows are malformed.
    assert subprocess.run(command, timeout=SECONDS, capture_output=True).returncode == 4
    return sorted_by_id(output)


def sorted_by_id(path: pathlib.Path) -> pa.Table:
    table = pa.parquet.read_table(path)
    # The command writes dictionaries and unsigned numbers, which Spark does not have.
    types = [pa.int64() if pa.types.is_integer(kind) else pa.string() for kind in table.schema.types]
    return table.cast(pa.schema(zip(table.column_names, types, strict=True))).sort_by("id")


def check(path: pathlib.Path, answers: pa.Table) -> None:
    found = sorted_by_id(path)
    assert found.num_rows == ROWS
    assert found.column_names == answers.column_names
    for name in found.column_names:
        assert found[name].equals(answers[name]), name


def failed_tasks(spark: SparkSession, group: str) -> int:
    tracker = spark.sparkContext.statusTracker()
    stages = [stage for job in tracker.getJobIdsForGroup(group) for stage in tracker.getJobInfo(job).stageIds]  # type: ignore[union-attr]
    assert stages
    known = filter(None, map(tracker.getStageInfo, stages))
    return sum(stage.numFailedTasks for stage in known)


def solved(df: DataFrame) -> DataFrame:
    return sudobench.spark.solve(df, column="puzzle", columns=["solution", "status", "count", "note"])


def test_a_million_rows_are_answered_as_by_the_command(
    spark: SparkSession, million: pathlib.Path, answers: pa.Table, tmp_path: pathlib.Path
) -> None:
    df = spark.read.parquet(str(million))
    assert df.rdd.getNumPartitions() == FILES
    spark.sparkContext.setJobGroup("million", "")
    solved(df).write.parquet(str(tmp_path / "solved"))
    assert failed_tasks(spark, "million") == 0
    statuses = set(answers["status"].to_pylist())
    assert statuses == {"unique", "multiple", "unsolvable", "malformed"}
    check(tmp_path / "solved", answers)


def test_an_executor_that_is_killed_changes_nothing(
    spark: SparkSession, million: pathlib.Path, answers: pa.Table, tmp_path: pathlib.Path
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()

    def hold(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """After its first batch, each task makes a file named after its executor, and waits."""
        yield next(batches)
        daemon = pathlib.Path(f"/proc/{os.getppid()}/stat").read_text()
        executor = daemon.rpartition(")")[2].split()[1]
        (marks / executor).touch()
        end = time.monotonic() + SECONDS
        while not (marks / "go").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        yield from batches

    def write() -> None:
        spark.sparkContext.setJobGroup("killed", "")
        solved(df.mapInArrow(hold, df.schema)).write.parquet(str(tmp_path / "solved"))

    df = spark.read.parquet(str(million))
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        written = pool.submit(write)
        try:
            wait_for(lambda: written.done() or len(list(marks.iterdir())) == 2, "not both executors have begun a task")
            assert not written.done()
            executor = int(next(marks.iterdir()).name)
            assert b"ExecutorBackend" in pathlib.Path(f"/proc/{executor}/cmdline").read_bytes()
            assert executor in processes(os.environ["SUDOBENCH_TEST"])
            os.kill(executor, signal.SIGKILL)
        finally:
            (marks / "go").touch()
        written.result(timeout=SECONDS)
    assert failed_tasks(spark, "killed") >= 1
    check(tmp_path / "solved", answers)


def test_poison_is_rows(spark: SparkSession) -> None:
    rows = [(number, text) for number, text in enumerate([*POISON, PUZZLE] * 3)]
    spark.sparkContext.setJobGroup("poison", "")
    found = sudobench.spark.solve(spark.createDataFrame(rows, "id long, puzzle string"), columns=["status", "note"]).collect()
    assert failed_tasks(spark, "poison") == 0
    assert [(row.id, row.puzzle) for row in sorted(found)] == rows
    for row in found:
        assert row.status == ("unique" if row.puzzle == PUZZLE else "malformed")
        assert (row.note is None) == (row.puzzle == PUZZLE)


def test_the_schema_is_known_before(spark: SparkSession) -> None:
    df = spark.range(30, numPartitions=3).selectExpr("id", f"'{PUZZLE}' as puzzle", "'x' as solution")
    own = df.schema.fields
    text, number = StringType(), LongType()
    spark.sparkContext.setJobGroup("schema", "")
    found = sudobench.spark.solve(df, columns="all")
    assert found.schema == StructType(
        [
            *own,
            *(
                StructField(f"sudobench_{name}" if name == "solution" else name, kind)
                for name, kind in zip(EVERY, [text, text, *[number] * 5, text, text], strict=True)
            ),
        ]
    )
    tracker = spark.sparkContext.statusTracker()
    # The jobs that found the schema had no stages, so no task was run.
    assert all(not tracker.getJobInfo(job).stageIds for job in tracker.getJobIdsForGroup("schema"))  # type: ignore[union-attr]
    assert found.rdd.getNumPartitions() == 3
    rows = found.collect()
    assert {(row.sudobench_solution, row.status, row["count"], row.clues) for row in rows} == {(SOLUTION, "unique", 1, 30)}
    # DataFrames without rows, some of them also without partitions.
    for none in (df.where("id < 0"), df.limit(0), spark.createDataFrame([], df.schema)):
        assert sudobench.spark.solve(none, columns="all").collect() == []
    assert sudobench.spark.solve(df.where("id < 3")).count() == 3


def test_other_columns_stay_as_they_are(spark: SparkSession) -> None:
    df = spark.range(20, numPartitions=2).selectExpr(
        "id as `a.b`",
        "array(cast(1 as tinyint), null) as array",
        "named_struct('x', 1, 'y', array(map('k', id)), 'x.y', null) as struct",
        "timestamp'2020-01-01 00:00:00' as at",
        "timestamp_ntz'2020-01-01 00:00:00' as at_ntz",
        "interval '1 2' day to hour as interval",
        "cast(id as decimal(38, 3)) / 7 as decimal",
        "date'2020-01-01' as date",
        "cast(id % 2 = 0 as boolean) as boolean",
        "parse_json('{\"a\": [1, 2]}') as variant",
        "null as nothing",
        "cast(cast(id as string) as binary) as binary",
        "id as Twice",
        "-id as Twice",
        f"'{PUZZLE}' as puzzle",
    )
    found = sudobench.spark.solve(df, columns=["status"])
    assert found.schema.fields[:-1] == df.schema.fields

    def comparable(rows: list[Row]) -> list[str]:
        return [repr(tuple(row)[: len(df.columns)]) for row in rows]

    assert comparable(found.collect()) == comparable(df.collect())


NUMBERS = f"transform(split('{PUZZLE}', ''), cell -> if(cell = '.', 0, cell))"
GRID = f"transform(sequence(0, 8), row -> slice({NUMBERS}, 9 * row + 1, 9))"


@pytest.mark.parametrize(
    "puzzles",
    [
        f"cast('{PUZZLE}' as varchar(81))",
        f"cast('{PUZZLE}' as binary)",
        *(f"cast({NUMBERS} as array<{kind}>)" for kind in ("tinyint", "smallint", "int", "bigint")),
        f"cast({GRID} as array<array<int>>)",
    ],
)
def test_puzzles_of_every_type(spark: SparkSession, puzzles: str) -> None:
    df = spark.range(12, numPartitions=2).selectExpr(f"if(id = 5, null, {puzzles}) as board")
    found = sudobench.spark.solve(df, "board")
    assert found.schema["solution"].dataType == df.schema["board"].dataType

    def digits(value: Any) -> str:
        if isinstance(value, (bytes, bytearray)):
            return value.decode()
        return value if isinstance(value, str) else "".join(digits(item) if isinstance(item, list) else str(item) for item in value)

    rows = found.collect()
    assert sorted(row.status for row in rows) == ["malformed"] + ["unique"] * 11
    assert {digits(row.solution) for row in rows if row.status == "unique"} == {SOLUTION}
    assert {row.solution for row in rows if row.status == "malformed"} == {None}


def test_arrays_without_nulls_have_solutions_without_nulls(spark: SparkSession) -> None:
    schema = StructType([StructField("board", ArrayType(ByteType(), False), False)])
    df = spark.createDataFrame([([0] * 81,), ([1] * 80,)], schema)
    found = sudobench.spark.solve(df)
    # When Spark 4.0 converts a table from Arrow, it may lose the information that values are never null. So the expected type is what Spark
    # makes of an Arrow table.
    remembered = spark.createDataFrame(df.toArrow()).schema["board"].dataType
    assert found.schema["solution"] == StructField("solution", remembered)
    assert [row.status for row in found.collect()] == ["multiple", "malformed"]


def test_all_partitions_read_the_same_columns(spark: SparkSession) -> None:
    """In some partitions, the first rows alone would suggest that another column contains the puzzles."""
    df = spark.range(40, numPartitions=4).selectExpr(
        "id", f"if(id < 20, cast(id as string), '{PUZZLE}') as grid", f"'{PUZZLE}' as text", f"if(id < 30, '{SOLUTION}', 'x') as old"
    )
    found = sudobench.spark.solve(df, columns=["status", "match"]).collect()
    assert [row.status for row in sorted(found)] == ["malformed"] * 20 + ["unique"] * 20
    assert {row.match for row in found} == {None}
    found = sudobench.spark.solve(df, 3, "match", solution_column="old").collect()
    assert [row.match for row in sorted(found)] == ["yes"] * 30 + ["no"] * 10


def test_options_are_those_of_solve_table(spark: SparkSession) -> None:
    df = spark.createDataFrame([("." * 81,), (PUZZLE.replace(".", "0").lstrip("0"),), ("0" * 40 + "1" * 3,)], "puzzle string")
    options: dict[str, Any] = {"max_solutions": 5, "answer": "first", "solver": "mrv", "restore_zeros": True, "max_nodes": 1000}
    found = sudobench.spark.solve(df, columns=["solution", "count", "note"], threads=2, **options).toArrow()
    wanted = sudobench.solve_table(df.toArrow(), columns=["solution", "count", "note"], **options)
    assert found.to_pylist() == wanted.to_pylist()


def test_other_functions_are_those_of_tables(spark: SparkSession) -> None:
    puzzles = [PUZZLE, None, "poison", *sudobench.generate(40, seed=2).text()]
    # The column `id` identifies the rows, because they are in several partitions.
    rows = pa.table({"id": range(len(puzzles)), "puzzle": puzzles, "Puzzle.note": ["x"] * len(puzzles)})
    df = spark.createDataFrame(rows).repartition(3)

    def check(made: DataFrame, expected: pa.Table) -> None:
        assert made.columns == expected.column_names
        order = [("id", "ascending"), *((name, "ascending") for name in expected.column_names if name == "transform")]
        assert made.toArrow().sort_by(order).to_pylist() == expected.sort_by(order).to_pylist()

    columns = ["difficulty", "depth", "guesses", "status", "note"]
    rated = sudobench.spark.rate(df, "puzzle", columns, isomorphs=3, seed=9)
    check(rated, sudobench.rate_table(rows, "puzzle", columns, isomorphs=3, seed=9))
    assert dict(rated.dtypes)["guesses"] == "double" and dict(rated.dtypes)["depth"] == "bigint"
    check(sudobench.spark.canonical(df, columns="all", threads=2), sudobench.canonical_table(rows, columns="all"))
    relabelled = spark.createDataFrame(pa.table({"puzzle": [PUZZLE, PUZZLE[::-1]]}))
    assert sudobench.spark.canonical(relabelled).dropDuplicates(["canonical"]).count() == 1
    options: dict[str, Any] = {"random": 3, "seed": 4, "kinds": ["rows", "digits"], "include_original": True}
    forms = sudobench.spark.transform(df, "puzzle", **options)
    expected = sudobench.transform_table(rows, "puzzle", **options)
    assert forms.count() == 2 + 4 * 41
    check(forms, expected)
    check(sudobench.spark.transform(df, columns=(), to="canonical"), sudobench.transform_table(rows, columns=(), to="canonical"))
    back = sudobench.spark.transform(forms, "puzzle", apply_column="transform", inverse=True)
    check(back, sudobench.transform_table(expected, "puzzle", apply_column="transform", inverse=True))
    assert {row.puzzle for row in back.collect()} == set(puzzles)
    faults: list[tuple[Callable[[], DataFrame], str]] = [
        (lambda: sudobench.spark.rate(df, columns=["canonical"]), "there is no column `canonical`"),
        (lambda: sudobench.spark.canonical(df, "board"), "the table has no column named .board."),
        (lambda: sudobench.spark.transform(df), "choose the forms with one of random, apply and to"),
    ]
    for call, words in faults:
        with pytest.raises(ValueError, match=words):
            call()
    unnumbered: list[dict[str, Any]] = [{"random": 2, "seed": [1, 2]}, {"apply": ["r1"]}]
    for wrong in unnumbered:
        with pytest.raises(TypeError, match="because Spark does not number rows"):
            sudobench.spark.transform(df, **wrong)
    functions: list[Callable[..., Any]] = [sudobench.spark.rate, sudobench.spark.canonical, sudobench.spark.transform]
    for function in functions:
        with pytest.raises(TypeError, match="give a DataFrame of Spark"):
            function(rows)


def test_faults_are_told_before_it_runs(spark: SparkSession) -> None:
    df = spark.range(3).selectExpr("id", f"'{PUZZLE}' as puzzle", "current_date() as day")
    table = df.toArrow()
    cases: list[dict[str, Any]] = [
        {"column": "nothing"},
        {"column": 9},
        {"column": "id"},
        {"column": "day"},
        {"solution_column": "id"},
        {"columns": "time"},
        {"columns": []},
        {"columns": ["note", "note"]},
        {"threads": 0},
        {"max_solutions": 0},
        {"solver": "none"},
        {"answer": "last"},
    ]
    for options in cases:
        with pytest.raises(ValueError) as wanted:
            sudobench.solve_table(table, **options)
        with pytest.raises(ValueError) as raised:
            sudobench.spark.solve(df, **options)
        assert str(raised.value) == str(wanted.value)
    with pytest.raises(ValueError, match="no column that looks like a puzzle"):
        sudobench.spark.solve(df.select("id"))
    capital = df.withColumn("Status", df.id)
    with pytest.raises(ValueError, match="'Status', which Spark does not distinguish from the added column 'status'"):
        sudobench.spark.solve(capital)
    spark.conf.set("spark.sql.caseSensitive", "true")
    assert sudobench.spark.solve(capital).columns[-2:] == ["solution", "status"]
    spark.conf.unset("spark.sql.caseSensitive")
    with pytest.raises(TypeError, match="df is of type Table: give a DataFrame of Spark"):
        sudobench.spark.solve(table)


def test_examples_run(spark: SparkSession) -> None:
    spark.read.csv(str(REPOSITORY / "datasets/sample.csv"), header=True).select("id", "puzzle").write.parquet("puzzles")
    run_examples("docs/CLUSTER.md", {})


CONNECT = f"""
from pyspark.sql import SparkSession
import sudobench.spark

spark = SparkSession.builder.remote("local[1]").getOrCreate()
assert "connect" in type(spark).__module__
df = spark.range(30).selectExpr("id as `a.b`", "'{PUZZLE}' as puzzle")
try:
    sudobench.spark.solve(df, "nothing")
except ValueError as error:
    assert "has no column named 'nothing'" in str(error)
found = sudobench.spark.solve(df, columns="all")
assert [row.solution for row in found.collect()] == ["{SOLUTION}"] * 30
spark.stop()
"""


def test_spark_connect(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("grpc")
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    subprocess.run([sys.executable, "-c", CONNECT], env=environment, cwd=tmp_path, timeout=SECONDS, check=True)


def test_spark_is_imported_by_nobody_else() -> None:
    code = "import sys, sudobench; assert 'pyspark' not in sys.modules; sys.modules['pyspark'] = None; import sudobench.spark"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS)
    assert said.stderr.splitlines()[-1] == f"ModuleNotFoundError: {sudobench.spark.NEEDED}"
