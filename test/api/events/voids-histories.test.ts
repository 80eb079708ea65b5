import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  isGamificationError,
} from '../../../src/index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { type Deed, type Life, lives } from '../../record/random-lives.ts'
import { databaseUrl, useEmptySchemas } from '../../support/postgres.ts'
import { raceDefinition } from '../../support/race-game.ts'
import { createRandom, SOAK, seedOfRun } from '../../support/zones.ts'
import {
  answersOf,
  comparableLog,
  derivedTables,
  type Engine,
  type EventToVoid,
  eventsOf,
  hasKept,
  idOf,
  inOrder,
  logsOf,
  numberOf,
  open,
  type Played,
  playInstead,
  rowsOf,
  type TableDump,
  withOpenPeriods,
} from './void-lives.ts'

const HOUR = 3_600_000
const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? (SOAK ? 3_000 : 6))
const MOST_DEEDS = SOAK ? 40 : 25
const MINUTES = 60_000
const path = process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }
const fewer = (runs: number): object => ({ numRuns: runs, seed: SEED, ...path })

/** A life, how much of it comes before the void, which event is voided, and how long after the last deed. */
const cases = fc.record({
  life: lives(MOST_DEEDS).map(inOrder),
  share: fc.constantFrom<number>(0.5, 0.8, 1, 1),
  which: fc.nat(1_000),
  wait: fc.constantFrom(0, HOUR, 50 * HOUR, 40 * 24 * HOUR),
})

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

interface Place {
  readonly storage: Storage
  tables(): TableDump
  close(): void
}

function inSqlite(): Place {
  const database = new Database(':memory:')
  return { storage: sqlite(database), tables: () => derivedTables(database), close: () => database.close() }
}

function inMemory(): Place {
  return { storage: memory(), tables: () => new Map(), close: () => undefined }
}

interface Voided {
  readonly played: Played
  readonly event: EventToVoid
  /** Numbers of the deeds of which something is in the log. */
  readonly recorded: ReadonlySet<number>
  readonly before: TableDump
  readonly deeds: readonly Deed[]
  readonly end: number
}

const VOID = 100_000

/** Plays the deeds, voids an event in the midst of them; null where there is none. */
async function playAndVoid(place: Place, given: Case, revoke: boolean): Promise<Voided | null> {
  const { life, share, which, wait } = given
  const played = await open(life.definition, place.storage)
  const count = Math.ceil(life.deeds.length * share)
  for (const [number, deed] of life.deeds.slice(0, count).entries()) await played.play(number, deed)
  const events = eventsOf(await logsOf(place.storage))
  const event = events[which % Math.max(1, events.length)]
  if (event === undefined) return null
  const voidedAt = (life.deeds[count - 1]?.now ?? 0) + wait
  const before = place.tables()
  played.at(voidedAt)
  try {
    const answer = await played.as(VOID, () => played.engine.events.void(event.entry.id, { revoke }))
    expect(answer).toMatchObject({ eventId: event.entry.id, userId: event.user, alreadyVoided: false })
  } catch (error) {
    // Without the event a total would have left its bounds somewhere.
    if (!isGamificationError(error) || error.code !== 'total_out_of_range') throw error
    expect(place.tables()).toEqual(before)
    return null
  }
  // What comes after the void comes after it by the clock, too.
  const later = life.deeds.slice(count).map((deed) => ({ ...deed, now: deed.now + wait }))
  for (const [index, deed] of later.entries()) await played.play(count + index, deed)
  const recorded = new Set([...(await logsOf(place.storage)).values()].flat().map(numberOf))
  const deeds = [...life.deeds.slice(0, count), ...later]
  return { played, event, recorded, before, deeds, end: Math.max(voidedAt, deeds.at(-1)?.now ?? 0) }
}

/** The same deeds without the event: those that were accepted, in their order. */
async function playWithout(place: Place, life: Life, { event, recorded, deeds }: Voided): Promise<Played> {
  const played = await open(life.definition, place.storage)
  for (const [number, deed] of deeds.entries()) {
    if (number === event.number) await playInstead(played, deed, event)
    else if (recorded.has(number)) await played.play(number, deed)
  }
  return played
}

/** Whether the other life has the same entries: not where the event made a difference to what was accepted or kept. */
async function isSameLife(voided: Voided, without: Played): Promise<boolean> {
  const logs = await logsOf(voided.played.storage)
  const others = await logsOf(without.storage)
  if (hasKept(logs) || hasKept(others)) return false
  const { number } = voided.event
  const toText = (all: typeof logs): string =>
    JSON.stringify([...all].map(([user, log]) => [user, comparableLog(log, number)]))
  return toText(logs) === toText(others)
}

describe('A voided event of a random history', () => {
  test.each([
    ['SQLite, by its tables', inSqlite],
    ['memory, by its answers', inMemory],
  ])(
    `that revokes leaves the history without it, in %s (seed ${SEED})`,
    async (_, make) => {
      let compared = 0
      await fc.assert(
        fc.asyncProperty(cases, async (given) => {
          const place = make()
          const other = make()
          try {
            const voided = await playAndVoid(place, given, true)
            if (voided === null) return
            const without = await playWithout(other, given.life, voided)
            expect((await voided.played.engine.verify()).drift).toEqual([])
            if (!(await isSameLife(voided, without))) return
            compared += 1
            const tables = [place.tables(), other.tables()].map((of) =>
              isToldLate(voided) ? withoutOpenPeriods(of) : of,
            )
            expect(tables[0]).toEqual(tables[1])
            for (const wait of [0, 26 * HOUR, 9 * 24 * HOUR]) {
              const now = voided.end + wait
              voided.played.at(now)
              without.at(now)
              const { definition } = given.life
              expect(await answersOf(voided.played, definition, now)).toEqual(await answersOf(without, definition, now))
            }
          } finally {
            place.close()
            other.close()
          }
        }),
        fewer(RUNS),
      )
      process.stdout.write(`compared ${compared} of ${RUNS} histories with those without an event\n`)
      expect(compared).toBeGreaterThan(RUNS / 3)
    },
    60 * MINUTES,
  )

  test(
    `that does not revoke differs in the completions it keeps, and in what they pay (seed ${SEED})`,
    async () => {
      let kept = 0
      await fc.assert(
        fc.asyncProperty(cases, async ({ share: _, ...rest }) => {
          const given = { ...rest, share: 1 }
          const place = inSqlite()
          const other = inSqlite()
          try {
            const keeping = await playAndVoid(place, given, false)
            const revoking = await playAndVoid(other, given, true)
            if (keeping === null || revoking === null) return
            expect((await keeping.played.engine.verify()).drift).toEqual([])
            // What keeps a completion is an entry at its instant, by which the time until then is judged.
            for (const { played, end } of [keeping, revoking]) await meetEverybody(played, end + HOUR)
            kept += expectKept(given.life, keeping.before, place.tables(), other.tables())
          } finally {
            place.close()
            other.close()
          }
        }),
        fewer(RUNS),
      )
      process.stdout.write(`kept ${kept} completions in ${RUNS} histories\n`)
      // Few histories have one.
      if (RUNS >= 200) expect(kept).toBeGreaterThan(0)
    },
    60 * MINUTES,
  )

  test(
    `is voided once, and its idempotency key stays used (seed ${SEED})`,
    async () => {
      await fc.assert(
        fc.asyncProperty(cases, fc.boolean(), fc.boolean(), async (given, revoke, again) => {
          const place = inSqlite()
          try {
            const voided = await playAndVoid(place, given, revoke)
            if (voided === null) return
            const { played, event, deeds } = voided
            const { engine } = played
            const tables = place.tables()
            const log = await logsOf(place.storage)

            const answer = await played.as(VOID + 1, () => engine.events.void(event.entry.id, { revoke: again }))
            expect(answer).toMatchObject({
              alreadyVoided: true,
              voidId: idOf(VOID),
              revokedAchievements: [],
              points: {},
            })

            const { metric, value, idempotencyKey } = event.entry
            if (idempotencyKey !== null) {
              const byKey = await played.as(VOID + 2, () =>
                engine.events.void({ user: event.user, metric, idempotencyKey } as never, { revoke: again }),
              )
              expect(byKey).toEqual(answer)
              const { said } = deeds[event.number] ?? {}
              const profile = said?.call === 'event' ? said.profile : undefined
              const sent = { user: { id: event.user, ...profile }, value, idempotencyKey }
              const replay = await played.as(VOID + 3, () => engine.metrics.event(metric as never, sent as never))
              expect(replay).toMatchObject({ eventId: event.entry.id, idempotentReplayed: true, total: answer.total })
            }
            expect(place.tables()).toEqual(tables)
            expect(await logsOf(place.storage)).toEqual(log)
            expect((await engine.verify()).drift).toEqual([])
          } finally {
            place.close()
          }
        }),
        fewer(RUNS),
      )
    },
    60 * MINUTES,
  )
})

describe('Voids that race', () => {
  const nextSchema = useEmptySchemas()
  const rounds = SOAK ? 60 : 2

  test(
    `events and each other, by two processes on Postgres, are one each (seed ${SEED})`,
    async () => {
      const random = createRandom(SEED)
      const schema = nextSchema()
      const start = (): Engine =>
        createGamification<DefinedGame>({
          game: defineGame(raceDefinition),
          storage: postgres(databaseUrl(), { schema }),
        })
      const engines = [start(), start()] as const
      const one = (): Engine => engines[random() < 0.5 ? 0 : 1]
      const add = (user: string): Promise<{ readonly eventId: string }> => {
        const late = random() < 0.2 ? { occurredAt: new Date(Date.now() - Math.floor(random() * 72) * HOUR) } : {}
        const request = { user: { id: user }, value: 1 + Math.floor(random() * 40), ...late }
        return one().metrics.event((random() < 0.7 ? 'words' : 'laps') as never, request as never)
      }
      const users = ['ann', 'bob', 'cid']
      const everybody = users.flatMap((user) => Array.from({ length: 4 }, () => user))
      try {
        for (const engine of engines) await engine.migrate()
        for (let round = 0; round < rounds; round += 1) {
          const added = await Promise.all(everybody.map(add))
          const voids = added.filter(() => random() < 0.5).flatMap(({ eventId }) => [eventId, eventId, eventId])
          const [answers] = await Promise.all([
            Promise.all(voids.map((id) => one().events.void(id, { revoke: random() < 0.5 }))),
            Promise.all(everybody.map(add)),
          ])
          const byEvent = new Map<string, typeof answers>()
          for (const each of answers) byEvent.set(each.eventId, [...(byEvent.get(each.eventId) ?? []), each])
          for (const same of byEvent.values()) {
            expect(new Set(same.map(({ voidId }) => voidId)).size).toBe(1)
            expect(same.filter(({ alreadyVoided }) => !alreadyVoided)).toHaveLength(1)
          }
          for (const engine of engines) expect((await engine.verify()).drift).toEqual([])
        }
      } finally {
        for (const engine of engines) await engine.close()
      }
    },
    60 * MINUTES,
  )
})

/** Whether an idle event stands for what the voided one said of the user: it is summed as any other. */
function isToldLate({ event: { isLate, isFirst, entry } }: Voided): boolean {
  return isLate && (isFirst || entry.profile !== null)
}

function withoutOpenPeriods(tables: TableDump): TableDump {
  const users = rowsOf(tables, 'users').map(({ streak_open_periods: _, streaks, ...row }) =>
    JSON.stringify({ ...row, streaks: withOpenPeriods(streaks, () => null) }),
  )
  return new Map([...tables, ['laurels_users', users]])
}

async function meetEverybody(played: Played, now: number): Promise<void> {
  played.at(now)
  const users = await played.storage.listUsers()
  for (const [index, { user }] of users.entries()) {
    await played.as(VOID + 10 + index, () => played.engine.users.identify(user, { name: 'Met' }))
  }
}

/** Tables in which nothing that a kept completion pays is to be seen. */
const UNPAID = ['totals', 'tallies', 'streak_periods', 'streak_pauses']

/** Compares the tables after a void that keeps with those after one that revokes; returns how many completions were kept. */
function expectKept({ definition }: Life, before: TableDump, keeping: TableDump, revoking: TableDump): number {
  for (const table of UNPAID) expect(rowsOf(keeping, table)).toEqual(rowsOf(revoking, table))
  const byPoints = new Set(
    Object.entries(definition.leaderboards ?? {}).flatMap(([key, { rankBy }]) => (rankBy === 'points' ? [key] : [])),
  )
  const boards = (tables: TableDump): unknown =>
    rowsOf(tables, 'leaderboard_entries').filter(({ leaderboard }) => !byPoints.has(String(leaderboard)))
  expect(boards(keeping)).toEqual(boards(revoking))

  const completions = (tables: TableDump): ReadonlyMap<string, { readonly at: unknown; readonly count: unknown }> =>
    new Map(
      rowsOf(tables, 'completions').map(({ user_id, achievement, at, count }) => {
        return [`${user_id} ${achievement}`, { at, count }]
      }),
    )
  const there = completions(revoking)
  // Of an achievement that repeats, the first completion alone is kept (decisions, 15.8).
  const had = completions(before)
  const kept = new Map([...had].filter(([key]) => !there.has(key)).map(([key, { at }]) => [key, { at, count: 1 }]))
  expect(completions(keeping)).toEqual(new Map([...there, ...kept]))

  // A completion that is kept keeps the zone it was made in, too.
  const plain = (tables: TableDump): unknown =>
    rowsOf(tables, 'users').map(({ leaderboards: _, activity, ...row }) => {
      const { dates = [], completedIn = {} } = activity === null ? {} : JSON.parse(String(activity))
      const isOther = ([achievement]: [string, unknown]): boolean => !kept.has(`${row.user_id} ${achievement}`)
      return { ...row, dates, completedIn: Object.fromEntries(Object.entries(completedIn).filter(isOther)) }
    })
  expect(plain(keeping)).toEqual(plain(revoking))

  // Where nothing is clipped, what each completion paid is paid as before.
  for (const [system, { maxPoints, triggers = [] }] of Object.entries(definition.points ?? {})) {
    if (maxPoints !== undefined || triggers.some(({ points }) => points < 0)) continue
    const sums = (tables: TableDump): ReadonlyMap<string, number> => sumByTrigger(tables, system)
    const paying = triggersOfAchievements(definition, system)
    for (const [id, sum] of sums(keeping)) {
      const [user = '', trigger = ''] = id.split(' ')
      const achievement = paying.get(trigger)
      const key = `${user} ${achievement}`
      const once = Number(sums(before).get(id)) / Number(had.get(key)?.count)
      expect([id, sum]).toEqual([id, kept.has(key) ? once : sums(revoking).get(id)])
    }
    for (const { user_id, total } of rowsOf(keeping, 'points').filter((row) => row.system === system)) {
      const own = [...sums(keeping)].filter(([id]) => id.startsWith(`${user_id} `))
      expect(total).toBe(own.reduce((sum, [, awarded]) => sum + awarded, 0))
    }
  }
  return kept.size
}

function sumByTrigger(tables: TableDump, system: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const row of rowsOf(tables, 'awards').filter((award) => award.system === system)) {
    const id = `${row.user_id} ${row.trigger_id}`
    sums.set(id, (sums.get(id) ?? 0) + Number(row.awarded))
  }
  return sums
}

/** Ids of the triggers of a system that pay for an achievement, with its key. */
function triggersOfAchievements(definition: GameDefinition, system: string): ReadonlyMap<string, string> {
  const triggers = defineGame(definition).rules.points.get(system)?.triggers ?? []
  return new Map(triggers.flatMap((item) => (item.type === 'achievement' ? [[item.id, item.achievement]] : [])))
}
