//! The server as players meet it, over real connections.

mod help;
mod server {
    mod bots;
    mod fuzz;
    mod games;
    mod hiding;
    mod hostile;
    mod leaks;
    mod limits;
    mod live;
    mod memory;
    mod positions;
    mod shards;
}
