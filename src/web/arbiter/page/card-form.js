// Which form a card takes, and whether its times can still be believed.

// A press changes the times; the daemon says so within a second.
const SETTLES_MS = 1500;

// 'past': of a game after which another one has begun: nothing is set at the board any more. 'times': the players have put everything right,
// only the times are left. Else 'whole'.
export function formOf(finding, board) {
  const game = finding.game ?? finding.game_number ?? Infinity;
  if (game < (board.game.number ?? 0)) return 'past';
  return finding.proposal?.action === 'continue' && finding.proposal.clock ? 'times' : 'whole';
}

// The times are older than the last press: new ones are on their way.
export function isLate(finding, board, now) {
  const pressed = board.pressed;
  return Boolean(finding.proposal?.clock && pressed && pressed.seq > (finding.changedSeq ?? Infinity) && now - pressed.now < SETTLES_MS);
}
