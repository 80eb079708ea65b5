import { withoutMessages } from '../../../game/wanted-messages.ts'
import { approvedEvent, type Entry, holdEvent, isHeld } from '../../../rules/entry.ts'
import type { StoredGame } from '../../../storage.ts'
import type { UserKey } from '../../../storage-rows.ts'
import { toLogEntry } from '../../answers/log-entry.ts'
import { toInstantText } from '../../answers/user.ts'
import type { ExportedGame, ExportLine } from '../../answers/wire/export-lines.ts'
import { withLine } from '../../damage.ts'
import { type ReadChunk, readInTurns } from '../../replay/read-log.ts'
import type { Context } from '../../types.ts'

const CHUNK = 1_000

/** One line of JSON Lines, with its end. */
export function toLine(line: ExportLine): string {
  return `${JSON.stringify(line)}\n`
}

export function toGameLine({ epoch, policy, fingerprint, createdAt, definition }: StoredGame): ExportedGame {
  const parsed: unknown = JSON.parse(withoutMessages(definition))
  return { laurels: 'game', epoch, policy, fingerprint, createdAt: toInstantText(createdAt), definition: parsed }
}

/** Chunks of a user's log as it was when it had so many lines: what comes meanwhile is left out. */
export async function* exportedLines(
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
  const seen = await lookAtAll(context, key)
  if (seen === null) return
  const { tenant, user: id } = key
  yield { laurels: 'user', version: 1, tenant, id, entries: seen.lines }
  if (games) for (const game of await storage.games()) if (isNeeded(game, seen.epochs)) yield toGameLine(game)
  let entries = 0
  for await (const chunk of exportedLines(context, key, seen.lines)) {
    for (const entry of chunk) {
      entries += 1
      yield { laurels: 'entry', entry: toLogEntry(withoutLaterVerdict(entry, seen)) }
    }
  }
  yield { laurels: 'end', of: 'user', id, entries, complete: entries === seen.lines }
}

/** What the first reading of a whole log says, before its lines are exported. */
interface SeenLog {
  readonly lines: number
  /** Epochs that its lines name. */
  readonly epochs: Set<number>
  /** Ids of its voids, … */
  readonly voids: Set<string>
  /** … and of the events that it holds back. */
  readonly held: Set<string>
}

const MOST_LOOKS = 10

/**
 * Reads a whole log; again where somebody wrote to it, for its lines may then have later voids. null: there is no user.
 */
async function lookAtAll(context: Context, key: UserKey): Promise<SeenLog | null> {
  for (let looks = 1; ; looks += 1) {
    const { state } = await context.storage.readUser(key)
    if (state === null) return null
    const seen: SeenLog = { lines: state.seq, epochs: new Set(), voids: new Set(), held: new Set() }
    for await (const chunk of exportedLines(context, key, state.seq)) {
      for (const entry of chunk) {
        // A line that cannot be exported is found before the first line of the user is.
        withLine(entry, () => toLogEntry(entry))
        seen.epochs.add(entry.epoch)
        if (entry.kind === 'eventVoided') seen.voids.add(entry.id)
        if (isHeld(entry)) seen.held.add(entry.id)
      }
    }
    const after = await context.storage.readUser(key)
    if (after.state?.seq === state.seq || looks === MOST_LOOKS) return seen
  }
}

/** A game that replaced the games before it is needed by all of their entries. */
function isNeeded({ epoch, policy }: StoredGame, epochs: ReadonlySet<number>): boolean {
  return epochs.has(epoch) || policy === 'recompute'
}

/** The line as it was then: a void that came later is not among the lines, and neither is an approval. */
function withoutLaterVerdict(entry: Entry, { voids, held }: SeenLog): Entry {
  if (entry.kind !== 'eventRecorded') return entry
  if (held.has(entry.id)) return holdEvent(entry)
  return entry.voidedBy === undefined || voids.has(entry.voidedBy) ? entry : approvedEvent(entry)
}
