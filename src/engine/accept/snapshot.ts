import { createHash } from 'node:crypto'
import { emptyState, type UserState } from '../../rules/state.ts'
import type { Snapshot } from '../../storage-rows.ts'
import { snapshotLines } from './snapshot-lines.ts'

/** A snapshot with its state as the rules take it. */
export type FoldedSnapshot = Omit<Snapshot, 'state'> & { readonly state: UserState }

/** Raised with every change of what a `UserState` has or means: snapshots of before are then passed over. */
const FORMAT = 1

/** Whether a snapshot is kept after so many lines. */
export function isKept(lines: number): boolean {
  return lines % snapshotLines.every === 0
}

/** Whether one may be kept after some of the lines behind the first `after`. */
export function isKeptWithin(after: number, lines: number): boolean {
  return Math.floor(lines / snapshotLines.every) > Math.floor(after / snapshotLines.every)
}

/** So many are written at once; of what is older, a fold begins anew. */
const MOST_AT_ONCE = 256

/** Those of a fold that are stored. */
export function newestSnapshots({ snapshots }: { readonly snapshots: readonly FoldedSnapshot[] }): readonly Snapshot[] {
  return snapshots.slice(-MOST_AT_ONCE).map(toSnapshot)
}

export function toSnapshot({ lines, at, seq, since, state }: FoldedSnapshot): Snapshot {
  const text = stateText(state)
  const place = { lines, at, seq, since }
  return { ...place, state: `${checkOf(place, text)} ${text}` }
}

/**
 * A stored snapshot (null: there is none) that a fold of a log begins with in which the game of the epoch `since` stands in
 * place of all before; null: there is none such.
 */
export function openSnapshot(stored: Snapshot | null, since: number): FoldedSnapshot | null {
  const snapshot = stored === null ? null : open(stored)
  return snapshot?.since === since ? snapshot : null
}

/** null: it is of another version of the library, or was changed by somebody else. */
function open({ lines, at, seq, since, state }: Snapshot): FoldedSnapshot | null {
  const end = state.indexOf(' ')
  const text = state.slice(end + 1)
  const place = { lines, at, seq, since }
  if (end === -1 || checkOf(place, text) !== state.slice(0, end)) return null
  return { ...place, state: { ...emptyState(at, since), ...JSON.parse(text, revive) } }
}

/** Equal for equal states, however their maps and members are ordered. */
export function stateText(state: UserState): string {
  return JSON.stringify(state, replace)
}

/** Of its place too: a total before the wrong line would be as wrong as another total. */
function checkOf({ lines, at, seq, since }: Omit<Snapshot, 'state'>, text: string): string {
  const all = [FORMAT, lines, at, seq, since, text].join(' ')
  return createHash('sha256').update(all).digest('hex').slice(0, 16)
}

/** Members of states have no such name, and keys that come from a game or a user are those of maps alone. */
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
