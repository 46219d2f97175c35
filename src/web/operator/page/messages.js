// What stands now, and what was raised and cleared in the last hour.
import { hour, lang } from '/arbiter/i18n.js';
import { element, fill } from '/arbiter/ui.js';
import { both, words } from './words.js';

export class Messages {
  constructor(app) {
    this.app = app;
    this.now = element('ul', { class: 'lines messages' });
    this.list = element('ul', { class: 'lines messages scroll', tabindex: 0, 'aria-label': words().lastHour });
    this.standing = element('h3', {}, words().stands);
    this.node = element('div', {}, this.standing, this.now, element('h3', {}, words().lastHour), this.list);
  }

  draw() {
    const o = words();
    const { alarms, messages } = this.app;
    this.standing.hidden = alarms.length === 0;
    const about = (it) => (this.app.boards.has(it.about ?? it.board) ? o.onBoard(it.about ?? it.board) : (it.about ?? it.board));
    fill(this.now, [alarms, lang], () =>
      alarms.map((alarm) => element('li', {}, element('b', {}, `✕ ${about(alarm)}: ${both(alarm.text) || alarm.key}`), element('small', {}, both(alarm.todo)), ...(alarm.detail ? [element('small', {}, alarm.detail)] : []))),
    );
    fill(this.list, [messages, lang], () =>
      messages.length
        ? messages.map((message) =>
            element('li', { class: message.raised ? 'raised' : 'cleared' }, element('span', { class: 'digits' }, hour(message.at)), ' ', element('b', {}, `${message.raised ? '✕' : '✓'} ${about(message)}`), ` ${both(message.text) || message.key}${message.raised ? '' : ` – ${o.cleared}`}`, ...(message.detail && message.raised ? [element('small', {}, message.detail)] : [])),
          )
        : [element('li', {}, o.noMessages)],
    );
  }
}
