import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { type Activity, readActivity } from '../../../examples/open-source/activity.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
  type WhatIfReport,
} from '../../../src/index.ts'
import { dump } from '../../support/dump.ts'
import { useDatabaseFiles } from '../../support/sqlite-files.ts'
import { SOAK } from '../../support/zones.ts'

const nextFile = useDatabaseFiles()

const file =
  process.env.LAURELS_ACTIVITY_CSV ??
  fileURLToPath(new URL('../../../../shared/data/open-source-activity.csv', import.meta.url))
const MINUTE = 60_000
/** Two events each. */
const ROWS = SOAK ? Number.POSITIVE_INFINITY : 1_000
/** Some streaks of the part of the file are still alive, and some of the whole. */
const NOW = new Date(SOAK ? '2026-08-23T00:00:00Z' : '2018-09-21T00:00:00Z')

const board = { name: 'A board', start: '2015-01-01' } as const
const monthly = { ...board, rankBy: 'metric', metric: 'commits', run: { unit: 'month', interval: 1 } } as const
const streaks = { name: 'Streaks', rankBy: 'streak', start: '2015-01-01', maxParticipants: 500 } as const

const first = {
  metrics: { commits: { name: 'Commits' }, 'lines-added': { name: 'Lines added' } },
  eventAttributes: ['project'],
  achievements: {
    ten: { name: 'Ten', trigger: 'metric', metric: 'commits', value: 10 },
    hundred: { name: 'Hundred', trigger: 'metric', metric: 'commits', value: 100 },
    lines: { name: 'Lines', trigger: 'metric', metric: 'lines-added', value: 10_000 },
    regular: {
      name: 'Regular',
      trigger: 'metric',
      metric: 'commits',
      value: 5,
      eventAttributes: { project: 'xstate' },
    },
    'in-a-row': { name: 'In a row', trigger: 'streak', length: 3 },
    both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'in-a-row'] },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [
        { key: 'created', type: 'user_creation', points: 10 },
        { key: 'commits', type: 'metric', metric: 'commits', threshold: 1, points: 5 },
        { key: 'lines', type: 'metric', metric: 'lines-added', threshold: 100, points: 1 },
        { key: 'both', type: 'achievement', achievement: 'both', points: 500 },
        { key: 'streak', type: 'streak', length: 3, points: 50 },
      ],
      levels: {
        newcomer: { name: 'Newcomer', points: 0 },
        contributor: { name: 'Contributor', points: 50 },
        regular: { name: 'Regular', points: 500 },
      },
    },
  },
  streak: { frequency: 'daily', metrics: { commits: { threshold: 1 } } },
  leaderboards: {
    all: { ...monthly, maxParticipants: null },
    ten: { ...monthly, maxParticipants: 10 },
    xp: { ...board, rankBy: 'points', system: 'xp', maxParticipants: 50 },
    streaks,
    gone: { ...board, rankBy: 'metric', metric: 'lines-added' },
  },
} as const satisfies GameDefinition

/** Other thresholds, an achievement more and one less, weeks for days, another trigger, other boards. */
const second = {
  ...first,
  achievements: {
    ten: { ...first.achievements.ten, value: 8 },
    hundred: { ...first.achievements.hundred, value: 150 },
    regular: { ...first.achievements.regular, eventAttributes: { project: 'zustand' } },
    'in-a-row': first.achievements['in-a-row'],
    both: first.achievements.both,
    thousand: { name: 'Thousand', trigger: 'metric', metric: 'lines-added', value: 1_000 },
  },
  points: {
    xp: {
      ...first.points.xp,
      triggers: [
        { key: 'created', type: 'user_creation', points: 20 },
        { key: 'commits', type: 'metric', metric: 'commits', threshold: 2, points: 7 },
        {
          key: 'xstate',
          type: 'metric',
          metric: 'commits',
          threshold: 1,
          points: 2,
          eventAttributes: { project: 'xstate' },
        },
        { key: 'both', type: 'achievement', achievement: 'both', points: 400 },
        { key: 'streak', type: 'streak', length: 3, points: 50 },
      ],
      levels: {
        contributor: { name: 'Contributor', points: 40 },
        regular: { name: 'Regular', points: 500 },
        maintainer: { name: 'Maintainer', points: 2_000 },
      },
    },
    gems: { name: 'Gems', triggers: [{ type: 'metric', metric: 'lines-added', threshold: 50, points: 1 }] },
  },
  streak: { frequency: 'weekly', metrics: { commits: { threshold: 2 } }, freezes: { max: 2, initial: 1 } },
  leaderboards: {
    all: { ...monthly, maxParticipants: null },
    ten: { ...monthly, metric: 'lines-added', maxParticipants: 10 },
    xp: { ...board, rankBy: 'points', system: 'xp', maxParticipants: null },
    streaks,
    fresh: { ...board, rankBy: 'points', system: 'gems', run: { unit: 'year', interval: 1 } },
  },
} as const satisfies GameDefinition

type Row = { readonly [column: string]: unknown }

interface Product {
  readonly engine: Gamification<DefinedGame>
  readonly database: Database.Database
}

const opened: { close(): unknown }[] = []

function open(definition: GameDefinition, database: Database.Database): Product {
  const game = defineGame(definition) as DefinedGame
  const engine = createGamification<DefinedGame>({ game, storage: sqlite(database), clock: () => NOW })
  opened.push(engine, database)
  return { engine, database }
}

/** The rows of the file, in its order; every third user has no zone. */
async function* activities(): AsyncGenerator<Activity> {
  let index = 0
  for await (const activity of readActivity(file)) {
    if (index >= ROWS * 2) return
    index += 1
    const { id } = activity.user
    yield Number(id.slice(-1)) % 3 === 0 ? { ...activity, user: { id } } : activity
  }
}

async function importInto(definition: GameDefinition): Promise<Product> {
  const product = open(definition, new Database(':memory:'))
  await product.engine.migrate()
  const start = performance.now()
  const { recorded, refused } = await product.engine.import(activities() as AsyncIterable<never>)
  process.stdout.write(`imported ${recorded} events in ${Math.round(performance.now() - start)} ms\n`)
  expect(refused).toBe(0)
  return product
}

/** Another product with the same tables. */
function copy({ database }: Product): Product {
  const target = nextFile()
  database.exec(`vacuum into '${target}'`)
  return open(first, new Database(target))
}

function rowsOf({ database }: Product, table: string): readonly Row[] {
  return database.prepare<[], Row>(`select * from laurels_${table}`).all()
}

function byKey<T>(rows: readonly Row[], keys: readonly string[], value: (row: Row) => T): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [keys.map((key) => String(row[key])).join(' '), value(row)]))
}

const totals = (product: Product): ReadonlyMap<string, number> =>
  byKey(rowsOf(product, 'points'), ['user_id', 'system'], ({ total }) => Number(total))
const completions = (product: Product): ReadonlyMap<string, number> =>
  byKey(rowsOf(product, 'completions'), ['user_id', 'achievement'], ({ at }) => Number(at))

/** Derived rows without what tells how they came about; where blocks end depends on the order in which they grew. */
function comparable({ database }: Product): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, readonly string[]>()
  for (const [table, rows] of dump(database)) {
    if (table === 'laurels_leaderboard_blocks') continue
    const kept = rows
      .map((row) => (JSON.parse(row) as [string, unknown][]).filter(([column]) => column !== 'epoch'))
      .filter((row) => table !== 'laurels_counters' || row.some(([column, value]) => column === 'count' && value !== 0))
    tables.set(
      table,
      kept.map((row) => JSON.stringify(row)),
    )
  }
  return tables
}

/** Fails with the first few rows that differ, not with all. */
function expectSameTables(actual: Product, expected: Product): void {
  const [own, other] = [comparable(actual), comparable(expected)]
  expect([...own.keys()]).toEqual([...other.keys()])
  for (const [table, rows] of own) {
    const expectedRows = new Set(other.get(table))
    const ownRows = new Set(rows)
    const extra = rows.filter((row) => !expectedRows.has(row)).slice(0, 3)
    const missing = [...expectedRows].filter((row) => !ownRows.has(row)).slice(0, 3)
    expect({ table, extra, missing }).toEqual({ table, extra: [], missing: [] })
  }
}

describe.skipIf(!existsSync(file))('Years of activity under another game (needs LAURELS_ACTIVITY_CSV)', () => {
  let before: Product
  let asIfAlways: Product
  const next = defineGame(second) as DefinedGame

  beforeAll(async () => {
    before = await importInto(first)
    asIfAlways = await importInto(second)
    return async () => {
      for (const each of opened) await each.close()
    }
  }, 10 * MINUTE)

  test('recomputed are as if they had been imported under it', { timeout: 10 * MINUTE }, async () => {
    const product = copy(before)
    const users = rowsOf(product, 'users').length
    const report = await product.engine.apply(next, { policy: 'recompute' })
    expect(report).toEqual({ epoch: 2, policy: 'recompute', users, changed: users, damaged: [] })
    expectSameTables(product, asIfAlways)
    expect((await product.engine.verify()).drift).toEqual([])
    expect(await product.engine.apply(next, { policy: 'recompute' })).toMatchObject({ epoch: 2, changed: 0 })
    expectSameTables(product, asIfAlways)
  })

  test('granted have all they had, and what it would have given', { timeout: 10 * MINUTE }, async () => {
    const product = copy(before)
    const users = rowsOf(product, 'users').length
    const report = await product.engine.apply(next, { policy: 'grant' })
    expect(report).toMatchObject({ epoch: 2, policy: 'grant', users })

    const after = completions(product)
    for (const [key, at] of completions(before)) expect([key, after.get(key)]).toEqual([key, at])
    for (const key of completions(asIfAlways).keys()) expect([key, after.has(key)]).toEqual([key, true])
    const points = totals(product)
    const least = [...totals(before), ...totals(asIfAlways)]
    const less = least.filter(([key, total]) => total > (points.get(key) ?? 0))
    expect(less.slice(0, 3)).toEqual([])
    const awards = new Set(dump(product.database).get('laurels_awards'))
    expect(
      dump(before.database)
        .get('laurels_awards')
        ?.filter((row) => !awards.has(row)),
    ).toEqual([])
    expect((await product.engine.verify()).drift).toEqual([])

    const everything = dump(product.database, { everything: true })
    expect(await product.engine.apply(next, { policy: 'grant' })).toEqual({ ...report, changed: 0 })
    expect(dump(product.database, { everything: true })).toEqual(everything)
  })

  test('are told by what-if with the figures that the tables then have', { timeout: 10 * MINUTE }, async () => {
    const { triggers, leaderboards, largest, ...rest } = await before.engine.whatIf(next)
    const plain = comparePlainly(before, asIfAlways)
    expect(rest).toEqual(plain)
    expect(triggers.toSorted(byTrigger)).toEqual(compareTriggers(before, asIfAlways).toSorted(byTrigger))
    expect(largest).toEqual(findLargest(before, asIfAlways))
    const isPlain = ({ key }: { readonly key: string }): boolean => key !== 'streaks'
    expect(leaderboards.filter(isPlain)).toEqual(compareBoards(before, asIfAlways).filter(isPlain))
  })

  test('are told by what-if who would be on the board of streaks now', { timeout: 10 * MINUTE }, async () => {
    const { leaderboards } = await before.engine.whatIf(next)
    const isStreaks = ({ key }: { readonly key: string }): boolean => key === 'streaks'
    expect(leaderboards.filter(isStreaks)).toEqual(compareBoards(before, asIfAlways).filter(isStreaks))
  })
})

const byTrigger = (left: { trigger: string }, right: { trigger: string }): number =>
  left.trigger < right.trigger ? -1 : 1

function usersOf(product: Product): readonly string[] {
  return rowsOf(product, 'users').map(({ user_id }) => String(user_id))
}

function toChange(differences: readonly number[]): { gains: number; minted: number; loses: number; gone: number } {
  const [more, less] = [differences.filter((by) => by > 0), differences.filter((by) => by < 0)]
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
  return { gains: more.length, minted: sum(more), loses: less.length, gone: -sum(less) || 0 }
}

function differences(now: ReadonlyMap<string, number>, then: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const all = [...new Set([...now.keys(), ...then.keys()])]
  const by = all.map((key): [string, number] => [key, (then.get(key) ?? 0) - (now.get(key) ?? 0)])
  return new Map(by.filter(([, difference]) => difference !== 0))
}

/** The key of each user's level in each system; null: none. */
function levels(product: Product): ReadonlyMap<string, string | null> {
  const rows = rowsOf(product, 'points')
  return new Map(
    rows.map(({ user_id, system, level }) => [`${user_id} ${system}`, level === null ? null : String(level)]),
  )
}

/** From low to high, as the two games together have them. */
const LADDER: readonly (string | null)[] = [null, 'newcomer', 'contributor', 'regular', 'maintainer']

/** By how many levels each user would climb in each system; those who would not are left out. */
function climbsOf(now: Product, then: Product): ReadonlyMap<string, number> {
  const [was, is] = [levels(now), levels(then)]
  const climbs = [...new Set([...was.keys(), ...is.keys()])].map((key): [string, number] => [
    key,
    LADDER.indexOf(is.get(key) ?? null) - LADDER.indexOf(was.get(key) ?? null),
  ])
  return new Map(climbs.filter(([, by]) => by !== 0))
}

type Plain = Omit<WhatIfReport, 'triggers' | 'leaderboards' | 'largest'>

function comparePlainly(now: Product, then: Product): Plain {
  const users = usersOf(now)
  const [had, has] = [completions(now), completions(then)]
  const gained = [...has.keys()].filter((key) => !had.has(key))
  const lost = [...had.keys()].filter((key) => !has.has(key))
  const keys = [...new Set([...gained, ...lost].map((key) => key.split(' ')[1] ?? ''))].sort()
  const points = differences(totals(now), totals(then))
  const moved = [...climbsOf(now, then)]
  const changed = new Set([...gained, ...lost, ...points.keys(), ...moved.map(([key]) => key)].map(userOf))
  const systemsIn = (all: Iterable<string>): readonly string[] => [...new Set([...all].map(systemOf))].sort()
  const count = (of: readonly string[], name: string): number => of.filter((key) => systemOf(key) === name).length
  return {
    users: users.length,
    changed: changed.size,
    achievements: keys.map((key) => ({ key, gained: count(gained, key), lost: count(lost, key) })),
    points: systemsIn(points.keys()).map((system) => ({
      system,
      ...toChange([...points].flatMap(([key, by]) => (systemOf(key) === system ? [by] : []))),
    })),
    levels: systemsIn(moved.map(([key]) => key)).map((system) => {
      const own = moved.filter(([key]) => systemOf(key) === system)
      return { system, up: own.filter(([, by]) => by > 0).length, down: own.filter(([, by]) => by < 0).length }
    }),
    damaged: [],
  }
}

function userOf(key: string): string {
  return key.split(' ')[0] ?? ''
}

function systemOf(key: string): string {
  return key.split(' ')[1] ?? ''
}

function compareTriggers(now: Product, then: Product): WhatIfReport['triggers'] {
  const sums = ({ database }: Product): ReadonlyMap<string, number> => {
    const sql = `select user_id, system, trigger_id, sum(awarded) as sum from laurels_view_awards group by 1, 2, 3`
    return byKey(database.prepare<[], Row>(sql).all(), ['system', 'trigger_id', 'user_id'], ({ sum }) => Number(sum))
  }
  const by = differences(sums(now), sums(then))
  const names = [...new Set([...by.keys()].map((key) => key.split(' ').slice(0, 2).join(' ')))]
  return names.map((name) => {
    const [system = '', trigger = ''] = name.split(' ')
    const own = [...by].flatMap(([key, difference]) => (key.startsWith(`${name} `) ? [difference] : []))
    return { system, trigger, ...toChange(own) }
  })
}

/** Ranks in the newest run of each board of the game, of those whom the board shows. */
function ranksOf(
  { database }: Product,
  { leaderboards }: GameDefinition,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const sql = `
    select user_id from laurels_leaderboard_entries
    where leaderboard = ? and substr(run, 1, 10) =
      (select max(substr(run, 1, 10)) from laurels_leaderboard_entries where leaderboard = ?)
      and (until is null or until > ?)
    order by minus_value, reached_at, user_id limit ?`
  return new Map(
    Object.entries(leaderboards ?? {}).map(([key, { maxParticipants = 1_000 }]) => {
      const rows = database.prepare<unknown[], Row>(sql).all(key, key, NOW.getTime(), maxParticipants ?? -1)
      return [key, new Map(rows.map(({ user_id }, index) => [String(user_id), index + 1]))]
    }),
  )
}

function compareBoards(now: Product, then: Product): WhatIfReport['leaderboards'] {
  const [had, has] = [ranksOf(now, first), ranksOf(then, second)]
  return [...new Set([...had.keys(), ...has.keys()])]
    .sort()
    .map((key) => {
      const [was, is] = [had.get(key) ?? new Map<string, number>(), has.get(key) ?? new Map<string, number>()]
      const both = [...is].flatMap(([user, rank]) => (was.has(user) ? [rank - (was.get(user) ?? 0)] : []))
      return {
        key,
        entered: [...is.keys()].filter((user) => !was.has(user)).length,
        left: [...was.keys()].filter((user) => !is.has(user)).length,
        up: both.filter((by) => by < 0).length,
        down: both.filter((by) => by > 0).length,
      }
    })
    .filter(({ entered, left, up, down }) => entered + left + up + down > 0)
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

function findLargest(now: Product, then: Product): WhatIfReport['largest'] {
  const [had, has] = [completions(now), completions(then)]
  const points = differences(totals(now), totals(then))
  const climbs = climbsOf(now, then)
  const own = (keys: Iterable<string>, user: string): readonly string[] =>
    [...keys].flatMap((key) => (userOf(key) === user ? [systemOf(key)] : [])).sort()
  const gained = groupBy(
    [...has.keys()].filter((key) => !had.has(key)),
    userOf,
  )
  const lost = groupBy(
    [...had.keys()].filter((key) => !has.has(key)),
    userOf,
  )
  const paid = groupBy([...points], ([key]) => userOf(key))
  const changed = usersOf(now).flatMap((user) => {
    const difference = (paid.get(user) ?? []).map(([key, by]): [string, number] => [systemOf(key), by])
    const isMoved = ['xp', 'gems'].some((key) => climbs.has(`${user} ${key}`))
    const line = {
      tenant: '',
      user,
      gained: own(gained.get(user) ?? [], user),
      lost: own(lost.get(user) ?? [], user),
      points: Object.fromEntries(difference),
    }
    return line.gained.length + line.lost.length + difference.length > 0 || isMoved ? [line] : []
  })
  const size = ({ points: by }: (typeof changed)[number]): number =>
    Object.values(by).reduce((sum, one) => sum + Math.abs(one), 0)
  const count = (line: (typeof changed)[number]): number => line.gained.length + line.lost.length
  return changed.sort((a, b) => size(b) - size(a) || count(b) - count(a) || (a.user < b.user ? -1 : 1)).slice(0, 100)
}
