import { adopt } from './adopt.ts'
import { type Instant, openDate } from './calendar.ts'
import { evolve } from './evolve.ts'
import type { Game, GameFrom } from './game.ts'
import { zoneOf } from './profile.ts'
import type { UserState } from './state.ts'

/**
 * The rules of a game's notices as text: equal for games with the same notices. Boosts given to one user are left out.
 */
export function noticeRules({ emails, streakRules, weekStartsOn, controlRatio }: Game): string {
  const reminding = streakRules.filter(({ reminders }) => reminders.length > 0)
  if (emails === null && reminding.length === 0) return ''
  const hasWeeks = emails?.recap === 'weekly' || reminding.some(({ frequency }) => frequency === 'weekly')
  const reminders = reminding.map((rule) => [rule.key, rule.frequency, rule.reminders])
  return JSON.stringify([emails, reminders, hasWeeks ? weekStartsOn : null, controlRatio])
}

/** A time in which one game says which notices are due, and the user's state as a read under that game has it. */
export interface NoticeTime {
  /** Excluded. */
  readonly from: Instant
  /** Included. */
  readonly until: Instant
  readonly game: Game
  readonly state: UserState
}

/**
 * The time after `from`, in order: first that of `game`, the game of the user's newest entry, then that of each newer
 * one in `all`, which are the games whose notices differ from those of the game before. So a user without new entries
 * gets the notices of a newer game from its instant on, and none of before. The state must be settled.
 */
export function* noticeTimes(
  game: Game,
  state: UserState,
  from: Instant,
  all: readonly GameFrom[],
): Generator<NoticeTime, void> {
  let begins = from
  let newest: GameFrom | null = null
  for (const each of all) {
    if (each.epoch <= state.epoch) continue
    if (each.from > begins) {
      yield { from: begins, until: each.from, ...readUnder(newest, game, state, begins) }
      begins = each.from
    }
    newest = each
  }
  yield { from: begins, until: Number.POSITIVE_INFINITY, ...readUnder(newest, game, state, begins) }
}

function readUnder(
  newer: GameFrom | null,
  game: Game,
  state: UserState,
  at: Instant,
): Pick<NoticeTime, 'game' | 'state'> {
  if (newer === null) return { game, state }
  const now = { at, today: openDate(zoneOf(state.profile), at) }
  return { game: newer.game, state: adopt(game, newer.game, state, newer.epoch, now).reduce(evolve, state) }
}
