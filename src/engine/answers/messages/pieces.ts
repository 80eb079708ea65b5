import { messageId } from '../../../game/ids.ts'
import type { Instant } from '../../../rules/calendar.ts'
import type { Level, PointsSystem } from '../../../rules/game.ts'
import { levelFor } from '../../../rules/level.ts'
import type { LeaderboardEntry } from '../../../rules/state.ts'
import { add } from '../../../rules/total.ts'
import type { UserKey } from '../../../storage-rows.ts'
import type { Move } from '../../types.ts'
import { toLevel, toSystem } from '../points.ts'
import type { MessagePayloads } from '../wire/messages.ts'
import type { PointsAward } from '../wire/points.ts'
import type { User } from '../wire/user.ts'
import type { Draft } from './draft.ts'
import { windowEnd } from './window.ts'

/*
 * What changes often is written in pieces, which wait until their quarter of an hour is over. All pieces of one message have
 * one id, by which they are found.
 */

/** The data of a piece. */
export interface Piece<Data> {
  /** What tells it apart from others of its id: another one that comes too late is told under an id of its own. */
  readonly part: string
  readonly data: Data
}

/** When a piece is written, by the clock, and when what it tells happened. */
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

/** With the levels before and after so much was added. */
export function toToldTotal(system: PointsSystem, added: number, total: number): ToldTotal {
  return { previous: levelFor(system, add(total, -added)), level: levelFor(system, total), added, total }
}

/** Of one system no more awards are told at once. */
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

/** That a user has moved on a leaderboard, before anybody has asked for ranks. */
export interface RankPiece {
  readonly user: User
  readonly leaderboard: string
  readonly run: string
  /** null: it was not there. */
  readonly from: PositionPiece | null
  /** null: it is not there any more. */
  readonly to: PositionPiece | null
}

export type PositionPiece = Pick<LeaderboardEntry, 'group' | 'value' | 'reachedAt' | 'until'>

/** That one group of a run is not as it was. */
export interface BoardPiece {
  readonly leaderboard: string
  readonly run: string
  readonly group: string
}

/** What moves on leaderboards are told by: for the user, and for the leaderboard. */
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
