import type { DefinedGame, Gamification, ImportItem, Storage } from '../../src/index.ts'
import { type BenchEvent, events } from './game.ts'
import type { Build } from './guard-build.ts'
import { type MakeGame, METRICS, plain, withAchievements, withBoards, withChallenges } from './guard-games.ts'

/** The environment of a case. */
export interface Place {
  readonly build: Build
  readonly storage: Storage
  /** How much is in the database before: 1, or less for a smoke test. */
  readonly share: number
}

export interface OpenCase {
  /** Makes the calls of one burst. Rejects if a call fails. */
  burst(): Promise<void>
  close(): Promise<void>
}

export interface Case {
  readonly name: string
  readonly database: 'SQLite' | 'Postgres'
  /** Calls of one burst, all at once. */
  readonly calls: number
  /** Bursts of one turn. */
  readonly bursts: number
  open(place: Place): Promise<OpenCase>
}

type Engine = Gamification<DefinedGame>
type Record = (event: BenchEvent) => Promise<unknown>
/** A path of `/v1` and the body of a POST. Resolves to the text of the answer. */
type Request = (path: string, body?: object) => Promise<string>

const START = Date.parse('2026-03-02T00:00:00Z')
const TEN_MINUTES = 600_000
const DAY = 86_400_000
const USERS = 1_000
/** The log of one user: two weeks. */
const ENTRIES = 2_000

function* manyUsers(users: number): Generator<ImportItem> {
  for (let index = 0; index < users; index += 1) {
    yield { metric: 'words', user: { id: `user-${index}` }, value: 1 + (index % 97), occurredAt: new Date(START - DAY) }
  }
}

function* longLog(entries: number): Generator<ImportItem> {
  for (let index = 0; index < entries; index += 1) {
    const occurredAt = new Date(START - (entries - index) * TEN_MINUTES)
    yield { metric: METRICS[index % 2] ?? '', user: { id: 'user-0' }, value: 1 + (index % 5), occurredAt }
  }
}

/** An engine with users in it. `clock` answers the same in every build, however often a build asks. */
async function openEngine(
  { build, storage }: Place,
  game: MakeGame,
  items: Iterable<ImportItem>,
  clock: () => Date,
): Promise<Engine> {
  const engine = build.main.createGamification({ game: game(build), storage, clock })
  await engine.migrate()
  await engine.import(items)
  return engine
}

/** Requests with an admin key, without a socket. */
async function openRequests({ applicationApi }: Build, engine: Engine): Promise<Request> {
  const handle = applicationApi(engine)
  const { key } = await engine.adminKeys.create()
  const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' }
  return async (path, body) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await handle(new Request(`http://localhost/v1${path}`, { headers, ...sent }))
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return text
  }
}

const inProcess = (_: Build, engine: Engine): Record => {
  return ({ user, metric, value }) => engine.metrics.event(metric, { user: { id: user }, value })
}

async function overHttp(build: Build, engine: Engine): Promise<Record> {
  const request = await openRequests(build, engine)
  return ({ user, metric, value }) => request(`/metrics/${metric}/event`, { user: { id: user }, value })
}

interface EventOptions extends Partial<Pick<Case, 'database' | 'calls' | 'bursts'>> {
  readonly game?: MakeGame
  /** Default: the metric of each event. */
  readonly metric?: string
  readonly open?: (build: Build, engine: Engine) => Record | Promise<Record>
}

/** Events of many users, each a second after the one before. */
function eventCase(name: string, options: EventOptions = {}): Case {
  const { database = 'SQLite', calls = 1, bursts = 400, game = plain, metric, open = inProcess } = options
  return {
    ...{ name, database, calls, bursts },
    open: async (place) => {
      const users = Math.ceil(USERS * place.share)
      let now = START
      const engine = await openEngine(place, game, manyUsers(users), () => new Date(now))
      const record = await open(place.build, engine)
      const source = events(users, 1)
      const call = (): Promise<unknown> => {
        now += 1_000
        const event: BenchEvent = source.next().value
        return record(metric === undefined ? event : { ...event, metric })
      }
      return {
        burst: async () => void (await Promise.all(Array.from({ length: calls }, call))),
        close: () => engine.close(),
      }
    },
  }
}

/** Calls about the one user with a long log. */
function logCase(
  name: string,
  bursts: number,
  open: (engine: Engine, build: Build) => Promise<(index: number) => Promise<unknown>>,
): Case {
  return {
    ...{ name, database: 'SQLite', calls: 1, bursts },
    open: async (place) => {
      const entries = Math.ceil(ENTRIES * place.share)
      const engine = await openEngine(place, withBoards(1), longLog(entries), () => new Date(START))
      const call = await open(engine, place.build)
      let calls = 0
      const burst = async (): Promise<void> => {
        calls += 1
        await call(calls)
      }
      return { burst, close: () => engine.close() }
    },
  }
}

const DAYS = { aggregation: 'daily', startDate: '2026-02-18', endDate: '2026-03-01' } as const

/** Calls that users make often, or that cost much. */
export const CASES: { readonly [key: string]: Case } = {
  'event-1': eventCase('an event, 1 caller'),
  'event-32': eventCase('an event, 32 callers', { calls: 32, bursts: 30 }),
  'event-256': eventCase('an event, 256 callers', { calls: 256, bursts: 8 }),
  'board-1': eventCase('an event on 1 leaderboard', { game: withBoards(1), metric: 'words' }),
  'boards-10': eventCase('an event on 10 leaderboards', { game: withBoards(10), metric: 'words', bursts: 100 }),
  'challenges-10': eventCase('an event that moves 2 of 10 challenges', { game: withChallenges(10), metric: 'words' }),
  'achievements-200': eventCase('an event on 200 achievements', { game: withAchievements(200), metric: 'words' }),
  late: logCase('a late event', 5, async (engine) => (index) => {
    const occurredAt = new Date(START - DAY + index * 1_000)
    return engine.metrics.event('words', { user: { id: 'user-0' }, value: 1, occurredAt })
  }),
  place: logCase('a place with its history, HTTP', 5, async (engine, build) => {
    const request = await openRequests(build, engine)
    return () => request('/users/user-0/leaderboards/number-1')
  }),
  summary: logCase(
    'an event summary',
    10,
    async ({ users }) =>
      () =>
        users.metricEventSummary('user-0', 'words', DAYS),
  ),
  explain: logCase(
    'explain of a completed achievement',
    5,
    async (engine) => () => engine.explain('user-0', { achievement: 'words-1000' }),
  ),
  'explain-open': logCase(
    'explain of an achievement that is not completed',
    5,
    async (engine) => () => engine.explain('user-0', { achievement: 'notes-10' }),
  ),
  http: eventCase('an event, HTTP', { open: overHttp }),
  'postgres-1': eventCase('an event, 1 caller', { database: 'Postgres', bursts: 30 }),
  'postgres-32': eventCase('an event, 32 callers', { database: 'Postgres', calls: 32, bursts: 15 }),
  'postgres-256': eventCase('an event, 256 callers', { database: 'Postgres', calls: 256, bursts: 4 }),
}
