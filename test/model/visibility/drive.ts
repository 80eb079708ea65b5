// The engine is asked the same as the model.

import { expect } from 'vitest'
import type { GameDefinition, LeaderboardRanking } from '../../../src/index.ts'
import type { Engine } from '../../support/engine.ts'
import { DAY } from '../../support/zones.ts'
import { STARTS, USERS } from './histories.ts'
import type { Board, Call, Game, Model, Row } from './model.ts'

export const textOf = (at: number): string => new Date(at).toISOString()
const dateOf = (at: number): string => textOf(at).slice(0, 10)

export function definitionOf({ usual, boards }: Game): GameDefinition {
  const leaderboards = Object.entries(boards).map(([key, board]) => [
    key,
    {
      name: key,
      ...(board.byStreak === true ? { rankBy: 'streak' } : { rankBy: 'metric', metric: 'words' }),
      start: dateOf(STARTS),
      ...(board.days === null ? {} : { run: { unit: 'day', interval: board.days } }),
      ...(board.ends === undefined ? {} : { end: dateOf(board.ends - DAY) }),
      ...(board.byCity === true ? { breakdown: ['city'] } : {}),
      ...(board.isShared === true ? { ties: 'shared' } : {}),
      ...(board.consent === true ? { consent: true } : {}),
      ...(board.maxParticipants === undefined ? {} : { maxParticipants: board.maxParticipants }),
      ...(board.smallestGroup === undefined ? {} : { smallestGroup: board.smallestGroup }),
    },
  ])
  return {
    metrics: { words: { name: 'Words' } },
    userAttributes: ['city'],
    preferences: { leaderboards: usual },
    streak: { frequency: 'daily', metrics: { words: {} } },
    leaderboards: Object.fromEntries(leaderboards),
  }
}

export interface Played {
  readonly engine: Engine
  readonly model: Model
  readonly game: Game
  /** The ids of anonymous users, by user, leaderboard and run. */
  readonly pseudonyms: Map<string, string>
}

/** A call about a user who does not exist is left out, and a suspension that changes nothing: it is no entry. */
export function isPossible(model: Model, { user, action }: Call): boolean {
  const known = model.known(user)
  if (action.type === 'merge') {
    const into = model.known(action.into)
    return known !== null && into !== null && known !== into
  }
  if (action.type === 'suspend') return known !== null && model.isSuspended(user) !== action.suspended
  return action.type === 'add' || known !== null
}

export async function drive(played: Played, call: Call): Promise<void> {
  const { engine, model } = played
  const { user: id, action } = call
  if (action.type === 'add') return addWords(played, call, action)
  let done = call
  if (action.type === 'live') await engine.users.update(id, { attributes: { city: action.city } })
  else if (action.type === 'choose') await engine.users.updatePreferences(id, { leaderboards: action.choice })
  else if (action.type === 'turn') await engine.users.updatePreferences(id, { gamification: action.gamification })
  else if (action.type === 'suspend') await (action.suspended ? engine.users.suspend(id) : engine.users.restore(id))
  else if (action.type === 'merge') await engine.users.merge({ from: id, into: action.into })
  else {
    const { anonymousId } = await engine.users.delete(id, { keep: action.keeps ? 'anonymous' : 'nothing' })
    done = { ...call, action: { ...action, ...(anonymousId === null ? {} : { as: anonymousId }) } }
  }
  model.call(done)
}

async function addWords(
  { engine, model, game }: Played,
  call: Call,
  { value, late }: Extract<Call['action'], { type: 'add' }>,
): Promise<void> {
  const { user: id, at } = call
  if (late !== undefined) {
    model.call(call)
    await engine.metrics.event('words', { user: { id }, value, occurredAt: new Date(at - late) })
    return
  }
  const active = Object.entries(game.boards).filter(([, { ends = Number.POSITIVE_INFINITY }]) => at < ends)
  const places = () => active.map(([key]) => model.place(key, model.runs(key).at(-1) ?? 0, id))
  const before = places()
  const streak = model.ownStreak(id)
  model.call(call)
  const after = places()
  const { leaderboards } = await engine.metrics.event('words', { user: { id }, value })
  const found = active.map(([key]) => {
    const answer = leaderboards[key]
    return answer === undefined ? [key] : [key, answer.previousRank, answer.rank, answer.hidden === true]
  })
  const expected = active.map(([key, { byStreak }], index) => {
    // The second event of a day does not extend the streak.
    if (byStreak === true && streak === model.ownStreak(id)) return [key]
    return [key, before[index]?.rank, after[index]?.rank, after[index]?.isHidden]
  })
  expect(found).toEqual(expected)
}

/** Compares rows. One user has one id in a run of a leaderboard, and no other id is equal to it. */
export function compare(
  { pseudonyms }: Pick<Played, 'pseudonyms'>,
  run: string,
  found: readonly LeaderboardRanking[],
  rows: readonly Row[],
  seen: (row: Row) => string | null,
): void {
  const asFound = found.map(({ rank, userId, userName, value, anonymous }) => [
    rank,
    anonymous === true ? null : userId,
    value,
    userName,
  ])
  expect([run, asFound]).toEqual([run, rows.map((row) => [row.rank, seen(row), row.value, null])])
  found.forEach(({ anonymous, userId }, index) => {
    if (anonymous !== true) return
    const key = `${rows[index]?.user} ${run}`
    const known = pseudonyms.get(key)
    if (known === undefined)
      expect([...USERS, ...rows.map(({ user }) => user), ...pseudonyms.values()]).not.toContain(userId)
    else expect(userId).toBe(known)
    pseudonyms.set(key, userId)
  })
}

/** Compares rows that have all users, and marks of anonymous ones. */
export function compareRevealed(found: readonly LeaderboardRanking[], rows: readonly Row[]): void {
  const asFound = found.map(({ rank, userId, value, anonymous }) => [rank, userId, value, anonymous === true])
  expect(asFound).toEqual(rows.map(({ rank, user, value, who }) => [rank, user, value, who === null]))
}

export const shown = ({ who }: Row): string | null => who
export const seenBy =
  (viewer: string | null) =>
  ({ user, who }: Row): string | null =>
    user === viewer ? user : who

/** A date in the run, if the engine would not take it by default. */
export function requestOf({ days }: Board, run: number): { run?: string } {
  return days === null ? {} : { run: dateOf(STARTS + run * days * DAY) }
}
