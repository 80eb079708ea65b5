import { toAdminBoost, toPointsBoost, toUserBoost } from '../../answers/points.ts'
import { GamificationError } from '../../errors.ts'
import { attributeId } from '../../game/ids.ts'
import { toStoredBoost } from '../../game/stored-game.ts'
import { type Submission, stateAfter, submit } from '../../record/write-modes.ts'
import { type BoostPatch, boostsFor, patchBoost } from '../../rules/boost.ts'
import { localDate } from '../../rules/calendar.ts'
import { type Boost, type Filters, type Game, MOST_BOOSTS, type PointsSystem } from '../../rules/game.ts'
import { refuseDates, tooManyBoosts, unknownBoost } from '../../rules/refuse.ts'
import { zoneOf } from '../../rules/state.ts'
import type { Call, Context, WriteCall } from '../../runtime/context.ts'
import { withoutUndefined } from '../../runtime/input.ts'
import type * as Types from '../../shapes/points.ts'
import { loadGivenBoosts, loadOwners } from '../../sql/owners.ts'
import { loadUser } from '../../sql/read-user.ts'
import { runSteps, type Steps } from '../../storage/steps.ts'
import { forEachItem, resultsOf, toIssues } from '../bulk-items.ts'
import { newestGame } from '../configuration/read-configuration.ts'
import type { ConfigurationListRequest } from '../configuration/requests.ts'
import { knownSystem, knownUserAttribute } from '../named-parts.ts'
import { readUser } from '../users/read-user.ts'
import type * as requests from './requests.ts'

export async function listBoosts(
  context: Context,
  key: string,
  { includeFinished }: requests.ParsedBoostsRequest,
): Promise<readonly Types.PointsBoost[]> {
  const system = knownSystem((await newestGame(context)).game, key)
  const today = localDate('UTC', context.now())
  return system.boosts
    .map((boost) => toPointsBoost(boost, today))
    .filter(({ status }) => includeFinished || status !== 'finished')
}

export async function listUserBoosts(call: Call, user: string, key: string): Promise<readonly Types.PointsBoost[]> {
  const { game, state, at } = await readUser(call, user)
  const today = localDate(zoneOf(state.profile), at)
  return boostsFor(knownSystem(game, key), state, today).map((boost) => toPointsBoost(boost, today))
}

/** A points system by its id or key, an id first. Throws `unknown_points_system`. */
export function systemOf(game: Game, name: string): PointsSystem {
  return [...game.points.values()].find(({ id }) => id === name) ?? knownSystem(game, name)
}

export async function listAdminBoosts(
  call: Call,
  named: string,
  { limit, skip }: Required<ConfigurationListRequest>,
): Promise<readonly Types.AdminPointsBoost[]> {
  const system = systemOf((await newestGame(call)).game, named)
  const now = call.now()
  const ofAll = system.boosts.slice(skip, skip + limit).map((boost) => toAdminBoost(boost, now))
  if (ofAll.length === limit) return ofAll
  const page = { system: system.key, limit: limit - ofAll.length, skip: Math.max(0, skip - system.boosts.length) }
  const places = await loadGivenBoosts(call.storage, call.tenant, page)
  return [...ofAll, ...(await readBoosts(call, system, places))]
}

/**
 * The boosts of single users in one system, by their ids and users. A boost that was deleted in the meantime is left
 * out.
 */
export async function readBoosts(
  { storage, now, tenant }: Call,
  system: PointsSystem,
  places: readonly { readonly id: string; readonly user: string }[],
): Promise<readonly Types.AdminPointsBoost[]> {
  const found = new Map<string, Types.AdminPointsBoost>()
  for (const user of new Set(places.map((place) => place.user))) {
    const { state } = await loadUser(storage, { tenant, user })
    if (state === null) continue
    const own = state.boosts.filter((boost) => boost.system === system.key)
    for (const boost of own) found.set(boost.id, toUserBoost(boost, user, state, now()))
  }
  return places.flatMap(({ id }) => found.get(id) ?? [])
}

export async function readAdminBoost(call: Call, named: string, id: string): Promise<Types.AdminPointsBoost> {
  const system = systemOf((await newestGame(call)).game, named)
  const ofAll = system.boosts.find((each) => each.id === id)
  if (ofAll !== undefined) return toAdminBoost(ofAll, call.now())
  const [own] = await readBoosts(call, system, await loadOwners(call.storage, call.tenant, 'boosts', [id]))
  if (own !== undefined) return own
  throw new GamificationError('unknown_boost', `There is no boost ${JSON.stringify(id)} in the points system.`)
}

/** The given boosts of a system, as the items before have left them. */
interface EditedBoosts {
  readonly game: Game
  readonly system: PointsSystem
  readonly given: Map<string, Boost>
  /** Ends the message about a boost that is not among them. */
  readonly hint: string
}

function putGiven({ given }: EditedBoosts, boost: Boost): Boost {
  const refusal = refuseDates(boost)
  if (refusal !== null) throw new GamificationError(refusal.code, refusal.message)
  given.set(boost.id, boost)
  return boost
}

function requireGiven({ system, given, hint }: EditedBoosts, id: string): Boost {
  const boost = given.get(id)
  if (boost !== undefined) return boost
  const isPlanned = system.boosts.some((each) => each.id === id)
  const planned = `The boost ${JSON.stringify(id)} is planned in the game: change it there.`
  throw new GamificationError('unknown_boost', isPlanned ? planned : `${unknownBoost(id)}${hint}`)
}

function readFilters(game: Game, filters: readonly requests.BoostAttribute[]): Filters {
  const keys = new Map([...game.userAttributes].map((key) => [attributeId('user', key), key]))
  const read = new Map<string, string>()
  for (const { attributeId: named, attributeValue } of filters) {
    read.set(keys.get(named) ?? knownUserAttribute(game, named), attributeValue)
  }
  return [...read]
}

type BoostCall = WriteCall & { readonly system: PointsSystem }

interface ItemWork<Item, Result> {
  /** Returns `undefined` if all users have the boost. */
  userOf(item: Item): string | null | undefined
  recordFor(item: Item, user: string): Steps<Result>
  /** Edits the boosts of all users. Throws a refusal. */
  edit(item: Item, edited: EditedBoosts): Result
}

export async function createBoosts(
  writing: WriteCall,
  system: string,
  items: readonly requests.ParsedBoost[],
): Promise<Types.CreateBoostsResponse> {
  const call = await startCall(writing, system)
  const outcomes = await carryOut<requests.ParsedBoost, Types.AdminPointsBoost>(call, items, {
    userOf: ({ userId }) => userId,
    recordFor: ({ userId: _, userAttributes: __, end = null, ...boost }, user) =>
      recordOf(call, user, { kind: 'boostGiven', system: call.system.key, ...boost, end }, null),
    edit: ({ userId: _, userAttributes: filters, end = null, ...boost }, edited) => {
      if (edited.given.size >= MOST_BOOSTS) {
        throw new GamificationError('too_many_boosts', tooManyBoosts(`The points system ${edited.system.key}`))
      }
      const created = call.now()
      const userAttributes = readFilters(edited.game, filters ?? [])
      const made = { ...boost, end, id: call.newId(created), created, userAttributes }
      return toAdminBoost(putGiven(edited, made), created)
    },
  })
  const issues = toIssues(outcomes, (index) => items[index]?.userId ?? '')
  return {
    created: resultsOf(outcomes),
    issues: issues.map(({ userId, index, severity, message }) => {
      return { ...(userId === '' ? {} : { userId }), index, severity, message }
    }),
  }
}

export async function updateBoosts(
  writing: WriteCall,
  system: string,
  items: readonly requests.ParsedBoostUpdate[],
): Promise<Types.UpdateBoostsResponse> {
  const call = await startCall(writing, system)
  const ids = items.map(({ id }) => id)
  const owners = await findOwners(call, ids)
  const patchOf = ({ id: _, userAttributes: __, ...patch }: requests.ParsedBoostUpdate): BoostPatch =>
    withoutUndefined(patch)
  const outcomes = await carryOut<requests.ParsedBoostUpdate, Types.AdminPointsBoost>(call, items, {
    userOf: ({ id }) => owners.get(id),
    recordFor: (item, user) => {
      if (item.userAttributes !== undefined && item.userAttributes !== null) {
        throw new GamificationError('invalid_request', 'The boost is of one user: it takes no userAttributes.')
      }
      return recordOf(call, user, { kind: 'boostChanged', boost: item.id, ...patchOf(item) }, item.id)
    },
    edit: (item, edited) => {
      const boost = requireGiven(edited, item.id)
      const { userAttributes: filters } = item
      // null clears them.
      const userAttributes = filters === undefined ? boost.userAttributes : readFilters(edited.game, filters ?? [])
      return toAdminBoost(putGiven(edited, { ...patchBoost(boost, patchOf(item)), userAttributes }), call.now())
    },
  })
  return { updated: resultsOf(outcomes), issues: toIdIssues(outcomes, ids) }
}

export async function deleteBoosts(
  writing: WriteCall,
  system: string,
  given: readonly string[],
): Promise<Types.DeleteBoostsResponse> {
  const ids = [...new Set(given)]
  const call = await startCall(writing, system)
  const owners = await findOwners(call, ids)
  const outcomes = await carryOut<string, { readonly id: string }>(call, ids, {
    userOf: (id) => owners.get(id),
    *recordFor(id, user) {
      yield* submit(call, { user, body: { kind: 'boostDeleted', boost: id } })
      return { id }
    },
    edit: (id, edited) => {
      edited.given.delete(requireGiven(edited, id).id)
      return { id }
    },
  })
  return { deleted: resultsOf(outcomes), issues: toIdIssues(outcomes, ids) }
}

async function startCall(call: WriteCall, system: string): Promise<BoostCall> {
  const { game } = await call.mode.current()
  return { ...call, system: systemOf(game, system) }
}

/** By boost, the user who was given it in the system. Boosts of all users are not among them. */
async function findOwners(call: BoostCall, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const places = await loadOwners(call.storage, call.tenant, 'boosts', ids)
  const boosts = await readBoosts(call, call.system, places)
  return new Map(boosts.map(({ id, userId }) => [id, userId ?? '']))
}

type BoostBody = Extract<Submission['body'], { readonly kind: 'boostGiven' | 'boostChanged' }>

/** Records an entry about a boost, and returns the boost after it. `id` is null for a new boost. */
function* recordOf(call: BoostCall, user: string, body: BoostBody, id: string | null): Steps<Types.AdminPointsBoost> {
  const outcome = yield* submit(call, { user, body })
  const state = stateAfter(outcome)
  const meant = id ?? outcome.entryId ?? ''
  const boost = state.boosts.find((each) => each.id === meant)
  if (boost === undefined) throw new GamificationError('unknown_boost', unknownBoost(meant))
  return toUserBoost(boost, outcome.user, state, call.now())
}

/** Carries out items about all users first, in one step: if that fails, nothing was done. */
async function carryOut<Item, Result>(
  call: BoostCall,
  items: readonly Item[],
  work: ItemWork<Item, Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const ofAll = items.filter((item) => typeof work.userOf(item) !== 'string')
  const edited = ofAll.length === 0 ? null : await editAll(call, ofAll, work)
  return forEachItem(items, (item) => {
    const answer = edited?.get(item)
    return answer === undefined ? runSteps(work.recordFor(item, work.userOf(item) ?? '')) : answer()
  })
}

/** By item, what gives its result, or throws why it was not carried out. */
async function editAll<Item, Result>(
  { queued, games, mode, system: { key } }: BoostCall,
  items: readonly Item[],
  { edit }: ItemWork<Item, Result>,
): Promise<ReadonlyMap<Item, () => Result>> {
  const answers = new Map<Item, () => Result>()
  let isAnyDone = false
  const editIn = (game: Game, hint: string): readonly Boost[] => {
    const system = systemOf(game, key)
    const given = new Map(system.boosts.filter(({ created }) => created > 0).map((boost) => [boost.id, boost]))
    for (const item of items) {
      try {
        const result = edit(item, { game, system, given, hint })
        answers.set(item, () => result)
        isAnyDone = true
      } catch (error) {
        answers.set(item, () => {
          throw error
        })
      }
    }
    return [...given.values()]
  }
  if (mode === queued) {
    await games.changeBoosts((boosts, { game }) => ({ ...boosts, [key]: editIn(game, '').map(toStoredBoost) }))
    return answers
  }
  // A read outside of the host's transaction does not find boosts that the transaction gave to a user.
  editIn((await mode.current()).game, ' One that was given in the same transaction can be named after its commit.')
  if (!isAnyDone) return answers
  const message = 'A boost for all users cannot be created in a transaction. Omit tx, or name the users.'
  throw new GamificationError('invalid_request', message)
}

function toIdIssues(
  outcomes: readonly PromiseSettledResult<unknown>[],
  ids: readonly string[],
): readonly Types.AdminIssue[] {
  return toIssues(outcomes, (index) => ids[index] ?? '').map(({ userId: id, severity, message }) => {
    return { id, boostId: id, severity, message }
  })
}
