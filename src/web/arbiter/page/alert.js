// Sound, vibration, a screen that stays on: a choice, off until it is made, remembered.
import { Duty } from './duty.js';

const KEY = 'flagfall-arbiter-alerts';
const CHOICES = ['sound', 'vibration', 'awake'];

export class Alerts {
  constructor() {
    this.duty = new Duty();
    this.sound = false;
    this.vibration = false;
    this.awake = false;
    // Whether anything was ever chosen on this device.
    this.chosen = false;
    try {
      const kept = localStorage.getItem(KEY);
      this.chosen = kept !== null;
      Object.assign(this, JSON.parse(kept ?? '{}'));
    } catch {
      // What cannot be read is off.
    }
    this.duty.want(this.awake);
  }

  set(key, on) {
    this[key] = on;
    this.keep();
    // The sound it will make, at once: that also is the tap that browsers want before they play anything.
    if (on) this.give(key === 'sound', key === 'vibration', false);
  }

  // Everything at once, with what it will sound like.
  setAll(on) {
    for (const key of CHOICES) this[key] = on;
    this.keep();
    if (on) this.try();
  }

  try() {
    this.give(this.sound, this.vibration, true);
  }

  keep() {
    this.chosen = true;
    this.duty.want(this.awake);
    try {
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(CHOICES.map((key) => [key, this[key]]))));
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  alert(grave) {
    this.give(this.sound, this.vibration, grave);
  }

  // The page itself is in trouble: another sound than a finding's.
  trouble() {
    if (this.vibration) navigator.vibrate?.([500]);
    if (this.sound) this.beep([330, 247]);
  }

  give(sound, vibration, grave) {
    if (vibration) navigator.vibrate?.(grave ? [300, 120, 300] : [200]);
    if (sound) this.beep(grave ? [660, 880, 660] : [660]);
  }

  beep(tones) {
    this.audio ??= new AudioContext();
    this.audio.resume();
    tones.forEach((hertz, i) => {
      const at = this.audio.currentTime + i * 0.18;
      const [tone, volume] = [this.audio.createOscillator(), this.audio.createGain()];
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, at);
      volume.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
      tone.connect(volume).connect(this.audio.destination);
      tone.start(at);
      tone.stop(at + 0.17);
    });
  }
}
