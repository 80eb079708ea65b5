import { GamificationError } from '../errors.ts'
import type { Instant } from '../rules/calendar.ts'
import type { Reader, Statement } from '../storage/statements.ts'
import type { Eventually } from '../storage/steps.ts'
import type { Storage, StoredGame } from '../storage/storage.ts'
import { type None, statement } from './database.ts'
import type { GamesTable } from './tables.ts'

/** How often a process at work is noted at most. */
export const SEEN_EVERY_MS = 20_000

/** The time that all processes share. */
export interface SharedTime {
  /** The time of this process. */
  readonly now: Instant
  /** False if a database with a clock of its own uses that instead of `now`. True if the host gave the clock. */
  readonly isHostClock: boolean
}

export const ALL_GAMES: Statement<None, StoredGame> = statement(
  `select epoch, fingerprint, definition, policy, cause, created_at as "createdAt" from laurels.games order by epoch`,
)

/** `epoch` is null without any game. */
export const NEWEST_EPOCH: Statement<None, { readonly epoch: number | null }> = statement(
  'select max(epoch) as epoch from laurels.games',
)

const EPOCH = 'cast(:epoch as bigint)'

/** Inserts nothing, and returns no row, unless the epoch is the next one. */
const INSERT = statement<Omit<GamesTable, 'seen_at'>, Pick<GamesTable, 'epoch'>>(
  `insert into laurels.games (epoch, fingerprint, definition, policy, cause, created_at, seen_at)
    select ${EPOCH}, :fingerprint, :definition, :policy, :cause, cast(:created_at as bigint), cast(:created_at as bigint)
      where ${EPOCH} = coalesce((select max(epoch) from laurels.games), 0) + 1
      on conflict do nothing returning epoch`,
)

const toTimes = ({ now, isHostClock }: SharedTime) => ({ now, host_now: isHostClock ? now : null })

/** Also mends a time in the future, of a process whose clock was ahead. */
const SEE = statement<{ readonly fingerprint: string; readonly time: SharedTime }, Pick<GamesTable, 'epoch'>>(
  ({ sharedNow }) => `update laurels.games set seen_at = ${sharedNow}
    where epoch = (select max(epoch) from laurels.games) and fingerprint = :fingerprint
      and not seen_at between ${sharedNow} - ${SEEN_EVERY_MS} + 1 and ${sharedNow}
    returning epoch`,
  ({ fingerprint, time }) => ({ fingerprint, ...toTimes(time) }),
)

const SILENCE = statement<SharedTime, { readonly ms: number }>(
  ({ sharedNow }) => `select ${sharedNow} - seen_at as ms from laurels.games order by epoch desc limit 1`,
  toTimes,
)

/** Every stored game, in order of epoch. */
export function loadGames(storage: Pick<Storage, 'all'>): Promise<readonly StoredGame[]>
export function loadGames(reader: Pick<Reader, 'all'>): Eventually<readonly StoredGame[]>
export function loadGames({ all }: Pick<Reader, 'all'>): Eventually<readonly StoredGame[]> {
  return all(ALL_GAMES, {})
}

/** Notes that a process with this game is at work. Writes at most every `SEEN_EVERY_MS`, and for the newest game only. */
export async function seeGame(storage: Storage, fingerprint: string, time: SharedTime): Promise<void> {
  await storage.change(SEE, { fingerprint, time })
}

/** Milliseconds since a process with the newest game was last seen, or since the game was stored; 0 without a game. */
export async function loadGameSilence(storage: Storage, time: SharedTime): Promise<number> {
  return Math.max(0, (await storage.all(SILENCE, time))[0]?.ms ?? 0)
}

/**
 * Stores a game as the next epoch. Under concurrent calls with the same `epoch` exactly one caller gets `true`; the
 * others get `false` and read the games again. Rejects with `internal` if the epoch leaves a gap.
 */
export async function addGame(storage: Storage, { createdAt, ...columns }: StoredGame): Promise<boolean> {
  const added = await storage.change(INSERT, { ...columns, created_at: createdAt })
  if (added.length > 0) return true
  const [newest] = await storage.all(NEWEST_EPOCH, {})
  const epoch = newest?.epoch ?? 0
  if (columns.epoch <= epoch + 1) return false
  throw new GamificationError('internal', `Epoch ${columns.epoch} does not follow epoch ${epoch}.`)
}
