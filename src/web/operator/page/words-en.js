// The operator's page in English.
const many = (n, one, more) => (n === 1 ? `1 ${one}` : `${n} ${more}`);

export const en = {
  appName: 'Operator',
  signInHint: "Operators sign in with their own account. The arbiter's works here, too.",
  needAccount: 'This account may not open this page.',
  allWell: 'All is well',
  toDo: (list) => list.join(' · '),
  boardsDown: (n) => `${many(n, 'board', 'boards')} not connected`,
  resultsMissing: (n) => `${many(n, 'result', 'results')} missing`,
  feedsFail: (n) => (n === 1 ? '1 feed fails' : `${n} feeds fail`),
  forArbiter: (n) => `${many(n, 'finding', 'findings')} for the arbiter`,
  clocksNotSet: (n) => `${many(n, 'clock', 'clocks')} not set`,
  otherAlarms: (n) => many(n, 'other alarm', 'other alarms'),
  sections: { boards: 'Boards', feeds: 'Feeds', round: 'Round', messages: 'Messages', share: 'Addresses' },
  arbiterPage: "Arbiter's page",
  columns: { board: 'Board', players: 'Players', clock: 'Clocks', move: 'Last move', findings: 'Findings', state: 'State', feeds: 'Feeds' },
  up: 'connected', down: 'not connected', away: (name) => `${name} is not heard`,
  noGame: 'no game', playing: 'in play', noMove: 'no move yet', ago: (text) => `${text} ago`,
  battery: (percent) => `battery ${percent} %`,
  clockSet({ state, white_off_ms: white, black_off_ms: black }, text) {
    const off = (side, ms) => ms && `${side} ${text(Math.abs(ms))} too ${ms > 0 ? 'much' : 'little'}`;
    if (state === 'right') return '✓ set';
    if (state === 'runs') return '! runs already';
    if (state === 'unread') return '! no clock answers';
    return `! ${white === black ? off('both sides', white) : [off('White', white), off('Black', black)].filter(Boolean).join(', ')}`;
  },
  noFindings: 'none', findings: (n) => many(n, 'open', 'open'),
  findingsTitle: 'How many findings wait for an arbiter. What they are, only arbiters see.',
  missing: 'result missing', enter: 'Enter …', enterFor: (board) => `Enter something for board ${board}`,
  // Entering
  what: 'What do you enter?', result: 'Result', newGame: 'New game', promotion: (square) => `Piece on ${square}`,
  // Feeds
  noFeeds: 'Nothing is sent anywhere: no Lichess round, no upload, no alert is configured.',
  lamps: { good: 'as the record', late: 'behind the record', bad: 'fails', idle: 'nothing sent yet' },
  sent: (age) => `sent ${age} ago`, notSent: 'nothing sent yet',
  games: (games, plies) => `${many(games, 'game', 'games')}, ${many(plies, 'ply', 'plies')}`,
  ofBoards: (boards, plies) => `${many(boards, 'board', 'boards')}, ${many(plies, 'ply', 'plies')}`,
  kinds: { page: "Spectators' page", livechess: 'LiveChess', pgn: 'PGN', cloud: 'Cloud', lichess: 'Lichess', upload: 'Upload', alert: 'Alert', nats: 'Broker' },
  files: (files, waiting) => `${many(files, 'file', 'files')}${waiting ? `, ${waiting} waiting` : ''}`,
  differs: 'differs', behind: (text) => `${text} behind`,
  delay: (text) => `Spectators see everything ${text} late.`, delayEnd: (text) => (text ? `Spectators see games ${text} after they end.` : 'Spectators see games when they are over.'), noDelay: 'Spectators see everything at once.',
  howDelay: 'How a delay is changed',
  howDelayText: [
    'Delays stand in the configuration, /etc/flagfall/flagfall.toml. The line delay = "15m" at its head is for everything public. It holds after sudo systemctl restart flagfall: games go on, and what was public stays public.',
    'A round on Lichess and an upload may have a delay of their own, in their own section; for those sudo systemctl reload flagfall is enough. Below, each feed says how far it is behind.',
  ],
  push: 'Send all again', pushed: 'The whole round is sent again.', reset: 'Empty and send again',
  resetSure: (round) => `The round ${round} on Lichess is emptied and then sent whole. Viewers see no games for some seconds.`, resetDo: 'Empty the round, send it again',
  // Round
  noPairings: 'No pairings yet.', roundNo: (n) => `Round ${n}`, now: 'is played now', event: 'Event',
  next: (n) => `Next: round ${n}`, begin: (n) => `Begin round ${n}`,
  waitsFor: (boards) => `Still played: board ${boards}.`, waitsForNone: 'No game that has begun is still played.',
  beginSure: (n) => `Round ${n} is played from now on, on every board. Games that have begun are over for the broadcast.`,
  begun: (n) => `Round ${n} is played now.`, noNext: 'There are no pairings of that round yet.',
  drop: 'Drop a pairing list here, or choose a file', dropKinds: 'CSV, PGN, TRF or JSON',
  orAddress: 'Or an address', addressHint: 'https://… – also the page of a Lichess broadcast', look: 'Look what changes',
  ofRound: 'Round of lines that name none', overGames: 'Also where games have begun: names move, games stay on their boards',
  from: (name) => `From ${name}`, changes: 'This changes', nothing: 'Nothing changes.', heldHead: 'Not followed, because games have begun', doubts: 'Look at this',
  take: 'Take it', discard: 'Discard', taken: 'The list is taken.', notTaken: 'Nothing was taken.',
  held: 'Held back', follow: 'Follow it: names move, games stay', followed: 'It is followed now.',
  reload: 'Read files and addresses again', reloaded: 'They are read again now.',
  pairing: { board: 'Board', white: 'White', black: 'Black', result: 'Result' }, noBoard: 'no e-board', isPlayed: 'in play',
  // Messages
  lastHour: 'The last hour', noMessages: 'Nothing in the last hour.', stands: 'Now', raised: 'raised', cleared: 'over', onBoard: (name) => `Board ${name}`,
  // Addresses
  spectators: 'For spectators', arbiters: 'For arbiters', tv: 'For a screen in the hall', embed: "For the organiser's site",
  onlyHere: 'Only this machine reaches these addresses. For phones set [web] listen = "0.0.0.0:8064".',
  copy: 'Copy', copied: 'Copied.', notCopied: 'Select the text and copy it by hand.', code: (what) => `QR code: ${what}`,
  oneBrowser: 'A link for one browser', oneBrowserHint: 'There are no accounts: a link lets one browser in as an arbiter, once, within twelve hours.',
  tvHint: 'Fills the screen, pages by itself, shows the results between rounds. Add ?boards=1-8&rotate=20 for other boards or seconds.',
  embedWhat: 'What to show', embedRound: 'The round', embedBoard: (name) => `Board ${name}`,
  embedHint: 'Paste this into the page. Its visitors must reach this address; a page on https needs https here, too.',
  asOf: (at) => `as of ${at}`,
};
