// The operator's page in Russian.
const plural = (n, one, few, many) => {
  const ten = n % 10;
  const hundred = n % 100;
  if (ten === 1 && hundred !== 11) return `${n} ${one}`;
  return `${n} ${ten >= 2 && ten <= 4 && (hundred < 12 || hundred > 14) ? few : many}`;
};

export const ru = {
  appName: 'Оператор',
  signInHint: 'У оператора своя учётная запись. Запись арбитра тоже подходит.',
  needAccount: 'Этой учётной записи страница недоступна.',
  allWell: 'Всё в порядке',
  toDo: (list) => list.join(' · '),
  boardsDown: (n) => `нет связи: ${plural(n, 'доска', 'доски', 'досок')}`,
  resultsMissing: (n) => `не хватает: ${plural(n, 'результат', 'результата', 'результатов')}`,
  feedsFail: (n) => `не работает: ${plural(n, 'трансляция', 'трансляции', 'трансляций')}`,
  forArbiter: (n) => `арбитру: ${plural(n, 'отметка', 'отметки', 'отметок')}`,
  clocksNotSet: (n) => `не установлены: ${plural(n, 'часы', 'часов', 'часов')}`,
  otherAlarms: (n) => `ещё ${plural(n, 'сигнал', 'сигнала', 'сигналов')}`,
  sections: { boards: 'Доски', feeds: 'Трансляции', round: 'Тур', messages: 'Сообщения', share: 'Адреса' },
  arbiterPage: 'Страница арбитра',
  columns: { board: 'Доска', players: 'Игроки', clock: 'Часы', move: 'Последний ход', findings: 'Отметки', state: 'Состояние', feeds: 'Трансляции' },
  up: 'на связи', down: 'нет связи', away: (name) => `${name} молчит`,
  noGame: 'нет партии', playing: 'идёт', noMove: 'ходов нет', ago: (text) => `${text} назад`,
  battery: (percent) => `батарея ${percent} %`,
  clockSet({ state, white_off_ms: white, black_off_ms: black }, text) {
    const off = (side, ms) => ms && `${side} ${text(Math.abs(ms))} ${ms > 0 ? 'лишних' : 'не хватает'}`;
    if (state === 'right') return '✓ установлены';
    if (state === 'runs') return '! уже идут';
    if (state === 'unread') return '! часы не отвечают';
    return `! ${white === black ? off('у обоих', white) : [off('у белых', white), off('у чёрных', black)].filter(Boolean).join(', ')}`;
  },
  noFindings: 'нет', findings: (n) => `открыто: ${n}`,
  findingsTitle: 'Сколько отметок ждёт арбитра. Какие они, видят только арбитры.',
  missing: 'нет результата', enter: 'Внести …', enterFor: (board) => `Внести для доски ${board}`,
  what: 'Что внести?', result: 'Результат', newGame: 'Новая партия', promotion: (square) => `Фигура на ${square}`,
  noFeeds: 'Никуда ничего не отправляется: не настроены ни тур на Lichess, ни выгрузка, ни оповещения.',
  lamps: { good: 'как в записи', late: 'отстаёт от записи', bad: 'не работает', idle: 'ещё ничего не отправлено' },
  sent: (age) => `отправлено ${age} назад`, notSent: 'ещё ничего не отправлено',
  games: (games, plies) => `${plural(games, 'партия', 'партии', 'партий')}, ${plural(plies, 'полуход', 'полухода', 'полуходов')}`,
  ofBoards: (boards, plies) => `${plural(boards, 'доска', 'доски', 'досок')}, ${plural(plies, 'полуход', 'полухода', 'полуходов')}`,
  kinds: { page: 'Страница зрителей', livechess: 'LiveChess', pgn: 'PGN', cloud: 'Cloud', lichess: 'Lichess', upload: 'Выгрузка', alert: 'Оповещение', nats: 'Брокер' },
  files: (files, waiting) => `${plural(files, 'файл', 'файла', 'файлов')}${waiting ? `, ждёт ${waiting}` : ''}`,
  differs: 'расхождение', behind: (text) => `задержка ${text}`,
  delay: (text) => `Зрители видят всё с задержкой ${text}.`, delayEnd: (text) => (text ? `Зрители видят партии через ${text} после окончания.` : 'Зрители видят партии после окончания.'), noDelay: 'Зрители видят всё сразу.',
  howDelay: 'Как изменить задержку',
  howDelayText: [
    'Задержки задаются в конфигурации, /etc/flagfall/flagfall.toml. Строка delay = "15m" в её начале действует на всё, что видят зрители, после sudo systemctl restart flagfall: партии продолжаются, уже показанное остаётся.',
    'У тура на Lichess и у выгрузки может быть своя задержка, в своём разделе; для неё достаточно sudo systemctl reload flagfall. Ниже у каждой трансляции указано, насколько она отстаёт.',
  ],
  push: 'Отправить всё снова', pushed: 'Весь тур отправляется снова.', reset: 'Очистить и отправить снова',
  resetSure: (round) => `Тур ${round} на Lichess очищается и отправляется целиком. Несколько секунд зрители не видят партий.`, resetDo: 'Очистить тур и отправить снова',
  noPairings: 'Пар пока нет.', roundNo: (n) => `Тур ${n}`, now: 'идёт сейчас', event: 'Турнир',
  next: (n) => `Дальше: тур ${n}`, begin: (n) => `Начать тур ${n}`,
  waitsFor: (boards) => `Ещё играют: доска ${boards}.`, waitsForNone: 'Все начатые партии окончены.',
  beginSure: (n) => `С этого момента на всех досках идёт тур ${n}. Начатые партии для трансляции окончены.`,
  begun: (n) => `Идёт тур ${n}.`, noNext: 'Пар этого тура пока нет.',
  drop: 'Перетащите список пар сюда или выберите файл', dropKinds: 'CSV, PGN, TRF или JSON',
  orAddress: 'Или адрес', addressHint: 'https://… – в том числе страница трансляции на Lichess', look: 'Посмотреть, что изменится',
  ofRound: 'Тур для строк, где он не указан', overGames: 'И там, где партии начаты: имена переходят, партии остаются на своих досках',
  from: (name) => `Из ${name}`, changes: 'Изменится', nothing: 'Ничего не изменится.', heldHead: 'Не применяется: партии уже начаты', doubts: 'Обратите внимание',
  take: 'Принять', discard: 'Не принимать', taken: 'Список принят.', notTaken: 'Ничего не принято.',
  held: 'Не применено', follow: 'Применить: имена переходят, партии остаются', followed: 'Применено.',
  reload: 'Прочитать файлы и адреса снова', reloaded: 'Читаются снова.',
  pairing: { board: 'Доска', white: 'Белые', black: 'Чёрные', result: 'Результат' }, noBoard: 'без электронной доски', isPlayed: 'идёт',
  lastHour: 'За последний час', noMessages: 'За последний час ничего.', stands: 'Сейчас', raised: 'началось', cleared: 'прошло', onBoard: (name) => `Доска ${name}`,
  spectators: 'Для зрителей', arbiters: 'Для арбитров', tv: 'Для экрана в зале', embed: 'Для сайта организатора',
  onlyHere: 'Эти адреса доступны только на этой машине. Для телефонов задайте [web] listen = "0.0.0.0:8064".',
  copy: 'Копировать', copied: 'Скопировано.', notCopied: 'Выделите текст и скопируйте его сами.', code: (what) => `QR-код: ${what}`,
  oneBrowser: 'Ссылка для одного браузера', oneBrowserHint: 'Учётных записей нет: ссылка впускает один браузер как арбитра, один раз, в течение двенадцати часов.',
  tvHint: 'Занимает весь экран, сам листает, между турами показывает результаты. Другие доски или секунды: ?boards=1-8&rotate=20.',
  embedWhat: 'Что показать', embedRound: 'Тур', embedBoard: (name) => `Доска ${name}`,
  embedHint: 'Вставьте это в страницу. Её посетителям нужен доступ к этому адресу; для страницы на https и здесь нужен https.',
  asOf: (at) => `на ${at}`,
};
