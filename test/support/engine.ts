import { afterEach, describe, expect } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { postgres } from '../../adapters/postgres/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type GameDefinition,
  type Gamification,
  isGamificationError,
  type MetricEventRequest,
  type MetricEventResponse,
  type Storage,
} from '../../src/index.ts'
import { sharedPool, useEmptySchemas } from './postgres.ts'

/** A Tuesday, in a week from Monday 2026-03-09 to Sunday 2026-03-15. */
export const NOON = '2026-03-10T12:00:00.000Z'

export interface Engine extends Gamification<DefinedGame> {
  /** Sets the clock. */
  at(instant: string): void
  /** Another game on the same storage and clock, as after a deploy. */
  redefine(definition: GameDefinition): Promise<Engine>
}

type Open = (definition: GameDefinition) => Promise<Engine>

const nextSchema = useEmptySchemas()

/** Every storage, empty. */
export const STORAGES: readonly { readonly name: string; readonly create: () => Storage }[] = [
  { name: 'sqlite', create: memory },
  // A busy machine may need longer than the standard deadline.
  { name: 'postgres', create: () => postgres(sharedPool(), { schema: nextSchema(), deadlineMs: 60_000 }) },
]

/** A storage, or a process, for the tests of `onEachStorage`. */
interface Place {
  readonly name: string
  readonly open: Open
}

const ON_STORAGES: readonly Place[] = STORAGES.map(({ name, create }) => ({
  name,
  open: (definition) => openOn(create(), { now: NOON }, definition),
}))

let places = ON_STORAGES

/** `declare` imports files of tests. These run in the one place, not on the storages. */
export async function declareIn(place: Place, declare: () => Promise<void>): Promise<void> {
  places = [place]
  try {
    await declare()
  } finally {
    places = ON_STORAGES
  }
}

/**
 * Runs the tests once on each storage. A storage of `open` starts empty, with the clock at `NOON`, and is closed after
 * the test.
 */
export function onEachStorage(title: string, declare: (open: Open) => void): void {
  describe.each(places)(`${title}, on $name`, (place) => {
    const opened: Engine[] = []
    afterEach(async () => {
      for (const engine of opened.splice(0)) await engine.close()
    })
    declare(async (definition) => {
      const engine = await place.open(definition)
      opened.push(engine)
      return engine
    })
  })
}

export function openOn(storage: Storage, clock: { now: string }, definition: GameDefinition): Promise<Engine> {
  return withClock(clock, definition, async (next) => {
    const gamification = createGamification<DefinedGame>({
      game: defineGame(next),
      storage,
      clock: () => new Date(clock.now),
      webhooks: { secretKey: 'a key of the host, long enough for this' },
    })
    await gamification.migrate()
    return { ...gamification }
  })
}

/** `make` makes an engine of a game, with this clock, on one storage. */
export async function withClock(
  clock: { now: string },
  definition: GameDefinition,
  make: (definition: GameDefinition) => Promise<Gamification<DefinedGame>>,
): Promise<Engine> {
  return Object.assign(await make(definition), {
    at: (instant: string) => {
      clock.now = instant
    },
    redefine: (next: GameDefinition) => withClock(clock, next, make),
  })
}

/** Ann adds `value` to a metric. */
export function add(
  engine: Engine,
  metric: string,
  value: number,
  rest: Partial<MetricEventRequest> = {},
): Promise<MetricEventResponse> {
  return engine.metrics.event(metric, { user: { id: 'ann' }, value, ...rest })
}

/** The code that a call rejects with, or `accepted`. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (isGamificationError(error)) return error.code
    throw error
  }
  return 'accepted'
}

/** A value that the types forbid. */
export function untyped<T>(value: unknown): T {
  return value as T
}

const uuid = (version: number): string =>
  expect.stringMatching(new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`))

/** The id of what is configured, or follows from the log. */
export const UUID_5: string = uuid(5)
/** The id of what was recorded. */
export const UUID_7: string = uuid(7)
