import type { ErrorCode } from '../../src/index.ts'
import { untyped } from '../support/engine.ts'
import type { Writer } from './writer.ts'

/** A call that records something of a user, after what `prepare` recorded. */
export interface Call {
  readonly name: string
  prepare?(writer: Writer, user: string): Promise<unknown>
  run(writer: Writer, user: string): unknown
}

const CREATED: Required<Pick<Call, 'prepare'>> = {
  prepare: async (writer, id) => writer.metrics.event('words', { user: { id }, value: 7 }),
}

/** Every writing call, for users that are new and for some that are known. */
export const CALLS: readonly Call[] = [
  {
    name: 'metrics.event of a new user',
    run: (writer, id) => writer.metrics.event('words', { user: { id, tz: 'Asia/Tokyo' }, value: 12 }),
  },
  {
    name: 'metrics.event that completes, levels up and extends a streak',
    ...CREATED,
    run: (writer, id) =>
      writer.metrics.event('words', {
        user: { id, name: 'Ann', attributes: { plan: 'pro' } },
        value: 120,
        attributes: { source: 'mobile' },
        idempotencyKey: 'order-1',
      }),
  },
  {
    name: 'metrics.event that happened before others',
    prepare: async (writer, id) => {
      await writer.metrics.event('words', { user: { id }, value: 95 })
      await writer.achievements.complete('joined', { user: { id } })
    },
    run: (writer, id) =>
      writer.metrics.event('words', { user: { id }, value: 30, occurredAt: new Date('2026-03-08T23:00:00Z') }),
  },
  {
    name: 'metrics.event that a limit holds back',
    ...CREATED,
    run: (writer, id) => writer.metrics.event('sets', { user: { id }, value: 11, idempotencyKey: 'held' }),
  },
  {
    name: 'metrics.event that a limit holds back, and happened before others',
    ...CREATED,
    run: (writer, id) =>
      writer.metrics.event('sets', { user: { id }, value: 11, occurredAt: new Date('2026-03-08T23:00:00Z') }),
  },
  {
    name: 'achievements.complete of a new user',
    run: (writer, id) => writer.achievements.complete('joined', { user: { id } }),
  },
  {
    name: 'achievements.complete of a known user',
    prepare: async (writer, id) => writer.metrics.event('words', { user: { id }, value: 100 }),
    run: (writer, id) => writer.achievements.complete('joined', { user: { id, email: 'ann@example.com' } }),
  },
  {
    name: 'users.create',
    run: (writer, id) => writer.users.create({ id, email: 'ann@example.com', deviceTokens: ['a', 'b'] }),
  },
  {
    name: 'users.create of a known user',
    ...CREATED,
    run: (writer, id) => writer.users.create({ id, name: 'Ann' }),
  },
  {
    name: 'users.identify',
    run: (writer, id) => writer.users.identify(id, { tz: 'Europe/London', attributes: { plan: 'free' } }),
  },
  { name: 'users.update', ...CREATED, run: (writer, id) => writer.users.update(id, { tz: 'America/St_Johns' }) },
  {
    name: 'users.updatePreferences',
    ...CREATED,
    run: (writer, id) =>
      writer.users.updatePreferences(id, {
        notifications: { recap: ['push'] },
        streak: { evaluationMode: 'AND', metrics: [{ key: 'laps', threshold: 2 }] },
      }),
  },
]

/** A call that is refused. */
interface RefusedCall {
  readonly code: ErrorCode
  run(writer: Writer, user: string): unknown
}

/** Every refusal; the user has 20 points and no email. */
export const REFUSED_CALLS: readonly RefusedCall[] = [
  { code: 'out_of_points', run: (writer, id) => writer.metrics.event('hints', { user: { id }, value: 2 }) },
  { code: 'unknown_metric', run: (writer, id) => writer.metrics.event('pages', { user: { id }, value: 1 }) },
  { code: 'metric_archived', run: (writer, id) => writer.metrics.event('old', { user: { id }, value: 1 }) },
  { code: 'value_out_of_range', run: (writer, id) => writer.metrics.event('words', { user: { id }, value: 2e15 }) },
  {
    code: 'total_out_of_range',
    run: (writer, id) => writer.metrics.event('laps', { user: { id }, value: 1e15 }),
  },
  { code: 'limit_exceeded', run: (writer, id) => writer.metrics.event('sets', { user: { id }, value: 21 }) },
  {
    code: 'limit_exceeded',
    run: (writer, id) =>
      writer.metrics.event('sets', { user: { id }, value: 21, occurredAt: new Date('2026-03-01T12:00:00Z') }),
  },
  {
    // Late: refused after the log has been folded again.
    code: 'total_out_of_range',
    run: (writer, id) =>
      writer.metrics.event('laps', { user: { id }, value: 1e15, occurredAt: new Date('2026-03-01T12:00:00Z') }),
  },
  {
    code: 'unknown_attribute',
    run: (writer, id) => writer.metrics.event('words', { user: { id }, value: 1, attributes: { colour: 'red' } }),
  },
  {
    code: 'unknown_time_zone',
    run: (writer, id) => writer.metrics.event('words', { user: { id, tz: 'Mars/Base' }, value: 1 }),
  },
  {
    code: 'occurred_at_out_of_range',
    run: (writer, id) =>
      writer.metrics.event('words', { user: { id }, value: 1, occurredAt: new Date('2026-03-11T12:00:00Z') }),
  },
  {
    code: 'invalid_idempotency_key',
    run: (writer, id) => writer.metrics.event('words', { user: { id }, value: 1, idempotencyKey: 'a b' }),
  },
  {
    code: 'invalid_request',
    run: (writer, id) => writer.metrics.event('words', { user: { id }, value: untyped('7') }),
  },
  { code: 'unknown_achievement', run: (writer, id) => writer.achievements.complete('first', { user: { id } }) },
  { code: 'achievement_locked', run: (writer, id) => writer.achievements.complete('closed', { user: { id } }) },
  { code: 'achievement_not_accessible', run: (writer, id) => writer.achievements.complete('pro', { user: { id } }) },
  { code: 'email_required', run: (writer, id) => writer.users.create({ id, subscribedToEmails: true }) },
  { code: 'invalid_request', run: (writer, id) => writer.users.identify(id, { deviceTokens: untyped('x') }) },
  { code: 'unknown_user', run: (writer, id) => writer.users.update(`${id} the second`, { name: 'Ann' }) },
  {
    code: 'unknown_metric',
    run: (writer, id) => writer.users.updatePreferences(id, { streak: { metrics: [{ key: 'pages' }] } }),
  },
]
