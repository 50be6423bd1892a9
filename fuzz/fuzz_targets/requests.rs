//! Whole sequences of requests to a server in this process.
#![no_main]

use std::net::SocketAddr;
use std::sync::{LazyLock, mpsc};

use broadside_web::{Config, Server};

#[path = "../../crates/broadside-web/tests/help/sequences.rs"]
mod sequences;

/// A server that runs until the process ends.
static SERVER: LazyLock<SocketAddr> = LazyLock::new(|| {
    let (told, address) = mpsc::channel();
    std::thread::spawn(move || {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let config = Config::new("127.0.0.1:0".parse().expect("an address"), folder.path().to_owned());
            let server = Server::bind(config).await.expect("a server");
            told.send(server.address()).expect("somebody waits");
            server.run(std::future::pending()).await;
        });
    });
    address.recv().expect("a server")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sequences::run(*SERVER, bytes));
