import { type Entry, isHeld } from '../../../rules/entry.ts'
import type { StoredGame } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { toLogEntry } from '../../answers/log-entry.ts'
import { toInstantText } from '../../answers/user.ts'
import type { ExportedGame, ExportLine } from '../../answers/wire/export-lines.ts'
import { type ReadChunk, readInTurns } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'

const CHUNK = 1_000

/** One line of JSON Lines, with its end. */
export function toLine(line: ExportLine): string {
  return `${JSON.stringify(line)}\n`
}

export function toGameLine({ epoch, policy, fingerprint, createdAt, definition }: StoredGame): ExportedGame {
  const parsed: unknown = JSON.parse(definition)
  return { laurels: 'game', epoch, policy, fingerprint, createdAt: toInstantText(createdAt), definition: parsed }
}

/** Chunks of a user's log as it was when it had so many lines: what comes meanwhile is left out. */
export async function* linesOf(
  { storage }: Pick<Context, 'storage'>,
  key: UserKey,
  lines: number,
): AsyncGenerator<readonly Entry[]> {
  const read: ReadChunk = readInTurns(storage, key, lines)
  let chunk = await read({ limit: CHUNK })
  for (let last = chunk.at(-1); last !== undefined; last = chunk.at(-1)) {
    yield chunk.filter(({ seq }) => seq <= lines)
    chunk = await read({ limit: CHUNK, after: { at: last.at, seq: last.seq } })
  }
}

/** The lines of one user, the first and the last of them included; nothing of a user who is not there. */
export async function* userLines(context: Context, key: UserKey, games: boolean): AsyncGenerator<ExportLine> {
  const { storage } = context
  const { state } = await storage.readUser(key)
  if (state === null) return
  const { tenant, user: id } = key
  yield { laurels: 'user', version: 1, tenant, id, entries: state.seq }
  // A void that came later is not among them, so its event counts; and which games are named is known after a look at all.
  const voids = new Set<string>()
  const epochs = new Set<number>()
  for await (const chunk of linesOf(context, key, state.seq)) {
    for (const entry of chunk) {
      epochs.add(entry.epoch)
      if (entry.kind === 'eventVoided') voids.add(entry.id)
    }
  }
  if (games) for (const game of await storage.games()) if (isNeeded(game, epochs)) yield toGameLine(game)
  let entries = 0
  for await (const chunk of linesOf(context, key, state.seq)) {
    for (const entry of chunk) {
      entries += 1
      yield { laurels: 'entry', entry: toLogEntry(withoutLaterVoid(entry, voids)) }
    }
  }
  yield { laurels: 'end', of: 'user', id, entries, complete: entries === state.seq }
}

/** One that replaced the games before it is needed by all of their entries. */
function isNeeded({ epoch, policy }: StoredGame, epochs: ReadonlySet<number>): boolean {
  return epochs.has(epoch) || policy === 'recompute'
}

function withoutLaterVoid(entry: Entry, voids: ReadonlySet<string>): Entry {
  if (entry.kind !== 'eventRecorded' || entry.voidedBy === undefined) return entry
  if (isHeld(entry) || voids.has(entry.voidedBy)) return entry
  const { voidedBy, ...counts } = entry
  return counts
}
