import { createHash, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Game } from '../../src/rules/game.ts'
import type { BenchEvent } from './game.ts'
import { toBytes } from './insert.ts'
import {
  type AwardRow,
  type Balance,
  type Before,
  type Outcome,
  outcomeOf,
  type Total,
  type UserRow,
} from './postgres-outcome.ts'
import { TEXTS } from './postgres-statements.ts'

export interface KeyedEvent extends BenchEvent {
  readonly idempotencyKey: string
}

interface ByHand {
  record(event: KeyedEvent, now: number): Promise<unknown>
}

type Run = <Row extends pg.QueryResultRow>(name: keyof typeof TEXTS, ...values: readonly unknown[]) => Promise<Row[]>

interface ProgressRow {
  readonly kind: 'total' | 'completion' | 'points'
  readonly key: string
  readonly amount: number
  readonly highest: number
  readonly note: string | null
}

/**
 * `plain`: statements as `client.query(text, values)` sends them, one for each table that is read. `tuned`: every
 * statement is prepared once on each connection, what is read is read at once, and the key is looked up by inserting it.
 */
export type Style = 'plain' | 'tuned'

/**
 * The code that a careful developer would write by hand: one transaction per event on the library's own tables, which
 * are on the search path.
 */
export function openByHand(pool: pg.Pool, game: Game, style: Style): ByHand {
  return {
    record: async (event, now) => {
      const client = await pool.connect()
      const run: Run = async (name, ...values) => {
        const query = { text: TEXTS[name], values: [...values] }
        return (await client.query(style === 'tuned' ? { name, ...query } : query)).rows
      }
      try {
        await client.query('begin')
        const result = await transact(run, game, style, event, now)
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch(() => undefined)
        throw error
      } finally {
        client.release()
      }
    },
  }
}

async function transact(run: Run, game: Game, style: Style, event: KeyedEvent, now: number): Promise<unknown> {
  const { user: id, metric, value, idempotencyKey } = event
  const { user, isNew } = await lockUser(run, id, now)
  if (style === 'plain' && (await run('findKey', id, metric, idempotencyKey)).length > 0) return { isReplay: true }
  const before = { user, isNew, ...(await readProgress(run, style, event)) }

  const at = Math.max(now, user.at)
  const seq = user.seq + 1
  const entryId = randomUUID()
  const entry = [toBytes(entryId), now, Math.floor(at / DAY), at % DAY, metric, value, idempotencyKey]
  if ((await run('insertLog', id, at, seq, ...entry)).length === 0) return { isReplay: true }

  const outcome = outcomeOf(game, before, event, at)
  await store(run, event, isNew, { at, seq, entryId }, outcome)
  return { entryId, total: outcome.total.total, completed: outcome.completed, awards: outcome.awards }
}

async function lockUser(run: Run, id: string, now: number): Promise<Pick<Before, 'user' | 'isNew'>> {
  let [user] = await run<UserRow>('lockUser', id)
  const isNew = user === undefined && (await run('insertUser', id, now)).length === 1
  if (user === undefined) [user] = await run<UserRow>('lockUser', id)
  if (user === undefined) throw new Error(`The user ${id} is not there.`)
  return { user, isNew }
}

/** Not before the user is locked: a statement sees what was committed when it began. */
async function readProgress(
  run: Run,
  style: Style,
  { user, metric }: BenchEvent,
): Promise<Pick<Before, 'total' | 'done' | 'balances'>> {
  const rows = style === 'tuned' ? await run<ProgressRow>('readProgress', user, metric) : []
  if (style === 'plain') {
    rows.push(...(await run<ProgressRow>('readTotal', user, metric)))
    rows.push(...(await run<ProgressRow>('readCompletions', user)))
    rows.push(...(await run<ProgressRow>('readPoints', user)))
  }
  let total: Total = { total: 0, highest: 0 }
  const done = new Set<string>()
  const balances = new Map<string, Balance>()
  for (const { kind, key, amount, highest, note } of rows) {
    if (kind === 'total') total = { total: amount, highest }
    else if (kind === 'completion') done.add(key)
    else balances.set(key, { total: amount, level: note })
  }
  return { total, done, balances }
}

const DAY = 86_400_000

interface Place {
  readonly at: number
  readonly seq: number
  readonly entryId: string
}

async function store(
  run: Run,
  { user, metric }: BenchEvent,
  isNew: boolean,
  { at, seq, entryId }: Place,
  { total, streak, extends: isExtended, completed, awards, balances, counts }: Outcome,
): Promise<void> {
  await run('putTotal', user, metric, total.total, total.highest)
  const { length, last, started, first_at, extended_at, longest, open, kept, lost } = streak
  await run('updateUser', user, at, length, last, started, first_at, extended_at, longest, open, kept, lost)
  if (isExtended) await run('insertPeriod', user, new Date(at).toISOString().slice(0, 10), length)
  for (const achievement of completed) await run('insertCompletion', user, achievement, at, entryId)
  for (const award of awards)
    await run('insertAward', user, at, seq, toBytes(entryId), idOf(entryId, award), ...columnsOf(award))
  for (const { system, total: balance, level } of balances) await run('putPoints', user, system, balance, level)
  if (isNew) await run('count', 'users', '', 1)
  for (const count of counts) await run('count', ...count)
}

function columnsOf({ system, trigger, ordinal, awarded, total }: AwardRow): readonly unknown[] {
  return [system, toBytes(trigger), ordinal, awarded, total]
}

function idOf(entryId: string, { trigger }: AwardRow): Buffer {
  return createHash('sha1')
    .update(entryId + trigger)
    .digest()
    .subarray(0, 16)
}
