import type { Entry } from '../../rules/entry.ts'
import type { Game } from '../../rules/game.ts'
import { isRunOf } from '../../rules/leaderboard.ts'
import { withLookedUp } from '../../rules/spends.ts'
import type { Move } from '../../runtime/command.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import type { StoredUser, UserSave } from '../../storage/storage.ts'
import {
  type AwardChanges,
  changedAwards,
  countChanges,
  leaderboardRowKey,
  movementKey,
  periodKey,
  rowDifference,
  toSnapshot,
  unlimitedOf,
  windowKey,
} from '../accept/derived-rows.ts'
import { stockOf } from '../accept/stock.ts'
import { toMove, toRequests } from '../ranks/ranks.ts'
import type { Replay } from './replay.ts'

type ReplayedRows = Pick<Replay, 'state' | 'rows' | 'updatedEntries' | 'inserted' | 'snapshots'>
type StoredUserRows = Pick<
  StoredUser,
  'state' | 'awards' | 'movements' | 'periods' | 'challenges' | 'redemptions' | 'leaderboards'
>

/** The save of all differences from the stored rows. The replayed log must have a line. */
export function toReplaySave(
  { game }: Pick<CurrentGame, 'game'>,
  storedUser: StoredUserRows,
  replayed: ReplayedRows & Pick<Replay, 'skipped'>,
  { remove, put }: AwardChanges,
): UserSave {
  if (replayed.state === null) throw new RangeError('There is no user without an entry')
  const oldRows = new Map(storedUser.leaderboards.map((row) => [leaderboardRowKey(row), row]))
  const leaderboards = rowDifference(oldRows, replayed.rows.leaderboards)
  const oldMovements = new Map(storedUser.movements.map((movement) => [movementKey(movement), movement]))
  const oldPeriods = new Map(storedUser.periods.map((period) => [periodKey(period), period]))
  const oldRedemptions = new Map(storedUser.redemptions.map((each) => [each.id, each]))
  const oldWindows = new Map(storedUser.challenges.map((mark) => [windowKey(mark), mark]))
  return {
    before: storedUser.state,
    after: replayed.state,
    appended: replayed.inserted.map(({ entry }) => entry).sort((left, right) => left.seq - right.seq),
    updatedEntries: replayed.updatedEntries,
    awards: { remove, put },
    movements: rowDifference(oldMovements, replayed.rows.movements),
    periods: rowDifference(oldPeriods, replayed.rows.periods),
    challenges: rowDifference(oldWindows, replayed.rows.challenges),
    redemptions: rowDifference(oldRedemptions, replayed.rows.redemptions),
    ...stockOf(
      replayed.inserted.map(({ entry }) => entry),
      game,
    ),
    leaderboards,
    unlimited: unlimitedOf(game, leaderboards.put),
    ranks: toRequests(lateMoves(game, storedUser, replayed), 1),
    counted: countChanges(storedUser.state, replayed.state),
    snapshots: { after: replayed.skipped, put: replayed.snapshots.map(toSnapshot) },
  }
}

const NOT_STORED: StoredUserRows = {
  ...{ state: null, awards: [], movements: [], periods: [], challenges: [], redemptions: [], leaderboards: [] },
}

/**
 * The save of a log that is stored for the first time: its lines, in any order, and their state. Returns `null` if
 * there are no lines.
 */
export function toNewUserSave(
  current: Pick<CurrentGame, 'game'>,
  lines: readonly Entry[],
  replayed: ReplayedRows,
): UserSave | null {
  if (replayed.state === null) return null
  const save = toReplaySave(current, NOT_STORED, { ...replayed, skipped: 0 }, changedAwards([], replayed.rows.awards))
  const updated = new Map(save.updatedEntries.map((entry) => [entry.seq, entry]))
  const dated = lines.map((line) => {
    const entry = updated.get(line.seq)
    return entry === undefined ? line : withLookedUp({ ...line, dating: entry.dating }, entry)
  })
  const appended = [...dated, ...save.appended].sort((left, right) => left.seq - right.seq)
  const updatedEntries = appended.filter((entry) => entry.kind === 'eventRecorded' && entry.voidedBy !== undefined)
  return { ...save, appended, updatedEntries, ranks: [] }
}

/** False if the log changed while it was read in chunks: then a line may lack the one before it. */
export function isWhole({ before, after, appended }: UserSave): boolean {
  const seq = before?.seq ?? 0
  return after.seq === seq + appended.length && appended.every((entry, index) => entry.seq === seq + index + 1)
}

/** The moves that a replay made on each leaderboard, in the newest run that it changed. */
export function lateMoves(
  game: Game,
  storedUser: Pick<StoredUser, 'leaderboards'>,
  replayed: ReplayedRows,
): readonly Move[] {
  const [first] = replayed.inserted
  const receivedAt = first?.entry.recordedAt ?? 0
  const dating = first?.entry.dating ?? null
  const stored = new Map(storedUser.leaderboards.map((row) => [leaderboardRowKey(row), row]))
  const moves = new Map<string, Move>()
  const rows = [...replayed.rows.leaderboards.values()].sort((left, right) => (left.run < right.run ? -1 : 1))
  for (const to of rows) {
    const { leaderboard } = to
    const known = game.leaderboards.get(leaderboard)
    const from = stored.get(leaderboardRowKey(to)) ?? null
    if (known === undefined || !isRunOf(known, to.run) || from?.value === to.value) continue
    moves.set(leaderboard, toMove(game, leaderboard, { from, to }, receivedAt, dating))
  }
  return [...moves.values()]
}
