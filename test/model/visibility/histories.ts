import { createRandom, DAY, HOUR } from '../../support/zones.ts'
import type { Action, Board, Call, Choice, Game } from './model.ts'

/** No other text of an answer has a point after `u`, so that an id is found wherever it is. */
export const USERS = ['u.ann', 'u.bob', 'u.cid', 'u.dan', 'u.eve', 'u.fay'] as const
export const CITIES = ['', 'London', 'Paris'] as const
export const STARTS: number = Date.parse('2026-03-02T00:00:00Z')

const CHOICES: readonly Choice[] = ['shown', 'anonymous', 'hidden']

export interface History {
  readonly game: Game
  readonly calls: readonly Call[]
}

const BOARDS: Readonly<Record<string, Board>> = {
  always: { days: null },
  weekly: { days: 7, isShared: true },
  daily: { days: 1 },
  asked: { days: 7, consent: true },
  cities: { days: null, byCity: true },
  citiesByWeek: { days: 7, byCity: true, smallestGroup: 2 },
  small: { days: null, smallestGroup: 3 },
  few: { days: null, maxParticipants: 2 },
  finished: { days: null, ends: STARTS + 5 * DAY },
  streaks: { days: null, byStreak: true, isShared: true },
  streaksOfCities: { days: null, byStreak: true, byCity: true, consent: true },
  finishedStreaks: { days: null, byStreak: true, ends: STARTS + 5 * DAY },
}

export function historyOf(seed: number, length: number): History {
  const random = createRandom(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

  function actionOf(user: string): Action {
    const roll = random()
    if (roll < 0.4) return { type: 'add', value: one([1, 1, 2, 3]) }
    if (roll < 0.48) return { type: 'add', value: one([1, 2]), late: one([HOUR, 20 * HOUR, 2 * DAY, 8 * DAY]) }
    if (roll < 0.55) return { type: 'live', city: one(CITIES.slice(1)) }
    if (roll < 0.74) return { type: 'choose', choice: one([...CHOICES, null]) }
    if (roll < 0.83) return { type: 'turn', gamification: one(['on', 'off'] as const) }
    if (roll < 0.92) return { type: 'suspend', suspended: random() < 0.5 }
    if (roll < 0.96) return { type: 'merge', into: one(USERS.filter((id) => id !== user)) }
    return { type: 'delete', keeps: random() < 0.6 }
  }

  const game: Game = { usual: one(['shown', ...CHOICES]), starts: STARTS, boards: BOARDS }
  let at = STARTS + 9 * HOUR
  const calls = Array.from({ length }, (_, index): Call => {
    at += one([0, 0, 1_000, HOUR, HOUR, 5 * HOUR, 14 * HOUR, DAY])
    const user = one(USERS)
    const action: Action = index < USERS.length ? { type: 'add', value: one([1, 2, 3]) } : actionOf(user)
    return { at, user: index < USERS.length ? (USERS[index] as string) : user, action: sinceStart(action, at) }
  })
  return { game, calls }
}

/** An event from before the leaderboards is one that is not late. */
function sinceStart(action: Action, at: number): Action {
  const isEarlier = action.type === 'add' && action.late !== undefined && at - action.late < STARTS
  return isEarlier ? { type: 'add', value: action.value } : action
}
