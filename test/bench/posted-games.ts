import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { weightOf } from '../../src/game/weight.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { type Row, table } from './measure.ts'
import type { Answered, Posted } from './posted-games-process.ts'
import { runTexts } from './postgres.ts'
import type { Size } from './sizes.ts'

const METRICS = { steps: { name: 'Steps' } }
const MOST_WEIGHT = 1_000
const HEAP_MB = 256

type Kind = (count: number) => object

function many<Rule>(count: number, rule: (index: number) => Rule): { readonly [key: string]: Rule } {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, rule(index)]))
}

const steps = { type: 'metric', metric: 'steps', threshold: 1, points: 1 }
const withTriggers = (count: number, trigger: (index: number) => object): object => ({
  points: {
    xp: {
      name: 'XP',
      triggers: Array.from({ length: count }, (_, index) => ({ key: `t${index}`, ...trigger(index) })),
    },
  },
})
/** Points go up and down, so that each payment is clipped by itself. */
const timed = (every: object) => (count: number) =>
  withTriggers(count, (index) => ({ type: 'time', every, points: index % 2 === 0 ? 1 : -1 }))
const achievement = { name: 'A', trigger: 'metric', metric: 'steps', value: 1 }
const board = { name: 'B', rankBy: 'metric', metric: 'steps', start: '2025-01-01', run: { unit: 'day', interval: 1 } }
const streak = (frequency: string) => ({ frequency, metrics: { steps: {} } })
const freezes = { initial: 100, max: 100, autoEarn: { interval: 20, amount: 39 } }
const sharing = (count: number) => many(count, () => ({ ...streak('daily'), freezes: 'shared' }))
const boardOfStreak = { name: 'B', rankBy: 'streak', start: '2025-01-01' }

export const KINDS: { readonly [kind: string]: Kind } = {
  leaderboards: (count) => ({ leaderboards: many(count, () => board) }),
  'leaderboards with groups': (count) => ({
    userAttributes: ['plan'],
    leaderboards: many(count, () => ({ ...board, breakdown: ['plan'] })),
  }),
  'metric triggers': (count) => withTriggers(count, () => steps),
  'capped triggers': (count) => withTriggers(count, () => ({ ...steps, cap: { points: 5, per: 'day' } })),
  'hourly triggers': timed({ hours: 1 }),
  'daily triggers': timed({ days: 1 }),
  'points systems': (count) => ({ points: many(count, () => ({ name: 'XP', triggers: [steps] })) }),
  levels: (count) => ({
    points: { xp: { name: 'XP', triggers: [steps], levels: many(count, (index) => ({ name: 'L', points: index })) } },
  }),
  boosts: (count) => ({
    points: {
      xp: {
        name: 'XP',
        triggers: Array.from({ length: Math.max(1, count - 100) }, (_, index) => ({ key: `t${index}`, ...steps })),
        boosts: many(Math.min(100, count), () => ({ name: 'B', start: '2025-01-01', multiplier: 1.5 })),
      },
    },
  }),
  'daily streaks': (count) => ({ streaks: many(count, () => streak('daily')) }),
  'weekly streaks': (count) => ({ streaks: many(count, () => streak('weekly')) }),
  'streaks that share freezes': (count) => ({ streak: { ...streak('daily'), freezes }, streaks: sharing(count) }),
  'leaderboards of a streak': (count) => ({
    streak: { ...streak('daily'), freezes },
    leaderboards: many(count, () => boardOfStreak),
  }),
  'leaderboards of a shared streak': (count) => ({
    streak: { ...streak('daily'), freezes },
    streaks: sharing(1),
    leaderboards: many(count, () => boardOfStreak),
  }),
  achievements: (count) => ({ achievements: many(count, (index) => ({ ...achievement, value: index + 1 })) }),
  'achievements that repeat': (count) => ({ achievements: many(count, () => ({ ...achievement, repeat: true })) }),
  'achievements of a month': (count) => ({
    achievements: many(count, () => ({ ...achievement, value: 1e9, within: { days: 31 } })),
  }),
  'a chain of composites': (count) => ({
    achievements: {
      ...many(count, (index) => ({ name: 'C', trigger: 'achievement', achievements: [`k${index + 1}`] })),
      [`k${count}`]: achievement,
    },
  }),
  'a chain of points and criteria': (count) => ({
    achievements: many(count, (index) => ({
      name: 'C',
      trigger: 'criteria',
      of: [{ points: 'xp', total: index + 1 }],
    })),
    ...withTriggers(count + 1, (index) => {
      return index === 0 ? steps : { type: 'achievement', achievement: `k${index - 1}`, points: 1 }
    }),
  }),
}

/** The largest game of a kind that may be posted. */
function largest(kind: Kind): { readonly count: number; readonly definition: object } {
  for (let count = MOST_WEIGHT; ; count -= 1) {
    const definition = { metrics: METRICS, ...kind(count) }
    if (weightOf(definition as Parameters<typeof weightOf>[0]) <= MOST_WEIGHT) return { count, definition }
  }
}

async function post(posted: Posted): Promise<Answered | string> {
  const file = fileURLToPath(new URL('./posted-games-process.js', import.meta.url))
  const child = fork(file, [], { execArgv: [`--max-old-space-size=${HEAP_MB}`] })
  child.send(posted)
  const ended = once(child, 'exit')
  const answered = await Promise.race([once(child, 'message'), ended])
  if (typeof answered[0] === 'object' && answered[0] !== null) return answered[0]
  return `the process ended with ${answered.join(' ')}`
}

/** A what-if over HTTP under the largest game of each kind, in a process with a small heap: the loop's longest turn. */
export async function benchPostedGames(
  folder: string,
  { events, kinds }: Size['postedGames'],
  print: (text: string) => void,
): Promise<void> {
  const given = process.env.BENCH_DATABASE_URL
  const server = given === undefined ? await startPostgres() : null
  const rows: Row[] = []
  try {
    for (const [name, kind] of Object.entries(KINDS).slice(0, kinds)) {
      const { count, definition } = largest(kind)
      const schema = `posted_games_${rows.length}`
      const url = server?.url ?? given ?? ''
      await runTexts(url, [`drop schema if exists ${schema} cascade`])
      for (const database of [join(folder, `${schema}.db`), url]) {
        rows.push([name, count, ...(await measure({ definition, database, schema, events }))])
      }
    }
  } finally {
    await server?.stop()
  }
  print(table(`A posted game, with a heap of ${HEAP_MB} MB`, HEAD, rows))
}

const HEAD = ['', 'rules', '', 'status', 'longest turn, ms', 'a line, ms', 'MB']

async function measure(posted: Posted): Promise<Row> {
  const database = posted.database.startsWith('postgres') ? 'Postgres' : 'SQLite'
  const answered = await post(posted)
  if (typeof answered === 'string') return [database, answered, '', '', '']
  const { status, longestTurn, cpu, rss } = answered
  return [database, status, longestTurn, cpu / posted.events, rss / 1e6]
}
