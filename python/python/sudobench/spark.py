"""Puzzles in DataFrames of Spark. Executors pass the Arrow batches of each partition to functions such as `solve_table`."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Any, Literal

from ._canonical import canonical_table
from ._rate import rate_table
from ._solve import solve_table
from ._transform import transform_table

NEEDED = "sudobench.spark needs PySpark 4.0 or later with pyarrow and pandas: pip install 'pyspark[sql]>=4'"

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructField, StructType
except ModuleNotFoundError:
    # The traceback above this error names the missing module.
    raise ModuleNotFoundError(NEEDED)
if not hasattr(DataFrame, "toArrow"):
    raise ImportError(NEEDED)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ._names import AnswerChoice, Kind, Solver

__all__ = ["canonical", "rate", "solve", "transform"]


def solve(
    df: DataFrame,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("solution", "status"),
    *,
    solution_column: str | int | None = None,
    max_solutions: int = 2,
    answer: AnswerChoice | None = None,
    max_nodes: int | None = None,
    max_time_per_puzzle: float | None = None,
    solver: Solver | None = None,
    threads: int = 1,
    restore_zeros: bool = False,
) -> DataFrame:
    """Solves the puzzles in a column of a DataFrame. Returns the DataFrame with the answers as additional columns.

    This is a single `mapInArrow`: it is lazy and needs no shuffle. Rows keep their order and partitions. A row without
    a puzzle gets the status `malformed`; it doesn't make the task fail.

    - `column`, `columns`, `solution_column`, and the other options are as in `solve_table`. Without `column` and
      `solution_column`, the columns are detected by name only, because the content could lead to different columns in
      different partitions.
    - `threads`: number of threads of each task. By default, an executor runs one task for each core, so the default is
      1. If `spark.task.cpus` is more than 1, pass this number.

    In the added columns, texts are `string`, whole numbers are `bigint`, and other numbers are `double`. Solutions have
    the type of the puzzles: string, binary, an array of 81 whole numbers, or an array of nine arrays of nine. With the
    solvers `auto` and `bitslice`, `nodes` and `guesses` depend on which puzzles are in the same batch.

    Wrong options and columns raise the same exceptions as in `solve_table`, before Spark runs any task. If the names of
    an added column and an existing one differ only by case (`Status`, `status`), this raises `ValueError`, because Spark
    doesn't distinguish them unless `spark.sql.caseSensitive` is true."""
    return _map(
        df,
        functools.partial(
            solve_table,
            column=column,
            columns=_picklable(columns),
            solution_column=solution_column,
            max_solutions=max_solutions,
            answer=answer,
            max_nodes=max_nodes,
            max_time_per_puzzle=max_time_per_puzzle,
            solver=solver,
            threads=threads,
            restore_zeros=restore_zeros,
        ),
    )


def rate(
    df: DataFrame,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("difficulty",),
    *,
    isomorphs: int = 10,
    seed: int = 1,
    threads: int = 1,
    restore_zeros: bool = False,
) -> DataFrame:
    """Rates the puzzles in a column of a DataFrame. Returns the DataFrame with the ratings as additional columns.

    The options are as in `rate_table`, except `threads`, which is as in `solve` of this module. What `solve` says
    about partitions, columns, types and exceptions applies here too. Puzzles without exactly one solution and rows
    without a puzzle have no rating."""
    return _map(
        df,
        functools.partial(
            rate_table,
            column=column,
            columns=_picklable(columns),
            isomorphs=isomorphs,
            seed=seed,
            threads=threads,
            restore_zeros=restore_zeros,
        ),
    )


def canonical(
    df: DataFrame,
    column: str | int | None = None,
    columns: str | Sequence[str] = ("canonical",),
    *,
    threads: int = 1,
    restore_zeros: bool = False,
) -> DataFrame:
    """Adds the canonical forms of the puzzles in a column of a DataFrame as additional columns. Equivalent puzzles have
    equal forms, so `dropDuplicates(["canonical"])` keeps one of several equivalent puzzles.

    The options are as in `canonical_table`, except `threads`, which is as in `solve` of this module. What `solve` says
    about partitions, columns, types and exceptions applies here too.
    """
    return _map(
        df,
        functools.partial(
            canonical_table, column=column, columns=_picklable(columns), threads=threads, restore_zeros=restore_zeros
        ),
    )


def transform(
    df: DataFrame,
    column: str | int | None = None,
    columns: str | Sequence[str] | None = None,
    *,
    random: int | None = None,
    seed: int = 1,
    kinds: str | Sequence[Kind] | None = None,
    include_original: bool = False,
    apply: str | None = None,
    apply_column: str | int | None = None,
    inverse: bool = False,
    to: Literal["canonical"] | None = None,
    solution_column: str | int | None = None,
    threads: int = 1,
) -> DataFrame:
    """Transforms the rows of a DataFrame to equivalent forms. All boards of a row get the same transformation.

    The options are as in `transform_table`, except `threads`, which is as in `solve` of this module. What `solve` says
    about partitions, columns, types and exceptions applies here too. Spark does not number rows, so the random
    forms depend only on the seed and the puzzle. Equal puzzles get equal forms."""
    if not isinstance(seed, int):
        raise TypeError(f"seed={seed!r}: give one int; a seed for each row is impossible, because Spark does not number rows")
    if not isinstance(apply, (str, type(None))):
        raise TypeError(
            "apply: give one transformation, or name a column in apply_column; a list is impossible, because Spark does not number rows"
        )
    return _map(
        df,
        functools.partial(
            transform_table,
            column=column,
            columns=None if columns is None else _picklable(columns),
            random=random,
            seed=seed,
            kinds=None if kinds is None else _picklable(kinds),
            include_original=include_original,
            apply=apply,
            apply_column=apply_column,
            inverse=inverse,
            to=to,
            solution_column=solution_column,
            threads=threads,
        ),
    )


def _picklable(names: str | Sequence[str]) -> str | list[str]:
    return names if isinstance(names, str) else list(names)


def _map(df: DataFrame, of_table: Callable[..., Any]) -> DataFrame:
    """Applies a function for tables, such as `solve_table`, to a DataFrame."""
    if not isinstance(df, DataFrame):
        raise TypeError(f"df is of type {type(df).__name__}: give a DataFrame of Spark")
    own = df.schema.fields
    added = _added(df, of_table)
    _check_names(df, [field.name for field in added])
    # mapInArrow does not accept names with dots or repeated names, so the columns get numbers as names.
    numbered = df.toDF(*map(str, range(len(own))))
    task = functools.partial(_map_partition, of_table, [field.name for field in own])
    return numbered.mapInArrow(task, StructType([*own, *added]))


def _added(df: DataFrame, of_table: Callable[..., Any]) -> list[StructField]:
    """Returns the added columns. To find them, this calls the function with a row of nulls in this process, without a task
    of Spark."""
    types = df.limit(0).toArrow().schema.types
    mapped = of_table(_nulls(_nullable(df.columns, types)))
    arrays = [_as_spark_has_it(array) for array in mapped.columns[len(types) :]]
    if not arrays:
        return []
    frame = df.sparkSession.createDataFrame(pa.table(arrays, mapped.schema.names[len(types) :]))
    fields: list[StructField] = frame.schema.fields
    return fields


def _check_names(df: DataFrame, added: list[str]) -> None:
    if df.sparkSession.conf.get("spark.sql.caseSensitive") == "true":
        return
    own = {name.lower(): name for name in df.columns}
    for name in added:
        if name.lower() in own:
            raise ValueError(
                f"the table has a column {own[name.lower()]!r}, which Spark does not distinguish from the added column {name!r}: "
                "rename the column of the table first"
            )


def _map_partition(
    of_table: Callable[..., Any],
    names: list[str],
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    first = next(batches, None)
    if first is None:
        return
    schema = _nullable(names, first.schema.types)

    def named() -> Iterator[pa.RecordBatch]:
        # Columns that are not found by name are detected from the first batch that has rows. Different partitions could detect
        # different columns, so the first batch is a row of nulls, in which nothing is detected.
        yield _nulls(schema)
        for batch in itertools.chain([first], batches):
            yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)

    mapped = of_table(pa.RecordBatchReader.from_batches(schema, named()))
    mapped.read_next_batch()
    for batch in mapped:
        arrays = [_as_spark_has_it(array) for array in batch.columns]
        # Spark reads these columns by position, but it would treat two columns of the same name as one column. So numbers are used as
        # names.
        yield pa.RecordBatch.from_arrays(arrays, names=[str(number) for number in range(len(arrays))])


def _nullable(names: list[str], types: list[pa.DataType]) -> pa.Schema:
    return pa.schema([pa.field(name, type) for name, type in zip(names, types, strict=True)])


def _nulls(schema: pa.Schema) -> pa.RecordBatch:
    """Returns a record batch with one row of nulls."""
    return pa.RecordBatch.from_arrays([pa.nulls(1, type) for type in schema.types], schema=schema)


def _as_spark_has_it(array: pa.Array) -> pa.Array:
    """Converts dictionaries and numbers of type `uint64`, which Spark does not have."""
    if pa.types.is_dictionary(array.type):
        return array.cast(array.type.value_type)
    return array.cast(pa.int64()) if pa.types.is_uint64(array.type) else array
