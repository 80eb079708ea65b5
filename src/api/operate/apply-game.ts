import { type DefinedGame, requireDefined } from '../../game/define-game.ts'
import { acceptAll } from '../../record/accept/batch.ts'
import { type LockedUser, withLockedUser } from '../../record/locked-user.ts'
import { lostCompletions } from '../../record/replay/keep-completions.ts'
import { allUnder, type Replay, replay } from '../../record/replay/replay.ts'
import { ALL_ROWS } from '../../record/replay/replay-start.ts'
import type { Granted, GrantedPoints } from '../../rules/entry.ts'
import type { Game } from '../../rules/game.ts'
import { isTimed } from '../../rules/time-points.ts'
import type { Context } from '../../runtime/context.ts'
import { damagedLog } from '../../runtime/damaged-users.ts'
import { isReplaced } from '../../runtime/game-registry.ts'
import { parse } from '../../runtime/input.ts'
import { AGAIN, type Again } from '../../runtime/newest-game.ts'
import type { ApplyReport } from '../../shapes/operate.ts'
import { loadUser } from '../../sql/read-user.ts'
import type { UserKey } from '../../storage/rows.ts'
import { type Steps, wait } from '../../storage/steps.ts'
import type { StoredUser, UserSave } from '../../storage/storage.ts'
import { NO_SUMS, type SumByTrigger, sumAwards, totalOf } from './award-sums.ts'
import { applyOptions } from './requests.ts'
import { eachUser, walk } from './walk-users.ts'

/** The grants that a replay under another game has and the user lacks, or `null` if there are none. */
function findGrants(game: Game, storedUser: StoredUser, replayed: Replay): Granted | null {
  const made = lostCompletions(replayed.state, storedUser)
    .filter(([key]) => game.achievements.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const achievements = made.map(([key]) => key)
  const counts = made.flatMap(([achievement, { count }]) => (count > 1 ? [{ achievement, count }] : []))
  const [paid, due] = [sumAwards(storedUser.awards), sumAwards(replayed.rows.awards.values())]
  const points = [...game.points.keys()].flatMap((system) => {
    const missing = totalOf(replayed.state, system) - totalOf(storedUser.state, system)
    return findPoints(game, system, missing, paid.get(system) ?? NO_SUMS, due.get(system) ?? NO_SUMS)
  })
  if (achievements.length === 0 && points.length === 0) return null
  return { kind: 'granted', achievements, ...(counts.length === 0 ? {} : { counts }), points }
}

/** The points that are missing to the total of the replay, by the triggers that would have paid more than they did. */
function findPoints(
  game: Game,
  system: string,
  total: number,
  paid: SumByTrigger,
  due: SumByTrigger,
): readonly GrantedPoints[] {
  let missing = total
  const grants: GrantedPoints[] = []
  // Penalties of triggers that the game no longer has are given back.
  const triggers = new Set([...(game.points.get(system)?.triggers ?? []).map(({ id }) => id), ...paid.keys()])
  const lacks = (trigger: string): number => (due.get(trigger) ?? 0) - (paid.get(trigger) ?? 0)
  // Time triggers and challenges begin with the newer game: they grant nothing for the past.
  for (const { id } of game.points.get(system)?.triggers.filter(isTimed) ?? []) {
    triggers.delete(id)
    missing -= Math.max(0, lacks(id))
  }
  // Points of quests under the older game stay.
  for (const { id } of [...game.challenges.values()].flatMap((challenge) => challenge.quests)) {
    triggers.delete(id)
    missing -= lacks(id)
  }
  for (const trigger of triggers) {
    const points = Math.min(missing, lacks(trigger))
    if (points <= 0) continue
    grants.push({ system, trigger, points })
    missing -= points
  }
  return grants
}

/** Goes through the users one by one, each in one step that is right beside other writers. */
export async function applyGame(context: Context, next: DefinedGame, options: unknown = {}): Promise<ApplyReport> {
  const { policy, after, ...control } = parse(applyOptions, options, 'options')
  requireDefined(next, 'apply()')
  const { fingerprint, definition } = next
  const { epoch } = await context.games.apply({ fingerprint, definition: JSON.stringify(definition) }, policy)
  if (policy === 'forward') return { epoch, policy, users: 0, changed: 0, damaged: [] }
  let changed = 0
  const { users, damaged } = await walk(eachUser(context.storage, after), control, async (key) => {
    const { entries, isChanged } = await applyTo(context, key, policy)
    if (isChanged) changed += 1
    return entries
  })
  return { epoch, policy, users, changed, damaged }
}

type Applied = { readonly isChanged: boolean; readonly entries: number }

async function applyTo(context: Context, key: UserKey, policy: 'grant' | 'recompute'): Promise<Applied> {
  const options = policy === 'grant' ? ALL_ROWS : {}
  const { state } = await loadUser(context.storage, key)
  const isChanged = isReplaced(state, await context.games.current())
  return withLockedUser(context, key, options, function* (tx, user): Steps<Applied | Again> {
    const { storedUser } = user
    const entries = storedUser.state?.seq ?? 0
    if (policy === 'recompute') return { isChanged, entries }
    const save = yield* toGrant(context, user)
    if (save === null) return { isChanged, entries }
    const ranks = yield* wait(tx.save(key, storedUser, save))
    return ranks === null ? AGAIN : { isChanged: true, entries }
  })
}

/**
 * The save of an entry that grants what the game in force would have given for the past. Returns `null` if there is
 * nothing to grant.
 */
function* toGrant(context: Context, { key, storedUser, current, readLog }: LockedUser): Steps<UserSave | null> {
  if (storedUser.state === null) return null
  const replayed = yield* replay(readLog, allUnder(current, current.game), [], {
    user: storedUser.state.user,
    lines: storedUser.state.seq,
  })
  if (replayed === null) throw damagedLog(key.user)
  const grants = findGrants(current.game, storedUser, replayed)
  if (grants === null) return null
  const receivedAt = context.now()
  const made = { entryId: context.newId(receivedAt), receivedAt, occurredAt: null, profile: null, createsUser: false }
  return acceptAll(storedUser, [{ ...key, ...made, body: grants }], current, null).save
}
