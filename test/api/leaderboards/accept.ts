import { fold } from '../../model/fold.ts'
import type { Game } from '../../model/game.ts'
import type { Entry } from '../../model/state.ts'
import type { Call } from '../../model/types.ts'
import type { Scores } from './scores.ts'

// Which calls become entries of a user.

export interface User {
  readonly entries: readonly Entry[]
  readonly usedKeys: ReadonlySet<string>
  readonly scores: Scores
}

/** An event by its idempotency key, or `null` if nothing was sent with it. */
export function usedKey(call: Call): string | null {
  return 'idempotencyKey' in call && call.call !== 'complete' ? `${call.metric} ${call.idempotencyKey}` : null
}

/**
 * True for a replay, and for a completion of a completed achievement without fields of the user: such calls are not
 * recorded.
 */
export function isKnown(call: Call, { usedKeys, scores }: User): boolean {
  const key = usedKey(call)
  if (key !== null && usedKeys.has(key)) return true
  if (call.call !== 'complete' || !scores.state.completions.has(call.achievement)) return false
  const { attributes, ...rest } = call.profile ?? {}
  return Object.keys({ ...rest, ...attributes }).length === 0
}

export function newestOf(user: User | undefined): number {
  return Math.max(...(user?.entries ?? []).map(({ instant }) => instant))
}

export function isLate(call: Call, user: User | undefined): boolean {
  return call.call === 'event' && call.occurredAt !== undefined && call.occurredAt < newestOf(user)
}

/** The entries after one more call, or `null` if it is refused. */
export function accept(game: Game, user: User | undefined, call: Call): readonly Entry[] | null {
  if (call.call === 'update' && user === undefined) return null
  const instant = (call.call === 'event' ? call.occurredAt : undefined) ?? Math.max(call.now, newestOf(user))
  const entry: Entry = { instant, arrival: user?.entries.length ?? 0, epoch: 0, act: call }
  const entries = [...(user?.entries ?? []), entry]
  let folded = fold([game], entries, entry)
  if (folded === null) return null
  // A completion once made stays: those that a late event takes away are made again when they were made before.
  for (;;) {
    const made = folded.state.completions
    const lost = [...(user?.scores.state.completions ?? [])].filter(([achievement]) => !made.has(achievement))
    if (lost.length === 0) return entries
    for (const [achievement, [instant = 0]] of lost) {
      const act = { call: 'keep' as const, achievement, count: 1 }
      entries.push({ instant, arrival: entries.length, epoch: 0, act })
    }
    folded = fold([game], entries, null)
    if (folded === null) throw new Error('what was accepted cannot be refused')
  }
}
