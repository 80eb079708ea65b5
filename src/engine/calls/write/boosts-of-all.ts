import { GamificationError } from '../../../errors.ts'
import { type GivenBoosts, toStoredBoost } from '../../../game/given-boosts.ts'
import { attributeId } from '../../../game/ids.ts'
import type { ParsedFilter } from '../../../requests/boosts.ts'
import { knownUserAttribute } from '../../../requests/user-attributes.ts'
import { type BoostPatch, patchBoost } from '../../../rules/boost.ts'
import { type Boost, type Filters, type Game, MOST_BOOSTS, type PointsSystem } from '../../../rules/game.ts'
import { type Refusal, refuseDates, tooManyBoosts, unknownBoost } from '../../../rules/refuse.ts'
import type { BulkOutcome } from './bulk-items.ts'

/** A change of the boosts of all users. It throws where it is refused. */
export type BoostEdit = (edited: EditedBoosts) => Boost

/** The given boosts of a system, as the edits before have left them. */
export interface EditedBoosts {
  readonly game: Game
  readonly system: PointsSystem
  readonly given: Map<string, Boost>
}

/** The boosts of a system after some edits, and what became of each. */
export function editBoosts(
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
export function addToAll(boost: Omit<Boost, 'userAttributes'>, filters: readonly ParsedFilter[]): BoostEdit {
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
export function changeOfAll(
  id: string,
  patch: BoostPatch,
  filters: readonly ParsedFilter[] | null | undefined,
): BoostEdit {
  return ({ game, system, given }) => {
    const boost = requireGiven(system, given, id)
    const userAttributes = filters === undefined ? boost.userAttributes : readFilters(game, filters ?? [])
    const changed = { ...patchBoost(boost, patch), userAttributes }
    throwRefusal(refuseDates(changed))
    given.set(id, changed)
    return changed
  }
}

export function removeFromAll(id: string): BoostEdit {
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
function readFilters(game: Game, filters: readonly ParsedFilter[]): Filters {
  const keys = new Map([...game.userAttributes].map((key) => [attributeId('user', key), key]))
  const read = new Map<string, string>()
  for (const { attributeId: named, attributeValue } of filters) {
    read.set(keys.get(named) ?? knownUserAttribute(game, named), attributeValue)
  }
  return [...read]
}
