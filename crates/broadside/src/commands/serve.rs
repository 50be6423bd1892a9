//! `broadside serve`: the web app.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use broadside_web::{Config, Server};
use tokio::sync::oneshot;

use crate::exit::{Failure, Outcome};
use crate::output;

/// The web app on this machine: play, analyse, lab
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to listen. Others reach it only if the address is one that they can reach; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:1805")]
    addr: SocketAddr,
    /// Folder of the games; where it is absent they are kept with the other data of your programs
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Write a line to standard error for every request
    #[arg(long, value_name = "FORMAT", value_enum, num_args = 0..=1, default_missing_value = "text")]
    log: Option<LogFormat>,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LogFormat {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Json,
}

const EXAMPLES: &str = "\
Examples:
  broadside serve --open                         start it and open the page
  broadside serve --addr 127.0.0.1:0             on any free port
  broadside serve --data games --log json        games in ./games, a JSON line for every request

Every shot is on disk before it is answered: the server can be killed at any moment, and games go on when it is started again. \
Ctrl-C lets requests under way end. What can be asked for is described at /api/openapi.json.";

/// There is no usual place for data on this system.
#[derive(Debug, thiserror::Error)]
#[error("this system has no usual folder for data: name one with --data")]
struct NoFolder;

/// Requests to end can't be heard.
#[derive(Debug, thiserror::Error)]
#[error("can't listen for Ctrl-C")]
struct DeafError(#[from] ctrlc::Error);

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if let Some(format) = args.log {
        log(format);
    }
    let usual = || dirs::data_dir().map(|folder| folder.join("broadside"));
    let data = args.data.clone().or_else(usual).ok_or_else(|| Failure::unreadable(NoFolder))?;
    let stop = stop_signal().map_err(Failure::unanswerable)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(Config { addr: args.addr, data }).await.map_err(Failure::unanswerable)?;
        announce(&server, args.open)?;
        server
            .run(async {
                // The sender lives as long as the process.
                _ = stop.await;
            })
            .await;
        Ok(Outcome::Done)
    })
}

/// Says where the page is, and opens it.
fn announce(server: &Server, open: bool) -> io::Result<()> {
    let address = format!("http://{}/", server.address());
    let mut out = output::stdout();
    writeln!(out, "Broadside is at {address} (Ctrl-C stops it)")?;
    out.flush()?;
    if open && open::that_detached(&address).is_err() {
        anstream::eprintln!("no browser could be opened: open the address yourself");
    }
    Ok(())
}

/// Comes true at Ctrl-C or a request to end; a second one ends the program at once.
fn stop_signal() -> Result<oneshot::Receiver<()>, DeafError> {
    let (stop, stopped) = oneshot::channel();
    let mut stop = Some(stop);
    ctrlc::set_handler(move || match stop.take() {
        Some(stop) => _ = stop.send(()),
        None => std::process::exit(crate::exit::INTERRUPTED.into()),
    })?;
    Ok(stopped)
}

fn log(format: LogFormat) {
    let builder = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    match format {
        LogFormat::Text => builder.with_ansi(anstream::stderr().is_terminal()).init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
}
