import { GamificationError } from '../../errors.ts'
import { type GivenBoosts, toStoredBoost } from '../../game/given-boosts.ts'
import { attributeId } from '../../game/ids.ts'
import { stateAfter, submit } from '../../record/submit.ts'
import { type BoostPatch, patchBoost } from '../../rules/boost.ts'
import { type Boost, type Filters, type Game, MOST_BOOSTS, type PointsSystem } from '../../rules/game.ts'
import { type Refusal, refuseDates, tooManyBoosts, unknownBoost } from '../../rules/refuse.ts'
import type { Context, WriteMode } from '../../runtime/context.ts'
import { chain, type Eventually } from '../../storage/sync-or-async.ts'
import { type BulkOutcome, forEachItem, toIssues } from '../bulk-items.ts'
import { parse } from '../input.ts'
import type {
  AdminIssue,
  AdminPointsBoost,
  CreateBoostsResponse,
  DeleteBoostsResponse,
  UpdateBoostsResponse,
} from '../points/types.ts'
import { knownUserAttribute } from '../users/user-attributes.ts'
import { toAdminBoost, toUserBoost } from './answer.ts'
import { readBoosts, systemOf } from './read-boosts.ts'
import {
  type BoostAttribute,
  boostIds,
  boostsCreateRequest,
  boostsUpdateRequest,
  type ParsedBoost,
  type ParsedBoostUpdate,
} from './requests.ts'

/** A change of the boosts of all users. It throws where it is refused. */
export type BoostEdit = (edited: EditedBoosts) => Boost

/** The given boosts of a system, as the edits before have left them. */
export interface EditedBoosts {
  readonly game: Game
  readonly system: PointsSystem
  readonly given: Map<string, Boost>
}

/** The boosts of a system after some edits, and what became of each. */
function editBoosts(
  boosts: GivenBoosts,
  game: Game,
  system: PointsSystem,
  edits: readonly BoostEdit[],
): { readonly boosts: GivenBoosts; readonly outcomes: readonly BulkOutcome<Boost>[] } {
  const given = new Map(system.boosts.filter(({ created }) => created > 0).map((boost) => [boost.id, boost]))
  const outcomes = edits.map((edit): BulkOutcome<Boost> => {
    try {
      return { type: 'done', result: edit({ game, system, given }) }
    } catch (error) {
      return { type: 'failed', error }
    }
  })
  return { boosts: { ...boosts, [system.key]: [...given.values()].map(toStoredBoost) }, outcomes }
}

/** Gives one boost to all users. */
function addToAll(boost: Omit<Boost, 'userAttributes'>, filters: readonly BoostAttribute[]): BoostEdit {
  return ({ game, system, given }) => {
    if (given.size >= MOST_BOOSTS)
      throw new GamificationError('too_many_boosts', tooManyBoosts(`The points system ${system.key}`))
    const made = { ...boost, userAttributes: readFilters(game, filters) }
    throwRefusal(refuseDates(made))
    given.set(made.id, made)
    return made
  }
}

/** `filters`: undefined leaves them, null clears them. */
function changeOfAll(id: string, patch: BoostPatch, filters: readonly BoostAttribute[] | null | undefined): BoostEdit {
  return ({ game, system, given }) => {
    const boost = requireGiven(system, given, id)
    const userAttributes = filters === undefined ? boost.userAttributes : readFilters(game, filters ?? [])
    const changed = { ...patchBoost(boost, patch), userAttributes }
    throwRefusal(refuseDates(changed))
    given.set(id, changed)
    return changed
  }
}

function removeFromAll(id: string): BoostEdit {
  return ({ system, given }) => {
    const boost = requireGiven(system, given, id)
    given.delete(id)
    return boost
  }
}

function requireGiven(system: PointsSystem, given: ReadonlyMap<string, Boost>, id: string): Boost {
  const boost = given.get(id)
  if (boost !== undefined) return boost
  const isPlanned = system.boosts.some((each) => each.id === id)
  const planned = `The boost ${JSON.stringify(id)} is planned in the game: change it there.`
  throw new GamificationError('unknown_boost', isPlanned ? planned : unknownBoost(id))
}

function throwRefusal(refusal: Refusal | null): void {
  if (refusal !== null) throw new GamificationError(refusal.code, refusal.message)
}

/** Attributes are named by their id or key. */
function readFilters(game: Game, filters: readonly BoostAttribute[]): Filters {
  const keys = new Map([...game.userAttributes].map((key) => [attributeId('user', key), key]))
  const read = new Map<string, string>()
  for (const { attributeId: named, attributeValue } of filters) {
    read.set(keys.get(named) ?? knownUserAttribute(game, named), attributeValue)
  }
  return [...read]
}

/** One call about boosts of a system. */
interface BoostCall {
  readonly context: Context
  readonly mode: WriteMode
  readonly tenant: string
  readonly system: PointsSystem
}

/** What becomes of one item: an entry of one user's log, or an edit of the boosts of all. */
type Item<Result> =
  | { readonly user: () => Eventually<Result> }
  | { readonly all: BoostEdit; readonly answer: (boost: Boost) => Result }

/** Gives boosts, to single users and to all. */
export async function createBoosts(
  context: Context,
  mode: WriteMode,
  tenant: string,
  system: unknown,
  request: unknown,
): Promise<CreateBoostsResponse> {
  const items = parse(boostsCreateRequest, request, 'boosts')
  const call = await startCall(context, mode, tenant, system)
  const outcomes = await carryOut(
    call,
    items.map((item) => toGift(call, item)),
  )
  const issues = toIssues(outcomes, (index) => items[index]?.userId ?? '')
  return {
    created: resultsOf(outcomes),
    issues: issues.map(({ index, severity, message }): AdminIssue => {
      const userId = items[index]?.userId ?? null
      return { ...(userId === null ? {} : { userId }), index, severity, message }
    }),
  }
}

function toGift(call: BoostCall, item: ParsedBoost): Item<AdminPointsBoost> {
  const { context, system } = call
  const { userId = null, name, start, end = null, multiplier, rounding, userAttributes } = item
  const boost = { name, start, end, multiplier, rounding }
  if (userId !== null) {
    return { user: () => recordOf(call, userId, { kind: 'boostGiven', system: system.key, ...boost }, null) }
  }
  const created = context.now()
  const all = addToAll({ ...boost, id: context.newId(created), created }, userAttributes ?? [])
  return { all, answer: (given) => toAdminBoost(given, created) }
}

/** Changes boosts that were given; what they have paid stays. */
export async function updateBoosts(
  context: Context,
  mode: WriteMode,
  tenant: string,
  system: unknown,
  request: unknown,
): Promise<UpdateBoostsResponse> {
  const items = parse(boostsUpdateRequest, request, 'boosts')
  const call = await startCall(context, mode, tenant, system)
  const ids = items.map(({ id }) => id)
  const owners = await findOwners(call, ids)
  const outcomes = await carryOut(
    call,
    items.map((item) => toUpdate(call, owners, item)),
  )
  return { updated: resultsOf(outcomes), issues: toIdIssues(outcomes, ids) }
}

function toUpdate(call: BoostCall, owners: Owners, item: ParsedBoostUpdate): Item<AdminPointsBoost> {
  const { id, userAttributes } = item
  const patch = toPatch(item)
  const user = owners.get(id)
  if (user === undefined) {
    if (isUnknownWithin(call, id)) return refuseWithin(id)
    const now = call.context.now()
    return { all: changeOfAll(id, patch, userAttributes), answer: (changed) => toAdminBoost(changed, now) }
  }
  return {
    user: () => {
      if (userAttributes !== undefined && userAttributes !== null) {
        throw new GamificationError('invalid_request', 'The boost is of one user: it takes no userAttributes.')
      }
      return recordOf(call, user, { kind: 'boostChanged', boost: id, ...patch }, id)
    },
  }
}

function toPatch({ name, start, end, multiplier, rounding }: ParsedBoostUpdate): BoostPatch {
  return {
    ...(name === undefined ? {} : { name }),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(multiplier === undefined ? {} : { multiplier }),
    ...(rounding === undefined ? {} : { rounding }),
  }
}

/** Deletes boosts that were given; what they have paid stays. */
export async function deleteBoosts(
  context: Context,
  mode: WriteMode,
  tenant: string,
  system: unknown,
  request: unknown,
): Promise<DeleteBoostsResponse> {
  const ids = [...new Set(parse(boostIds, request, 'boost ids'))]
  const call = await startCall(context, mode, tenant, system)
  const owners = await findOwners(call, ids)
  const remove = (id: string): Item<string> => {
    const user = owners.get(id)
    if (user === undefined && isUnknownWithin(call, id)) return refuseWithin(id)
    if (user === undefined) return { all: removeFromAll(id), answer: () => id }
    const submission = {
      tenant,
      user,
      profile: null,
      body: { kind: 'boostDeleted', boost: id },
      createsUser: false,
    } as const
    return { user: () => chain(submit(context, mode, submission), () => id) }
  }
  const outcomes = await carryOut(call, ids.map(remove))
  return { deleted: resultsOf(outcomes).map((id) => ({ id })), issues: toIdIssues(outcomes, ids) }
}

async function startCall(context: Context, mode: WriteMode, tenant: string, system: unknown): Promise<BoostCall> {
  const { game } = await mode.current()
  return { context, mode, tenant, system: systemOf(game, system) }
}

type Owners = ReadonlyMap<string, string>

/** By boost, the user who was given it in the system. Boosts of all users are not among them. */
async function findOwners({ context, tenant, system }: BoostCall, ids: readonly string[]): Promise<Owners> {
  const places = await context.storage.findOwners(tenant, 'boosts', ids)
  const boosts = await readBoosts(context, tenant, system, places)
  return new Map(boosts.map(({ id, userId }) => [id, userId ?? '']))
}

/**
 * Whether a boost is unknown within a host's transaction: a read outside of it does not see what the transaction gave.
 */
function isUnknownWithin({ context, mode, system }: BoostCall, id: string): boolean {
  return mode !== context.queued && !system.boosts.some((boost) => boost.id === id)
}

function refuseWithin(id: string): { readonly user: () => never } {
  return {
    user: () => {
      const message = `${unknownBoost(id)} One that was given in the same transaction can be named after its commit.`
      throw new GamificationError('unknown_boost', message)
    },
  }
}

type BoostBody = Extract<Parameters<typeof submit>[2]['body'], { readonly kind: 'boostGiven' | 'boostChanged' }>

/** Records an entry about a boost, and answers the boost as it is then. `id`: null of a new one. */
function recordOf(
  { context, mode, tenant }: BoostCall,
  user: string,
  body: BoostBody,
  id: string | null,
): Eventually<AdminPointsBoost> {
  return chain(submit(context, mode, { tenant, user, profile: null, body, createsUser: false }), (outcome) => {
    const state = stateAfter(outcome)
    const meant = id ?? outcome.entryId ?? ''
    const boost = state.boosts.find((each) => each.id === meant)
    if (boost === undefined) throw new GamificationError('unknown_boost', unknownBoost(meant))
    return toUserBoost(boost, outcome.user, state, context.now())
  })
}

/** Items about all users first, in one step: where that fails, nothing was done. */
async function carryOut<Result>(
  call: BoostCall,
  items: readonly Item<Result>[],
): Promise<readonly BulkOutcome<Result>[]> {
  const outcomes = new Map<Item<Result>, BulkOutcome<Result>>()
  const ofAll = items.filter((item) => 'all' in item)
  const edited =
    ofAll.length === 0
      ? []
      : await editAll(
          call,
          ofAll.map(({ all }) => all),
        )
  for (const [index, item] of ofAll.entries()) {
    const outcome = edited[index]
    if (outcome === undefined) continue
    outcomes.set(item, outcome.type === 'failed' ? outcome : { type: 'done', result: item.answer(outcome.result) })
  }
  const ofUsers = items.filter((item) => 'user' in item)
  const recorded = await forEachItem(ofUsers, ({ user }) => user())
  for (const [index, item] of ofUsers.entries()) {
    const outcome = recorded[index]
    if (outcome !== undefined) outcomes.set(item, outcome)
  }
  return items.flatMap((item) => outcomes.get(item) ?? [])
}

async function editAll(
  { context, mode, system }: BoostCall,
  edits: readonly BoostEdit[],
): Promise<readonly BulkOutcome<Boost>[]> {
  if (mode !== context.queued) {
    const message = 'A boost of all users is not part of a transaction: leave tx out, or name the users.'
    throw new GamificationError('invalid_request', message)
  }
  let outcomes: readonly BulkOutcome<Boost>[] = []
  await context.games.changeBoosts((boosts, { game }) => {
    const edited = editBoosts(boosts, game, systemOf(game, system.key), edits)
    outcomes = edited.outcomes
    return edited.boosts
  })
  return outcomes
}

function resultsOf<Result>(outcomes: readonly BulkOutcome<Result>[]): readonly Result[] {
  return outcomes.flatMap((outcome) => (outcome.type === 'done' ? [outcome.result] : []))
}

function toIdIssues(outcomes: readonly BulkOutcome<unknown>[], ids: readonly string[]): readonly AdminIssue[] {
  return toIssues(outcomes, (index) => ids[index] ?? '').map(({ userId: id, severity, message }) => {
    return { id, boostId: id, severity, message }
  })
}
