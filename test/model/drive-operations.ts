import type { MetricEventResponse } from '../../src/index.ts'
import type { BoostDefinition } from './full-game.ts'
import type { BoostPatch, Capped, OperationCall, Streak, StreakWithFreezes } from './types.ts'

// The calls and answers of the engine that the driver uses and that have no types yet.

type Issue = { readonly message: string }
type Changed<Name extends string> = { readonly [Key in Name]: readonly { readonly id: string }[] } & {
  readonly issues: readonly Issue[]
}

/** With the filters as the calls take them. */
type Filtered<Fields> = Omit<Fields, 'userAttributes'> & {
  readonly userAttributes?: readonly { readonly attributeId: string; readonly attributeValue: string }[] | null
}

interface BoostsApi {
  create(
    system: string,
    boosts: readonly (Filtered<BoostDefinition> & { readonly userId?: string })[],
  ): Promise<Changed<'created'>>
  update(
    system: string,
    boosts: readonly (Filtered<BoostPatch> & { readonly id: string })[],
  ): Promise<Changed<'updated'>>
  delete(system: string, ids: readonly string[]): Promise<Changed<'deleted'>>
}

interface Operated {
  readonly admin: { readonly points: { readonly boosts: BoostsApi } }
  readonly users: { streak(id: string, request: { readonly streak: string }): Promise<StreakWithFreezes> }
  readonly achievements: {
    complete(
      key: string,
      request: { readonly user: object; readonly idempotencyKey: string },
    ): Promise<Pick<MetricEventResponse, 'points'>>
  }
}

export const operated = (engine: unknown): Operated => engine as Operated

/** By what the calls name them: where the engine has them. */
export type GivenBoosts = Map<string, { readonly system: string; readonly id: string }>

/** Returns true if the call was carried out. */
export async function operate(
  engine: unknown,
  given: GivenBoosts,
  call: Exclude<OperationCall, { call: 'deploy' | 'import' }>,
): Promise<boolean> {
  const { boosts } = operated(engine).admin.points
  if (call.call === 'giveBoost') {
    const { id: userId, system, fields } = call
    const { created } = await boosts.create(system, [{ ...filtered(fields), ...(userId === null ? {} : { userId }) }])
    if (created[0] !== undefined) given.set(call.boost, { system, id: created[0].id })
    return created.length === 1
  }
  const { system, id } = given.get(call.boost) ?? { system: 'xp', id: '01956c3a-0000-7000-8000-000000000000' }
  if (call.call === 'deleteBoost') return (await boosts.delete(system, [id])).deleted.length === 1
  return (await boosts.update(system, [{ id, ...filtered(call.fields) }])).updated.length === 1
}

function filtered<Fields extends BoostDefinition | BoostPatch>({
  userAttributes,
  ...rest
}: Fields): Filtered<Omit<Fields, 'userAttributes'>> {
  if (userAttributes === undefined || userAttributes === null) {
    return userAttributes === null ? { ...rest, userAttributes } : rest
  }
  const list = Object.entries(userAttributes).map(([attributeId, attributeValue]) => ({ attributeId, attributeValue }))
  return { ...rest, userAttributes: list }
}

/** In the answer to an event or a completion. */
export interface MoreOfAnswer {
  readonly streaks?: { readonly [key: string]: Streak & { readonly frequency: string; readonly extended: boolean } }
}

export interface MoreOfAchievement {
  readonly count?: number
}

interface MoreOfAward {
  readonly boosts?: readonly { readonly name: string }[]
}

export interface MoreOfPoints {
  readonly capped?: readonly (Omit<Capped, 'trigger' | 'resetsAt'> & {
    readonly triggerId: string
    readonly resetsAt: string | null
  })[]
}

export function boostNames(award: object): { boosts?: string[] } {
  const { boosts } = award as MoreOfAward
  return boosts === undefined ? {} : { boosts: boosts.map(({ name }) => name).sort() }
}

/** As the model names a completion. */
export function completionName({ key, count }: { readonly key: string } & MoreOfAchievement): string {
  return count === undefined ? key : `${key} ${count}`
}
