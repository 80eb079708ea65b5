import { GamificationError } from '../../errors.ts'
import { submit } from '../../record/write-modes.ts'
import { toDateText } from '../../rules/calendar.ts'
import type { Game } from '../../rules/game.ts'
import { type Refusal, refuseUnknownStreak, refuseWithoutFreezes } from '../../rules/refuse.ts'
import { ruleOf } from '../../rules/streak-names.ts'
import type { WriteCall } from '../../runtime/context.ts'
import type * as Types from '../../shapes/streaks.ts'
import { loadOwners } from '../../sql/owners.ts'
import { runSteps } from '../../storage/steps.ts'
import { forEachItem, resultsOf, toIssues } from '../bulk-items.ts'
import type { FreezesRequest, ParsedPauses, ResetRequest, RestoreRequest } from './requests.ts'

export async function createFreezes(
  call: WriteCall,
  { freezes, streak }: FreezesRequest,
): Promise<Types.CreateFreezesResponse> {
  const which = streak === undefined ? {} : { streakKey: streak }
  await requireOf(call, (game) => refuseWithoutFreezes(game, streak))
  const outcomes = await forEachItem(freezes, ({ userId }) =>
    runSteps(submit(call, { user: userId, body: { kind: 'freezesGranted', count: 1, ...which } })),
  )
  return { issues: toIssues(outcomes, (index) => freezes[index]?.userId ?? '') }
}

export async function createPauses(call: WriteCall, { pauses }: ParsedPauses): Promise<Types.CreatePausesResponse> {
  await requireOf(call, (game) => (game.streakRules.length === 0 ? refuseUnknownStreak(game, undefined) : null))
  const outcomes = await forEachItem(pauses, async ({ userId, start, end }): Promise<Types.CreatedPause> => {
    const body = { kind: 'pauseCreated', start, end } as const
    const { entryId } = await runSteps(submit(call, { user: userId, body }))
    return { id: entryId ?? '', userId, status: 'active', start: toDateText(start), end: toDateText(end) }
  })
  return { created: resultsOf(outcomes), issues: toIssues(outcomes, (index) => pauses[index]?.userId ?? '') }
}

export async function deletePauses(call: WriteCall, given: readonly string[]): Promise<Types.DeletePausesResponse> {
  const asSent = new Map(given.map((id) => [id.toLowerCase(), id]))
  const ids = [...asSent.keys()]
  const owners = new Map((await loadOwners(call.storage, call.tenant, 'pauses', ids)).map(({ id, user }) => [id, user]))
  const outcomes = await forEachItem(ids, async (id) => {
    const user = owners.get(id)
    if (user === undefined) throw new GamificationError('unknown_pause', 'There is no pause with this id.')
    await runSteps(submit(call, { user, body: { kind: 'pauseDeleted', pause: id } }))
    return id
  })
  return {
    deleted: resultsOf(outcomes).map((id) => ({ id })),
    issues: toIssues(outcomes, (index) => [...asSent.values()][index] ?? '').map(({ userId: id, message }) => {
      return { id, severity: 'error', message }
    }),
  }
}

export async function restoreStreaks(
  call: WriteCall,
  { users, streak }: RestoreRequest,
): Promise<Types.RestoreStreaksResponse> {
  const which = streak === undefined ? {} : { streakKey: streak }
  await requireOf(call, (game) => (ruleOf(game, streak) === null ? refuseUnknownStreak(game, streak) : null))
  const outcomes = await forEachItem(users, async ({ id }) => {
    await runSteps(submit(call, { user: id, body: { kind: 'streakRestored', ...which } }))
    return id
  })
  return { restoredUsers: resultsOf(outcomes), issues: toIssues(outcomes, (index) => users[index]?.id ?? '') }
}

export async function resetStreaks(
  call: WriteCall,
  { users, streak }: ResetRequest,
): Promise<Types.ResetStreaksResponse> {
  const which = streak === undefined ? {} : { streakKey: streak }
  await requireOf(call, (game) => (ruleOf(game, streak) === null ? refuseUnknownStreak(game, streak) : null))
  const outcomes = await forEachItem(users, async ({ id }) => {
    await runSteps(submit(call, { user: id, body: { kind: 'streakReset', ...which } }))
    return id
  })
  return { resetUsers: resultsOf(outcomes), issues: toIssues(outcomes, (index) => users[index]?.id ?? '') }
}

async function requireOf({ mode }: WriteCall, missingIn: (game: Game) => Refusal | null): Promise<void> {
  const missing = missingIn((await mode.current()).game)
  if (missing !== null) throw new GamificationError(missing.code, missing.message)
}
