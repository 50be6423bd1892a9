//! The C library's allocator, set up for a server.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::env;
    use std::ffi::OsString;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    /// The variable of the environment that glibc reads when a program starts.
    const VARIABLE: &str = "GLIBC_TUNABLES";
    /// Blocks of a megabyte and more go back to the system as soon as they are free.
    ///
    /// Left alone, glibc raises that limit up to 32 MB as blocks are freed, and keeps everything below it for the next thread with
    /// the same heap: under attack a server took several times what it used.
    const LARGE_BLOCKS: &str = "glibc.malloc.mmap_threshold=1048576";
    /// Free blocks are joined with their neighbours at once.
    ///
    /// Left alone, glibc puts small ones aside and joins all of a heap when somebody asks it for a larger one. After long work that
    /// was a hundred thousand blocks, and the next request on that heap took 20 to 90 ms, such as a new game, which takes one.
    const SMALL_BLOCKS: &str = "glibc.malloc.mxfast=0";
    /// Every thread has a heap of its own.
    ///
    /// Left alone, two cores have 16 heaps, which more threads share: whoever needs one waits for a thread of lower priority that holds it.
    const HEAPS: &str = "glibc.malloc.arena_max=1024";

    /// Begins the program anew with these settings, unless the environment says something about the allocator already. The process
    /// stays the same.
    ///
    /// Only the environment can change them without unsafe code, and glibc reads it once.
    pub(crate) fn set_up() {
        let others = env::var(VARIABLE).unwrap_or_default();
        let is_old_setting = |(name, _): (OsString, OsString)| name.as_encoded_bytes().starts_with(b"MALLOC_");
        if others.contains("glibc.malloc.") || env::vars_os().any(is_old_setting) {
            return;
        }
        let settings = [&others, LARGE_BLOCKS, SMALL_BLOCKS, HEAPS].into_iter().filter(|some| !some.is_empty());
        let settings = settings.collect::<Vec<_>>().join(":");
        let mut args = env::args_os();
        let (Ok(program), Some(name)) = (env::current_exe(), args.next()) else { return };
        // It returns only if it fails, and then the program goes on as it is.
        _ = Command::new(program).arg0(name).args(args).env(VARIABLE, settings).exec();
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) use self::glibc::set_up;

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn set_up() {}
