import type { Entry } from '../../rules/entry.ts'
import type { CurrentGame } from '../../runtime/context.ts'
import type { UserSave } from '../../storage/storage.ts'
import { countChanges, toAwardRows, unlimitedOf } from '../accept/derived-rows.ts'
import { newestSnapshots } from '../accept/snapshot.ts'
import type { Replay } from './replay.ts'

/**
 * The save of a user whose log is stored for the first time: its lines, in any order, and their fold. null: no lines.
 */
export function toNewUserSave(
  { game }: Pick<CurrentGame, 'game'>,
  lines: readonly Entry[],
  fold: Pick<Replay, 'state' | 'rows' | 'updatedEntries' | 'inserted' | 'snapshots'>,
): UserSave | null {
  const { state, rows, updatedEntries, inserted } = fold
  if (state === null) return null
  const datings = new Map(updatedEntries.map(({ seq, dating }) => [seq, dating]))
  const dated = lines.map((line) => {
    const dating = datings.get(line.seq)
    return dating === undefined ? line : { ...line, dating }
  })
  const appended = [...dated, ...inserted.map(({ entry }) => entry)].sort((left, right) => left.seq - right.seq)
  const leaderboards = [...rows.leaderboards.values()]
  return {
    before: null,
    after: state,
    appended,
    updatedEntries: appended.filter((entry) => entry.kind === 'eventRecorded' && entry.voidedBy !== undefined),
    awards: { put: toAwardRows(rows.awards.values()), remove: [] },
    periods: { put: [...rows.periods.values()], remove: [] },
    leaderboards: { put: leaderboards, remove: [] },
    unlimited: unlimitedOf(game, leaderboards),
    ranks: [],
    counted: countChanges(null, state),
    snapshots: { after: 0, put: newestSnapshots(fold) },
  }
}

/**
 * Whether a save has every entry that it counts. A log that somebody writes to while it is read in chunks may show a
 * later line without the one before it: the fold of such lines must not be stored.
 */
export function isWhole({ before, after, appended }: UserSave): boolean {
  const seq = before?.seq ?? 0
  return after.seq === seq + appended.length && appended.every((entry, index) => entry.seq === seq + index + 1)
}
