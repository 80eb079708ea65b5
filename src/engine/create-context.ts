import type { DefinedGame } from '../game/define-game.ts'
import { uuidv7 } from '../game/ids.ts'
import type { Storage } from '../storage.ts'
import { createKeyUses } from './authenticate.ts'
import type { Context, Logger } from './context.ts'
import { NEVER } from './deadline.ts'
import { createEmitter } from './emitter.ts'
import { createGameBook } from './game-book.ts'
import { createRecorder } from './recorder.ts'

const SILENT: Logger = { warn: () => undefined, error: () => undefined }

export interface ContextOptions {
  readonly game: DefinedGame
  readonly storage: Storage
  readonly clock?: () => Date
  readonly ids?: () => string
  readonly logger?: Logger
}

/** Wires game, storage, clock and ids: what every use-case is given. */
export function createContext(options: ContextOptions): Context {
  const { game, storage, clock = () => new Date(), ids, logger = SILENT } = options
  const now = (): number => readClock(clock)
  const newId = (at: number): string => (ids === undefined ? uuidv7(at) : ids())
  const own = { fingerprint: game.fingerprint, definition: JSON.stringify(game.definition) }
  const games = createGameBook(storage, own, now, logger)
  const recorder = createRecorder(storage, games, newId)
  const keyUses = createKeyUses(storage, logger)
  const live = { record: recorder.record, current: () => games.current(), notify: (run: () => void) => run() }
  return {
    storage,
    deadline: NEVER,
    now,
    newId,
    logger,
    games,
    recorder,
    live,
    keyUses,
    emitter: createEmitter(logger),
  }
}

function readClock(clock: () => Date): number {
  const now = clock().getTime()
  if (Number.isNaN(now)) throw new RangeError('The clock answered an invalid Date')
  return now
}
