//! The cage around a script: what its process may use, and which system calls it may make.
//!
//! The engine has limits of its own, and engines have had faults. So the process gives up what it does not need before
//! it reads a byte of the script: files, sockets, other processes, threads. Where the system has no such filter the
//! limits and the process remain.

use std::time::Duration;

/// How large the process may become, beside what a workbook needs.
const MEMORY: u64 = 1 << 30;
const MOST_MEMORY: u64 = 4 << 30;

/// Limits on memory and processor time. The parent watches the clock on the wall besides.
#[cfg(unix)]
pub(crate) fn limit(workbook_bytes: usize, time: Duration) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let most = |value: u64| Rlimit { current: Some(value), maximum: Some(value) };
    let memory = (MEMORY + 40 * workbook_bytes as u64).min(MOST_MEMORY);
    let limits = [
        (Resource::As, memory),
        // Opening the workbook takes its time too.
        (Resource::Cpu, time.as_secs() + 60),
        (Resource::Core, 0),
        (Resource::Nofile, 8),
        (Resource::Fsize, 0),
    ];
    for (resource, value) in limits {
        // A system that knows no such limit has the others, and the parent's clock.
        if setrlimit(resource, most(value)).is_err() {
            continue;
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn limit(_: usize, _: Duration) {}

/// Whether the filter could be put up; from then on every other system call is answered with a refusal.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn close() -> bool {
    use std::collections::BTreeMap;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

    // Reading the job, writing the answer, memory, clocks, random numbers for maps, and coming to an end.
    const ALLOWED: &[i64] = &[
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_close,
        libc::SYS_mmap,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_mprotect,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_futex,
        libc::SYS_clock_gettime,
        libc::SYS_clock_getres,
        libc::SYS_gettimeofday,
        libc::SYS_getrandom,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_sched_yield,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_tgkill,
        libc::SYS_restart_syscall,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];
    let Ok(arch) = TargetArch::try_from(std::env::consts::ARCH) else { return false };
    let rules: BTreeMap<i64, Vec<_>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, arch);
    let Some(program) = filter.ok().and_then(|filter| BpfProgram::try_from(filter).ok()) else {
        return false;
    };
    seccompiler::apply_filter(&program).is_ok()
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(crate) fn close() -> bool {
    false
}
