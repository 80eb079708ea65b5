import type { StoredGame } from '../storage/storage.ts'

/** Milliseconds without a call in any process with the game in force, after which an earlier game may return. */
const SILENCE_MS = 60_000
const MOST_SILENCE_MS = 3_600_000

/** A process, as its game and the epoch that was in force when it first read the stored games (0: none). */
export interface GameProcess {
  readonly fingerprint: string
  readonly firstEpoch: number
}

/** The actions of a process about its own game. */
export type GameStanding =
  | { readonly type: 'inForce' }
  /** It was never stored: the process puts it in force. */
  | { readonly type: 'new' }
  /** A rollback: the process puts its earlier game in force again. */
  | { readonly type: 'returning' }
  /** It can return if the game in force stays silent for this many more milliseconds. */
  | { readonly type: 'waiting'; readonly forMs: number }
  /** The process is older than the last deploy, and never changes the game in force. */
  | { readonly type: 'outdated' }

/**
 * Judges the own game of a process. `silentMs`: how long ago a process with the game in force was last seen.
 *
 * An earlier game returns if the process started after the last deploy, and the game in force is silent for 60 seconds.
 * Each return that the process has seen doubles this time, up to an hour. So two games whose processes are idle in turns
 * do not alternate, and the only game that still has processes always comes into force in the end.
 */
export function judgeGame(
  games: readonly Pick<StoredGame, 'epoch' | 'fingerprint' | 'cause'>[],
  { fingerprint, firstEpoch }: GameProcess,
  silentMs: number,
): GameStanding {
  if (games.at(-1)?.fingerprint === fingerprint) return { type: 'inForce' }
  if (!games.some((game) => game.fingerprint === fingerprint)) return { type: 'new' }
  const deployed = games.findLast(({ cause }) => cause === 'start' || cause === 'apply')
  const isOlder = deployed !== undefined && deployed.epoch > firstEpoch
  if (isOlder && deployed.fingerprint !== fingerprint) return { type: 'outdated' }
  const returns = games.filter(({ epoch, cause }) => cause === 'return' && epoch > firstEpoch).length
  const forMs = Math.min(SILENCE_MS * 2 ** returns, MOST_SILENCE_MS) - silentMs
  return forMs <= 0 ? { type: 'returning' } : { type: 'waiting', forMs }
}

const COMMAND = 'npx laurels apply --policy forward --game <file>'

/** The message of a process whose game is not in force, or null if its game is. */
export function otherGameText({ type }: GameStanding, epoch: number): string | null {
  if (type !== 'waiting' && type !== 'outdated') return null
  const when = type === 'waiting' ? ' It returns if the processes of that deploy end.' : ''
  return `The rules of another deploy (epoch ${epoch}) are in force, not the game of this process.${when} To put it in force now: ${COMMAND}`
}

/** The message of a process that puts its game in force. `before` is the previous epoch. */
export function toChangeText(before: number, isReturning: boolean): string {
  if (!isReturning) return 'The game differs from the stored one: the new rules count from now on.'
  const why = `no process with the game of epoch ${before} was seen lately`
  return `The game of this process was in force before, and is again from now on: ${why}.`
}
