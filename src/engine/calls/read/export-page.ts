import { parse } from '../../../requests/input.ts'
import { parseUserId } from '../../../requests/user.ts'
import { exportPageRequest } from '../../../requests/users.ts'
import { requireUser } from '../../accept/accept-command.ts'
import { toLogEntry } from '../../answers/log-entry.ts'
import type { ExportLine, ExportPage } from '../../answers/wire/export-lines.ts'
import type { Context } from '../../types.ts'
import { toGameLine } from './export-lines.ts'
import { followMerges } from './follow-merges.ts'
import { readCursor, toCursor } from './line-cursor.ts'

/**
 * What `exportUser` gives, in pages: the first has the header and every stored game, the last the end. Nothing is kept
 * between them: where the user's past was changed meanwhile, the end says that the export is not complete.
 */
export async function exportPage(
  context: Context,
  tenant: string,
  id: unknown,
  request: unknown = {},
): Promise<ExportPage> {
  const { storage } = context
  const named = { tenant, user: parseUserId(id) }
  const { after, limit } = parse(exportPageRequest, request, 'request')
  const cursor = after === undefined ? null : readCursor(after, 'after')
  const { key, state } = await followMerges(storage, named)
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
