import { createHash } from 'node:crypto'
import { emptyState, type UserState } from '../../rules/state.ts'
import { parseStateText, type Snapshot, stateText } from '../../storage/rows.ts'

/** After every `every` lines of a log a snapshot is kept. Only tests change it: their logs are short. */
export const snapshotLines: { every: number } = { every: 1_000 }

export type FoldedSnapshot = Omit<Snapshot, 'state'> & { readonly state: UserState }

/** Raised with every change of what a `UserState` has or means: snapshots of before are then passed over. */
const FORMAT = 2

export function isKept(lines: number): boolean {
  return lines % snapshotLines.every === 0
}

export function toSnapshot({ lines, at, seq, baseline, state }: FoldedSnapshot): Snapshot {
  const text = stateText(state)
  const place = { lines, at, seq, baseline }
  return { ...place, state: `${checkOf(place, text)} ${text}` }
}

/** Opens a snapshot for a fold under this baseline. null: there is none, or the fold cannot begin with it. */
export function openSnapshot(stored: Snapshot | null, baseline: number): FoldedSnapshot | null {
  if (stored?.baseline !== baseline) return null
  const { lines, at, seq, state } = stored
  const end = state.indexOf(' ')
  const text = state.slice(end + 1)
  const place = { lines, at, seq, baseline }
  // It is of another version of the library, or another program has changed it.
  if (end === -1 || checkOf(place, text) !== state.slice(0, end)) return null
  return { ...place, state: { ...emptyState(at, baseline), ...(parseStateText(text) as UserState) } }
}

/** The check sum covers the place too: a state behind the wrong line would be as wrong as another state. */
function checkOf({ lines, at, seq, baseline }: Omit<Snapshot, 'state'>, text: string): string {
  const all = [FORMAT, lines, at, seq, baseline, text].join(' ')
  return createHash('sha256').update(all).digest('hex').slice(0, 16)
}
