import { adopt } from './adopt.ts'
import { type Instant, openDate } from './calendar.ts'
import { evolve } from './evolve.ts'
import type { Game, GameFrom } from './game.ts'
import { zoneOf } from './profile.ts'
import type { UserState } from './state.ts'

/** All that decides when notices are due, and what they are, but for what a user was given: equal where it is the same. */
export function noticeRules({ emails, streakRules, weekStartsOn, controlRatio }: Game): string {
  const reminding = streakRules.filter(({ reminders }) => reminders.length > 0)
  if (emails === null && reminding.length === 0) return ''
  const hasWeeks = emails?.recap === 'weekly' || reminding.some(({ frequency }) => frequency === 'weekly')
  const reminders = reminding.map((rule) => [rule.key, rule.frequency, rule.reminders])
  return JSON.stringify([emails, reminders, hasWeeks ? weekStartsOn : null, controlRatio])
}

/** A time in which one game says which notices are due, and the user's state as a read under that game has it. */
export interface NoticeTime {
  /** Without this instant. */
  readonly from: Instant
  /** With it. */
  readonly until: Instant
  readonly game: Game
  readonly state: UserState
}

/**
 * The time after `from`, in order: that of the game of the user's newest entry, which is `game`, then of each newer one of
 * `all`, which are those whose notices differ from those of the game before. So
 * who does nothing is told what a newer game announces, as if it had been there, but nothing of before it. The state is
 * settled.
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
