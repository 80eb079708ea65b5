import { createHash } from 'node:crypto'
import { emptyState, type UserState } from '../../rules/state.ts'
import type { Snapshot } from '../../storage/rows.ts'

/** After every `every` lines of a log a snapshot is kept. Only tests change it: their logs are short. */
export const snapshotLines: { every: number } = { every: 1_000 }

export type FoldedSnapshot = Omit<Snapshot, 'state'> & { readonly state: UserState }

/** Raised with every change of what a `UserState` has or means: snapshots of before are then passed over. */
const FORMAT = 2

/** True if a snapshot is kept after so many lines. */
export function isKept(lines: number): boolean {
  return lines % snapshotLines.every === 0
}

export function toSnapshot({ lines, at, seq, baseline, state }: FoldedSnapshot): Snapshot {
  const text = stateText(state)
  const place = { lines, at, seq, baseline }
  return { ...place, state: `${checkOf(place, text)} ${text}` }
}

/**
 * Opens a stored snapshot (null: there is none) for a fold in which the game of the epoch `baseline` stands in place of
 * all before. null: the fold cannot begin with it.
 */
export function openSnapshot(stored: Snapshot | null, baseline: number): FoldedSnapshot | null {
  if (stored?.baseline !== baseline) return null
  const { lines, at, seq, state } = stored
  const end = state.indexOf(' ')
  const text = state.slice(end + 1)
  const place = { lines, at, seq, baseline }
  // It is of another version of the library, or another program has changed it.
  if (end === -1 || checkOf(place, text) !== state.slice(0, end)) return null
  return { ...place, state: { ...emptyState(at, baseline), ...JSON.parse(text, revive) } }
}

/** Equal for equal states, however their maps and members are ordered. */
export function stateText(state: UserState): string {
  return JSON.stringify(state, replace)
}

/** The check sum covers the place too: a state behind the wrong line would be as wrong as another state. */
function checkOf({ lines, at, seq, baseline }: Omit<Snapshot, 'state'>, text: string): string {
  const all = [FORMAT, lines, at, seq, baseline, text].join(' ')
  return createHash('sha256').update(all).digest('hex').slice(0, 16)
}

/**
 * Marks a map in the text. No member of a state has this name, and keys that come from a game or a user are keys of
 * maps.
 */
const MAP = '$'

/** A map whose order is part of what a user said (`PersonalStreak`). */
const IN_ORDER = 'metrics'

function replace(name: string, value: unknown): unknown {
  if (value instanceof Map) return { [MAP]: name === IN_ORDER ? [...value] : [...value].sort(byName) }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(byName))
}

function revive(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, MAP)) return value
  return new Map((value as { readonly [MAP]: readonly (readonly [string, unknown])[] })[MAP])
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0
}
