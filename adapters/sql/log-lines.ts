import type { Entry } from '../../src/rules/entry.ts'
import type { UserSave } from '../../src/storage.ts'

/**
 * The lines that a save changes and adds. Changes are written first: a new line may use an idempotency key that a
 * changed line gives up.
 */
export interface LogLines {
  readonly changed: readonly Entry[]
  /** New lines, with their changes already made. */
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
  // Changes of lines that are neither stored nor new stay in the list, to fail there as changes of unknown lines.
  return { changed: [...redated.filter(({ seq }) => seq <= stored), ...anew.values()], added }
}
