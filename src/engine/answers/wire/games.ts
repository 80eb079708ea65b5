import type { Count, InstantText } from './formats.ts'
/** A game that is stored. */
export interface StoredGameSummary {
  /** 1, 2, 3 … */
  readonly epoch: Count
  /** SHA-256 of the canonical definition, in hex. */
  readonly fingerprint: string
  /** How it was put in force. */
  readonly policy: 'forward' | 'grant' | 'recompute'
  /** ISO 8601. */
  readonly createdAt: InstantText
  /** As `defineGame` takes it. */
  readonly definition: { readonly [name: string]: unknown }
}

/** Each rule in one plain sentence, by key. */
export interface GameSentences {
  readonly achievements: { readonly [key: string]: string }
  /** By points system, then by id of the trigger. */
  readonly points: { readonly [system: string]: { readonly [trigger: string]: string } }
  /** What a limit of events allows, by metric. Only metrics with limits. */
  readonly metrics: { readonly [key: string]: string }
  /** The cap and the most points, by points system. Only systems with one of them. */
  readonly systems: { readonly [key: string]: string }
  /** By points system, then by id of the boost. */
  readonly boosts: { readonly [system: string]: { readonly [boost: string]: string } }
  /** The game's `streak` is there as `streak`, before the named ones. */
  readonly streaks: { readonly [key: string]: string }
  readonly leaderboards: { readonly [key: string]: string }
}

/** The newest stored game. */
export interface CurrentGameResponse extends StoredGameSummary {
  /** Whether it is the game of the process that answers. */
  readonly isNewest: boolean
  /** Each rule in one sentence, by key. */
  readonly sentences: GameSentences
}

/** Stored games, the newest first. */
export interface GamesResponse {
  /** The newest first. Epochs that changed only boosts or wanted messages are left out. */
  readonly games: readonly StoredGameSummary[]
  /** To be sent as `before` for older ones; null: there are none. */
  readonly before: Count | null
}
