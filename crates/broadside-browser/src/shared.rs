//! Browsers that tests of one process use one after the other: Chromium takes longer to start than many a test takes.

use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Browser, Look};

/// A browser that a later test may use again. Pages of different origins share nothing in it.
///
/// Browsers end when nobody uses one any more, and with a test that fails.
pub struct Shared {
    browser: Option<Browser>,
}

struct Pool {
    idle: Vec<Browser>,
    used: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { idle: Vec::new(), used: 0 });

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// A browser with an empty page that looks like this, started unless one is free.
    pub fn take(look: Look) -> Self {
        let free = {
            let mut pool = pool();
            pool.used += 1;
            let found = pool.idle.iter().position(|browser| browser.look.get().is_same_device(look));
            found.map(|index| pool.idle.swap_remove(index))
        };
        // Counted already, so that it is given back even if it can't be started.
        let mut shared = Self { browser: free };
        match &shared.browser {
            Some(browser) => browser.apply(look),
            None => shared.browser = Some(Browser::start(look)),
        }
        shared
    }

    /// Gives the browser back, for one that is left without a page. What can't be left is of no use to others.
    fn leave(&mut self) -> Option<Browser> {
        let browser = self.browser.take().filter(|_| !std::thread::panicking())?;
        let left = browser.run(browser.client.goto("about:blank"));
        left.is_ok().then(|| {
            drop(browser.errors());
            browser
        })
    }
}

impl Deref for Shared {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.browser.as_ref().expect("there until it is given back")
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let kept = self.leave();
        let mut pool = pool();
        pool.used -= 1;
        pool.idle.extend(kept);
        let ended = if pool.used == 0 { std::mem::take(&mut pool.idle) } else { Vec::new() };
        // They take their time to end: nobody should wait for the pool meanwhile.
        drop(pool);
        drop(ended);
    }
}
