import type { Instant } from '../rules/calendar.ts'
import type { Command, Outcome } from '../runtime/context.ts'
import { damagedLog } from '../runtime/damage.ts'
import { CHANGED } from '../runtime/game-registry.ts'
import type { UserKey } from '../storage/rows.ts'
import type { StorageTransaction, UserView } from '../storage/storage.ts'
import { chain, type Eventually } from '../storage/sync-or-async.ts'
import { acceptAll, LATE } from './accept/user-batch.ts'
import { acceptLate, toRows } from './accept-late.ts'
import { type Decision, withRanks } from './late-answers.ts'
import type { LockedUser } from './locked-user.ts'
import { ALL_ROWS, type FoldSource } from './replay/fold-start.ts'

/**
 * Records commands of one locked user together. If one of them is late, a void or an approval, the log is replayed with
 * all of them. CHANGED: a newer game was stored meanwhile. null: one of several commands is to be judged alone. Nothing
 * is stored then.
 */
export function recordLocked(
  { newId, findEvent }: { readonly newId: (now: Instant) => string } & Pick<FoldSource, 'findEvent'>,
  storage: StorageTransaction,
  { key, view, current, readLog }: LockedUser,
  commands: readonly Command[],
): Eventually<readonly Outcome[] | typeof CHANGED | null> {
  const { outcomes, save } = acceptAll(view, commands, current, commands.length)
  const accepted = outcomes.filter((outcome) => outcome !== LATE)
  if (accepted.length === commands.length) return store(storage, key, view, { outcomes: accepted, save })
  // The user was deleted while they waited: the first of them makes a new one, whom the others find.
  if (view.state === null && commands.length > 1) return null
  const source = {
    newId,
    findEvent,
    openLog: () => readLog,
    readSnapshot: (until: Instant) => storage.readSnapshot(key, until),
    readRows: () => chain(storage.lockUser(key, ALL_ROWS), toRows),
  }
  return chain(acceptLate(source, { view, current, commands }), (decision) => {
    if (decision === null) throw damagedLog(key.user)
    return decision.isRefused && commands.length > 1 ? null : store(storage, key, view, decision)
  })
}

/** Stores a decision on a view, and answers it. CHANGED: a newer game was stored since the view was read. */
function store(
  storage: StorageTransaction,
  key: UserKey,
  view: UserView,
  decision: Decision,
): Eventually<readonly Outcome[] | typeof CHANGED> {
  if (decision.save === null) return decision.outcomes
  return chain(storage.save(key, view, decision.save), (ranks) =>
    ranks === null ? CHANGED : withRanks(key, decision, [{ users: [{ ...key, ranks }], asOf: 'before' }]),
  )
}
