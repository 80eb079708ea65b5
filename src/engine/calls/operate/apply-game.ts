import { type DefinedGame, requireDefined } from '../../../game/define-game.ts'
import { applyOptions } from '../../../requests/audit.ts'
import { parse } from '../../../requests/input.ts'
import type { ApplyPolicy } from '../../../requests/types/audit.ts'
import type { UserSave, UserView } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { acceptAll, LATE } from '../../accept/user-batch.ts'
import { isReplaced } from '../../games.ts'
import { CHANGED, OUTDATED, onNewestGame } from '../../on-newest-game.ts'
import { toReplacement } from '../../record/accept-late.ts'
import { storeIfUnchanged } from '../../record/record-late.ts'
import { readInTurns } from '../../replay/read-log.ts'
import { replayUnder } from '../../replay/replay-under.ts'
import type { Context, CurrentGame } from '../../types.ts'
import { findGrants } from './missing-grants.ts'
import { usersOf } from './walk-users.ts'

export interface ApplyReport {
  readonly epoch: number
  readonly policy: ApplyPolicy
  /** Users looked at; 0 with `forward`, which looks at nobody. */
  readonly users: number
  /** How many of these users had rows or lines of the log written. */
  readonly changed: number
}

/**
 * Puts a game in force for every process, by a policy. Users are gone through one by one, each in one step that is
 * right beside other writers; interrupted, the same call goes on with those that are left.
 */
export async function applyGame(context: Context, next: DefinedGame, options: unknown = {}): Promise<ApplyReport> {
  const { policy, after, onProgress, signal } = parse(applyOptions, options, 'options')
  requireDefined(next, 'apply()')
  const { fingerprint, definition } = next
  const { epoch } = await context.games.apply({ fingerprint, definition: JSON.stringify(definition) }, policy)
  if (policy === 'forward') return { epoch, policy, users: 0, changed: 0 }
  let users = 0
  let changed = 0
  let entries = 0
  for await (const key of usersOf(context.storage, after)) {
    signal?.throwIfAborted()
    const done = await applyTo(context, key, policy)
    users += 1
    entries += done.entries
    if (done.isChanged) changed += 1
    onProgress?.({ users, entries, last: key })
  }
  onProgress?.({ users, entries, last: null })
  return { epoch, policy, users, changed }
}

interface Applied {
  readonly isChanged: boolean
  readonly entries: number
}

async function applyTo(context: Context, key: UserKey, policy: 'grant' | 'recompute'): Promise<Applied> {
  const { storage } = context
  let isChanged = false
  const everything = { awards: {}, periods: {}, leaderboards: {} }
  return onNewestGame<Applied>(context, key, everything, 'the game was applied', async (view, current) => {
    const entries = view.state?.seq ?? 0
    if (view.state === null) return { isChanged, entries }
    const isStale = isReplaced(view.state, current)
    if (!isStale && policy === 'recompute') return { isChanged, entries }
    const save = isStale
      ? await toReplacement({
          key,
          readLog: readInTurns(storage, key, view.state.seq),
          current,
          view,
          now: context.now(),
        })
      : await toGrant(context, key, current, view)
    if (save === 'nothing') return { isChanged, entries }
    if (save === null) return OUTDATED
    const isStored = (await storeIfUnchanged(storage, key, { view, current }, save)) !== null
    isChanged ||= isStored
    // A user of an earlier game is brought to the newest one before anything is granted.
    return isStored && (!isStale || policy === 'recompute') ? { isChanged, entries } : CHANGED
  })
}

/**
 * The save of an entry that grants what the game in force would have given for the past. null: the log has entries of a
 * game that is not known yet.
 */
async function toGrant(
  context: Context,
  key: UserKey,
  current: CurrentGame,
  view: UserView,
): Promise<UserSave | 'nothing' | null> {
  const fold = await replayUnder(context.storage, current, current.game, key, view.state?.seq ?? 0)
  if (fold === null) return null
  const grants = findGrants(current.game, view, fold)
  if (grants === null) return 'nothing'
  const receivedAt = context.now()
  const made = { entryId: context.newId(receivedAt), receivedAt, occurredAt: null, profile: null, createsUser: false }
  const { outcomes, save } = acceptAll(view, [{ ...key, ...made, body: grants }], current, null)
  return outcomes[0] === LATE ? null : save
}
