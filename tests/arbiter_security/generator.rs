//! Bodies made from the interface's own description: right ones, nearly right ones, and nonsense. The same every time.
use super::daemon::Daemon;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

const ROUNDS: usize = 40;

struct Generator<'a> {
    document: &'a Value,
    random: ChaCha8Rng,
}

impl Generator<'_> {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    /// A value that the schema allows, or with `wrong` percent one that it may not.
    fn value(&mut self, schema: &Value, wrong: u32, depth: u32) -> Value {
        if depth > 8 || self.chance(wrong) {
            return self.nonsense(depth);
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let target = self.document.pointer(reference.trim_start_matches('#')).unwrap();
            return self.value(target, wrong, depth + 1);
        }
        for alternatives in ["oneOf", "anyOf"] {
            if let Some(list) = schema[alternatives].as_array() {
                let chosen = self.random.random_range(0..list.len());
                return self.value(&list[chosen], wrong, depth + 1);
            }
        }
        if let Some(list) = schema["allOf"].as_array() {
            let mut all = Map::new();
            for part in list {
                if let Value::Object(part) = self.value(part, wrong, depth + 1) {
                    all.extend(part);
                }
            }
            return Value::Object(all);
        }
        if let Some(list) = schema["enum"].as_array() {
            return list[self.random.random_range(0..list.len())].clone();
        }
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("object");
        match kind {
            "object" => {
                let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let mut object = Map::new();
                for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
                    let leave_out = if required.contains(&name.as_str()) { wrong / 4 } else { 50 };
                    if !self.chance(leave_out) {
                        object.insert(name.clone(), self.value(schema, wrong, depth + 1));
                    }
                }
                Value::Object(object)
            }
            "array" => (0..self.random.random_range(0..4)).map(|_| self.value(&schema["items"], wrong, depth + 1)).collect(),
            "string" => self.text(),
            "integer" | "number" => self.number(),
            "boolean" => json!(self.chance(50)),
            _ => Value::Null,
        }
    }

    fn text(&mut self) -> Value {
        const TEXTS: [&str; 12] = [
            "",
            "two-hands",
            "illegal-move",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "k7/8/8/8/8/8/8/8 w - - 99999999999 0",
            "12.9.3",
            "\u{0}\u{7}",
            "Ω≈ç√∫˜µ≤≥÷",
            "<script>alert(1)</script>",
            "\n\ndata: {}\n\nevent: finding",
            "🏁",
        ];
        let text = TEXTS[self.random.random_range(0..TEXTS.len())];
        if self.chance(5) { json!(text.repeat(500)) } else { json!(text) }
    }

    fn number(&mut self) -> Value {
        const NUMBERS: [i64; 9] = [0, 1, 2, -1, 60_000, 359_999_000, i64::MAX, i64::MIN, 86_400_000_000];
        match self.random.random_range(0..10) {
            0 => json!(1.5e300),
            1 => json!(u64::MAX),
            n => json!(NUMBERS[usize::try_from(n).unwrap() % NUMBERS.len()]),
        }
    }

    fn nonsense(&mut self, depth: u32) -> Value {
        match self.random.random_range(0..7) {
            0 => Value::Null,
            1 => json!([]),
            2 => json!({ "do": "rule", "": {} }),
            3 if depth < 6 => (0..60).fold(json!(1), |inner, _| json!([inner])),
            4 => self.number(),
            _ => self.text(),
        }
    }

    /// Bytes that are no JSON, or hardly.
    fn broken(&mut self, text: &str) -> Vec<u8> {
        let mut bytes = text.as_bytes().to_vec();
        match self.random.random_range(0..4) {
            0 => bytes.truncate(self.random.random_range(0..=bytes.len())),
            1 => (0..3).for_each(|_| {
                let at = self.random.random_range(0..=bytes.len());
                bytes.insert(at, self.random.random());
            }),
            2 => bytes = (0..self.random.random_range(0..200)).map(|_| self.random.random()).collect(),
            _ => bytes = "[".repeat(10_000).into_bytes(),
        }
        bytes
    }
}

#[test]
fn malformed_bodies_of_every_kind_are_refused_and_change_nothing_that_the_public_may_not_see() {
    let daemon = Daemon::start();
    let public = daemon.listen();
    public.expect("event: snapshot");
    let document = daemon.get("/api/v1/openapi.json", &[]).json();
    let authorization = format!("Bearer {}", daemon.arbiter_token);
    let headers = [("Authorization", authorization.as_str()), ("Content-Type", "application/json")];
    let mut generator = Generator { document: &document, random: ChaCha8Rng::seed_from_u64(6) };
    let mut outcomes = std::collections::BTreeMap::new();
    for round in 0..ROUNDS {
        for (path, operations) in document["paths"].as_object().unwrap() {
            let schema = &operations["post"]["requestBody"]["content"]["application/json"]["schema"];
            // A login takes its time on purpose.
            if schema.is_null() || (path == "/api/v1/login" && round > 2) {
                continue;
            }
            let wrong = [0, 5, 20, 60][round % 4];
            let text = generator.value(schema, wrong, 0).to_string();
            let body = if round % 5 == 4 { generator.broken(&text) } else { text.into_bytes() };
            let answer = daemon.ask("POST", &path.replace("{board}", "1").replace("{id}", "1"), &headers, &body);
            let seen = String::from_utf8_lossy(&body);
            // Nobody goes to a finding that is not there.
            let is_missing = answer.status == 404 && path.ends_with("/going");
            // Only the machine's own socket may.
            let is_closed = answer.status == 403 && path.starts_with("/api/v1/machine/");
            // Only a board's own machine takes its game over.
            let is_closed = is_closed || answer.status == 403 && seen.contains("\"take-over\"");
            assert!(
                is_missing || is_closed || matches!(answer.status, 200 | 204 | 400 | 401 | 409 | 413 | 415 | 422 | 429),
                "{path}: {seen}: {answer:?}"
            );
            if !matches!(answer.status, 200 | 204) {
                let problem = answer.json();
                assert!(problem["error"].is_string() && problem["hint"].is_string(), "{path}: {seen}: {answer:?}");
            }
            *outcomes.entry(answer.status).or_insert(0) += 1;
        }
    }
    assert!(outcomes[&200] > 20 && outcomes[&422] > 20 && outcomes[&400] > 20, "{outcomes:?}");
    for id in ["0", "18446744073709551616", "-1", "x", "%FF"] {
        let answer = daemon.post(&format!("/api/v1/arbiter/boards/1/findings/{id}/ruling"), &headers[..1], &json!({"decision": "confirm"}));
        assert!(matches!(answer.status, 404 | 422), "{id}: {answer:?}");
    }
    daemon.assert_sound();
    let heard = public.end();
    let types = heard.lines().filter_map(|line| line.strip_prefix("event: "));
    for kind in types {
        assert!(
            !["finding", "finding-update", "ruling", "touched-piece", "draw-claim", "alarm", "hall"].contains(&kind),
            "{kind} was public"
        );
    }
    assert!(!heard.contains("\"findings\"") && !heard.contains("tablet"), "{heard}");
}
