import { z } from 'zod'
import { mergedMessageId, messageId } from '../game/ids.ts'
import { type Instant, localDate } from '../rules/calendar.ts'
import type { Game, Games, Level, PointsSystem } from '../rules/game.ts'
import { levelFor } from '../rules/points.ts'
import { type LeaderboardEntry, type UserState, zoneOf } from '../rules/state.ts'
import type { Move } from '../runtime/command.ts'
import type { MessagePayloads } from '../shapes/messages.ts'
import type { PointsAward } from '../shapes/points.ts'
import type { User } from '../shapes/users.ts'
import type { OwnedMessage } from '../storage/outbox.ts'
import type { Award, UserKey } from '../storage/rows.ts'
import type { Draft } from './message-draft.ts'
import { isByTime, toAward, toLevel, toSystem } from './points.ts'
import { toUser } from './users.ts'

const WINDOW_MS = 15 * 60_000

/** Pieces of one quarter of an hour (UTC) are merged into one message, which is due at its end. */
function windowEnd(at: Instant): Instant {
  return (Math.floor(at / WINDOW_MS) + 1) * WINDOW_MS
}

export interface Piece<Data> {
  /** Identifies a piece within the pieces of one id. A late piece becomes a message with an id of its own. */
  readonly part: string
  readonly data: Data
}

/** The clock when a piece is written, and the instant that it is about. */
export interface PieceTime {
  readonly at: Instant
  readonly noticed: Instant
  readonly part: string
}

export interface TotalChange {
  readonly previous: Level | null
  readonly level: Level | null
  readonly added: number
  readonly total: number
}

/** A system's total, with the levels before and after `added`. Points are safe integers, so sums are exact. */
export function toTotalChange(system: PointsSystem, added: number, total: number): TotalChange {
  return { previous: levelFor(system, total - added), level: levelFor(system, total), added, total }
}

export const MOST_AWARDS = 100

export function pieceOfPoints(
  { tenant, user }: UserKey,
  system: PointsSystem,
  { previous, level, added, total }: TotalChange,
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
  /** `null` if the user was not on the leaderboard. */
  readonly from: PositionPiece | null
  /** `null` if the user is no longer on the leaderboard. */
  readonly to: PositionPiece | null
}

export type PositionPiece = Pick<LeaderboardEntry, 'group' | 'value' | 'reachedAt' | 'until'>

/** The piece that says that one group of a run has changed. */
export interface BoardPiece {
  readonly leaderboard: string
  readonly run: string
  readonly group: string
}

export interface Changed {
  readonly moves: readonly Move[]
  /** By points system: how many points more the user has. */
  readonly added: ReadonlyMap<string, number>
  readonly awards: readonly Award[]
}

/** The pieces about moves on leaderboards and about totals of points. `state`: the state after the change. */
export function draftPieces(
  { key, game, games, state }: UserUnder,
  { moves, added, awards }: Changed,
  types: ReadonlySet<string>,
  when: PieceTime,
): readonly Draft[] {
  const user = (): User => toUser(game, key, state)
  const drafts = moves.flatMap((move) => piecesOfMove(key, move, types, when, user))
  if (!types.has('points.changed')) return drafts
  const today = localDate(zoneOf(state.profile), when.at)
  for (const [systemKey, by] of added) {
    const system = game.points.get(systemKey)
    if (system === undefined) continue
    const own = awards.filter((award) => award.system === systemKey && !isByTime(games, award)).slice(-MOST_AWARDS)
    const make = () => ({ user: user(), awards: own.map((award) => toAward(games, award, today)) })
    const total = toTotalChange(system, by, state.points.get(systemKey)?.total ?? 0)
    drafts.push(pieceOfPoints(key, system, total, when, make))
  }
  return drafts
}

export interface UserUnder {
  readonly key: UserKey
  readonly game: Game
  readonly games: Games
  readonly state: UserState
}

function piecesOfMove(
  { tenant, user }: UserKey,
  { leaderboard, run, from, to }: Move,
  types: ReadonlySet<string>,
  { at, noticed, part }: PieceTime,
  toUser: () => User,
): readonly Draft[] {
  const isSame = from?.value === to?.value && from?.group === to?.group
  if ((from === null && to === null) || isSame) return []
  const due = windowEnd(noticed)
  const drafts: Draft[] = []
  if (types.has('leaderboard.rank_changed')) {
    const type = 'leaderboard.rank_changed'
    const id = messageId(tenant, user, type, leaderboard, run, due)
    const positions = { from: toPosition(from), to: toPosition(to) }
    const toData = (): Piece<RankPiece> => ({ part, data: { user: toUser(), leaderboard, run, ...positions } })
    drafts.push({ id, type, at, due, toData })
  }
  if (!types.has('leaderboard.changed')) return drafts
  for (const group of new Set([from?.group, to?.group])) {
    if (group === undefined) continue
    const type = 'leaderboard.changed'
    const id = messageId(tenant, '', type, leaderboard, run, group, due)
    drafts.push({ id, type, at, due, toData: (): Piece<BoardPiece> => ({ part, data: { leaderboard, run, group } }) })
  }
  return drafts
}

function toPosition(entry: LeaderboardEntry | null): PositionPiece | null {
  if (entry === null) return null
  const { group, value, reachedAt, until } = entry
  return { group, value, reachedAt, until }
}

/** A stored piece. `number`: the number of the first piece if it was merged before. */
interface StoredPiece {
  readonly part: string
  readonly data: object
  readonly number?: number | undefined
}

const storedPiece: z.ZodType<StoredPiece> = z.object({
  part: z.string(),
  data: z.looseObject({}),
  number: z.number().optional(),
})

export function readPiece(text: string): StoredPiece {
  return storedPiece.parse(JSON.parse(text))
}

export function toWhole(merged: OwnedMessage, data: object): OwnedMessage {
  const { part } = readPiece(merged.data)
  return { ...merged, id: mergedMessageId(merged.id, part), due: null, data: JSON.stringify(data) }
}
