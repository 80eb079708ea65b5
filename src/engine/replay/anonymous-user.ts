import type { Instant } from '../../rules/calendar.ts'
import type { Entry } from '../../rules/entry.ts'
import type { UserSave, UserView } from '../../storage.ts'
import { chain } from '../accept/chain.ts'
import type { CurrentGame, Eventually } from '../types.ts'
import { type NewIdOf, toAnonymousEntry } from './anonymous-entry.ts'
import { insertAgain, keepCompletion, lostCompletions } from './late-entries.ts'
import { toNewUserSave } from './new-user-save.ts'
import type { ReadChunk } from './read-log.ts'
import { replay } from './replay.ts'

export interface AnonymousSource {
  readonly readLog: ReadChunk
  readonly newId: (now: Instant) => string
  readonly now: Instant
}

/**
 * The save of a user under another id: the log without what tells whose it is, folded again. Achievements stay
 * completed, also those that only users with some attribute could complete. null: an entry is of a game that is not
 * known.
 */
export function toAnonymousSave(
  { readLog, newId, now }: AnonymousSource,
  current: CurrentGame,
  view: UserView,
): Eventually<UserSave | null> {
  const ids = new Map<string, string>()
  const newIdOf: NewIdOf = (id, at) => {
    const known = ids.get(id) ?? newId(at)
    ids.set(id, known)
    return known
  }
  let lines: Entry[] = []
  const read: ReadChunk = (options) =>
    chain(readLog(options), (chunk) => {
      if (options.after === undefined) lines = []
      const own = chunk.map((entry) => toAnonymousEntry(entry, newIdOf))
      lines.push(...own)
      return own
    })

  function foldWith(kept: readonly Entry[]): Eventually<UserSave | null> {
    const inserted = kept.map((entry) => insertAgain(entry, false))
    return chain(replay(read, current, inserted, { lines: view.state?.seq ?? 0 }), (fold) => {
      if (fold === null) return null
      const lost = lostCompletions(view.state, fold)
      if (lost.length === 0) return toNewUserSave(current, lines, fold)
      const more = lost.map(([achievement, completion], index) => {
        const seq = lines.length + kept.length + index + 1
        return keepCompletion(achievement, completion, { id: newId(now), seq, recordedAt: now })
      })
      return foldWith([...kept, ...more])
    })
  }
  return foldWith([])
}
