import { GamificationError, isGamificationError } from '../../errors.ts'
import { readStoredGame, storedGameText } from '../../game/stored-game.ts'
import { stockOf } from '../../record/accept/stock.ts'
import { noticesByNow } from '../../record/accept/user-messages.ts'
import { compareCursors, forEachEntry, readInTurns } from '../../record/replay/read-log.ts'
import { type OpenReplay, startReplay } from '../../record/replay/replay.ts'
import { toNewUserSave } from '../../record/replay/replay-save.ts'
import type { Entry } from '../../rules/entry.ts'
import type { Context, CurrentGame } from '../../runtime/context.ts'
import { parse } from '../../runtime/input.ts'
import { AGAIN, type Again, onNewestGame } from '../../runtime/newest-game.ts'
import { createPause } from '../../runtime/pages.ts'
import { addGame, loadGames } from '../../sql/games.ts'
import { findEntries } from '../../sql/log.ts'
import { lockAndLoadUser } from '../../sql/read-user.ts'
import { loadUserKeys } from '../../sql/user-lists.ts'
import type { UserKey } from '../../storage/rows.ts'
import { runSteps, type Steps, wait } from '../../storage/steps.ts'
import type { StoredGame, UserSave, UserTransaction } from '../../storage/storage.ts'
import type { ItemEnd } from '../events/record-events.ts'
import { type ExportedGameLine, exportLine } from './export-lines.ts'
import type { OpenImportReport } from './import-report.ts'

/** True if an item of an import is a line of an export, as text or as the parsed object. */
export function isExportLine(item: unknown): boolean {
  return typeof item === 'string' || (typeof item === 'object' && item !== null && 'laurels' in item)
}

interface OpenUser {
  readonly key: UserKey
  /** Index of its line among all. */
  readonly index: number
  readonly entries: number
  readonly lines: Entry[]
  /** The games that came before its entries. */
  readonly games: readonly ExportedGameLine[]
  /** True if it is an export of all users. */
  readonly isWhole: boolean
}

type ReadUser = OpenUser & { readonly isComplete: boolean }

/**
 * Restores users as exported: their logs unchanged, and all other rows from a replay. If `tenantOf` names no tenant,
 * each user goes to the tenant of its lines. A mistake in one user is a refusal, and the others are imported; a mistake
 * in a line itself, or in the games, is thrown.
 */
export async function importExport(
  context: Context,
  tenantOf: () => string,
  items: AsyncIterable<unknown>,
  report: OpenImportReport,
): Promise<void> {
  const tenant = tryTenant(tenantOf)
  let epochs: ReadonlyMap<number, number> = new Map()
  let matched = -1
  for await (const user of readUsers(items)) {
    // Games that were put in force during the export come between its users.
    if (user.games.length > matched) epochs = await matchGames(context, user)
    matched = user.games.length
    await report.count(user.index, storeUser(context, tenant, user, epochs))
    report.check()
  }
}

/** The users of an export, each when its last line was read. Throws if the export is cut off. */
async function* readUsers(items: AsyncIterable<unknown>): AsyncGenerator<ReadUser> {
  const games: ExportedGameLine[] = []
  let isWhole = false
  /**
   * How many users an export of several has had so far, or `null` if its end has come, or it is an export of one user.
   */
  let users: number | null = null
  let open: OpenUser | null = null
  let index = 0
  for await (const item of items) {
    const line = parse(exportLine, toObject(item, index), `line ${index + 1} of the export`)
    if (line.laurels === 'game') games.push(line)
    else if (line.laurels === 'entry') {
      if (open === null) throw new GamificationError('invalid_request', `Line ${index + 1} belongs to no user.`)
      open.lines.push(line.entry)
    } else if (line.laurels === 'end' && line.of === 'user') {
      if (open !== null) yield { ...open, isComplete: line.complete !== false }
      if (open !== null && users !== null) users += 1
      open = null
    } else if (open !== null) throw cutOff(open.key)
    else if (line.laurels === 'user') {
      const key = { tenant: line.tenant, user: line.id }
      open = { key, index, entries: line.entries, lines: [], games, isWhole }
    } else {
      const isEnd = line.laurels === 'end'
      if (users !== (isEnd ? line.users : null)) throw cutOff(null)
      users = isEnd ? null : 0
      isWhole = true
    }
    index += 1
  }
  if (open !== null || users !== null) throw cutOff(open?.key ?? null)
}

/** Returns `null` if the game has tenants, and none was named. */
function tryTenant(tenantOf: () => string): string | null {
  try {
    return tenantOf()
  } catch (error) {
    if (isGamificationError(error) && error.code === 'tenant_required') return null
    throw error
  }
}

function toObject(item: unknown, index: number): unknown {
  if (typeof item !== 'string') return item
  try {
    return JSON.parse(item)
  } catch (cause) {
    const message = `Line ${index + 1} of the export is not JSON: give import() its lines one by one.`
    throw new GamificationError('invalid_request', message, { cause })
  }
}

/** `key` is the user whose lines were cut off, or `null` between two users. */
function cutOff(key: UserKey | null): GamificationError {
  const message =
    key === null
      ? 'The export has not all of its users, for it has no line of its end, or one that says so: import all of it. What came before is imported.'
      : `The export ends, or continues with another user, within the lines of the user ${JSON.stringify(key.user)}: export again.`
  return new GamificationError('invalid_request', message)
}

/**
 * Maps each epoch of the export to the epoch that its game has here. An export of all users contains its games. They
 * are stored if they continue the stored games, so that the storage becomes like the exported one. If no user is
 * recorded yet, they are stored after all stored games.
 */
async function matchGames(
  { storage, games: book }: Context,
  { games, isWhole }: OpenUser,
): Promise<ReadonlyMap<number, number>> {
  const before = await loadGames(storage)
  const isBeginning = before.every((stored, place) => {
    const game = games[place]
    return game !== undefined && isSameGame(stored, game) && stored.policy === game.policy
  })
  const isEmpty = isWhole && !isBeginning && (await loadUserKeys(storage, { limit: 1 })).length === 0
  const offset = isEmpty ? before.length : 0
  if (isWhole && (isBeginning || isEmpty)) {
    // Subscriptions of this storage continue. Subscriptions of the exported storage are not imported with its games.
    const { messages } = readStoredGame(JSON.parse(before.at(-1)?.definition ?? 'null'))
    for (const { laurels: _, epoch, definition, ...game } of isEmpty ? games : games.slice(before.length)) {
      const text = storedGameText({ ...readStoredGame(definition), messages })
      await addGame(storage, { ...game, epoch: epoch + offset, definition: text })
    }
    await book.refresh()
  }
  const stored = await loadGames(storage)
  return new Map(games.map((game) => [game.epoch, epochOf(stored, game, game.epoch + offset)]))
}

function isSameGame(stored: StoredGame, { fingerprint, definition }: ExportedGameLine): boolean {
  const boostsOf = (given: unknown): string => JSON.stringify(readStoredGame(given).boosts)
  return stored.fingerprint === fingerprint && boostsOf(JSON.parse(stored.definition)) === boostsOf(definition)
}

/** The epoch at which a game is stored: the wanted one, or the newest of equal games. */
function epochOf(stored: readonly StoredGame[], game: ExportedGameLine, wanted: number): number {
  const same = stored.filter((each) => isSameGame(each, game))
  const found = same.find(({ epoch }) => epoch === wanted) ?? same.at(-1)
  if (found !== undefined) return found.epoch
  throw new GamificationError(
    'storage_unusable',
    `The export has users of a game (epoch ${game.epoch}) that is not stored here: apply() that game here first, or import an export of all users into an empty database.`,
  )
}

/** `replayed`: the user is here with the same log. */
async function storeUser(
  context: Context,
  tenant: string | null,
  { key, entries, lines, isComplete }: ReadUser,
  epochs: ReadonlyMap<number, number>,
): Promise<ItemEnd> {
  if (tenant === null ? key.tenant === '' : key.tenant !== tenant) {
    const who = `The user ${JSON.stringify(key.user)} is of ${nameOf(key.tenant)}`
    const here = tenant === null ? 'a tenant has to be named here' : `not of ${nameOf(tenant)}`
    throw new GamificationError('invalid_request', `${who}, ${here}: import it where it belongs.`)
  }
  if (!isComplete || lines.length !== entries || !isLog(lines)) throw cutOff(key)
  const log = lines.map((line) => {
    const epoch = epochs.get(line.epoch) ?? line.epoch
    return epoch === line.epoch ? line : { ...line, epoch }
  })
  return onNewestGame<ItemEnd>(context, key, {}, 'it was imported', async (storedUser, current) => {
    if (storedUser.state !== null) {
      if (await hasLines(context, key, storedUser.state.seq, log)) return 'replayed'
      throw new GamificationError('user_exists', `The user ${JSON.stringify(key.user)} is here with another log.`)
    }
    await requireOwn(context, key, log)
    const replayed = await replayExported(current, key, log)
    const made = toNewUserSave(current, log, replayed)
    const save = made && { ...made, ...stockOf(log, null), ...noticesByNow(current, made.after, null, context.now()) }
    if (save === null) return 'recorded'
    function* saveUnchanged(tx: UserTransaction, made: UserSave): Steps<ItemEnd | Again> {
      const locked = yield* lockAndLoadUser(tx, key)
      if (locked.version !== storedUser.version || locked.epoch !== current.epoch) return AGAIN
      return (yield* wait(tx.save(key, locked, made))) === null ? AGAIN : 'recorded'
    }
    return context.storage.transaction((tx) => saveUnchanged(tx, save))
  })
}

function nameOf(tenant: string): string {
  return tenant === '' ? 'a game without tenants' : `the tenant ${JSON.stringify(tenant)}`
}

/** True if these are the lines of one log, in its order. */
function isLog(lines: readonly Entry[]): boolean {
  const places = new Set(lines.map(({ seq }) => seq))
  const isCounted = places.size === lines.length && lines.every(({ seq }) => seq <= lines.length)
  const [first, ...others] = lines
  return (
    first !== undefined && isCounted && others.every((line, place) => compareCursors(lines[place] ?? line, line) < 0)
  )
}

const MOST_IDS = 1_000

/**
 * Two users who were merged during their export have lines in common. Throws `user_exists` if another user here has
 * some of the lines.
 */
async function requireOwn({ storage }: Context, { tenant, user }: UserKey, log: readonly Entry[]): Promise<void> {
  const pause = createPause()
  for (let first = 0; first < log.length; first += MOST_IDS) {
    await pause()
    const ids = log.slice(first, first + MOST_IDS).map(({ id }) => id)
    if ((await findEntries(storage, tenant, ids)).length === 0) continue
    const message = `Entries of the user ${JSON.stringify(user)} are here as another user's, as where two were merged while they were exported: export again, and import it into an empty database.`
    throw new GamificationError('user_exists', message)
  }
}

async function hasLines({ storage }: Context, key: UserKey, lines: number, log: readonly Entry[]): Promise<boolean> {
  const ids = new Set(log.map(({ id }) => id))
  let shared = 0
  const isKnown = await runSteps(
    forEachEntry(readInTurns(storage, key, lines), ({ id }) => {
      shared += 1
      return ids.has(id)
    }),
  )
  return isKnown && shared === log.length
}

/** Throws `invalid_request` if an entry was decided under a game that is not known. */
async function replayExported(
  { games, baselineEpoch }: CurrentGame,
  { user }: UserKey,
  log: readonly Entry[],
): Promise<OpenReplay> {
  const open = startReplay({ games, baselineEpoch }, { user })
  const pause = createPause()
  for (const line of log) {
    await pause()
    if (!games.has(line.epoch)) {
      const which = `an entry (seq ${line.seq}) of a game (epoch ${line.epoch}) that is not in the export`
      const message = `The user ${JSON.stringify(user)} has ${which}: export again, after laurels verify.`
      throw new GamificationError('invalid_request', message)
    }
    open.apply(line)
  }
  return open
}
