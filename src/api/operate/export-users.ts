import { GamificationError } from '../../errors.ts'
import { withoutMessages } from '../../game/stored-game.ts'
import { requireUser } from '../../record/accept/accept-command.ts'
import { forEachEntry, readInTurns } from '../../record/replay/read-log.ts'
import type { Call, Context } from '../../runtime/context.ts'
import { damageOf, withLine } from '../../runtime/damage.ts'
import { wrapErrors } from '../../runtime/tracing.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { StoredGame } from '../../storage/storage.ts'
import { readCursor, toCursor } from '../cursors.ts'
import { toLogEntry } from '../events/read-events.ts'
import { parse } from '../input.ts'
import { toInstantText } from '../users/answer.ts'
import { followMerges } from '../users/read-user.ts'
import { exportOptions, exportPageRequest, parseUserId } from '../users/requests.ts'
import type { DamagedUser, LogEntry } from '../users/types.ts'
import type { ExportedGame, ExportLine, ExportPage } from './types.ts'
import { usersFrom } from './walk-users.ts'

function toJsonLine(line: ExportLine): string {
  return `${JSON.stringify(line)}\n`
}

function toGameLine({ epoch, policy, fingerprint, createdAt, definition }: StoredGame): ExportedGame {
  const parsed: unknown = JSON.parse(withoutMessages(definition))
  return { laurels: 'game', epoch, policy, fingerprint, createdAt: toInstantText(createdAt), definition: parsed }
}

interface ReadLog {
  /** How many entries it has. Fewer were read if the user was deleted meanwhile. */
  readonly lines: number
  readonly entries: readonly LogEntry[]
}

function linesOf(
  { tenant, user: id }: UserKey,
  { lines, entries }: ReadLog,
  games: readonly StoredGame[],
): ExportLine[] {
  return [
    { laurels: 'user', version: 1, tenant, id, entries: lines },
    ...games.map(toGameLine),
    ...entries.map((entry): ExportLine => ({ laurels: 'entry', entry })),
    { laurels: 'end', of: 'user', id, entries: entries.length, complete: entries.length === lines },
  ]
}

/** Reads a whole log, without what came later. Returns `null` if there is no user. */
async function readWholeLog({ storage }: Context, key: UserKey): Promise<ReadLog | null> {
  const { state } = await storage.readUser(key)
  if (state === null) return null
  const lines = state.seq
  const read: LogEntry[] = []
  await forEachEntry(
    readInTurns(storage, key, lines),
    (entry) => read.push(withLine(entry, () => toLogEntry(entry))) > 0,
  )
  const ids = new Set(read.map(({ id }) => id))
  const entries = read.map(({ voidedBy, ...entry }) => {
    return voidedBy === undefined || !ids.has(voidedBy) ? entry : { ...entry, voidedBy }
  })
  return { lines, entries }
}

export function exportUser(call: Call, id: unknown): AsyncGenerator<string> {
  return linesOfUser(call, parseUserId(id))
}

async function* linesOfUser(call: Call, user: string): AsyncGenerator<string> {
  const { key, state } = await followMerges(call, { tenant: call.tenant, user })
  requireUser(state, key.user)
  const log = await readWholeLog(call, key)
  if (log === null || log.lines !== log.entries.length) {
    const message = `The user ${JSON.stringify(key.user)} was deleted during the export: discard the lines about this user.`
    throw new GamificationError('unknown_user', message)
  }
  const epochs = new Set(log.entries.map(({ epoch }) => epoch))
  // A game that replaced the games before it is needed by all of their entries.
  const games = (await call.storage.games()).filter((game) => epochs.has(game.epoch) || game.policy === 'recompute')
  for (const line of linesOf(key, log, games)) yield toJsonLine(line)
}

/** Every game and every user, of one tenant or of all; null: of all. Throws at once for what are no options. */
export function exportAll(context: Context, tenant: string | null, options: unknown): AsyncGenerator<string> {
  return linesOfAll(context, tenant, parse(exportOptions, options, 'options'))
}

async function* linesOfAll(
  context: Context,
  tenant: string | null,
  { onProgress, signal }: ReturnType<(typeof exportOptions)['parse']>,
): AsyncGenerator<string> {
  yield toJsonLine({ laurels: 'export', version: 1, tenant })
  for (const game of await context.storage.games()) yield toJsonLine(toGameLine(game))
  let users = 0
  const damaged: DamagedUser[] = []
  for await (const key of usersFrom(context.storage, tenant)) {
    signal?.throwIfAborted()
    const log = await wrapErrors('internal', () => readWholeLog(context, key)).catch((error: unknown) => {
      damaged.push(damageOf(key, error))
      return null
    })
    if (log !== null) {
      users += 1
      for (const line of linesOf(key, log, [])) yield toJsonLine(line)
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
 * What `exportUser` gives, in pages: the first has the header and every stored game, the last the end. Nothing is kept
 * between them: where the user's past was changed meanwhile, the end says that the export is not complete.
 */
export async function exportPage(call: Call, id: unknown, request: unknown = {}): Promise<ExportPage> {
  const { storage, tenant } = call
  const named = { tenant, user: parseUserId(id) }
  const { after, limit } = parse(exportPageRequest, request, 'request')
  const cursor = after === undefined ? null : readCursor(after, 'after')
  const { key, state } = await followMerges(call, named)
  const { user } = key
  const { seq } = requireUser(state, user)
  const lines: ExportLine[] = []
  if (cursor === null) {
    lines.push({ laurels: 'user', version: 1, tenant, id: user, entries: seq })
    lines.push(...(await storage.games()).map(toGameLine))
  }
  const chunk = await storage.readLog(key, { limit, ...(cursor === null ? {} : { after: cursor.place }) })
  lines.push(...chunk.map((entry): ExportLine => ({ laurels: 'entry', entry: toLogEntry(entry) })))
  const entries = (cursor?.others[0] ?? 0) + chunk.length
  const last = chunk.at(-1)
  if (last !== undefined) return { lines, after: toCursor(last, entries) }
  lines.push({ laurels: 'end', of: 'user', id: user, entries, complete: entries === seq })
  return { lines, after: null }
}
