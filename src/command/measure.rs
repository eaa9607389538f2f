//! `sudobench measure`: makes one of the runs of `bench --runs`. The request on standard input says what to measure.

use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sudobench_harness::bench::{RunRequest, answer_run};
use sudobench_harness::process::Supervisor;

use super::Exit;
use super::measuring::ContestantNames;

/// Makes the requested measurement. Stops early if standard input ends.
pub(super) fn run() -> anyhow::Result<Exit> {
    let request = RunRequest::read(&mut std::io::stdin().lock())?;
    let stop = Arc::new(AtomicBool::new(false));
    // A supervisor works only in its own process, so this process can't use the supervisor of the process that started it.
    let supervisor = Arc::new(Supervisor::new(Arc::clone(&stop)));
    let plan = request.plan(&stop);
    let datasets = request.datasets()?;
    let level = request.level.parse()?;
    let mut contestants = ContestantNames::from_request(&request)?.contestants(level, &plan, &supervisor)?;
    let at_end = Arc::clone(&stop);
    std::thread::Builder::new().spawn(move || {
        let mut rest = [0; 64];
        while std::io::stdin().read(&mut rest).is_ok_and(|read| read > 0) {}
        at_end.store(true, Ordering::Relaxed);
    })?;
    answer_run(&mut contestants, &datasets, &plan, &stop, &mut std::io::stdout().lock())?;
    Ok(Exit::Fine)
}
