//! `broadside serve`: the web app.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use broadside_web::{Config, Server};
use tokio::sync::oneshot;

use crate::exit::{Failure, Outcome};
use crate::{interrupt, output};

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
struct NoDataFolder;

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if let Some(format) = args.log {
        log(format);
    }
    let default = || dirs::data_dir().map(|folder| folder.join("broadside"));
    let data = args.data.clone().or_else(default).ok_or_else(|| Failure::bad_request(NoDataFolder))?;
    let (stop, stopped) = oneshot::channel();
    // It fails only when the server has ended already.
    interrupt::listen(move || _ = stop.send(())).map_err(Failure::system)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(rayon::current_num_threads()).enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(Config::new(args.addr, data)).await.map_err(Failure::no_answer)?;
        announce(&server, args.open)?;
        server
            .run(async {
                // The sender lives as long as the process.
                _ = stopped.await;
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

fn log(format: LogFormat) {
    let builder = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    match format {
        LogFormat::Text => builder.with_ansi(anstream::stderr().is_terminal()).init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
}
