import { createHash, randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import type { Game } from '../../src/rules/game.ts'
import type { BenchEvent } from './game.ts'
import { insertRow, NEW_USER, PLAIN_EVENT, toBytes } from './insert.ts'

interface Baseline {
  record(event: BenchEvent, now: number): unknown
  close(): void
}

interface UserRow {
  readonly version: number
  readonly length: number | null
  readonly last_period: number | null
  readonly longest: number | null
  readonly open_periods: string | null
  readonly extended_at: number | null
}

const DAY = 86_400_000

// Values are bound in the order in which their columns stand here.
const OWNER = { tenant_id: `''`, user_id: '?' }
const KNOWN = {
  ...OWNER,
  ...{ at: '?', created: '?', updated: '?' },
  ...{ streak_length: '?', streak_last_period: '?', streak_kept_period: '?', streak_started: '?' },
  ...{ streak_first_at: '?', streak_longest: '?', streak_open_periods: '?', streak_extended_at: '?' },
}
const EVENT = {
  ...OWNER,
  ...{ at: '?', seq: '?', entry_id: '?', recorded_at: 'null' },
  ...{ local_date: '?', local_time: '?', metric: '?', value: '?' },
}
const AWARD = {
  ...OWNER,
  ...{ system: '?', at: '?', seq: '?', ordinal: '?', award_id: '?' },
  ...{ trigger_id: '?', entry_id: '?', awarded: '?', total: '?', boosts: 'null' },
}

const INSERTS = {
  // The columns of NEW_USER come after those with values, and do not replace them.
  user: insertRow<'users'>('laurels_users', { ...KNOWN, ...NEW_USER, ...KNOWN, version: '1', seq: '1' }),
  event: insertRow<'log'>('laurels_log', { ...EVENT, ...PLAIN_EVENT }),
  total: insertRow<'totals'>('laurels_totals', { ...OWNER, metric: '?', total: '?', highest: '?' }),
  period: insertRow<'streak_periods'>('laurels_streak_periods', {
    ...OWNER,
    ...{ streak: `''`, start_date: '?', length: '?', kind: `'counted'` },
  }),
  completion: insertRow<'completions'>('laurels_completions', {
    ...OWNER,
    achievement: '?',
    at: '?',
    entry_id: '?',
    count: '1',
  }),
  points: insertRow<'points'>('laurels_points', { ...OWNER, system: '?', total: '?', level: '?' }),
  award: insertRow<'awards'>('laurels_awards', AWARD),
  count: insertRow<'counters'>('laurels_counters', { tenant_id: `''`, kind: '?', key: '?', slot: '0', count: '?' }),
}

/**
 * The code that a careful developer would write by hand: one prepared transaction per event, on the same tables. It
 * reads what the rules need and writes the same rows as the library.
 */
export function openBaseline(file: string, game: Game, synchronous: string): Baseline {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma(`synchronous = ${synchronous}`)
  database.pragma('wal_autocheckpoint = 4000')
  const prepare = (text: string) => database.prepare(text)
  const key = `tenant_id = '' and user_id = ?`
  const selectUser = prepare(
    `select version, streak_length as length, streak_last_period as last_period, streak_longest as longest, streak_open_periods as open_periods, streak_extended_at as extended_at from laurels_users where ${key}`,
  )
  const selectTotals = prepare(`select metric, total, highest from laurels_totals where ${key}`)
  const selectCompletions = prepare(`select achievement from laurels_completions where ${key}`)
  const selectPoints = prepare(`select system, total, level from laurels_points where ${key}`)
  const insertUser = prepare(INSERTS.user)
  const updateUser = prepare(
    `update laurels_users set version = version + 1, seq = seq + 1, at = ?, streak_length = ?, streak_last_period = ?, streak_kept_period = ?, streak_started = ?, streak_first_at = ?, streak_longest = ?, streak_open_periods = ?, streak_extended_at = ? where ${key}`,
  )
  const insertLog = prepare(INSERTS.event)
  const putTotal = prepare(
    `${INSERTS.total} on conflict do update set total = excluded.total, highest = excluded.highest`,
  )
  const putPeriod = prepare(`${INSERTS.period} on conflict do nothing`)
  const insertCompletion = prepare(INSERTS.completion)
  const putPoints = prepare(
    `${INSERTS.points} on conflict do update set total = excluded.total, level = excluded.level`,
  )
  const insertAward = prepare(INSERTS.award)
  const count = prepare(`${INSERTS.count} on conflict do update set count = count + excluded.count`)

  const achievements = [...game.achievements.values()]
  const systems = [...game.points.values()]
  const triggerIds = new Map<string, Buffer>()

  function transact({ user, metric, value }: BenchEvent, now: number): unknown {
    const row = selectUser.get(user) as UserRow | undefined
    const totals = new Map(
      (selectTotals.all(user) as { metric: string; total: number; highest: number }[]).map((total) => [
        total.metric,
        total,
      ]),
    )
    const done = new Set(
      (selectCompletions.all(user) as { achievement: string }[]).map(({ achievement }) => achievement),
    )
    const balances = new Map(
      (selectPoints.all(user) as { system: string; total: number; level: string | null }[]).map((balance) => [
        balance.system,
        balance,
      ]),
    )
    const entry = randomUUID()
    const seq = (row?.version ?? 0) + 1
    const day = Math.floor(now / DAY)
    const text = new Date(now).toISOString()
    const entryId = toBytes(entry)
    insertLog.run(user, now, seq, entryId, day, now % DAY, metric, value)

    const before = totals.get(metric) ?? { total: 0, highest: 0 }
    const total = before.total + value
    const highest = Math.max(before.highest, total)
    putTotal.run(user, metric, total, highest)

    const counts = metric === 'words' || metric === 'pages'
    const extends_ = counts && row?.last_period !== day
    const length = extends_ ? (row?.last_period === day - 1 ? (row.length ?? 0) : 0) + 1 : (row?.length ?? 0)
    const open = JSON.parse(row?.open_periods ?? '[]') as { period: number; sums: { $: [string, number][] } }[]
    const today = open.find(({ period }) => period === day) ?? { period: day, sums: { $: [] } }
    const sums = new Map(today.sums.$)
    today.sums.$ = [...sums.set(metric, (sums.get(metric) ?? 0) + value)]
    const last = extends_ ? day : (row?.last_period ?? null)
    const longest = Math.max(row?.longest ?? 0, length)
    const extended = extends_ ? now : (row?.extended_at ?? null)
    const start = last === null ? null : text.slice(0, 10)
    const streak = [length, last, last, start, now, longest, JSON.stringify([today]), extended]
    if (row === undefined) {
      insertUser.run(user, now, now, now, ...streak)
      count.run('users', '', 1)
    } else updateUser.run(now, ...streak, user)
    if (extends_) putPeriod.run(user, text.slice(0, 10), length)

    const completed: string[] = []
    for (const achievement of achievements) {
      if (done.has(achievement.key)) continue
      const reached =
        (achievement.trigger === 'metric' && achievement.metric === metric && total >= achievement.value) ||
        (achievement.trigger === 'streak' && length >= achievement.length) ||
        (achievement.trigger === 'achievement' && achievement.achievements.every((other) => done.has(other)))
      if (!reached) continue
      done.add(achievement.key)
      completed.push(achievement.key)
      insertCompletion.run(user, achievement.key, now, entry)
      count.run('completions', achievement.key, 1)
    }

    const awards: unknown[] = []
    for (const system of systems) {
      const balance = balances.get(system.key) ?? { total: 0, level: null }
      let sum = balance.total
      for (const trigger of system.triggers) {
        let points = 0
        if (trigger.type === 'metric' && trigger.metric === metric) {
          points =
            (Math.floor(highest / trigger.threshold) - Math.floor(before.highest / trigger.threshold)) * trigger.points
        } else if (trigger.type === 'achievement') points = completed.includes(trigger.achievement) ? trigger.points : 0
        else if (trigger.type === 'streak') points = extends_ && length % trigger.length === 0 ? trigger.points : 0
        if (points === 0) continue
        sum += points
        const id = createHash('sha1')
          .update(entry + trigger.id)
          .digest()
          .subarray(0, 16)
        const triggerId = triggerIds.get(trigger.id) ?? toBytes(trigger.id)
        triggerIds.set(trigger.id, triggerId)
        insertAward.run(user, system.key, now, seq, awards.length, id, triggerId, entryId, points, sum)
        awards.push({ id: id.toString('hex'), points, total: sum })
      }
      const level = system.levels.findLast((candidate) => candidate.points <= sum)?.key ?? null
      if (sum === balance.total && (level === balance.level || row !== undefined)) continue
      putPoints.run(user, system.key, sum, level)
      if (level !== balance.level) {
        if (balance.level !== null) count.run('level', JSON.stringify([system.key, balance.level]), -1)
        if (level !== null) count.run('level', JSON.stringify([system.key, level]), 1)
      }
    }
    return { eventId: entry, total, completed, length, awards }
  }

  const transaction = database.transaction(transact)
  return { record: (event, now) => transaction.immediate(event, now), close: () => void database.close() }
}
