import type { Entry } from '../../src/rules/entry.ts'
import type { UserMerge } from '../../src/storage.ts'
import { freeze } from './freeze.ts'
import { checkSave, count, entryIdOf, idempotencyOf, idOf, type Memory, type MemoryUser, writeSave } from './write.ts'

/** False: a version or the game is another by now. */
export function mergeUsers(memory: Memory, merge: UserMerge): boolean {
  const { tenant, alias, save } = freeze(merge)
  const [fromKey, intoKey] = [merge.from, merge.into].map(({ user }) => ({ tenant, user }))
  const from = fromKey && memory.users.get(idOf(fromKey))
  const into = intoKey && memory.users.get(idOf(intoKey))
  if (fromKey === undefined || intoKey === undefined || merge.epoch !== memory.games.length) return false
  if (from?.version !== merge.from.version || into?.version !== merge.into.version) return false

  const joined = withLines(from, into, new Set(merge.unkeyed))
  const users = new Map(memory.users).set(idOf(intoKey), joined)
  users.delete(idOf(fromKey))
  const checked = { ...memory, users }
  const ids = new Set<string>()
  checkSave(checked, intoKey, save, ids)
  checkSave(checked, fromKey, alias, ids)

  memory.users.set(idOf(intoKey), joined)
  memory.users.delete(idOf(fromKey))
  for (const { id } of from.log) memory.entries.set(entryIdOf(tenant, id), joined.key)
  for (const change of merge.uncounted) count(memory, tenant, change)
  writeSave(memory, intoKey, save)
  writeSave(memory, fromKey, alias)
  // A version that the user had before would pass for that user.
  const made = memory.users.get(idOf(fromKey))
  if (made !== undefined) made.version = from.version + 1
  return true
}

/** The user that goes on, with the lines of the other behind its own. */
function withLines(from: MemoryUser, into: MemoryUser, unkeyed: ReadonlySet<string>): MemoryUser {
  const idempotency = new Map(into.idempotency)
  const moved = from.log.map((line): Entry => {
    const seq = line.seq + into.state.seq
    if (line.kind !== 'eventRecorded' || line.idempotencyKey === null) return { ...line, seq }
    if (unkeyed.has(line.id)) return { ...line, seq, idempotencyKey: null }
    idempotency.set(idempotencyOf(line.metric, line.idempotencyKey), line.id)
    return { ...line, seq }
  })
  const state = { ...into.state, seq: into.state.seq + from.log.length }
  return {
    ...into,
    state,
    idempotency,
    log: freeze([...into.log, ...moved]).toSorted((a, b) => a.at - b.at || a.seq - b.seq),
  }
}
