// The screen stays on while an arbiter is on duty. Browsers allow it on encrypted pages and on the machine itself.
export class Duty {
  constructor() {
    this.wanted = false;
    this.lock = null;
    document.addEventListener('visibilitychange', () => this.keep());
  }

  get possible() {
    return 'wakeLock' in navigator;
  }

  want(on) {
    this.wanted = on;
    if (on) this.keep();
    else this.lock?.release().catch(() => {});
  }

  // The browser takes the lock away when the page is hidden.
  async keep() {
    if (!this.possible || !this.wanted || document.visibilityState !== 'visible' || (this.lock && !this.lock.released)) return;
    try {
      this.lock = await navigator.wakeLock.request('screen');
    } catch {
      // A battery that is low may forbid it; the screen goes dark as usual.
    }
  }
}
