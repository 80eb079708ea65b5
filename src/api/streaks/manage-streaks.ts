import { GamificationError } from '../../errors.ts'
import { type Accepted, submit } from '../../record/submit.ts'
import { toDateText } from '../../rules/calendar.ts'
import type { Game } from '../../rules/game.ts'
import { type Refusal, refuseUnknownStreak, refuseWithoutFreezes } from '../../rules/refuse.ts'
import { ruleOf } from '../../rules/streak.ts'
import type { WriteCall } from '../../runtime/context.ts'
import { chain, type Eventually } from '../../storage/sync-or-async.ts'
import { forEachItem, resultsOf, toIssues } from '../bulk-items.ts'
import { parse } from '../input.ts'
import { freezesRequest, pauseIds, pausesRequest, restoreRequest } from './requests.ts'
import type {
  CreatedPause,
  CreateFreezesResponse,
  CreatePausesResponse,
  DeletePausesResponse,
  RestoreStreaksResponse,
} from './types.ts'

/** Gives each user that is named a freeze; a user with the most freezes there can be gets none. */
export function createFreezes(call: WriteCall, request: unknown): Eventually<CreateFreezesResponse> {
  const { freezes, streak } = parse(freezesRequest, request, 'freezes')
  const which = streak === undefined ? {} : { streakKey: streak }
  const give = ({ userId }: { readonly userId: string }): Eventually<Accepted> =>
    submit(call, { user: userId, body: { kind: 'freezesGranted', count: 1, ...which } })
  return chain(
    requireOf(call, (game) => refuseWithoutFreezes(game, streak)),
    () =>
      chain(forEachItem(freezes, give), (outcomes) => ({
        issues: toIssues(outcomes, (index) => freezes[index]?.userId ?? ''),
      })),
  )
}

/** Pauses streaks: no period that has a date of a pause can be missed. */
export function createPauses(call: WriteCall, request: unknown): Eventually<CreatePausesResponse> {
  const { pauses } = parse(pausesRequest, request, 'pauses')
  const create = ({ userId, start, end }: (typeof pauses)[number]): Eventually<CreatedPause> =>
    chain(submit(call, { user: userId, body: { kind: 'pauseCreated', start, end } }), ({ entryId }) => {
      return { id: entryId ?? '', userId, status: 'active', start: toDateText(start), end: toDateText(end) }
    })
  return chain(
    requireOf(call, (game) => (game.streakRules.length === 0 ? refuseUnknownStreak(game, undefined) : null)),
    () =>
      chain(forEachItem(pauses, create), (outcomes) => ({
        created: resultsOf(outcomes),
        issues: toIssues(outcomes, (index) => pauses[index]?.userId ?? ''),
      })),
  )
}

/** Ends pauses of any users; the part of a pause that has passed stays. */
export async function deletePauses(call: WriteCall, request: unknown): Promise<DeletePausesResponse> {
  const ids = [...new Set(parse(pauseIds, request, 'pause ids').map((id) => id.toLowerCase()))]
  const owners = new Map((await call.storage.findOwners(call.tenant, 'pauses', ids)).map(({ id, user }) => [id, user]))
  const remove = (id: string): Eventually<string> => {
    const user = owners.get(id)
    if (user === undefined) throw new GamificationError('unknown_pause', 'There is no pause with this id.')
    return chain(submit(call, { user, body: { kind: 'pauseDeleted', pause: id } }), () => id)
  }
  const outcomes = await forEachItem(ids, remove)
  return {
    deleted: resultsOf(outcomes).map((id) => ({ id })),
    issues: toIssues(outcomes, (index) => ids[index] ?? '').map(({ userId: id, message }) => {
      return { id, severity: 'error', message }
    }),
  }
}

/** Brings streaks back to the length they had when they were last lost. */
export function restoreStreaks(call: WriteCall, request: unknown): Eventually<RestoreStreaksResponse> {
  const { users, streak } = parse(restoreRequest, request, 'users')
  const which = streak === undefined ? {} : { streakKey: streak }
  const restore = ({ id }: { readonly id: string }): Eventually<string> =>
    chain(submit(call, { user: id, body: { kind: 'streakRestored', ...which } }), () => id)
  return chain(
    requireOf(call, (game) => (ruleOf(game, streak) === null ? refuseUnknownStreak(game, streak) : null)),
    () =>
      chain(forEachItem(users, restore), (outcomes) => ({
        restoredUsers: resultsOf(outcomes),
        issues: toIssues(outcomes, (index) => users[index]?.id ?? ''),
      })),
  )
}

/** A streak that the game does not have is a mistake of the request, not of each item. */
function requireOf({ mode }: WriteCall, missingIn: (game: Game) => Refusal | null): Eventually<null> {
  return chain(mode.current(), ({ game }) => {
    const missing = missingIn(game)
    if (missing !== null) throw new GamificationError(missing.code, missing.message)
    return null
  })
}
