import { toLevel, toSystem } from '../../api/points/answer.ts'
import type { PointsAward } from '../../api/points/types.ts'
import type { User } from '../../api/users/types.ts'
import { messageId } from '../../game/ids.ts'
import type { Instant } from '../../rules/calendar.ts'
import type { Level, PointsSystem } from '../../rules/game.ts'
import { levelFor } from '../../rules/points.ts'
import type { LeaderboardEntry } from '../../rules/state.ts'
import { add } from '../../rules/total.ts'
import type { Move } from '../../runtime/context.ts'
import type { UserKey } from '../../storage/rows.ts'
import type { MessagePayloads } from '../types.ts'
import type { Draft } from './draft.ts'

const WINDOW_MS = 15 * 60_000

/**
 * The end of the quarter of an hour of UTC that an instant lies in. Pieces of one quarter are merged into one message.
 */
function windowEnd(at: Instant): Instant {
  return (Math.floor(at / WINDOW_MS) + 1) * WINDOW_MS
}

/*
 * Messages about frequent changes are written in pieces, which wait until their quarter of an hour is over. All pieces of
 * one message share one id.
 */

/** The data of a piece. */
export interface Piece<Data> {
  /** Identifies a piece among those of its id. A late piece becomes a message with an id of its own. */
  readonly part: string
  readonly data: Data
}

/** The clock when a piece is written, and the instant that it is about. */
export interface PieceTime {
  readonly at: Instant
  readonly noticed: Instant
  readonly part: string
}

/** What a system's total has become. */
export interface ToldTotal {
  readonly previous: Level | null
  readonly level: Level | null
  readonly added: number
  readonly total: number
}

/** A system's total with the levels before and after so much was added. */
export function toToldTotal(system: PointsSystem, added: number, total: number): ToldTotal {
  return { previous: levelFor(system, add(total, -added)), level: levelFor(system, total), added, total }
}

/** The most awards of one system in one message. */
export const MOST_AWARDS = 100

export function pieceOfPoints(
  { tenant, user }: UserKey,
  system: PointsSystem,
  { previous, level, added, total }: ToldTotal,
  { at, noticed, part }: PieceTime,
  make: () => { readonly user: User; readonly awards: readonly PointsAward[] },
): Draft {
  const due = windowEnd(noticed)
  const toData = (): Piece<MessagePayloads['points.changed']> => {
    const made = make()
    const reached = previous?.key === level?.key ? {} : { level: level === null ? null : toLevel(level) }
    const points = { ...toSystem(system), total, added, awards: made.awards, ...reached }
    return { part, data: { user: made.user, points } }
  }
  return { id: messageId(tenant, user, 'points.changed', system.key, due), type: 'points.changed', at, due, toData }
}

/** The piece that says that a user has moved on a leaderboard; ranks are asked for when it is merged. */
export interface RankPiece {
  readonly user: User
  readonly leaderboard: string
  readonly run: string
  /** null: the user was not on the leaderboard. */
  readonly from: PositionPiece | null
  /** null: the user is not on the leaderboard any more. */
  readonly to: PositionPiece | null
}

export type PositionPiece = Pick<LeaderboardEntry, 'group' | 'value' | 'reachedAt' | 'until'>

/** The piece that says that one group of a run has changed. */
export interface BoardPiece {
  readonly leaderboard: string
  readonly run: string
  readonly group: string
}

/** The pieces of moves on leaderboards: one for the user, and one for the leaderboard. */
export function piecesOfMoves(
  { tenant, user }: UserKey,
  moves: readonly Move[],
  types: ReadonlySet<string>,
  { at, noticed, part }: PieceTime,
  toUser: () => User,
): readonly Draft[] {
  const due = windowEnd(noticed)
  const drafts: Draft[] = []
  for (const { leaderboard, run, from, to } of moves) {
    const isSame = from?.value === to?.value && from?.group === to?.group
    if ((from === null && to === null) || isSame) continue
    if (types.has('leaderboard.rank_changed')) {
      const type = 'leaderboard.rank_changed'
      const id = messageId(tenant, user, type, leaderboard, run, due)
      const places = { from: toPosition(from), to: toPosition(to) }
      const toData = (): Piece<RankPiece> => ({ part, data: { user: toUser(), leaderboard, run, ...places } })
      drafts.push({ id, type, at, due, toData })
    }
    if (!types.has('leaderboard.changed')) continue
    for (const group of new Set([from?.group, to?.group])) {
      if (group === undefined) continue
      const type = 'leaderboard.changed'
      const id = messageId(tenant, '', type, leaderboard, run, group, due)
      drafts.push({ id, type, at, due, toData: (): Piece<BoardPiece> => ({ part, data: { leaderboard, run, group } }) })
    }
  }
  return drafts
}

function toPosition(entry: LeaderboardEntry | null): PositionPiece | null {
  if (entry === null) return null
  const { group, value, reachedAt, until } = entry
  return { group, value, reachedAt, until }
}
