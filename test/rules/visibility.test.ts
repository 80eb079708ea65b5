import { expect, test } from 'vitest'
import { parseGame } from '../../src/game/compile.ts'
import type { LeaderboardChoice } from '../../src/rules/game.ts'
import type { Preferences, Suspension } from '../../src/rules/state.ts'
import { emptyState } from '../../src/rules/state.ts'
import {
  changesVisibility,
  isHidden,
  isMasked,
  isOffLeaderboard,
  isTurnedOff,
  leaderboardChoice,
} from '../../src/rules/visibility.ts'

const gameWith = (choice: LeaderboardChoice) =>
  parseGame(
    JSON.stringify({
      metrics: { words: { name: 'Words' } },
      leaderboards: {
        all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-01-01' },
        asked: { name: 'Asked', rankBy: 'metric', metric: 'words', start: '2026-01-01', consent: true },
      },
      preferences: { leaderboards: choice },
    }),
  ).rules
const [shown, anonymous, hidden] = [gameWith('shown'), gameWith('anonymous'), gameWith('hidden')]
const ALL = { consent: false }
const ASKED = { consent: true }
const SUSPENDED: Suspension = { from: ['leaderboards'], reason: null, since: 0 }

const choose = (choices: Partial<Preferences>): Preferences => ({ ...emptyState(0, 1).preferences, ...choices })
const stateWith = (choices: Partial<Preferences>, suspended: Suspension | null = null) => ({
  ...emptyState(0, 1),
  preferences: choose(choices),
  suspended,
})

test('A user who chose nothing follows the default of the game', () => {
  expect([shown, anonymous, hidden].map((game) => isHidden(game, choose({}), ALL))).toEqual([false, false, true])
  expect([shown, anonymous, hidden].map((game) => leaderboardChoice(game, choose({})))).toEqual([
    'shown',
    'anonymous',
    'hidden',
  ])
})

test('The own choice counts more than the default of the game', () => {
  expect(isHidden(shown, choose({ leaderboards: 'hidden' }), ALL)).toBe(true)
  expect(isHidden(hidden, choose({ leaderboards: 'shown' }), ALL)).toBe(false)
  expect(isHidden(hidden, choose({ leaderboards: 'anonymous' }), ALL)).toBe(false)
  expect(leaderboardChoice(hidden, choose({ leaderboards: 'shown' }))).toBe('shown')
})

test('A leaderboard that asks for consent has only users who chose to be on it', () => {
  expect(isHidden(shown, choose({}), ASKED)).toBe(true)
  expect(isHidden(anonymous, choose({}), ASKED)).toBe(true)
  expect(isHidden(shown, choose({ leaderboards: 'shown' }), ASKED)).toBe(false)
  expect(isHidden(shown, choose({ leaderboards: 'anonymous' }), ASKED)).toBe(false)
  expect(isHidden(shown, choose({ leaderboards: 'hidden' }), ASKED)).toBe(true)
})

test('A user who turned the game off is hidden, whatever they chose for leaderboards', () => {
  const off = choose({ leaderboards: 'shown', gamification: 'off' })
  expect(isHidden(shown, off, ALL)).toBe(true)
  expect(isTurnedOff({ preferences: off })).toBe(true)
  expect(isTurnedOff({ preferences: choose({ leaderboards: 'hidden' }) })).toBe(false)
})

test('A suspension and a choice both keep a user off, and neither undoes the other', () => {
  expect(isOffLeaderboard(shown, stateWith({}), ALL)).toBe(false)
  expect(isOffLeaderboard(shown, stateWith({}, SUSPENDED), ALL)).toBe(true)
  expect(isOffLeaderboard(shown, stateWith({ leaderboards: 'hidden' }), ALL)).toBe(true)
  expect(isOffLeaderboard(shown, stateWith({ leaderboards: 'shown' }, SUSPENDED), ALL)).toBe(true)
})

test('Others see the user of a place only if the user is shown', () => {
  expect(isMasked(shown, null, ALL)).toBe(false)
  expect(isMasked(shown, 'anonymous', ALL)).toBe(true)
  expect(isMasked(anonymous, null, ALL)).toBe(true)
  expect(isMasked(anonymous, 'shown', ALL)).toBe(false)
})

test('A place that a newer game no longer shows has no user until the place is gone', () => {
  expect(isMasked(hidden, null, ALL)).toBe(true)
  expect(isMasked(shown, null, ASKED)).toBe(true)
})

test('Only a choice that moves the user on some leaderboard moves rows', () => {
  const moves = (before: Partial<Preferences>, after: Partial<Preferences>): boolean =>
    changesVisibility({ game: shown, state: stateWith(before) }, { game: shown, state: stateWith(after) })
  expect(moves({}, { leaderboards: 'hidden' })).toBe(true)
  expect(moves({ leaderboards: 'shown' }, { leaderboards: 'anonymous' })).toBe(false)
  expect(moves({ leaderboards: 'hidden' }, { leaderboards: 'hidden', gamification: 'off' })).toBe(false)
  // The leaderboard that asks for consent.
  expect(moves({}, { leaderboards: 'shown' })).toBe(true)
  expect(changesVisibility({ game: shown, state: stateWith({}) }, { game: hidden, state: stateWith({}) })).toBe(true)
})
