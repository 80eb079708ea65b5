// Decisions, section 11: groups, and participants who travel.

import { describe, expect, test } from 'vitest'
import { usePlays } from '../api/leaderboards/play.ts'

const open = usePlays()

const monthly = {
  name: 'Words',
  rankBy: 'metric',
  metric: 'words',
  start: '2024-01-01',
  run: { unit: 'month', interval: 1 },
} as const
const daily = { ...monthly, run: { unit: 'day', interval: 1 } } as const
const from = (country: string) => ({ user: { attributes: { country } } })

describe('A user who changes group', () => {
  test('moves with the value of the current run, and earlier runs keep their group', async () => {
    const { add, engine, ranking } = await open({ board: { ...monthly, breakdown: ['country'] } })
    await add('2024-01-10T10:00:00Z', 'ann', 3, from('DE'))
    await add('2024-02-10T10:00:00Z', 'ann', 5)
    await engine.users.update('ann', { attributes: { country: 'FR' } })
    expect(await ranking('board', '2024-02-15', { country: 'DE' })).toEqual([])
    expect(await ranking('board', '2024-02-15', { country: 'FR' })).toEqual(['ann 5'])
    expect(await ranking('board', '2024-01-15', { country: 'DE' })).toEqual(['ann 3'])
    expect(await ranking('board', '2024-01-15', { country: 'FR' })).toEqual([])
  })

  test('takes along when the value was reached', async () => {
    const { add, engine, ranking } = await open({ board: { ...monthly, breakdown: ['country'] } })
    await add('2024-01-10T10:00:00Z', 'ann', 3, from('DE'))
    await add('2024-01-10T11:00:00Z', 'bob', 3, from('FR'))
    await engine.users.update('ann', { attributes: { country: 'FR' } })
    expect(await ranking('board', '2024-01-15', { country: 'FR' })).toEqual(['ann 3', 'bob 3'])
  })

  test('by the event itself is told the rank in the group before and in the group after', async () => {
    const { add } = await open({ board: { ...monthly, breakdown: ['country'], maxParticipants: 2 } })
    await add('2024-01-10T10:00:00Z', 'bob', 9, from('DE'))
    await add('2024-01-10T10:00:00Z', 'ann', 3, from('DE'))
    await add('2024-01-10T10:00:00Z', 'eve', 1, from('FR'))
    const { board } = await add('2024-01-10T11:00:00Z', 'ann', 1, from('FR'))
    expect(board).toMatchObject({ previousRank: 2, rank: 1, threshold: 1 })
  })

  test('is not told of boards on which the value stays', async () => {
    const { add, ranking } = await open({ board: { ...monthly, breakdown: ['country'] } })
    await add('2024-01-10T10:00:00Z', 'ann', 3, from('DE'))
    expect(await add('2024-01-10T11:00:00Z', 'ann', 0, from('FR'))).toEqual({})
    expect(await ranking('board', '2024-01-15', { country: 'FR' })).toEqual(['ann 3'])
  })
})

describe('A user who changes group outside the window of the day', () => {
  const evening = { ...monthly, start: '2024-01-01', endTime: '18:00', breakdown: ['country'] } as const
  const groups = async ({ ranking }: Awaited<ReturnType<typeof open>>, run: string) => [
    await ranking('board', run, { country: 'DE' }),
    await ranking('board', run, { country: 'FR' }),
  ]

  test('moves on the last date of the run, and what is done then does not count', async () => {
    const play = await open({ board: { ...evening, run: { unit: 'day', interval: 2 }, end: '2024-01-02' } })
    await play.add('2024-01-02T12:00:00Z', 'ann', 5, from('DE'))
    await play.add('2024-01-02T19:00:00Z', 'ann', 1, from('FR'))
    expect(await groups(play, '2024-01-02')).toEqual([[], ['ann 5']])
  })

  test('leaves nothing behind and takes nothing along once the run is over', async () => {
    const play = await open({ board: { ...evening, run: { unit: 'day', interval: 2 } } })
    await play.add('2024-01-02T12:00:00Z', 'ann', 5, from('DE'))
    await play.add('2024-01-03T19:00:00Z', 'ann', 1, from('FR'))
    expect(await groups(play, '2024-01-02')).toEqual([['ann 5'], []])
    expect(await groups(play, '2024-01-03')).toEqual([[], []])
  })
})

test('Each group has its own limit, and an attribute never set is like an empty one', async () => {
  const board = { ...monthly, breakdown: ['country', 'plan'], maxParticipants: 1 } as const
  const { add, ranking } = await open({ board })
  await add('2024-01-10T10:00:00Z', 'ann', 3)
  await add('2024-01-10T10:00:00Z', 'bob', 2, from(''))
  await add('2024-01-10T10:00:00Z', 'eve', 1, from('DE'))
  await add('2024-01-10T10:00:00Z', 'zoe', 1, { user: { attributes: { plan: 'DE' } } })
  expect(await ranking('board', '2024-01-15', { country: '', plan: '' })).toEqual(['ann 3'])
  expect(await ranking('board', '2024-01-15', { country: 'DE', plan: '' })).toEqual(['eve 1'])
  expect(await ranking('board', '2024-01-15', { country: '', plan: 'DE' })).toEqual(['zoe 1'])
})

describe('A user who flies across the date line', () => {
  test('goes back to the run before, and does not lose the one that had begun', async () => {
    const { add, ranking } = await open({ board: monthly })
    // 02:00 on 1 February.
    await add('2024-01-31T12:00:00Z', 'ann', 1, { user: { tz: 'Pacific/Kiritimati' } })
    // 10:00 on 31 January.
    await add('2024-01-31T20:00:00Z', 'ann', 10, { user: { tz: 'Pacific/Honolulu' } })
    // 10:00 on 1 February.
    await add('2024-02-01T20:00:00Z', 'ann', 100)
    expect(await ranking('board', '2024-01-15')).toEqual(['ann 10'])
    expect(await ranking('board', '2024-02-15')).toEqual(['ann 101'])
  })

  test('in Apia has no run of the day that was left out', async () => {
    const { add, ranking } = await open({ board: { ...daily, start: '2011-12-01' } })
    const apia = { user: { tz: 'Pacific/Apia' } }
    await add('2011-12-30T09:59:59Z', 'ann', 1, apia)
    await add('2011-12-30T10:00:00Z', 'ann', 10, apia)
    expect(await ranking('board', '2011-12-29')).toEqual(['ann 1'])
    expect(await ranking('board', '2011-12-30')).toEqual([])
    expect(await ranking('board', '2011-12-31')).toEqual(['ann 10'])
  })

  test('or stays in St. John’s, where the 7th was a minute old when it was the 6th again', async () => {
    const { add, ranking } = await open({ board: { ...daily, start: '2010-11-01' } })
    const stJohns = { user: { tz: 'America/St_Johns' } }
    await add('2010-11-07T02:30:30Z', 'ann', 1, stJohns)
    await add('2010-11-07T02:31:00Z', 'ann', 10, stJohns)
    await add('2010-11-07T03:30:00Z', 'ann', 100, stJohns)
    expect(await ranking('board', '2010-11-06')).toEqual(['ann 10'])
    expect(await ranking('board', '2010-11-07')).toEqual(['ann 101'])
  })
})

test('A zone told late dates what followed it anew', async () => {
  const { add, ranking } = await open({ board: monthly })
  await add('2024-01-31T20:00:00Z', 'ann', 1)
  // In Tokyo it was 05:00 on 1 February.
  await add('2024-02-02T20:00:00Z', 'ann', 10, {
    occurredAt: new Date('2024-01-31T19:00:00Z'),
    user: { tz: 'Asia/Tokyo' },
  })
  expect(await ranking('board', '2024-01-15')).toEqual([])
  expect(await ranking('board', '2024-02-15')).toEqual(['ann 11'])
})
