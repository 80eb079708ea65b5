import fc from 'fast-check'
import type { MetricEventRequest, PreferencesUpdate, UserUpdate } from '../../src/index.ts'
import type { Writer } from './writer.ts'

/** A writing call of a script: to be recorded, replayed or refused. */
export interface ScriptedCall {
  readonly text: string
  /** Since the call before. */
  readonly minutes: number
  run(writer: Writer, now: number): unknown
}

/** A part of a transaction: calls, perhaps behind a savepoint of the host's that is given up again. */
export interface Part {
  readonly calls: readonly ScriptedCall[]
  readonly savepoint: 'none' | 'released' | 'undone'
}

export type Step =
  | { readonly type: 'outside'; readonly calls: readonly ScriptedCall[] }
  | {
      readonly type: 'transaction'
      /** Storages that know two kinds of transactions take one for each. */
      readonly isSecondKind: boolean
      readonly parts: readonly Part[]
      readonly end: 'commit' | 'rollback'
    }

export type Script = readonly Step[]

export const USERS = ['ann', 'bob', 'cid'] as const

const HOUR = 3_600_000
const user = fc.constantFrom(...USERS)
const minutes = fc.constantFrom(0, 1, 600, 1_500, 5_000)

/** Mostly what is accepted: a script is to come far. */
function rarely<T>(wrong: fc.Arbitrary<T>, right: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 1, arbitrary: wrong }, { weight: 15, arbitrary: right })
}

const profile = rarely<UserUpdate>(
  fc.constant({ attributes: { age: '7' } }),
  fc.constantFrom<UserUpdate[]>(
    {},
    {},
    { tz: 'Asia/Tokyo' },
    { tz: 'America/St_Johns', name: 'Ann' },
    { attributes: { plan: 'pro' } },
    { email: 'ann@example.com', subscribedToEmails: true },
    { email: null },
  ),
)

const event = fc
  .record({
    id: user,
    metric: rarely(fc.constantFrom('old', 'pages'), fc.constantFrom('words', 'words', 'words', 'laps', 'hints')),
    value: rarely(fc.constant(2e15), fc.constantFrom(-60, 0, 1, 7, 45, 120)),
    profile,
    key: fc.option(rarely(fc.constant('not one'), fc.constantFrom('a', 'b', 'c')), { freq: 2 }),
    hoursBefore: fc.option(fc.constantFrom(0, 1, 30, 100, 900), { freq: 2 }),
    source: fc.option(fc.constantFrom('mobile', 'web'), { freq: 3 }),
  })
  .map(
    (said): Omit<ScriptedCall, 'minutes'> => ({
      text: `event ${JSON.stringify(said)}`,
      run: (writer, now) => {
        const request: MetricEventRequest = {
          user: { id: said.id, ...said.profile },
          value: said.value,
          ...(said.key === null ? {} : { idempotencyKey: said.key }),
          ...(said.hoursBefore === null ? {} : { occurredAt: new Date(now - said.hoursBefore * HOUR) }),
          ...(said.source === null ? {} : { attributes: { source: said.source } }),
        }
        return writer.metrics.event(said.metric, request)
      },
    }),
  )

const completion = fc
  .record({ id: user, key: rarely(fc.constantFrom('closed', 'first'), fc.constantFrom('joined', 'pro')), profile })
  .map(({ id, key, profile: said }) => ({
    text: `complete ${key} ${id} ${JSON.stringify(said)}`,
    run: (writer: Writer) => writer.achievements.complete(key, { user: { id, ...said } }),
  }))

const upsert = fc
  .record({ id: user, how: fc.constantFrom('create', 'identify', 'update'), profile })
  .map(({ id, how, profile: said }) => ({
    text: `${how} ${id} ${JSON.stringify(said)}`,
    run: ({ users }: Writer) =>
      how === 'create'
        ? users.create({ id, ...said })
        : how === 'identify'
          ? users.identify(id, said)
          : users.update(id, said),
  }))

const preferences = fc
  .record({
    id: user,
    update: fc.constantFrom<PreferencesUpdate[]>(
      { notifications: { recap: ['push'] } },
      { streak: { metrics: [{ key: 'laps' }] } },
      { streak: { evaluationMode: 'AND', metrics: [{ key: 'laps' }, { key: 'words', threshold: 10 }] } },
      { streak: { metrics: [{ key: 'pages' }] } },
      {},
    ),
  })
  .map(({ id, update }) => ({
    text: `preferences ${id} ${JSON.stringify(update)}`,
    run: ({ users }: Writer) => users.updatePreferences(id, update),
  }))

const call: fc.Arbitrary<ScriptedCall> = fc
  .tuple(
    minutes,
    fc.oneof(
      { weight: 6, arbitrary: event },
      { weight: 2, arbitrary: completion },
      { weight: 1, arbitrary: upsert },
      { weight: 1, arbitrary: preferences },
    ),
  )
  .map(([between, said]) => ({ ...said, minutes: between, [fc.toStringMethod]: () => `${between} min: ${said.text}` }))

const calls = fc.array(call, { minLength: 1, maxLength: 2 })

const part: fc.Arbitrary<Part> = fc.record({
  calls,
  savepoint: fc.constantFrom('none', 'none', 'none', 'released', 'undone'),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('outside' as const), calls }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('transaction' as const),
      isSecondKind: fc.boolean(),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
      end: fc.constantFrom('commit', 'commit', 'rollback'),
    }),
  },
)

export const scripts: fc.Arbitrary<Script> = fc.array(step, { minLength: 2, maxLength: 8 })
