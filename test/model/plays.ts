import fc from 'fast-check'
import { addDays } from './dates.ts'
import type { BoostPlan, Extras } from './extras.ts'
import { boost, enriched, extras, toBoost } from './extras.ts'
import type { Feature } from './features.ts'
import type { FullGame } from './full-game.ts'
import { flights, games, histories } from './histories.ts'
import type { BoostPatch, Call, EventCall, OperationCall } from './types.ts'

// Random games with their histories. A third of the games that could have a feature is without it.

export interface Play {
  definition: FullGame
  calls: (Call | OperationCall)[]
}

const user = fc.constantFrom('u1', 'u1', 'u2', 'u3')

interface Changes {
  of: number // which of those given before
  from?: number
  days?: number | null
  multiplier?: number
  rounding?: 'down' | 'up' | 'nearest'
  userAttributes?: null
}

type Operation =
  | { do: 'give'; id: string | null; plan: BoostPlan }
  | { do: 'change'; changes: Changes }
  | { do: 'delete'; of: number }
  | { do: 'complete'; id: string; achievement: string; idempotencyKey: string }
  | { do: 'deploy'; more: Extras }
  | { do: 'import'; events: Imported[] }

/** An event of an import; `back` says how long ago it was. */
interface Imported {
  id: string
  metric: string
  value: number
  back: number
  tz: string | null
  key: string | null
}

const imported: fc.Arbitrary<Imported> = fc.record({
  id: fc.oneof(user, fc.constant('u4')),
  metric: fc.constantFrom('reads', 'reads', 'writes', 'none'),
  value: fc.constantFrom(1, 2, 5, -1, -10, 0.1),
  back: fc.constantFrom(0, 3_600_000, 26 * 3_600_000, 3 * 86_400_000, 20 * 86_400_000, 370 * 86_400_000),
  tz: fc.constantFrom(null, null, 'Pacific/Kiritimati', 'Etc/GMT+12', 'Europe/London'),
  key: fc.constantFrom(null, null, 'k1', 'k2', 'i1'),
})

const operations: { readonly [Name in Feature]?: fc.Arbitrary<Operation> } = {
  boosts: fc.oneof(
    fc.record({ do: fc.constant('give' as const), id: fc.oneof(user, fc.constant(null)), plan: boost }),
    fc.record({ do: fc.constant('give' as const), id: fc.oneof(user, fc.constant(null)), plan: boost }),
    fc.record({
      do: fc.constant('change' as const),
      changes: fc.record(
        {
          of: fc.nat(3),
          from: fc.constantFrom(-1, 0, 3),
          days: fc.constantFrom(1, 4, null),
          multiplier: fc.constantFrom(2, 0.7, 10),
          rounding: fc.constantFrom('down', 'up', 'nearest'),
          userAttributes: fc.constant(null),
        },
        { requiredKeys: ['of', 'multiplier'] },
      ),
    }),
    fc.record({ do: fc.constant('delete' as const), of: fc.nat(3) }),
  ),
  repeats: fc.record({
    do: fc.constant('complete' as const),
    id: user,
    achievement: fc.constantFrom('a0', 'a1', 'a2'),
    idempotencyKey: fc.constantFrom('c1', 'c2', 'c3', 'k1'),
  }),
}

function operation(features: readonly Feature[]): fc.Arbitrary<Operation> | null {
  const all = features.flatMap((feature) => operations[feature] ?? [])
  if (features.includes('deploys')) {
    all.push(fc.record({ do: fc.constant('deploy' as const), more: extras(features) }))
  }
  if (features.includes('imports')) {
    // With two events of one user, the import may record the one that is not late first, and its completions stay.
    const events = fc.uniqueArray(imported, { minLength: 1, maxLength: 4, selector: ({ id }) => id })
    all.push(fc.record({ do: fc.constant('import' as const), events }))
  }
  return all.length === 0 ? null : fc.oneof(...all)
}

/** After a merge two names may mean one user, and an import has at most one event of each user. */
function withOneEvent(call: Call | OperationCall): Call | OperationCall {
  return call.call === 'import' ? { ...call, events: call.events.slice(0, 1) } : call
}

export function plays(most: number, features: readonly Feature[]): fc.Arbitrary<Play> {
  const one = operation(features)
  const placed: fc.Arbitrary<{ at: number; one: Operation }[]> =
    one === null
      ? fc.constant<{ at: number; one: Operation }[]>([])
      : fc.oneof(
          fc.constant<{ at: number; one: Operation }[]>([]),
          fc.array(fc.record({ at: fc.nat(most), one }), { minLength: 2, maxLength: 12 }),
          fc.array(fc.record({ at: fc.nat(most), one }), { minLength: 2, maxLength: 12 }),
        )
  return fc
    .record({
      plain: games,
      more: extras(features),
      calls: fc.oneof(histories(most), histories(most, Math.ceil(most / 2)), flights(most)),
      placed,
    })
    .map(({ plain, more, calls, placed: added }) => toPlay(plain, more, calls, added))
}

function toPlay(plain: FullGame, more: Extras, calls: Call[], added: { at: number; one: Operation }[]): Play {
  const first = new Date(calls[0]?.now ?? 0).toISOString().slice(0, 10)
  const given: { boost: string; isOfUser: boolean }[] = []
  let deploys = 0
  const toCalls = (one: Operation, now: number): (Call | OperationCall)[] => {
    const today = new Date(now).toISOString().slice(0, 10)
    switch (one.do) {
      case 'give': {
        const name = `given ${given.length}`
        const { userAttributes, ...own } = toBoost(one.plan, name, today)
        const fields = one.id !== null || userAttributes === undefined ? own : { ...own, userAttributes }
        given.push({ boost: name, isOfUser: one.id !== null })
        return [{ call: 'giveBoost', now, id: one.id, boost: name, system: 'xp', fields }]
      }
      case 'change': {
        const { boost: named, isOfUser } = given[one.changes.of % Math.max(1, given.length)] ?? {
          boost: 'none',
          isOfUser: false,
        }
        return [{ call: 'changeBoost', now, boost: named, fields: toPatch(one.changes, today, isOfUser) }]
      }
      case 'delete':
        return [{ call: 'deleteBoost', now, boost: given[one.of % Math.max(1, given.length)]?.boost ?? 'none' }]
      case 'complete': {
        const { id, achievement, idempotencyKey } = one
        return [{ call: 'complete', now, id, achievement, idempotencyKey }]
      }
      case 'import':
        return [{ call: 'import', now, events: one.events.map((event) => toEvent(event, now)) }]
      case 'deploy': {
        deploys += 1
        // Progress that a user has begun stays in the game; the points of triggers, and their times, may differ.
        const { boosts, systemCap, limits, time, pays } = one.more
        const next = enriched(plain, { ...more, boosts, systemCap, limits, time, pays }, first, true)
        const { reads } = next.metrics
        if (reads !== undefined) next.metrics = { ...next.metrics, reads: { ...reads, name: `Reads ${deploys}` } }
        return [{ call: 'deploy', now, definition: next }]
      }
    }
  }
  const isBounded = !more.repeats.includes(true)
  let isAnyMerged = false
  // Messages follow the clock, which then never goes back.
  const isInOrder = more.emails !== null
  let newest = 0
  const all = calls.flatMap((asked, index) => {
    newest = Math.max(newest, asked.now)
    const call = isInOrder ? { ...asked, now: newest } : asked
    const own = added.filter(({ at }) => at % calls.length === index).flatMap(({ one }) => toCalls(one, call.now))
    const here = isAnyMerged ? own.map(withOneEvent) : own
    isAnyMerged ||= call.call === 'merge'
    return [...here, call.call === 'event' && call.value > 1e9 && !isBounded ? { ...call, value: 9 } : call]
  })
  return { definition: enriched(plain, more, first), calls: all }
}

function toEvent({ id, metric, value, back, tz, key }: Imported, now: number): EventCall {
  return {
    call: 'event',
    now,
    id,
    metric,
    value,
    occurredAt: now - back,
    ...(tz === null ? {} : { profile: { tz } }),
    ...(key === null ? {} : { idempotencyKey: key }),
  }
}

function toPatch(
  { of: _, from, days, userAttributes, ...rest }: Changes,
  today: string,
  isOfUser: boolean,
): BoostPatch {
  return {
    ...rest,
    ...(from === undefined ? {} : { start: addDays(today, from) }),
    ...(days === undefined ? {} : { end: days === null ? null : addDays(today, days) }),
    // One user's own has no filters to clear.
    ...(userAttributes === undefined || isOfUser ? {} : { userAttributes }),
  }
}
