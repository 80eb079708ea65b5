export type NodeKind = 'source' | 'metric' | 'streak' | 'achievement' | 'points' | 'trigger' | 'level' | 'leaderboard'

/** A part of the game, as it is drawn and as it is told. */
export interface GameNode {
  /** Its kind, a colon, and its key. */
  readonly id: string
  readonly kind: NodeKind
  readonly name: string
  /** Short, beside the name. */
  readonly note: string
  /** What it does, in a sentence; empty: its name says it. */
  readonly sentence: string
  /** Segments of the address of its page; null: it has none. */
  readonly page: readonly string[] | null
  /** Ids of what leads to it. */
  readonly from: readonly string[]
  /** The points system that it is drawn within; null: it stands by itself. */
  readonly within: string | null
}
