import fc from 'fast-check'
import type { Call, Patch } from '../../model/types.ts'
import { present } from './games.ts'

// Random histories of several users: ties, group changes, zone changes, late events, replays, calls made at once.

export const ZONES = [
  'UTC',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Pacific/Chatham',
  'Africa/Cairo',
  'Asia/Tokyo',
]

/** In the order of code points; that of UTF-16 units would put the emoji before the wave. */
const USERS = ['10', '9', 'Ann', 'ann', 'ann ', 'bob', 'eve', 'zoe', 'Ünal', 'ünal', '\uFF5E', '\u{1F600}']

/**
 * Before the day that Apia left out, changes to and from summer time (some of them at midnight), a leap day, turns of
 * the month and of the year.
 */
export const MOMENTS = [
  '2011-12-28T08:00:00Z',
  '2010-11-05T03:00:00Z',
  '2024-02-28T10:00:00Z',
  '2024-03-30T22:00:00Z',
  '2024-04-05T12:00:00Z',
  '2024-09-07T12:00:00Z',
  '2024-10-30T20:00:00Z',
  '2025-12-30T13:00:00Z',
]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SHORT_WAITS = [0, 0, 1, MINUTE, 29 * MINUTE, HOUR, 3 * HOUR]
const LONG_WAITS = [7 * HOUR, 11 * HOUR, 23 * HOUR, DAY, 26 * HOUR, 3 * DAY, 8 * DAY, 32 * DAY]

const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight, arbitrary })

const patch: fc.Arbitrary<Patch> = fc
  .record({
    tz: maybe(fc.constantFrom(...ZONES, null), 2),
    attributes: maybe(
      fc.constantFrom<{ [name: string]: string }>(
        { country: 'DE' },
        { country: 'FR' },
        { country: '' },
        { plan: 'pro' },
        { plan: 'DE' },
        { country: 'DE', plan: 'pro' },
        { country: 'D,E' },
        { team: 'x' },
      ),
      3,
    ),
  })
  .map(present)

const small = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom(1, 1, 1, 2, 2, 3, 5) },
  { weight: 4, arbitrary: fc.constantFrom(0, -1, -2, -5, 0.1, 0.2, 0.3) },
  // Values for which plain doubles leave a remainder.
  { weight: 3, arbitrary: fc.constantFrom(-1.1, 1.2, 1.1, -1.2, -0.1, 100.1, -99.9, 20.3, -20, -0.3) },
)
const large = fc.constantFrom(1e15, -1e15, 1e-7)

const event = fc
  .record({
    call: fc.constant('event' as const),
    profile: maybe(patch),
    counted: fc.oneof(
      { weight: 20, arbitrary: fc.record({ metric: fc.constant('reads'), value: small }) },
      { weight: 10, arbitrary: fc.record({ metric: fc.constant('writes'), value: small }) },
      // Points that follow from it would be more than numbers can count one by one.
      { weight: 1, arbitrary: fc.record({ metric: fc.constant('writes'), value: large }) },
    ),
    idempotencyKey: maybe(fc.constantFrom('k1', 'k2', 'k3')),
  })
  .map(({ counted, ...rest }) => ({ ...rest, ...counted }))

const other = fc.oneof(
  fc.record({ call: fc.constant('complete' as const), profile: maybe(patch), achievement: fc.constant('claimed') }),
  fc.record({
    call: fc.constantFrom('identify' as const, 'update' as const),
    // A change without any field is not recorded.
    profile: patch.map((said) => ({ name: 'Somebody', ...said })),
  }),
)

type Asked = fc.Arbitrary<{ readonly id: string; readonly call: object }>

const oneCall = (users: readonly string[]): Asked =>
  fc.record({
    id: fc.constantFrom(...users),
    call: fc.oneof({ weight: 8, arbitrary: event }, { weight: 2, arbitrary: other }),
  })

/** The age of an event that is sent alone; a few minutes ahead are allowed. */
const BACK = [0, 1, HOUR, 7 * HOUR, 20 * HOUR, 30 * HOUR, 3 * DAY, 15 * DAY, 33 * DAY, -4 * MINUTE]

/** Calls made at once, and whether the boards are read afterwards. */
export interface Moment {
  readonly now: number
  readonly calls: readonly Call[]
  readonly isLookedAt: boolean
  /** True if the calls run one after the other within a transaction of the host. */
  readonly isJoined: boolean
}

const moment = (users: readonly string[]) =>
  fc.record({
    wait: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...SHORT_WAITS) },
      { weight: 8, arbitrary: fc.constantFrom(...LONG_WAITS) },
      // Now and then the clock goes back.
      { weight: 1, arbitrary: fc.constantFrom(-HOUR, -30 * HOUR) },
    ),
    calls: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(oneCall(users)) },
      { weight: 1, arbitrary: fc.array(oneCall(users), { minLength: 2, maxLength: 8 }) },
    ),
    back: maybe(fc.constantFrom(...BACK)),
    isLookedAt: fc.integer({ min: 1, max: 6 }).map((side) => side === 6),
    isJoined: fc.integer({ min: 1, max: 5 }).map((side) => side === 5),
  })

export function histories(start: string, most: number): fc.Arbitrary<Moment[]> {
  return fc
    .tuple(fc.boolean(), fc.shuffledSubarray(USERS, { minLength: 3 }))
    .chain(([joins, users]) =>
      fc
        .array(moment(users), { minLength: Math.floor(most / 2), maxLength: most })
        .map((moments) => moments.map((each) => ({ ...each, isJoined: joins && each.isJoined }))),
    )
    .map((moments) => {
      let now = Date.parse(start)
      return moments.map(({ wait, calls, back, ...rest }) => {
        now += wait
        return { ...rest, now, calls: calls.map((one) => toCall(one, now, calls.length === 1 ? back : undefined)) }
      })
    })
}

function toCall({ id, call }: { id: string; call: object }, now: number, back: number | undefined): Call {
  const isLate = 'call' in call && call.call === 'event' && back !== undefined
  return present({ ...call, id, now, occurredAt: isLate ? now - back : undefined }) as Call
}
