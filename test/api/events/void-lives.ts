import { isDeepStrictEqual } from 'node:util'
import type Database from 'better-sqlite3'
import type { DefinedGame, GameDefinition, Gamification } from '../../../src/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { type Entry, isHeld } from '../../../src/rules/entry.ts'
import type { PeriodSums } from '../../../src/rules/state.ts'
import { parseStateText, stateText } from '../../../src/storage/rows.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { type Action, type Life, perform, USERS } from '../../record/random-lives.ts'
import { dump } from '../../support/dump.ts'

// A life with an event that is voided, and the same life without that event.

/** A metric that no rule looks at: an event of it carries a profile at an earlier instant, and is nothing else. */
const IDLE = 'idle'

type Engine = Gamification<DefinedGame>

export interface Played {
  readonly engine: Engine
  readonly storage: Storage
  at(now: number): void
  /** What the action with this number says is said; its entry has the id `idOf(number)`. */
  play(number: number, action: Action): Promise<void>
  /** Anything else; what it writes is of the number. */
  as<T>(number: number, work: () => Promise<T>): Promise<T>
}

/** The number of the action that an entry came from. */
export function numberOf({ id }: Pick<Entry, 'id'>): number {
  return Number.parseInt(id.slice(24, 32), 16)
}

function toId(number: number, made: number): string {
  return `00000000-0000-7000-8000-${hex(number, 8)}${hex(made, 4)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** The clock of these lives never goes back, and nothing is told before it happens. */
export function inOrder({ definition, actions }: Life): Life {
  let newest = 0
  const forward = actions.map(({ user, now, said }) => {
    newest = Math.max(newest, now)
    const isEarly = said.call === 'event' && said.back !== undefined && said.back < 0
    return { user, now: newest, said: isEarly ? { ...said, back: 0 } : said }
  })
  return { definition: withIdle(definition), actions: forward as readonly Action[] }
}

function withIdle(definition: GameDefinition): GameDefinition {
  return { ...definition, metrics: { ...definition.metrics, [IDLE]: { name: 'Idle' } } } as GameDefinition
}

export async function open(definition: GameDefinition, storage: Storage): Promise<Played> {
  let now = 0
  let number = 0
  let made = 0
  const engine = createGamification<DefinedGame>({
    game: defineGame(definition) as DefinedGame,
    storage,
    clock: () => new Date(now),
    ids: () => {
      made += 1
      return toId(number, made - 1)
    },
  })
  await engine.migrate()
  const at = (instant: number): void => {
    now = instant
  }
  async function as<T>(next: number, work: () => Promise<T>): Promise<T> {
    number = next
    made = 0
    return work()
  }
  return {
    engine,
    storage,
    at,
    as,
    play: async (next, action) => {
      at(action.now)
      await as(next, () => perform(engine as never, action))
    },
  }
}

/** Every user's log. */
export async function logsOf(storage: Storage): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const logs = new Map<string, readonly Entry[]>()
  for (const key of await storage.listUsers()) logs.set(key.user, await storage.readLog(key))
  return logs
}

/** Entries as they are to be in both lives: what is kept, or voids, or is in place of another is left out. */
export function comparableLog(log: readonly Entry[], without: number): readonly string[] {
  return log
    .filter((entry) => entry.kind !== 'completionKept' && entry.kind !== 'eventVoided' && numberOf(entry) !== without)
    .map((entry) => `${entry.id} ${entry.at} ${isHeld(entry) ? 'held' : entry.kind}`)
}

export function hasKept(logs: ReadonlyMap<string, readonly Entry[]>): boolean {
  return [...logs.values()].some((log) => log.some(({ kind }) => kind === 'completionKept'))
}

export type TableDump = ReadonlyMap<string, readonly string[]>

/** Every derived table; the instant of a user's newest entry, counters of 0 and the idle metric left out. */
export function derivedTables(database: Database.Database): TableDump {
  const tables = new Map<string, readonly string[]>()
  for (const [table, rows] of dump(database)) {
    tables.set(
      table,
      rows.map((row) => JSON.parse(row) as [string, unknown][]).flatMap((row) => comparableRow(table, row)),
    )
  }
  return tables
}

function comparableRow(table: string, row: [string, unknown][]): string[] {
  const columns = new Map(row)
  if (table === 'laurels_users') {
    columns.delete('at')
    columns.set('streak_open_periods', withoutIdle(String(columns.get('streak_open_periods') ?? '[]')))
    columns.set('streaks', withOpenPeriods(columns.get('streaks'), withoutIdle))
  }
  if (table === 'laurels_totals' && columns.get('metric') === IDLE) return []
  if (table === 'laurels_counters' && columns.get('count') === 0) return []
  return [JSON.stringify([...columns])]
}

/**
 * The named streaks of a user's row, with their open periods as they are to be compared; null where nothing else was
 * ever known of any of them, since such a user has none stored before the first event.
 */
function withOpenPeriods(streaks: unknown, compared: (openPeriods: string) => unknown): unknown {
  if (typeof streaks !== 'string') return streaks
  const named = [...(parseStateText(streaks) as ReadonlyMap<string, NamedInRow>)]
  const entries = named.flatMap(([key, { streak, freezes }]) => {
    const open = compared(stateText(streak.open))
    const isUntouched = freezes === null && open === null && isDeepStrictEqual({ ...streak, open: null }, UNTOUCHED)
    return isUntouched ? [] : [[key, { freezes, streak: { ...streak, open } }]]
  })
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries))
}

interface NamedInRow {
  readonly freezes: unknown
  readonly streak: { readonly open: unknown }
}

const UNTOUCHED = {
  length: 0,
  last: null,
  kept: null,
  started: null,
  firstAt: null,
  extendedAt: null,
  longest: 0,
  open: null,
  lost: null,
}

function withoutIdle(openPeriods: string): unknown {
  return (parseStateText(openPeriods) as readonly PeriodSums[])
    .map(({ sums, ...period }) => ({ ...period, sums: [...sums].filter(([metric]) => metric !== IDLE) }))
    .filter(({ sums }) => sums.length > 0)
}

/** A row as an object. */
export function rowsOf(tables: TableDump, table: string): readonly { readonly [column: string]: unknown }[] {
  return (tables.get(`laurels_${table}`) ?? []).map((row) => Object.fromEntries(JSON.parse(row) as [string, unknown][]))
}

/** All that is said about everybody, by every read. */
export async function answersOf({ engine }: Pick<Played, 'engine'>, definition: GameDefinition, now: number) {
  const points = Object.keys(definition.points ?? {})
  const boards = Object.keys(definition.leaderboards ?? {})
  const day = (away: number): string => new Date(now + away * 86_400_000).toISOString().slice(0, 10)
  const range = { aggregation: 'daily', startDate: day(-60), endDate: day(1) } as const
  const users: { [id: string]: unknown } = {}
  for (const id of USERS) {
    const user = await engine.users.get(id).catch(() => null)
    if (user === null) continue
    users[id] = {
      user,
      metrics: (await engine.users.allMetrics(id)).filter(({ key }) => key !== IDLE),
      summary: await engine.users.metricEventSummary(id, 'reads', range),
      achievements: await engine.users.achievements(id, { includeIncomplete: true }),
      streak: await engine.users.streak(id, { historyPeriods: 40 }),
      preferences: await engine.users.getPreferences(id),
      points: await all(points, (key) => engine.users.points(id, key, { awards: 100 })),
      boards: await all(boards, (key) => engine.users.leaderboard(id, key).catch(({ code }: { code: string }) => code)),
    }
  }
  return {
    users,
    achievements: await engine.achievements.all(),
    streaks: await engine.streaks.list(USERS),
    points: await all(points, async (key) => [
      // Without levels it is refused.
      await engine.points.levelSummary(key).catch(({ code }: { code: string }) => code),
      await engine.points.summary(key),
    ]),
    boards: await all(boards, (key) => engine.leaderboards.get(key).catch(({ code }: { code: string }) => code)),
  }
}

async function all<T>(keys: readonly string[], ask: (key: string) => Promise<T>): Promise<{ [key: string]: T }> {
  const answers: { [key: string]: T } = {}
  for (const key of keys) answers[key] = await ask(key)
  return answers
}
