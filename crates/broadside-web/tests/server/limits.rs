use serde_json::json;

use crate::help::Running;

async fn get(server: &Running, path: &str, more: &str) -> String {
    crate::help::get(server.address, path, more).await
}

#[tokio::test]
async fn every_answer_carries_the_headers_that_keep_the_page_safe() {
    let server = Running::start().await;
    for path in ["/", "/api/captains", "/nowhere", "/api/games/x"] {
        let answer = get(&server, path, "").await.to_ascii_lowercase();
        for header in ["content-security-policy: default-src 'none'; script-src 'self';", "x-content-type-options: nosniff"] {
            assert!(answer.contains(header), "{path}: {answer}");
        }
    }
    assert!(get(&server, "/", "").await.contains("<title>"));
}

#[tokio::test]
async fn unknown_pages_methods_and_sites_are_refused_as_json() {
    let server = Running::start().await;
    assert!(get(&server, "/nowhere", "").await.starts_with("HTTP/1.1 404"));
    assert!(get(&server, "/assets/../Cargo.toml", "").await.starts_with("HTTP/1.1 404"));
    assert!(get(&server, "/api/odds", "").await.contains(r#""kind":"method""#));
    let other = get(&server, "/api/captains", "Sec-Fetch-Site: cross-site\r\n").await;
    assert!(other.starts_with("HTTP/1.1 403") && other.contains("other-site"));
    let other_port = get(&server, "/api/captains", "Sec-Fetch-Site: same-site\r\n").await;
    assert!(other_port.starts_with("HTTP/1.1 403") && other_port.contains("other-site"));
    assert!(get(&server, "/", "Sec-Fetch-Site: cross-site\r\n").await.starts_with("HTTP/1.1 200"), "links are welcome");
}

#[tokio::test]
async fn a_page_that_is_known_is_not_sent_again() {
    let server = Running::start().await;
    for path in ["/", "/api/openapi.json"] {
        let first = get(&server, path, "").await;
        let tag = first.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag").to_owned();
        let again = get(&server, path, &format!("If-None-Match: {tag}\r\n")).await;
        assert!(again.starts_with("HTTP/1.1 304") && again.len() < first.len(), "{again}");
    }
}

#[tokio::test]
async fn large_and_broken_bodies_are_refused() {
    let server = Running::start().await;
    let large = json!({ "shots": "A1- ".repeat(40_000) });
    assert_eq!(server.client().await.post("/api/odds", None, &large).await.unwrap_err().kind(), Some("too-large"));
    for body in [json!([]), json!({ "shots": 5 }), json!("x"), json!({ "rules": [] })] {
        assert_eq!(server.client().await.post("/api/odds", None, &body).await.unwrap_err().kind(), Some("unreadable"), "{body}");
    }
}

#[tokio::test]
async fn a_campaign_tells_its_progress_and_its_end() {
    let server = Running::start().await;
    let events = get(&server, "/api/campaign?captains=random,density&games=500&seed=1&board=5x5&fleet=3,2", "").await;
    let last = events.split("event: ").last().unwrap();
    assert!(last.starts_with("done"), "{last}");
    let data: serde_json::Value =
        serde_json::from_str(last.lines().find_map(|line| line.strip_prefix("data: ")).unwrap()).unwrap();
    assert_eq!((&data["played"], &data["captains"][1]["captain"]), (&json!(500), &json!("density")));
    let counts = data["captains"][0]["histogram"].as_array().unwrap();
    assert_eq!(counts.iter().filter_map(serde_json::Value::as_u64).sum::<u64>(), 500);
    for (query, kind) in [
        ("captains=nobody&games=5", "captain"),
        ("captains=random&games=0", "limit"),
        ("captains=random,density&games=999999", "limit"),
        ("captains=random", "unreadable"),
        ("captains=random&games=5&board=0x0", "rules"),
    ] {
        let refused = get(&server, &format!("/api/campaign?{query}"), "").await;
        assert!(refused.contains(&format!(r#""kind":"{kind}""#)), "{query}: {refused}");
    }
}

#[tokio::test]
async fn pictures_are_drawn_in_both_kinds() {
    let server = Running::start().await;
    let svg = get(&server, "/api/picture?preset=sploosh&shots=A1-", "").await;
    assert!(svg.contains("content-type: image/svg+xml") && svg.contains("<svg"), "{}", &svg[..400]);
    assert!(get(&server, "/api/picture?preset=sploosh&format=png", "").await.contains("PNG"));
    assert!(get(&server, "/api/picture?format=gif", "").await.starts_with("HTTP/1.1 400"));
}

#[tokio::test]
async fn the_description_names_every_path() {
    let server = Running::start().await;
    let api = server.client().await.get("/api/openapi.json", None).await.unwrap();
    for path in ["/api/games", "/api/games/{id}/shots", "/api/games/{id}/live", "/api/odds", "/api/campaign", "/api/replays/{id}"]
    {
        assert!(api["paths"][path].is_object(), "{path}");
    }
    assert_eq!(api, serde_json::to_value(broadside_web::description()).unwrap());
}

/// The value of a line of the metrics.
async fn metric(server: &Running, name: &str) -> u64 {
    let text = crate::help::get(server.admin.expect("an address"), "/metrics", "").await;
    let line =
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap_or_else(|| panic!("{name} in {text}"));
    line.parse().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn heavy_requests_at_once_keep_to_the_memory_that_the_server_was_given() {
    let server = Running::start_with(tempfile::tempdir().unwrap(), |config| {
        config.admin = Some("127.0.0.1:0".parse().unwrap());
        config.memory = 200 << 20;
    })
    .await;
    // The empty russian board takes 104 MB where it may; the tight one is dealt from tables.
    let russian = json!({ "rules": { "preset": "russian" } });
    let tight = json!({ "rules": { "board": "8x10", "fleet": "3,3,3,2,2,2,2,1,1,1,1,1,1,1,1,1,1", "touch": "never" } });
    let mut asked = Vec::new();
    for number in 0..12 {
        let mut client = server.client().await;
        let (path, body) = if number % 3 == 0 { ("/api/deal", tight.clone()) } else { ("/api/odds", russian.clone()) };
        asked.push(tokio::spawn(async move { client.post(path, None, &body).await }));
    }
    let mut answered = 0;
    for asked in asked {
        match asked.await.unwrap() {
            Ok(_) => answered += 1,
            // On a machine that is busy otherwise some take longer than they may.
            Err(refused) => assert!(["busy", "memory", "too-long"].contains(&refused.kind().unwrap_or_default()), "{refused}"),
        }
    }
    assert!(answered > 0);
    let (work, peak) =
        (metric(&server, "broadside_memory_work_bytes").await, metric(&server, "broadside_memory_taken_peak_bytes").await);
    assert!(peak > 32 << 20 && peak <= work && work < 200 << 20, "{peak} of {work}");
    assert_eq!(metric(&server, "broadside_memory_taken_bytes").await, 0, "all of it came back");
}

#[tokio::test]
async fn a_server_is_not_started_with_less_memory_than_it_takes() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = broadside_web::Config::new("127.0.0.1:0".parse().unwrap(), folder.path().to_owned());
    config.memory = 1 << 20;
    let refused = broadside_web::Server::bind(config).await.err().expect("too little");
    assert!(refused.to_string().contains("at least 128MB"), "{refused}");
}
