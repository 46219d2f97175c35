// Sound and vibration: a choice, off until it is made, remembered.
const KEY = 'flagfall-arbiter-alerts';

export class Alerts {
  constructor() {
    this.sound = false;
    this.vibration = false;
    try {
      Object.assign(this, JSON.parse(localStorage.getItem(KEY) ?? '{}'));
    } catch {
      // What cannot be read is off.
    }
  }

  set(key, on) {
    this[key] = on;
    try {
      localStorage.setItem(KEY, JSON.stringify({ sound: this.sound, vibration: this.vibration }));
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    // The sound it will make, at once: that also is the tap that browsers want before they play anything.
    if (on) this.give(key === 'sound', key === 'vibration', false);
  }

  alert(grave) {
    this.give(this.sound, this.vibration, grave);
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
