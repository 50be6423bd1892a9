//! The C library's allocator, set up for a server.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::env;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    /// The variable of the environment that glibc reads when a program starts.
    const VARIABLE: &str = "MALLOC_MMAP_THRESHOLD_";
    /// Blocks of so many bytes and more go back to the system as soon as they are free.
    const LARGE: &str = "1048576";

    /// Begins the program anew with a fixed limit for large blocks, unless there is one already. The process stays the same.
    ///
    /// Left alone, glibc raises that limit up to 32 MB as blocks are freed, and keeps everything below it for the next thread with
    /// the same heap: under attack a server took several times what it used. Only the environment can fix the limit without
    /// unsafe code, and glibc reads it once.
    pub(crate) fn give_large_blocks_back() {
        if env::var_os(VARIABLE).is_some() {
            return;
        }
        let mut args = env::args_os();
        let (Ok(program), Some(name)) = (env::current_exe(), args.next()) else { return };
        // It returns only if it fails, and then the program goes on with more memory than it needs.
        _ = Command::new(program).arg0(name).args(args).env(VARIABLE, LARGE).exec();
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) use self::glibc::give_large_blocks_back;

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_large_blocks_back() {}
