// The door: a name and a password, so that rulings carry a name; where there are no accounts, what lets one in instead.
import { api } from './api.js';
import { button, element, setText, sorry } from './ui.js';
import { w } from './i18n.js';

export class Login {
  // `why` is said above the form.
  constructor(app, why = '') {
    this.name = element('input', { name: 'name', autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', required: true });
    this.password = element('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true });
    this.problem = element('p', { class: 'problem', role: 'alert' }, why);
    this.send = button(w.signIn, null, { type: 'submit', class: 'primary' });
    if (app.byLink) {
      this.node = element('section', { class: 'login' }, element('h1', {}, app.appName?.() ?? w.appName), this.problem, element('p', {}, w.openLink), element('p', { class: 'about' }, w.openLinkHint));
      return;
    }
    this.node = element(
      'form',
      { class: 'login', onsubmit: (e) => (e.preventDefault(), this.submit(app)) },
      element('h1', {}, app.appName?.() ?? w.appName),
      element('label', {}, element('span', {}, w.name), this.name),
      element('label', {}, element('span', {}, w.password), this.password),
      this.problem,
      this.send,
      element('p', { class: 'about' }, app.signInHint?.() ?? w.signInHint),
    );
  }

  async submit(app) {
    this.send.disabled = true;
    try {
      const me = await api.login(this.name.value.trim(), this.password.value);
      this.password.value = '';
      app.enterAs(me);
    } catch (failure) {
      setText(this.problem, failure.status === 401 ? w.wrongLogin : failure.status === 403 ? w.failed(failure.message, failure.hint) : sorry(failure));
      this.password.select();
    } finally {
      this.send.disabled = false;
    }
  }

  draw() {}

  tick() {}
}
