//! A new cgroup v2, if the system allows it. It limits the memory and the processes of a run as a whole.
//!
//! A group that has processes cannot limit groups inside it. So the new group is made beside the group of this process, in the parent
//! group. The parent group must be writable and must permit limits of memory and processes (systemd permits this for the processes of a
//! user, and root needs no permission). If this does not work, the new group is made inside the group of this process. This works only if
//! the group of this process is the root group: only the root group can have processes and limit groups inside it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Additional memory for the runner itself, which is in the group, too.
const RUNNER_BYTES: u64 = 64 << 20;

/// A group for this process and the programs that it starts. Dropping this value leaves the group and tries to remove it.
pub(super) struct Cgroup {
    folder: PathBuf,
    /// The group in which this process was before it entered the new group.
    home: PathBuf,
}

impl Cgroup {
    /// Makes a group with these limits and enters it. `None` if the system does not allow it.
    pub(super) fn enter(memory_bytes: Option<u64>, processes: u64) -> Option<Cgroup> {
        let mount = mount()?;
        let home = mount.join(own()?.trim_start_matches('/'));
        let name = format!("sudobench-{}", std::process::id());
        // The root group has no parent group.
        let beside = home.parent().filter(|parent| parent.starts_with(&mount)).map(Path::to_owned);
        beside.into_iter().chain([home.clone()]).find_map(|base| {
            let folder = base.join(&name);
            fs::create_dir(&folder).ok()?;
            let cgroup = Cgroup { folder, home: home.clone() };
            cgroup.set_up(memory_bytes, processes).ok().map(|()| cgroup)
        })
    }

    fn set_up(&self, memory_bytes: Option<u64>, processes: u64) -> io::Result<()> {
        let write = |name: &str, text: String| fs::write(self.folder.join(name), text);
        if let Some(bytes) = memory_bytes {
            write("memory.max", (bytes + RUNNER_BYTES).to_string())?;
            // The error is ignored, because a kernel without swap has no such file.
            let _ = write("memory.swap.max", "0".to_owned());
        }
        // The system counts threads instead of processes, so 16 threads are allowed for each process. The runner is counted, too.
        write("pids.max", (processes.saturating_mul(16) + 1).to_string())?;
        write("cgroup.procs", "0".to_owned())
    }

    /// Returns the number of processes of the group that the system killed for lack of memory.
    pub(super) fn kills(&self) -> u64 {
        let events = fs::read_to_string(self.folder.join("memory.events")).unwrap_or_default();
        events.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // Errors are ignored: the group `home` may no longer exist, and an empty group that can't be removed does no harm.
        let _ = fs::write(self.home.join("cgroup.procs"), "0");
        for _ in 0..50 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn mount() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
    let fields = mounts.lines().map(|line| line.split(' ').collect::<Vec<&str>>());
    fields.into_iter().find(|fields| fields.get(2) == Some(&"cgroup2")).map(|fields| PathBuf::from(fields[1]))
}

/// Returns the path of this process's group below the mount.
fn own() -> Option<String> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().find_map(|line| line.strip_prefix("0::")).map(str::to_owned)
}
