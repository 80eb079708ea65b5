import { createRandom, DAY, HOUR } from '../../support/zones.ts'
import type { Action, Board, Call, Choice, Game } from './model.ts'

export const USERS = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay'] as const
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
  small: { days: null, smallestGroup: 3 },
  few: { days: null, maxParticipants: 2 },
  finished: { days: null, ends: STARTS + 5 * DAY },
}

export function historyOf(seed: number, length: number): History {
  const random = createRandom(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

  function actionOf(user: string): Action {
    const roll = random()
    if (roll < 0.42) return { type: 'add', value: one([1, 1, 2, 3]) }
    if (roll < 0.5) return { type: 'live', city: one(CITIES.slice(1)) }
    if (roll < 0.72) return { type: 'choose', choice: one([...CHOICES, null]) }
    if (roll < 0.82) return { type: 'turn', gamification: one(['on', 'off'] as const) }
    if (roll < 0.92) return { type: 'suspend', suspended: random() < 0.5 }
    if (roll < 0.96) return { type: 'merge', into: one(USERS.filter((id) => id !== user)) }
    return { type: 'delete' }
  }

  const game: Game = { usual: one(['shown', ...CHOICES]), starts: STARTS, boards: BOARDS }
  let at = STARTS + 9 * HOUR
  const calls = Array.from({ length }, (_, index): Call => {
    at += one([0, 0, 1_000, HOUR, HOUR, 5 * HOUR, 14 * HOUR, DAY])
    const user = one(USERS)
    const action: Action = index < USERS.length ? { type: 'add', value: one([1, 2, 3]) } : actionOf(user)
    return { at, user: index < USERS.length ? (USERS[index] as string) : user, action }
  })
  return { game, calls }
}
