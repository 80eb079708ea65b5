import type { DefinedGame, GameDefinition, Gamification } from '../../../src/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { type Action, type Life, perform, USERS } from '../../record/random-lives.ts'

// Lives whose entries have ids by the number of the action, so that two of them can be compared.

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
  return { definition, actions: forward as readonly Action[] }
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
      metrics: await engine.users.allMetrics(id),
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
