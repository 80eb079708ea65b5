// Decisions, section 11: runs, and what counts in them.

import { describe, expect, test } from 'vitest'
import { compareCodePoints } from '../../src/rules/position.ts'
import { usePlays } from '../api/leaderboards/play.ts'

const open = usePlays()

const words = { name: 'Words', rankBy: 'metric', metric: 'words' } as const

/** The first and last date of the run in which an event at noon UTC of each of these dates counts. */
async function runsOf(
  board: { readonly start: string; readonly end?: string } & Parameters<typeof open>[0][string],
  dates: readonly string[],
): Promise<readonly (string | undefined)[]> {
  const { add } = await open({ board })
  const runs: (string | undefined)[] = []
  for (const date of dates) {
    const { board: standing } = await add(`${date}T12:00:00Z`, 'ann', 1)
    runs.push(standing && `${standing.start} to ${standing.end}`)
  }
  return runs
}

const every = (unit: 'day' | 'month' | 'year', interval = 1) => ({ run: { unit, interval } })

describe('Runs', () => {
  test('of a month from the 31st begin on the last day of shorter months, and on the 31st again after them', async () => {
    const dates = ['2024-02-28', '2024-02-29', '2024-03-30', '2024-03-31', '2024-04-30', '2024-05-31']
    expect(await runsOf({ ...words, start: '2024-01-31', ...every('month') }, dates)).toEqual([
      '2024-01-31 to 2024-02-28',
      '2024-02-29 to 2024-03-30',
      '2024-02-29 to 2024-03-30',
      '2024-03-31 to 2024-04-29',
      '2024-04-30 to 2024-05-30',
      '2024-05-31 to 2024-06-29',
    ])
  })

  test('of a year from 29 February begin on the 28th, and on the 29th again in leap years', async () => {
    const dates = ['2025-02-27', '2025-02-28', '2027-12-31', '2028-02-28', '2028-02-29', '2100-02-28']
    expect(await runsOf({ ...words, start: '2024-02-29', ...every('year') }, dates)).toEqual([
      '2024-02-29 to 2025-02-27',
      '2025-02-28 to 2026-02-27',
      '2027-02-28 to 2028-02-28',
      '2027-02-28 to 2028-02-28',
      '2028-02-29 to 2029-02-27',
      '2100-02-28 to 2101-02-27',
    ])
  })

  test('of a week begin on the weekday of the start, whatever the clocks do', async () => {
    const dates = ['2024-03-26', '2024-03-27', '2024-04-02', '2024-04-03']
    expect(await runsOf({ ...words, start: '2024-02-28', ...every('day', 7) }, dates)).toEqual([
      '2024-03-20 to 2024-03-26',
      '2024-03-27 to 2024-04-02',
      '2024-03-27 to 2024-04-02',
      '2024-04-03 to 2024-04-09',
    ])
  })

  test('never begin again where none is asked for', async () => {
    const dates = ['2024-02-28', '2031-12-31']
    expect(await runsOf({ ...words, start: '2024-02-28' }, dates)).toEqual(['2024-02-28 to null', '2024-02-28 to null'])
  })
})

describe('A board', () => {
  test('counts from its start to its end, both included, and its last run ends with it', async () => {
    const dates = ['2024-02-29', '2024-03-01', '2024-03-31', '2024-04-01', '2024-04-10', '2024-04-11']
    const board = { ...words, start: '2024-03-01', end: '2024-04-10', ...every('month') }
    expect(await runsOf(board, dates)).toEqual([
      undefined,
      '2024-03-01 to 2024-03-31',
      '2024-03-01 to 2024-03-31',
      '2024-04-01 to 2024-04-10',
      '2024-04-01 to 2024-04-10',
      undefined,
    ])
  })

  test('counts on every day from its start time on and before its end time', async () => {
    const times = { startTime: '09:00', endTime: '17:30' }
    const { add, ranking } = await open({ board: { ...words, start: '2024-03-04', ...every('day', 5), ...times } })
    for (const at of [
      '2024-03-04T08:59:59.999Z',
      '2024-03-04T09:00:00.000Z',
      '2024-03-05T03:00:00.000Z',
      '2024-03-06T12:00:00.000Z',
      '2024-03-08T17:29:59.999Z',
      '2024-03-08T17:30:00.000Z',
      '2024-03-09T08:59:00.000Z',
      '2024-03-09T09:00:00.000Z',
    ]) {
      await add(at, at.slice(5, 16), 1)
    }
    expect(await ranking('board', '2024-03-04')).toEqual(['03-04T09:00 1', '03-06T12:00 1', '03-08T17:29 1'])
    expect(await ranking('board', '2024-03-09')).toEqual(['03-09T09:00 1'])
  })

  test('may have one of the two alone', async () => {
    const [late, early] = [{ startTime: '17:30' }, { endTime: '17:30' }]
    const { add } = await open({
      late: { ...words, start: '2024-03-04', ...late },
      early: { ...words, start: '2024-03-04', ...early },
    })
    expect(Object.keys(await add('2024-03-04T17:29:59.999Z', 'ann', 1))).toEqual(['early'])
    expect(Object.keys(await add('2025-07-04T17:30:00.000Z', 'ann', 1))).toEqual(['late'])
  })

  test('counts in a night on the date of what is done in it, where the start is after the end', async () => {
    const night = { startTime: '22:00', endTime: '06:00' }
    const { add, ranking } = await open({ board: { ...words, start: '2024-03-04', ...every('day'), ...night } })
    for (const at of ['2024-03-04T05:59:59.999Z', '2024-03-04T06:00:00.000Z', '2024-03-04T21:59:59.999Z']) {
      await add(at, at.slice(5, 16), 1)
    }
    await add('2024-03-04T22:00:00.000Z', 'evening', 1)
    await add('2024-03-05T00:30:00.000Z', 'night', 1)
    expect(await ranking('board', '2024-03-04')).toEqual(['03-04T05:59 1', 'evening 1'])
    expect(await ranking('board', '2024-03-05')).toEqual(['night 1'])
  })

  test('goes by the local time of each participant', async () => {
    const { add, ranking } = await open({
      board: { ...words, start: '2024-03-04', ...every('day'), startTime: '09:00' },
    })
    // 09:15 on the 4th, and 23:30 on the 3rd.
    await add('2024-03-04T03:30:00Z', 'kathmandu', 1, { user: { tz: 'Asia/Kathmandu' } })
    await add('2024-03-04T03:30:00Z', 'new york', 1, { user: { tz: 'America/New_York' } })
    expect(await ranking('board', '2024-03-04')).toEqual(['kathmandu 1'])
  })
})

describe('Users of equal scores', () => {
  test.each([
    ['ab', 'ac'],
    ['a', 'ab'],
    ['Zoe', 'ann'],
    ['a\u{1F600}', 'a\u{1F601}'],
    ['\uFF5E', '\u{1F600}'],
  ])('are in order of the code points of their ids: %s ranks before %s', (left, right) => {
    expect(Math.sign(compareCodePoints(left, right))).toBe(-1)
    expect(Math.sign(compareCodePoints(right, left))).toBe(1)
    expect(compareCodePoints(left, left)).toBe(0)
  })
})
