//! Prints the `OpenAPI` description of the server's JSON interface, from which clients in other languages can be made.

fn main() -> serde_json::Result<()> {
    println!("{}", serde_json::to_string_pretty(&broadside_web::description())?);
    Ok(())
}
