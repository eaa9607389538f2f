//! The shard of this run, as typed or from the environment of a job array.

use std::num::NonZeroU32;

use sudobench_rows::{OptionError, Shard};

use super::UsageError;
use crate::cli::ShardChoice;

/// Environment variables of Slurm: the number of a task in its array, and the first number, the last number and the count of the array's
/// tasks (<https://slurm.schedmd.com/job_array.html>).
const SLURM: [&str; 4] =
    ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_COUNT"];

/// Environment variable with the number of a pod in an indexed job of Kubernetes, counted from 0
/// (<https://kubernetes.io/docs/concepts/workloads/controllers/job/>). The number of pods is not known.
const KUBERNETES: &str = "JOB_COMPLETION_INDEX";

/// Returns the shard that this run processes. `variable` returns the value of an environment variable.
///
/// # Errors
///
/// [`UsageError`] for `auto` if the environment does not name exactly one possible shard, or if the number of shards is unknown.
pub(super) fn resolve(
    choice: ShardChoice,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Shard, UsageError> {
    let of = match choice {
        ShardChoice::This(shard) => return Ok(shard),
        ShardChoice::Auto(of) => of,
    };
    let number = |name: &str| -> Result<Option<u32>, UsageError> {
        let Some(text) = variable(name) else { return Ok(None) };
        let parsed = text.trim().parse();
        parsed.map(Some).map_err(|_| {
            UsageError(format!("--shard auto: {name} is `{}`, which is not a number", text.escape_debug()))
        })
    };
    let [id, first, last, count] = SLURM;
    let shard = match (number(id)?, number(KUBERNETES)?) {
        (Some(_), Some(_)) => {
            return Err(UsageError(format!(
                "--shard auto: both {id} and {KUBERNETES} are set; write the number of the shard, such as --shard 3/16"
            )));
        }
        (Some(task), None) => match of {
            Some(of) => Shard::new(task, of.get()),
            None => Shard::new(task, whole_array(number(first)?, number(last)?, number(count)?)?.get()),
        },
        (None, Some(index)) => {
            let of = of.ok_or_else(|| {
                UsageError("--shard auto: Kubernetes does not report the number of shards (the field `completions` of the job); for 16 \
                 shards, write --shard auto/16".to_owned())
            })?;
            Shard::new(index.saturating_add(1), of.get())
        }
        (None, None) => {
            return Err(UsageError(format!(
                "--shard auto: neither {id} (Slurm) nor {KUBERNETES} (Kubernetes) is set; write the number of the shard, such as --shard \
                 3/16"
            )));
        }
    };
    shard.map_err(|error: OptionError| UsageError(format!("--shard auto: {error}")))
}

/// Returns the number of tasks of a job array whose task numbers start at 1 and have no gaps. Any other job array (for example one that
/// repeats some tasks) is an error, because its number of tasks is not the number of shards.
fn whole_array(first: Option<u32>, last: Option<u32>, count: Option<u32>) -> Result<NonZeroU32, UsageError> {
    match (first, last, count) {
        (Some(1), Some(last), Some(count)) if last == count => NonZeroU32::new(count),
        _ => None,
    }
    .ok_or_else(|| {
        UsageError(
            "--shard auto: the tasks of this array are not 1, 2, 3 and so on, or Slurm does not report their numbers, so the number of \
             shards is unknown; number the tasks from 1, and write --shard auto/16 for 16 shards"
                .to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(typed: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let variable =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        let shard = resolve(typed.parse()?, variable);
        shard.map(|shard| shard.to_string()).map_err(|UsageError(message)| message)
    }

    #[test]
    fn arrays_of_jobs_name_their_shards() {
        let task = [("SLURM_ARRAY_TASK_ID", "3")];
        let array = |first, last, count| {
            [
                task[0],
                ("SLURM_ARRAY_TASK_MIN", first),
                ("SLURM_ARRAY_TASK_MAX", last),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ]
        };
        assert_eq!(resolved("auto", &array("1", "16", "16")).as_deref(), Ok("3/16"));
        assert_eq!(resolved("auto/16", &array("3", "7", "2")).as_deref(), Ok("3/16"));
        assert_eq!(resolved("2/5", &task).as_deref(), Ok("2/5"));
        assert_eq!(resolved("auto/4", &[("JOB_COMPLETION_INDEX", "0")]).as_deref(), Ok("1/4"));
        for (typed, variables, message) in [
            ("auto", &array("3", "7", "2")[..], "are not 1, 2, 3"),
            ("auto", &array("0", "15", "16"), "are not 1, 2, 3"),
            ("auto", &task, "are not 1, 2, 3"),
            ("auto/2", &task, "there is no shard 3 of 2"),
            ("auto/4", &[("JOB_COMPLETION_INDEX", "4")], "there is no shard 5 of 4"),
            ("auto", &[("JOB_COMPLETION_INDEX", "4")], "write --shard auto/16"),
            ("auto", &[("JOB_COMPLETION_INDEX", "x\u{7}")], "is `x\\u{7}`, which is not a number"),
            ("auto", &[], "is set; write the number of the shard"),
            ("auto/x", &[], "write auto, or auto/16"),
            ("auto/0", &[], "write auto, or auto/16"),
            ("automatic", &[], "write auto, or auto/16"),
            ("3", &[], "such as 3/16"),
        ] {
            let refused = resolved(typed, variables).unwrap_err();
            assert!(refused.contains(message), "{typed}: {refused}");
        }
        let both = [task[0], ("JOB_COMPLETION_INDEX", "4")];
        assert!(resolved("auto/9", &both).unwrap_err().contains("both"));
    }
}
