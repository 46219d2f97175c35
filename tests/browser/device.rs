//! What the arbiter's own telephone does: the page is installed, says so where there is no connection, rings with sound, vibration and a notification, and
//! keeps its screen on.
use super::stage::{Browser, Hall, Screen};
use fantoccini::key::Key;
use serde_json::{Value, json};

/// Counts what a telephone would do, in place of its loudspeaker, its motor and its screen.
const BODY: &str = "
    window.told = { tones: [], shakes: [], locks: 0, open: 0 };
    const param = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    window.AudioContext = class {
        currentTime = 0;
        destination = {};
        resume() {}
        createOscillator() {
            const tone = { frequency: {}, connect: (next) => next, start: () => told.tones.push(tone.frequency.value), stop() {} };
            return tone;
        }
        createGain() { return { gain: param, connect: (next) => next }; }
    };
    Object.defineProperty(navigator, 'vibrate', { value: (times) => told.shakes.push(times), configurable: true });
    Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request: async () => {
        told.locks += 1;
        told.open += 1;
        const lock = { released: false, release: async () => { if (!lock.released) told.open -= 1; lock.released = true; } };
        window.lock = lock;
        return lock;
    } } });";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_page_can_be_installed_and_says_itself_that_there_is_no_connection() {
    let test = "the_page_can_be_installed_and_says_itself_that_there_is_no_connection";
    let Some(browser) = Browser::start(test, Screen::Pocket, false).await else { return };
    let hall = Hall::open().await;
    browser.goto(hall.link()).await.unwrap();
    browser.wait_for(".summary").await;
    let manifest = browser.tell("Page.getAppManifest", json!({})).await;
    assert_eq!(manifest["errors"], json!([]), "{manifest}");
    let said: Value = serde_json::from_str(manifest["data"].as_str().unwrap()).unwrap();
    assert_eq!((&said["start_url"], &said["scope"], &said["display"]), (&json!("/arbiter"), &json!("/arbiter"), &json!("standalone")));
    // Every picture is there, as large as it says.
    let icons = "return Promise.all(arguments[0].map(async (icon) => {
        const picture = new Image();
        picture.src = icon.src;
        await picture.decode();
        return icon.sizes === 'any' || `${picture.naturalWidth}x${picture.naturalHeight}` === icon.sizes;
    }));";
    assert_eq!(browser.ask_about(icons, vec![said["icons"].clone()]).await, json!([true, true, true]));
    browser.ask("return navigator.serviceWorker.ready.then((it) => new Promise((on) => it.active.state === 'activated' ? on(true) : it.active.addEventListener('statechange', () => on(true))));").await;
    let url = hall.url("/arbiter");
    browser.goto(&url).await.unwrap();
    browser.wait_for(".summary").await;
    hall.close().await;
    browser.goto(&url).await.unwrap();
    browser.wait_for_text("h1", |text| text == "No connection to flagfall").await;
    browser.wait_for("a[href='/arbiter']").await;
    browser.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn sound_vibration_and_a_screen_that_stays_on_are_tried_by_one_tap() {
    let test = "sound_vibration_and_a_screen_that_stays_on_are_tried_by_one_tap";
    let Some(browser) = Browser::start(test, Screen::Pocket, false).await else { return };
    let hall = Hall::open().await;
    browser.tell("Page.addScriptToEvaluateOnNewDocument", json!({"source": BODY})).await;
    browser.goto(hall.link()).await.unwrap();
    browser.wait_for(".offer-yes").await;
    let told = "return [told.tones, told.shakes, told.locks, told.open];";
    assert_eq!(browser.ask(told).await, json!([[], [], 0, 0]), "nothing before somebody wants it");
    browser.click(".offer-yes").await;
    let once = json!([[660, 880, 660], [[300, 120, 300]], 1, 1]);
    // It is heard as it will sound.
    browser.wait_to_see(told, once).await;
    browser.click("#top .icon-button:last-child").await;
    browser.click(".try-ring").await;
    browser.wait_to_see(told, json!([[660, 880, 660, 660, 880, 660], [[300, 120, 300], [300, 120, 300]], 1, 1])).await;
    // The codes for other telephones are here, too.
    browser.wait_for(".codes figure").await;
    // The browser takes the lock away while the page is hidden; it is asked for again.
    browser.ask("return lock.release().then(() => document.dispatchEvent(new Event('visibilitychange')));").await;
    browser.wait_to_see("return [told.locks, told.open];", json!([2, 1])).await;
    let awake = "const all = [...document.querySelectorAll('dialog .switch input')]; return all.findIndex((box) => box.closest('.switch').textContent.includes('screen'));";
    let at = browser.ask(awake).await;
    browser.ask_about("document.querySelectorAll('dialog .switch input')[arguments[0]].click();", vec![at]).await;
    browser.wait_to_see("return [told.locks, told.open];", json!([2, 0])).await;
    browser.press(Key::Escape).await;
    // And it stays so on this device.
    browser.refresh().await.unwrap();
    browser.wait_for(".summary").await;
    assert_eq!(browser.ask("return told.locks;").await, json!(0));
    browser.end().await;
}

/// The installed page's worker in a page of its own: pushes and taps are handed to it as browsers do, and what it does is written down.
const WORKER: &str = "
    const [code, way] = arguments;
    const on = {};
    const told = { shown: [], asked: [], opened: [] };
    const self = {
        addEventListener: (kind, act) => (on[kind] = act),
        skipWaiting() {},
        registration: { showNotification: async (title, options) => told.shown.push({ title, ...options }) },
        clients: { claim() {}, matchAll: async () => [], openWindow: async (place) => told.opened.push(place) },
    };
    const fetch = async (path, how) => {
        told.asked.push([how.method, path, how.body]);
        if (way === 'lost') throw new Error('no network');
        return { ok: way === 'ok', status: way === 'ok' ? 200 : way === 'ruled' ? 409 : 401 };
    };
    new Function('self', 'fetch', 'navigator', code)(self, fetch, { language: 'en-GB' });
    return (async () => {
        const run = async (kind, event) => { let done; on[kind]({ ...event, waitUntil: (it) => (done = it) }); await done; };
        const push = (call) => run('push', { data: { json: () => call } });
        await push({ title: 'Board 7, Ivanova: illegal move', place: '/arbiter#/board/7/finding/1', tag: '7-1', again: true });
        await push({ title: 'Test', place: '/arbiter', tag: '', again: false });
        const tap = (action) => run('notificationclick', { action, notification: { close() {}, data: { place: told.shown[0].data.place } } });
        await tap('going');
        await tap('');
        return [told.shown.map((it) => [it.title, it.body, it.requireInteraction, it.actions.map((one) => one.title)]), told.asked, told.opened];
    })();";

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_notification_has_a_button_that_answers_and_opens_the_card_where_that_fails() {
    let test = "a_notification_has_a_button_that_answers_and_opens_the_card_where_that_fails";
    let Some(browser) = Browser::start(test, Screen::Pocket, false).await else { return };
    browser.goto("about:blank").await.unwrap();
    let code = include_str!("../../src/web/arbiter/page/sw.js");
    let shown = json!([["Board 7, Ivanova: illegal move", "Nobody is going yet.", true, ["I'm going"]], ["Test", "", true, []]]);
    let asked = json!([["POST", "/api/v1/arbiter/boards/7/findings/1/going", "{\"going\":true}"]]);
    let card = "/arbiter#/board/7/finding/1";
    // Somebody may have ruled meanwhile: then nobody has to go.
    for (way, opened) in
        [("ok", json!([card])), ("ruled", json!([card])), ("signed out", json!([card, card])), ("lost", json!([card, card]))]
    {
        let told = browser.ask_about(WORKER, vec![json!(code), json!(way)]).await;
        assert_eq!(told, json!([shown, asked, opened]), "{way}");
    }
    browser.end().await;
}
