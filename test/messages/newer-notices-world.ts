import {
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
  type GamificationMessage,
  type MessageType,
} from '../../src/index.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { Open, Start } from '../support/places.ts'

// Games that follow one another on one storage, and what a subscription is handed meanwhile.

export const DAY = 86_400_000
/** The longest time that a due message waits. */
export const STEP = 7_200_000
const METRICS = { words: { name: 'Words' } }
const WRITER = { writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 10 } } as const
export const DAILY = { frequency: 'daily', metrics: { words: {} } } as const
export const PLAIN: GameDefinition = { metrics: METRICS, achievements: WRITER, streak: DAILY }
export const EMAILS = { recap: 'weekly', reactivation: [1, 3, 5], achievements: false } as const
export const EVENING = { key: 'evening', before: { hours: 4 } } as const

const TYPES: readonly MessageType[] = [
  'streak.lost',
  'points.changed',
  'points.boost_started',
  'points.boost_finished',
  'leaderboard.started',
  'leaderboard.finished',
  'emails.recap_due',
  'emails.reactivation_due',
  'emails.streak_reminder_due',
  'emails.achievement_due',
]

/** A Tuesday, at one in the afternoon in Berlin. */
export const NOON = '2026-03-10T12:00:00.000Z'

interface World {
  /** Lines as `ann emails.recap_due 2026-03-16T07:00`, in order. */
  readonly told: string[]
  readonly engine: Gamification<DefinedGame>
  at(instant: string): void
  /** Another process with another game, on the same storage; it registers the game at the clock's instant. */
  deploy(definition: GameDefinition, storage?: Storage): Promise<Gamification<DefinedGame>>
  /** Sweeps every two hours until an instant, or once at it. */
  sweepUntil(instant: string, engine?: Gamification<DefinedGame>, step?: number): Promise<void>
}

export async function createWorld(
  start: Start,
  open: Open,
  definition: GameDefinition,
  storage = open(),
): Promise<World> {
  let now = Date.parse(NOON)
  const told: string[] = []
  const begin = async (of: GameDefinition, on: Storage): Promise<Gamification<DefinedGame>> => {
    const engine = await start<DefinedGame>(defineGame(of), on, { clock: () => new Date(now) })
    await engine.subscribe('all', { types: TYPES }, (messages: readonly GamificationMessage[]) => {
      told.push(...messages.map(({ type, at, userId }) => `${userId} ${type} ${at.slice(0, 16)}`))
    })
    return engine
  }
  const engine = await begin(definition, storage)
  return {
    told,
    engine,
    at: (instant) => {
      now = Date.parse(instant)
    },
    deploy: (next, on = open()) => begin(next, on),
    sweepUntil: async (instant, of = engine, step = STEP) => {
      const until = Date.parse(instant)
      do {
        now = Math.min(now + step, until)
        await of.workOnce()
      } while (now < until)
    },
  }
}

export const write = (engine: Gamification<DefinedGame>, id = 'ann', value = 10) =>
  engine.metrics.event('words', { user: { id, tz: 'Europe/Berlin' }, value })
