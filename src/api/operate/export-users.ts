import { toInstantText } from '../../answers/users.ts'
import { GamificationError } from '../../errors.ts'
import { parseStored, withEpoch, withoutMessages } from '../../game/stored-game.ts'
import { noUser, requireUser } from '../../record/accept/accept-command.ts'
import { forEachEntry, readInTurns } from '../../record/replay/read-log.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { damageOf, MISSING_ROW, missingLines, unknownEpoch, withLine } from '../../runtime/damaged-users.ts'
import { parse } from '../../runtime/input.ts'
import { wrapErrors } from '../../runtime/tracing.ts'
import type { ExportedGame, ExportLine, ExportPage } from '../../shapes/operate.ts'
import type { DamagedUser, LogEntry } from '../../shapes/users.ts'
import { loadGames } from '../../sql/games.ts'
import { loadLog } from '../../sql/log.ts'
import { loadUser } from '../../sql/read-user.ts'
import type { UserKey } from '../../storage/rows.ts'
import { runSteps } from '../../storage/steps.ts'
import type { Storage, StoredGame, StoredUser } from '../../storage/storage.ts'
import { readCursor, toCursor } from '../cursors.ts'
import { toLogEntry } from '../events/read-events.ts'
import { followMerges } from '../users/read-user.ts'
import { parseUserId } from '../users/requests.ts'
import { exportOptions, type ParsedExportPageRequest } from './requests.ts'
import { ownersOf, usersFrom } from './walk-users.ts'

function toJsonLine(line: ExportLine): string {
  return `${JSON.stringify(line)}\n`
}

function toGameLine({ epoch, policy, cause, fingerprint, createdAt, definition }: StoredGame): ExportedGame {
  const parsed = withEpoch(epoch, () => parseStored(withoutMessages(definition)))
  return { laurels: 'game', epoch, policy, cause, fingerprint, createdAt: toInstantText(createdAt), definition: parsed }
}

function linesOf({ tenant, user: id }: UserKey, log: readonly LogEntry[], games: readonly StoredGame[]): ExportLine[] {
  const entries = log.length
  return [
    { laurels: 'user', version: 1, tenant, id, entries },
    ...games.map(toGameLine),
    ...log.map((entry): ExportLine => ({ laurels: 'entry', entry })),
    { laurels: 'end', of: 'user', id, entries, complete: true },
  ]
}

const MOST_TRIES = 20

interface ReadUser {
  readonly log: readonly LogEntry[]
  /** With the games that were put in force while it was read. */
  readonly games: readonly StoredGame[]
}

/**
 * Reads a whole log, without what came later. `known`: the games that were read before. Returns `null` if there is no user.
 * Throws `user_damaged` if a line cannot be read, if lines or the user's own row are missing, or if a line names a game
 * that is not stored.
 */
async function readWholeLog(
  { storage }: Context,
  key: UserKey,
  known: readonly StoredGame[],
): Promise<ReadUser | null> {
  let before: StoredUser | null = null
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const storedUser = await loadUser(storage, key)
    const log = storedUser.state === null ? [] : await readEntries(storage, key, storedUser.state.seq)
    const games = unknownIn(log, known) === undefined ? known : await loadGames(storage)
    const damage = await damageIn(storage, key, storedUser, log, games)
    if (damage === null) return storedUser.state === null ? null : { log, games }
    // The user may have been deleted, created or merged in the meantime; a second read tells.
    if (before?.version === storedUser.version) throw new GamificationError('user_damaged', damage)
    before = storedUser
  }
  const message = `The user ${JSON.stringify(key.user)} changed all the time while it was exported: try again.`
  throw new GamificationError('unavailable', message)
}

async function readEntries(storage: Storage, key: UserKey, lines: number): Promise<readonly LogEntry[]> {
  const read: LogEntry[] = []
  await runSteps(
    forEachEntry(readInTurns(storage, key, lines), (entry) => read.push(withLine(entry, () => toLogEntry(entry))) > 0),
  )
  const ids = new Set(read.map(({ id }) => id))
  return read.map(({ voidedBy, ...entry }) => {
    return voidedBy === undefined || !ids.has(voidedBy) ? entry : { ...entry, voidedBy }
  })
}

/** The first entry of a game that is not among these. */
function unknownIn(log: readonly LogEntry[], games: readonly StoredGame[]): LogEntry | undefined {
  const epochs = new Set(games.map(({ epoch }) => epoch))
  return log.find(({ epoch }) => !epochs.has(epoch))
}

/** Describes the damage of a user as read, or `null` if there is none. */
async function damageIn(
  storage: Storage,
  key: UserKey,
  { state }: StoredUser,
  log: readonly LogEntry[],
  games: readonly StoredGame[],
): Promise<string | null> {
  if (state === null) return (await loadLog(storage, key, { limit: 1 })).length === 0 ? null : MISSING_ROW
  if (log.length !== state.seq) return missingLines(log.length, state.seq)
  const unknown = unknownIn(log, games)
  return unknown === undefined ? null : `${unknownEpoch(unknown)} Restore it from a backup.`
}

export function exportUser(call: Call, id: unknown): AsyncGenerator<string> {
  return linesOfUser(call, parseUserId(id))
}

async function* linesOfUser(call: Call, user: string): AsyncGenerator<string> {
  const { key } = await followMerges(call, { tenant: call.tenant, user })
  const read = await readWholeLog(call, key, await loadGames(call.storage))
  if (read === null) throw noUser(key.user)
  const { log, games } = read
  const epochs = new Set(log.map(({ epoch }) => epoch))
  // A game that replaced the games before it is needed by all of their entries.
  const needed = games.filter((game) => epochs.has(game.epoch) || game.policy === 'recompute')
  for (const line of linesOf(key, log, needed)) yield toJsonLine(line)
}

/**
 * Exports every game and every user, of one tenant or, if `tenant` is null, of all. Throws at once if the options are
 * invalid.
 */
export function exportAll(context: Context, tenant: string | null, options: unknown): AsyncGenerator<string> {
  return linesOfAll(context, tenant, parse(exportOptions, options, 'options'))
}

async function* linesOfAll(
  context: Context,
  tenant: string | null,
  { onProgress, signal }: ReturnType<(typeof exportOptions)['parse']>,
): AsyncGenerator<string> {
  yield toJsonLine({ laurels: 'export', version: 1, tenant })
  let games: readonly StoredGame[] = []
  let users = 0
  const damaged: DamagedUser[] = []
  const withGames = function* (read: readonly StoredGame[]): Generator<string> {
    for (const game of read.slice(games.length)) yield toJsonLine(toGameLine(game))
    games = read
  }
  yield* withGames(await loadGames(context.storage))
  for await (const key of usersFrom(ownersOf, context.storage, tenant)) {
    signal?.throwIfAborted()
    const read = await wrapErrors('internal', () => readWholeLog(context, key, games)).catch((error: unknown) => {
      damaged.push(damageOf(key, error))
      return null
    })
    if (read !== null) {
      users += 1
      // Games that were put in force during the export.
      yield* withGames(read.games)
      for (const line of linesOf(key, read.log, [])) yield toJsonLine(line)
    }
    onProgress?.({ users, last: key.user })
  }
  yield toJsonLine({ laurels: 'end', of: 'export', users })
  if (damaged.length > 0) throw withoutDamaged(damaged)
}

const MOST_NAMED = 20

function withoutDamaged(damaged: readonly DamagedUser[]): GamificationError {
  const named = damaged.slice(0, MOST_NAMED).map(({ user, message }) => `The user ${JSON.stringify(user)}: ${message}`)
  const more = damaged.length > MOST_NAMED ? [`There are ${damaged.length - MOST_NAMED} more.`] : []
  const users = damaged.length === 1 ? '1 damaged user' : `${damaged.length} damaged users`
  const message = [`The export is complete but for ${users}.`, ...named, ...more].join(' ')
  return new GamificationError('user_damaged', message)
}

/**
 * The lines of `exportUser`, in pages. The first page has the header and every stored game, and the last page has the
 * end. No state is kept between pages. If the user's past changed in the meantime, the end says that the export is not
 * complete.
 */
export async function exportPage(
  call: Call,
  id: string,
  { after, limit }: ParsedExportPageRequest,
): Promise<ExportPage> {
  const { storage, tenant } = call
  const cursor = after === undefined ? null : readCursor(after, 'after')
  const { key, state } = await followMerges(call, { tenant, user: id })
  const { user } = key
  const { seq } = requireUser(state, user)
  const lines: ExportLine[] = []
  if (cursor === null) {
    lines.push({ laurels: 'user', version: 1, tenant, id: user, entries: seq })
    lines.push(...(await loadGames(storage)).map(toGameLine))
  }
  const chunk = await loadLog(storage, key, { limit, ...(cursor === null ? {} : { after: cursor.place }) })
  lines.push(...chunk.map((entry): ExportLine => ({ laurels: 'entry', entry: toLogEntry(entry) })))
  const entries = (cursor?.others[0] ?? 0) + chunk.length
  const last = chunk.at(-1)
  if (last !== undefined) return { lines, after: toCursor(last, entries) }
  lines.push({ laurels: 'end', of: 'user', id: user, entries, complete: entries === seq })
  return { lines, after: null }
}
