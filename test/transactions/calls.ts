import type { ErrorCode } from '../../src/index.ts'
import { untyped } from '../support/engine.ts'
import type { Writer } from './writer.ts'

/** A call that records something of a user, after what `prepare` recorded. */
export interface Call {
  readonly name: string
  readonly prepare?: ((writer: Writer, user: string) => Promise<unknown>) | undefined
  run(writer: Writer, user: string): unknown
}

type Run = Call['run']
type Event = Parameters<Writer['metrics']['event']>[1]

/** An event of the user, with what else is given. */
const event =
  (metric: string, value: number, { user = {}, ...more }: Partial<Omit<Event, 'user'>> & { user?: object } = {}): Run =>
  (writer, id) =>
    writer.metrics.event(metric, { user: { id, ...user }, value, ...more })
const complete =
  (achievement: string, user: object = {}): Run =>
  (writer, id) =>
    writer.achievements.complete(achievement, { user: { id, ...user } })

const at = (instant: string) => ({ occurredAt: new Date(instant) })
const CREATED = async (writer: Writer, id: string) => event('words', 7)(writer, id)
const call = (name: string, prepare: Call['prepare'], run: Run): Call => ({ name, prepare, run })

/** Every writing call, for users that are new and for some that are known. */
export const CALLS: readonly Call[] = [
  call('metrics.event of a new user', undefined, event('words', 12, { user: { tz: 'Asia/Tokyo' } })),
  call(
    'metrics.event that completes, levels up and extends a streak',
    CREATED,
    event('words', 120, {
      user: { name: 'Ann', attributes: { plan: 'pro' } },
      attributes: { source: 'mobile' },
      idempotencyKey: 'order-1',
    }),
  ),
  call(
    'metrics.event that happened before others',
    async (writer, id) => {
      await event('words', 95)(writer, id)
      await complete('joined')(writer, id)
    },
    event('words', 30, at('2026-03-08T23:00:00Z')),
  ),
  call('metrics.event that a limit holds back', CREATED, event('sets', 11, { idempotencyKey: 'held' })),
  call(
    'metrics.event that a limit holds back, and happened before others',
    CREATED,
    event('sets', 11, at('2026-03-08T23:00:00Z')),
  ),
  call('achievements.complete of a new user', undefined, complete('joined')),
  call(
    'achievements.complete of a known user',
    async (writer, id) => event('words', 100)(writer, id),
    complete('joined', { email: 'ann@example.com' }),
  ),
  call('users.create', undefined, (writer, id) =>
    writer.users.create({ id, email: 'ann@example.com', deviceTokens: ['a', 'b'] }),
  ),
  call('users.create of a known user', CREATED, (writer, id) => writer.users.create({ id, name: 'Ann' })),
  call('users.identify', undefined, (writer, id) =>
    writer.users.identify(id, { tz: 'Europe/London', attributes: { plan: 'free' } }),
  ),
  call('users.update', CREATED, (writer, id) => writer.users.update(id, { tz: 'America/St_Johns' })),
  call('users.updatePreferences', CREATED, (writer, id) =>
    writer.users.updatePreferences(id, {
      notifications: { recap: ['push'] },
      streak: { evaluationMode: 'AND', metrics: [{ key: 'laps', threshold: 2 }] },
    }),
  ),
]

/** A call that is refused. */
interface RefusedCall {
  readonly code: ErrorCode
  readonly run: Run
}

const refused = (code: ErrorCode, run: Run): RefusedCall => ({ code, run })

/** Every refusal; the user has 20 points and no email. */
export const REFUSED_CALLS: readonly RefusedCall[] = [
  refused('out_of_points', event('hints', 2)),
  refused('unknown_metric', event('pages', 1)),
  refused('metric_archived', event('old', 1)),
  refused('value_out_of_range', event('words', 2e15)),
  refused('total_out_of_range', event('laps', 1e15)),
  refused('limit_exceeded', event('sets', 21)),
  refused('limit_exceeded', event('sets', 21, at('2026-03-01T12:00:00Z'))),
  // Late: refused after the log has been folded again.
  refused('total_out_of_range', event('laps', 1e15, at('2026-03-01T12:00:00Z'))),
  refused('unknown_attribute', event('words', 1, { attributes: { colour: 'red' } })),
  refused('unknown_time_zone', event('words', 1, { user: { tz: 'Mars/Base' } })),
  refused('occurred_at_out_of_range', event('words', 1, at('2026-03-11T12:00:00Z'))),
  refused('invalid_idempotency_key', event('words', 1, { idempotencyKey: 'a b' })),
  refused('invalid_request', event('words', untyped('7'))),
  refused('unknown_achievement', complete('first')),
  refused('achievement_locked', complete('closed')),
  refused('achievement_not_accessible', complete('pro')),
  refused('email_required', (writer, id) => writer.users.create({ id, subscribedToEmails: true })),
  refused('invalid_request', (writer, id) => writer.users.identify(id, { deviceTokens: untyped('x') })),
  refused('unknown_user', (writer, id) => writer.users.update(`${id} the second`, { name: 'Ann' })),
  refused('unknown_metric', (writer, id) =>
    writer.users.updatePreferences(id, { streak: { metrics: [{ key: 'pages' }] } }),
  ),
]
