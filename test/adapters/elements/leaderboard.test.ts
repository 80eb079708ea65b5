import { describe, expect, test } from 'vitest'
import { LEADERBOARD_LABELS } from '../../../adapters/elements/leaderboard/labels.ts'
import { beginAt, toPage, toPageRequest, turn } from '../../../adapters/elements/leaderboard/paging.ts'
import { changeOf, isSameRun, remember } from '../../../adapters/elements/leaderboard/table.ts'
import type { LeaderboardWithRankings } from '../../../src/shapes/leaderboards.ts'

const USERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

const board = (ids: readonly string[], first = 1): LeaderboardWithRankings => ({
  ...{ id: 'all', key: 'all', name: 'All', description: null, status: 'active', rankBy: 'streak' },
  ...{ runUnit: null, runInterval: null, maxParticipants: 100, breakdownAttribute: null, breakdownAttributes: [] },
  ...{ metricName: null, metricKey: null, pointsSystemName: null, pointsSystemKey: null },
  ...{ start: '2026-03-01', end: null, startTime: null, endTime: null },
  participants: 2,
  rankings: ids.map((userId, index) => ({ userId, userName: null, rank: first + index, value: 100 - index })),
})

/** As the API answers of 26 users. */
function answer({ offset, limit, userId }: ReturnType<typeof toPageRequest>): LeaderboardWithRankings {
  const first = (userId === undefined ? 0 : USERS.indexOf(userId)) + offset
  return board(USERS.slice(Math.max(0, first), Math.max(0, first + limit)), Math.max(0, first) + 1)
}

function walk(userId: string | null, limit: number, ...turns: readonly number[]): readonly string[] {
  let page = toPage(beginAt(userId, limit), answer(toPageRequest(beginAt(userId, limit), limit)), limit)
  const told = (): string => {
    const ids = page.data.rankings.map((each) => each.userId).join('')
    return `${page.hasPrevious ? '<' : ''}${ids}${page.hasNext ? '>' : ''}`
  }
  const seen = [told()]
  for (const by of turns) {
    const next = turn(page.walk, by * limit)
    page = toPage(next, answer(toPageRequest(next, limit)), limit)
    seen.push(told())
  }
  return seen
}

describe('The pages of a leaderboard', () => {
  test('go from the top to the end, and back', () => {
    expect(walk(null, 10, 1, 1, -1)).toEqual(['abcdefghij>', '<klmnopqrst>', '<uvwxyz', '<klmnopqrst>'])
  })

  test('have no next one where the last place is the last of the page', () => {
    expect(walk(null, 13, 1)).toEqual(['abcdefghijklm>', '<nopqrstuvwxyz'])
  })

  test('begin around a user, whole and with neighbours wherever the user is', () => {
    expect(walk('m', 4)).toEqual(['<klmn>'])
    expect(walk('a', 4)).toEqual(['abcd>'])
    expect(walk('b', 4)).toEqual(['abcd>'])
    expect(walk('z', 4)).toEqual(['<xyz'])
  })

  test('go on from there to the top and to the end', () => {
    expect(walk('f', 4, -1, -1)).toEqual(['<defg>', 'abcd>', 'abcd>'])
    expect(walk('b', 10, 1, 1, -1)).toEqual(['abcdefghij>', '<klmnopqrst>', '<uvwxyz', '<klmnopqrst>'])
  })
})

describe('How ranks have changed', () => {
  const known = remember(new Map(), board(['a', 'b', 'c', 'd']))

  test('is told in places', () => {
    expect([changeOf(known, 'd', 2), changeOf(known, 'a', 3), changeOf(known, 'b', 2)]).toEqual([2, -2, 0])
  })

  test('of who was not there is that the user is new, where that place was shown', () => {
    expect(changeOf(known, 'z', 2)).toBe('entered')
    expect(changeOf(known, 'z', 9)).toBeNull()
  })

  test('is remembered of several pages, each as it was shown last', () => {
    const more = remember(remember(known, board(['e', 'f'], 5)), board(['b', 'a'], 1))
    expect([...more]).toEqual(Object.entries({ a: 2, b: 1, c: 3, d: 4, e: 5, f: 6 }))
  })

  test('is not told of another run', () => {
    expect(isSameRun(board(['a']), { ...board(['b']), start: '2026-03-02' })).toBe(false)
    expect(isSameRun(board(['a']), { ...board(['b']), id: 'other' })).toBe(false)
    expect(isSameRun(board(['a']), board(['b']))).toBe(true)
  })
})

test('The columns of a leaderboard are Rank, Name and Change', () => {
  const { rank, name, change } = LEADERBOARD_LABELS
  expect([rank, name, change]).toEqual(['Rank', 'Name', 'Change'])
})
