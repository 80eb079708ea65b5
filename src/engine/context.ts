import type { Instant } from '../rules/calendar.ts'
import type { Storage } from '../storage.ts'
import type { KeyUses } from './calls/keys/authenticate.ts'
import type { GameBook } from './games.ts'
import type { Logger } from './logger.ts'
import type { Emitter } from './record/emitter.ts'
import type { Recorder } from './record/recorder.ts'
import type { Door } from './record/submit.ts'

/** What every use-case is given. */
export interface Context {
  readonly storage: Storage
  /** When the call has to be answered, by `performance.now()`; infinite for what consists of many calls. */
  readonly deadline: number
  /** The one source of time. */
  readonly now: () => Instant
  /** A new id, for an entry at about this instant. */
  readonly newId: (now: Instant) => string
  readonly logger: Logger
  readonly games: GameBook
  readonly emitter: Emitter
  readonly recorder: Recorder
  /** The door of calls that join no transaction. */
  readonly live: Door
  readonly keyUses: KeyUses
}
