import { isWholeNumbers } from '../answers/whole-numbers.ts'
import { GamificationError } from '../errors.ts'
import { type DefinedGame, requireDefined } from '../game/define-game.ts'
import { uuidv7 } from '../game/ids.ts'
import { isStoredGame } from '../game/stored-game.ts'
import { checkOptions, describeGiven, hasMethods, invalidOption } from '../options.ts'
import { createEmitter } from '../record/emitter.ts'
import { createRecorder } from '../record/recorder.ts'
import { queuedMode } from '../record/write-modes.ts'
import type { Context, Logger, WrappedSettings } from '../runtime/context.ts'
import { createDatabaseClock } from '../runtime/database-clock.ts'
import { NEVER } from '../runtime/deadline.ts'
import { createGameRegistry } from '../runtime/game-registry.ts'
import { guardStorage } from '../runtime/guard-storage.ts'
import { readClock, readId, toLogger } from '../runtime/host-options.ts'
import { createMessageSignal } from '../runtime/message-signal.ts'
import { createYearCache } from '../runtime/year-cache.ts'
import type { Storage } from '../storage/storage.ts'
import { createKeyUses, createValidKeys } from './keys/api-key.ts'

export interface ContextOptions {
  readonly game: DefinedGame
  readonly storage: Storage
  readonly clock?: () => Date
  readonly ids?: () => string
  readonly logger?: Logger
  readonly wrapped?: Partial<WrappedSettings>
}

const MOST_EVENTS = 1_000_000

export function createContext(options: ContextOptions): Context {
  checkGamificationOptions(options)
  const { game, clock, ids } = options
  const messageSignal = createMessageSignal()
  // One call here reports a wrong clock at once.
  if (clock !== undefined) readClock(clock, 'invalid_request')
  const now = (): number => (clock === undefined ? Date.now() : readClock(clock, 'internal'))
  const newId: Context['newId'] = ids === undefined ? uuidv7 : () => readId(ids)
  const logger = toLogger(options.logger)
  const databaseClock = createDatabaseClock(options.storage, now, clock === undefined, logger)
  const storage = guardStorage(options.storage, databaseClock)
  const own = { fingerprint: game.fingerprint, definition: JSON.stringify(game.definition) }
  const isHostClock = clock !== undefined
  const games = createGameRegistry(storage, {
    game: own,
    rules: game.rules,
    isFollower: isStoredGame(game),
    now,
    isHostClock,
    logger,
  })
  const recorder = createRecorder({ storage, games, newId, messageSignal })
  const keyUses = createKeyUses(storage, logger)
  return {
    storage,
    deadline: NEVER,
    by: null,
    isClient: false,
    confirm: null,
    now,
    newId,
    logger,
    games,
    recorder,
    queued: queuedMode({ recorder, games }),
    keyUses,
    validKeys: createValidKeys(),
    wrapped: { mostEvents: options.wrapped?.mostEvents ?? MOST_EVENTS },
    yearSums: createYearCache(now),
    emitter: createEmitter(logger),
    databaseClock,
    messageSignal,
  }
}

/** Refuses what `createGamification` cannot work with, at once and not with the first call. */
export function checkGamificationOptions(options: unknown): void {
  const names = ['game', 'storage', 'clock', 'ids', 'logger', 'wrapped', 'webhooks']
  checkOptions('options of createGamification', options, names)
  const { game, storage, clock, ids, logger, wrapped, webhooks } = options as { readonly [name: string]: unknown }
  if (wrapped !== undefined) checkWrapped(wrapped)
  if (webhooks !== undefined) checkWebhooks(webhooks)
  requireDefined(game, 'The option game of createGamification')
  checkStorage(storage)
  if (clock !== undefined && typeof clock !== 'function') {
    throw invalidOption('clock', 'a function that returns the Date of now, as () => new Date()', clock)
  }
  if (ids !== undefined && typeof ids !== 'function') {
    throw invalidOption('ids', 'a function that returns a new UUID, as () => crypto.randomUUID()', ids)
  }
  if (logger !== undefined && !hasMethods(logger, ['warn', 'error'])) {
    throw invalidOption('logger', 'an object with warn and error, as pino() or console', logger)
  }
}

function checkWrapped(wrapped: unknown): void {
  checkOptions('option wrapped of createGamification', wrapped, ['mostEvents'])
  const { mostEvents } = wrapped as { readonly mostEvents?: unknown }
  if (mostEvents === undefined || (Number.isInteger(mostEvents) && Number(mostEvents) >= 0)) return
  throw invalidOption('wrapped.mostEvents', 'a whole number of events from 0 on, as 1_000_000', mostEvents)
}

const SHORTEST_KEY = 32

function checkWebhooks(webhooks: unknown): void {
  checkOptions('option webhooks of createGamification', webhooks, ['secretKey', 'allowInternal', 'wholeNumbers'])
  const { secretKey, allowInternal, wholeNumbers } = webhooks as { readonly [name: string]: unknown }
  if (secretKey !== undefined && (typeof secretKey !== 'string' || secretKey.length < SHORTEST_KEY)) {
    // The message does not repeat the given value: it is a secret.
    const given = typeof secretKey === 'string' ? `one of ${secretKey.length}` : describeGiven(secretKey)
    const message = `must be a text of ${SHORTEST_KEY} characters or more, as openssl rand -base64 32 prints it, not ${given}`
    const issues = [{ path: 'webhooks.secretKey', message }]
    throw new GamificationError('invalid_request', `Invalid webhooks.secretKey: ${message}.`, { issues })
  }
  if (allowInternal !== undefined && typeof allowInternal !== 'boolean') {
    throw invalidOption('webhooks.allowInternal', 'true or false', allowInternal)
  }
  if (wholeNumbers === undefined || isWholeNumbers(wholeNumbers)) return
  throw invalidOption('webhooks.wholeNumbers', "'round' or 'floor'", wholeNumbers)
}

function checkStorage(storage: unknown): void {
  if (hasMethods(storage, ['migrate', 'read', 'commit', 'close'])) return
  const message = `The option storage of createGamification was given ${describeGiven(storage)}: ${storageFor(storage)}.`
  throw new GamificationError('storage_unusable', message)
}

function storageFor(given: unknown): string {
  if (typeof given === 'string') {
    return "give it sqlite('app.db') from laurels/sqlite, or postgres('postgres://…') from laurels/postgres"
  }
  if (typeof given === 'function') return 'call it, as memory()'
  if (hasMethods(given, ['prepare', 'pragma'])) return 'give it sqlite(database) from laurels/sqlite'
  if (hasMethods(given, ['connect']) || hasMethods(given, ['connection'])) {
    return 'give it postgres(pool) from laurels/postgres'
  }
  return "give it memory() from laurels/memory, sqlite('app.db') from laurels/sqlite, or postgres(url) from laurels/postgres"
}
