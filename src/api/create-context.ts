import type { DefinedGame } from '../game/define-game.ts'
import { uuidv7 } from '../game/ids.ts'
import { createEmitter } from '../record/emitter.ts'
import { createRecorder } from '../record/recorder.ts'
import type { Context, Logger, Recorder, WrappedSettings } from '../runtime/context.ts'
import { createDatabaseClock } from '../runtime/database-clock.ts'
import { NEVER } from '../runtime/deadline.ts'
import { createGameRegistry } from '../runtime/game-registry.ts'
import { requireNoHandlerTransaction } from '../runtime/handler-scope.ts'
import { readClock, readId, toLogger } from '../runtime/host.ts'
import { createMessageSignal, signalling } from '../runtime/message-signal.ts'
import { traced } from '../runtime/tracing.ts'
import { wrapStorage } from '../runtime/wrap-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { checkGamificationOptions } from './check-options.ts'
import { createKeyUses } from './keys/authenticate.ts'
import { createActivityCache } from './operate/activity-cache.ts'
import { createYearCache } from './year/cache.ts'

export interface ContextOptions {
  readonly game: DefinedGame
  readonly storage: Storage
  readonly clock?: () => Date
  readonly ids?: () => string
  readonly logger?: Logger
  readonly wrapped?: Partial<WrappedSettings>
}

const MOST_EVENTS = 1_000_000

/**
 * Wires game, storage, clock and ids into the context of every use-case. Throws for options that cannot be any of
 * these.
 */
export function createContext(options: ContextOptions): Context {
  checkGamificationOptions(options)
  const { game, clock = () => new Date(), ids } = options
  const messageSignal = createMessageSignal()
  // Asked once here, so that a wrong clock is told at once.
  readClock(clock, 'invalid_request')
  const now = (): number => readClock(clock, 'internal')
  const newId = (at: number): string => (ids === undefined ? uuidv7(at) : readId(ids))
  const logger = toLogger(options.logger)
  const reached = wrapStorage(wrapStorage(options.storage, traced), signalling(messageSignal))
  const databaseClock = createDatabaseClock(reached, now, options.clock === undefined, logger)
  const storage = wrapStorage(reached, databaseClock.guard)
  const own = { fingerprint: game.fingerprint, definition: JSON.stringify(game.definition) }
  const games = createGameRegistry(storage, own, now, logger)
  const recorder = createRecorder(storage, games, newId)
  const keyUses = createKeyUses(storage, logger)
  const record: Recorder['record'] = (command) => {
    requireNoHandlerTransaction()
    return recorder.record(command)
  }
  const queued = { record, current: () => games.current(), notify: (run: () => void) => run() }
  return {
    storage,
    deadline: NEVER,
    by: null,
    isClient: false,
    now,
    newId,
    logger,
    games,
    recorder,
    queued,
    keyUses,
    wrapped: { mostEvents: options.wrapped?.mostEvents ?? MOST_EVENTS },
    yearSums: createYearCache(now),
    activity: createActivityCache(),
    emitter: createEmitter(logger),
    databaseClock,
    messageSignal,
  }
}
