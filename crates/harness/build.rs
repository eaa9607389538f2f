//! Stores the compiler, its flags, the target, the profile and the commit of the build in the program, which writes them to its records.

use std::process::Command;

fn main() {
    // In a worktree, `HEAD` and `refs/heads` are not in the folder `.git`, so git is asked for their paths.
    for file in ["HEAD", "refs/heads"] {
        let path = first_line("git", &["rev-parse", "--git-path", file]);
        println!("cargo::rerun-if-changed={}", path.as_deref().unwrap_or("build.rs"));
    }
    println!("cargo::rerun-if-env-changed=RUSTFLAGS");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    tell("SUDOBENCH_RUSTC", first_line(&rustc, &["--version"]));
    tell("SUDOBENCH_COMMIT", first_line("git", &["describe", "--always", "--dirty", "--abbrev=12"]));
    tell("SUDOBENCH_TARGET", std::env::var("TARGET").ok());
    tell("SUDOBENCH_PROFILE", std::env::var("PROFILE").ok());
    tell(
        "SUDOBENCH_RUSTFLAGS",
        std::env::var("CARGO_ENCODED_RUSTFLAGS").ok().map(|f| f.replace('\x1f', " ")),
    );
}

/// Sets an environment variable for the compiler. The variable is empty if the value is unknown.
fn tell(name: &str, value: Option<String>) {
    println!("cargo::rustc-env={name}={}", value.unwrap_or_default());
}

fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.lines().next().unwrap_or_default().to_owned())
}
