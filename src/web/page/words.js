// What the page says, in English and Russian. `?lang=ru` overrides the browser's own language.
const minutes = (ms, min, s) => (ms < 60000 ? `${Math.floor(ms / 1000)} ${s}` : `${Math.floor(ms / 60000)} ${min}`);

const WORDS = {
  en: {
    title: 'Live boards',
    board: (name) => `Board ${name}`,
    boards: 'Boards',
    all: 'All boards',
    white: 'White',
    black: 'Black',
    connecting: 'Connecting …',
    live: 'Live',
    paused: 'Paused',
    round: (n) => `Round ${n}`,
    rounds: 'Rounds',
    results: 'Results',
    result: 'Result',
    table: 'Board',
    playing: 'live',
    roundPgn: 'All games of this round as PGN',
    archive: 'Archive',
    noArchive: 'The files of this archive cannot be read. Put its folder on a web server: browsers do not let a page that is opened as a file read others.',
    noGame: 'This game is not in the archive, or not yet.',
    toEnd: 'To the end',
    keysPlayed: 'Arrow keys: moves · F: turn · Esc: the round',
    standings: 'Standings',
    standingsNote: 'Points from the games listed here, without byes and tie-breaks',
    standingsReported: 'Points from the games and the tournament report, without tie-breaks',
    place: 'Place',
    player: 'Player',
    points: 'Points',
    games: 'Games',
    material: 'more material, in pawns',
    copyPgn: 'Copy PGN',
    copyFen: 'Copy FEN',
    share: 'Copy link',
    copied: 'Copied',
    notCopied: 'Not copied',
    used: (text) => `used ${text}`,
    lost: 'Connection lost – trying again …',
    delayed: (ms) => `Delayed by ${minutes(ms, 'min', 's')}`,
    delayedUntilEnd: (ms) => (ms ? `Games are shown ${minutes(ms, 'min', 's')} after they end` : 'Games are shown when they are over'),
    linkDown: 'Board not connected',
    linkDownShort: 'offline',
    piAway: (name, ms) => `${name} not heard for ${minutes(ms, 'min', 's')}: this is the last state`,
    piAwayShort: (ms) => `old: ${minutes(ms, 'min', 's')}`,
    waiting: 'Waiting for the game',
    noBoards: 'No boards yet. They appear here as soon as one is connected.',
    noBoard: (name) => `There is no board “${name}” at the moment. This page goes on looking for it.`,
    made: 'made, not yet completed',
    start: 'Start position',
    after: (move) => `after ${move}`,
    moves: 'Moves',
    noMoves: 'No moves yet',
    first: 'First position',
    previous: 'Previous move',
    next: 'Next move',
    latest: 'Latest move',
    follow: 'Back to the live position',
    flip: 'Turn the board',
    pgn: 'PGN',
    pgnTitle: 'The game as a PGN file',
    running: 'clock running',
    flag: 'flag down',
    noClock: 'no clock',
    estimate: (s) => `estimated, within ${s} s`,
    device: (s) => `read from the clock, within ${s} s`,
    arbiter: 'set by the arbiter',
    shortEstimate: (s) => `≈ ±${s} s`,
    illegal: 'not a legal move',
    keys: 'Arrow keys: moves · F: turn · Esc: all boards',
    play: { standard: 'Standard', rapid: 'Rapid', blitz: 'Blitz' },
    minutes: (n) => `${n} min`,
    seconds: (n) => `${n} s`,
    movesIn: (n) => `${n} moves in`,
    then: 'then',
    delay: 'delay',
    // An operator entered it: nothing a spectator needs.
    reasons: { entered: '', unread: 'result not known yet' },
  },
  ru: {
    title: 'Партии онлайн',
    board: (name) => `Доска ${name}`,
    boards: 'Доски',
    all: 'Все доски',
    white: 'Белые',
    black: 'Чёрные',
    connecting: 'Соединение …',
    live: 'В эфире',
    paused: 'Приостановлено',
    round: (n) => `${n}-й тур`,
    rounds: 'Туры',
    results: 'Результаты',
    result: 'Результат',
    table: 'Доска',
    playing: 'идёт',
    roundPgn: 'Все партии тура в PGN',
    archive: 'Архив',
    noArchive: 'Файлы архива не читаются. Разместите папку на веб-сервере: странице, открытой как файл, браузер не даёт читать другие файлы.',
    noGame: 'Этой партии в архиве нет или пока нет.',
    toEnd: 'К концу партии',
    keysPlayed: 'Стрелки: ходы · F: повернуть · Esc: к туру',
    standings: 'Положение',
    standingsNote: 'Очки по партиям из этого списка, без пропусков и дополнительных показателей',
    standingsReported: 'Очки по партиям и отчёту о турнире, без дополнительных показателей',
    place: 'Место',
    player: 'Участник',
    points: 'Очки',
    games: 'Партии',
    material: 'перевес материала в пешках',
    copyPgn: 'Копировать PGN',
    copyFen: 'Копировать FEN',
    share: 'Копировать ссылку',
    copied: 'Скопировано',
    notCopied: 'Не скопировано',
    used: (text) => `затрачено ${text}`,
    lost: 'Связь потеряна – пробуем снова …',
    delayed: (ms) => `Показано с задержкой ${minutes(ms, 'мин', 'с')}`,
    delayedUntilEnd: (ms) => (ms ? `Партии показываются через ${minutes(ms, 'мин', 'с')} после окончания` : 'Партии показываются после окончания'),
    linkDown: 'Нет связи с доской',
    linkDownShort: 'нет связи',
    piAway: (name, ms) => `${name} молчит ${minutes(ms, 'мин', 'с')}: показано последнее состояние`,
    piAwayShort: (ms) => `старое: ${minutes(ms, 'мин', 'с')}`,
    waiting: 'Ждём начала партии',
    noBoards: 'Досок пока нет. Они появятся здесь, как только подключатся.',
    noBoard: (name) => `Доски «${name}» сейчас нет. Страница продолжает её искать.`,
    made: 'сделан, ещё не завершён',
    start: 'Начальная позиция',
    after: (move) => `после ${move}`,
    moves: 'Ходы',
    noMoves: 'Ходов пока нет',
    first: 'К началу',
    previous: 'Предыдущий ход',
    next: 'Следующий ход',
    latest: 'Последний ход',
    follow: 'К текущей позиции',
    flip: 'Повернуть доску',
    pgn: 'PGN',
    pgnTitle: 'Партия в формате PGN',
    running: 'часы идут',
    flag: 'флажок упал',
    noClock: 'нет часов',
    estimate: (s) => `оценка, с точностью до ${s} с`,
    device: (s) => `показания часов, с точностью до ${s} с`,
    arbiter: 'установлено арбитром',
    shortEstimate: (s) => `≈ ±${s} с`,
    illegal: 'невозможный ход',
    keys: 'Стрелки: ходы · F: повернуть · Esc: все доски',
    play: { standard: 'Классика', rapid: 'Рапид', blitz: 'Блиц' },
    minutes: (n) => `${n} мин`,
    seconds: (n) => `${n} с`,
    movesIn: (n) => `${n} ходов за`,
    then: 'затем',
    delay: 'задержка',
    reasons: {
      checkmate: 'мат',
      stalemate: 'пат',
      'dead position': 'мёртвая позиция',
      'fivefold repetition': 'пятикратное повторение',
      '75 moves': '75 ходов',
      resigned: 'сдача',
      resignation: 'сдача',
      agreed: 'соглашение',
      'kings in the centre': 'короли в центре',
      entered: '',
      unread: 'результат пока неизвестен',
      time: 'просрочка времени',
      flag: 'просрочка времени',
    },
  },
};

const asked = new URLSearchParams(location.search).get('lang') ?? navigator.language ?? 'en';
export const lang = asked.toLowerCase().startsWith('ru') ? 'ru' : 'en';
export const words = WORDS[lang];

// `40/5400+30:1800+30` in words.
export function timeControl(text) {
  const period = (part) => {
    const match = /^(?:(\d+)\/)?(\d+)(?:\+([db]?)(\d+))?$/.exec(part);
    if (!match) return part;
    const [, moves, base, kind, bonus] = match;
    const time = base % 60 === 0 ? words.minutes(base / 60) : words.seconds(base);
    const extra = bonus ? ` + ${words.seconds(bonus)}${kind === 'd' ? ` ${words.delay}` : kind === 'b' ? ' Bronstein' : ''}` : '';
    return `${moves ? `${words.movesIn(moves)} ` : ''}${time}${extra}`;
  };
  return String(text).split(':').map(period).join(`, ${words.then} `);
}

export function score(game) {
  return { '1-0': '1 – 0', '0-1': '0 – 1', '1/2-1/2': '½ – ½' }[game.result] ?? '';
}

export function reason(game) {
  const text = game.reason ?? '';
  return words.reasons[text.toLowerCase()] ?? text;
}

export function result(game) {
  return [score(game), reason(game)].filter(Boolean).join(' · ');
}

// `12… Nf6`
export function moveText(record, move) {
  if (!move) return '';
  const { number, by } = record.numbered(move.ply);
  return `${number}${by === 'white' ? '.' : '…'} ${notation(move)}`;
}

export function notation(move) {
  return move.san ?? `${move.uci.slice(0, 2)}–${move.uci.slice(2)}`;
}

// `2026-11-21` as people write it.
export function date(text) {
  const day = new Date(`${text}T00:00:00`);
  return Number.isNaN(day.getTime()) ? text : day.toLocaleDateString(lang, { day: 'numeric', month: 'long', year: 'numeric' });
}
