import type { Entry } from '../../src/rules/entry.ts'
import type { UserSave } from '../../src/storage.ts'

/** What a save does to the log. Changes come first: an idempotency key that a line gives up may be that of a new one. */
export interface LogLines {
  readonly changed: readonly Entry[]
  /** As they are to be stored. */
  readonly added: readonly Entry[]
}

export function linesOf({ before, appended, redated }: UserSave): LogLines {
  if (redated.length === 0) return { changed: redated, added: appended }
  const stored = before?.seq ?? 0
  const anew = new Map(redated.filter(({ seq }) => seq > stored).map((entry) => [entry.seq, entry]))
  const added = appended.map((entry) => {
    const changed = anew.get(entry.seq)
    anew.delete(entry.seq)
    return changed ?? entry
  })
  // A change of a line that is neither stored nor new is to fail as one of an unknown line.
  return { changed: [...redated.filter(({ seq }) => seq <= stored), ...anew.values()], added }
}
