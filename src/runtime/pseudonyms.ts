import { createHmac, randomBytes } from 'node:crypto'
import type { Game, Leaderboard } from '../rules/game.ts'
import { isMasked } from '../rules/visibility.ts'
import { loadDocument, putDocument } from '../sql/outbox.ts'
import type { LeaderboardLine, Storage } from '../storage/storage.ts'
import { untilWritten } from './documents.ts'

const DOCUMENT = { kind: 'secret', name: 'pseudonyms' }
const KEY_BYTES = 32
/** 132 bits. */
const LENGTH = 22

/** The random key of this database, which the first anonymous place makes. */
function readKey(storage: Storage): Promise<string> {
  return untilWritten('the key of anonymous places', async () => {
    const stored = await loadDocument(storage, DOCUMENT.kind, DOCUMENT.name)
    if (stored !== null) return stored.text
    const text = randomBytes(KEY_BYTES).toString('hex')
    const isWritten = await storage.transaction((tx) => putDocument(tx, { ...DOCUMENT, version: 0, text }))
    return isWritten ? text : undefined
  })
}

/**
 * Makes the ids of anonymous users in one run of a leaderboard. Without the key, the ids of two runs or two leaderboards
 * cannot be linked.
 */
async function readPseudonyms(
  storage: Storage,
  place: { readonly tenant: string; readonly leaderboard: string; readonly run: string },
): Promise<(user: string) => string> {
  const key = await readKey(storage)
  const { tenant, leaderboard, run } = place
  return (user) => {
    const text = JSON.stringify([tenant, leaderboard, run, user])
    return createHmac('sha256', key).update(text).digest('base64url').slice(0, LENGTH)
  }
}

/** A place on a leaderboard as the database has it. */
interface Line extends Pick<LeaderboardLine, 'name' | 'choice'> {
  readonly user: string
}

export interface MaskedPlace {
  readonly tenant: string
  readonly game: Game
  /** `null` for a list of all users that is no leaderboard of the game. */
  readonly board: Leaderboard | null
  /** Names the leaderboard and its run. */
  readonly leaderboard: string
  readonly run: string
}

/**
 * Replaces the users that others may not see. `readOwn` returns the users who see their own places with id and name.
 * `reveal` marks these places, and replaces nothing.
 */
export async function maskLines<Own extends Line>(
  storage: Storage,
  { game, board, ...place }: MaskedPlace,
  lines: readonly Own[],
  readOwn: 'reveal' | (() => Promise<readonly string[]>) = async () => [],
): Promise<readonly (Own & { readonly isAnonymous?: true })[]> {
  const isHiddenLine = ({ choice }: Own): boolean => isMasked(game, choice, board)
  if (!lines.some(isHiddenLine)) return lines
  if (readOwn === 'reveal') return lines.map((line) => (isHiddenLine(line) ? { ...line, isAnonymous: true } : line))
  const own = await readOwn()
  const toPseudonym = await readPseudonyms(storage, place)
  return lines.map((line) => {
    if (!isHiddenLine(line) || own.includes(line.user)) return line
    return { ...line, user: toPseudonym(line.user), name: null, isAnonymous: true }
  })
}
