// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition, UserLeaderboard } from '../../src/index.ts'
import { codeOf, type Engine, onEachStorage, untyped } from '../support/engine.ts'

const game = (rest: object = {}): GameDefinition => ({
  metrics: { words: { name: 'Words written' }, laps: { name: 'Laps' } },
  userAttributes: ['city'],
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: { top: { name: 'Top', rankBy: 'metric', metric: 'words', start: '2026-03-02', ...rest } },
})

const weekly = { run: { unit: 'day', interval: 7 } }

const write = (engine: Engine, id: string, value: number, user: object = {}) =>
  engine.metrics.event('words', { user: { id, ...user }, value })

/** Ann's values at these instants. */
const writeAt = async (engine: Engine, values: readonly (readonly [instant: string, value: number])[]) => {
  for (const [instant, value] of values) {
    engine.at(instant)
    await write(engine, 'ann', value)
  }
}

const standing = ({ rank, value }: UserLeaderboard) => [rank, value]

const history = async (engine: Engine, request?: { run?: string; numEvents?: number }) =>
  (await engine.users.leaderboard('ann', 'top', request)).history.map(
    ({ date, timestamp, previousValue, value, rank }) => [date, timestamp, previousValue, value, rank],
  )

onEachStorage('users.leaderboard', (open) => {
  test('has every field', async () => {
    const engine = await open({
      ...game(),
      points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
      leaderboards: {
        top: {
          name: 'Top',
          rankBy: 'points',
          system: 'xp',
          start: '2026-03-02',
          maxParticipants: null,
          ...weekly,
        } as never,
      },
    })
    await write(engine, 'bob', 50)
    await write(engine, 'ann', 35)
    expect(await engine.users.leaderboard('ann', 'top')).toMatchObject({
      key: 'top',
      rankBy: 'points',
      start: '2026-03-09',
      end: '2026-03-15',
      status: 'active',
      rank: 2,
      value: 3,
      participants: 2,
      history: [
        {
          date: '2026-03-10',
          timestamp: '2026-03-10T12:00:00.000Z',
          previousRank: null,
          rank: 2,
          previousValue: null,
          value: 3,
        },
      ],
    })
  })

  test('has neither rank nor value for a user who is not on it', async () => {
    const engine = await open(game())
    await engine.users.create({ id: 'ann' })
    expect(await engine.users.leaderboard('ann', 'top')).toMatchObject({ rank: null, value: null, history: [] })
  })

  test('beyond the limit it has a value without a rank', async () => {
    const engine = await open(game({ maxParticipants: 2 }))
    for (const [id, value] of [['ann', 1] as const, ['bob', 3] as const, ['cid', 2] as const]) {
      await write(engine, id, value)
    }
    const of = async (id: string) => standing(await engine.users.leaderboard(id, 'top'))
    expect([await of('bob'), await of('cid'), await of('ann')]).toEqual([
      [1, 3],
      [2, 2],
      [null, 1],
    ])
    await write(engine, 'ann', 9)
    expect([await of('ann'), await of('bob'), await of('cid')]).toEqual([
      [1, 10],
      [2, 3],
      [null, 2],
    ])
  })

  test('has the run of the local date of the user, or of another date', async () => {
    const engine = await open(game({ ...weekly, end: '2026-03-20' }))
    const datesOf = async (id: string, run?: string) => {
      const { start, end } = await engine.users.leaderboard(id, 'top', run === undefined ? {} : { run })
      return [start, end]
    }
    engine.at('2026-03-08T11:00:00.000Z')
    await write(engine, 'ann', 1, { tz: 'Pacific/Kiritimati' })
    await write(engine, 'bob', 1)
    expect(await datesOf('ann')).toEqual(['2026-03-09', '2026-03-15'])
    expect(await datesOf('bob')).toEqual(['2026-03-02', '2026-03-08'])
    expect((await engine.leaderboards.get('top')).start).toBe('2026-03-02')
    expect(await datesOf('ann', '2026-03-02')).toEqual(['2026-03-02', '2026-03-08'])
    expect(await datesOf('ann', '2026-03-20')).toEqual(['2026-03-16', '2026-03-20'])
    engine.at('2026-02-01T00:00:00.000Z')
    await engine.users.create({ id: 'new' })
    expect(await datesOf('new')).toEqual(['2026-03-02', '2026-03-08'])
    engine.at('2027-01-01T00:00:00.000Z')
    expect(await datesOf('ann')).toEqual(['2026-03-16', '2026-03-20'])
    expect(await codeOf(datesOf('ann', '2026-03-21'))).toBe('invalid_request')
    expect(await codeOf(datesOf('ann', '2026-03-01'))).toBe('invalid_request')
  })

  test('404 and 422: what is unknown or wrong', async () => {
    const engine = await open(game())
    expect(await codeOf(engine.users.leaderboard('ann', 'top'))).toBe('unknown_user')
    await engine.users.create({ id: 'ann' })
    expect(await codeOf(engine.users.leaderboard('ann', '__proto__'))).toBe('unknown_leaderboard')
    for (const request of [{ numEvents: -1 }, { numEvents: 401 }, { numEvents: 1.5 }, { run: '2026-02-30' }, 7]) {
      expect(await codeOf(engine.users.leaderboard('ann', 'top', untyped(request)))).toBe('invalid_request')
    }
    expect(await codeOf(engine.users.leaderboard('ann', 'top', { numEvents: 100 }))).toBe('accepted')
  })
})

onEachStorage('the history of users.leaderboard', (open) => {
  test('has an item for each day on which the value changed, oldest first; the newest has the rank', async () => {
    const engine = await open(game())
    await writeAt(engine, [
      ['2026-03-03T08:00:00.000Z', 5],
      ['2026-03-03T09:00:00.250Z', 2],
      ['2026-03-05T10:00:00.000Z', -4],
      ['2026-03-06T10:00:00.000Z', 0],
      ['2026-03-07T10:00:00.000Z', 6],
      ['2026-03-07T11:00:00.000Z', -6],
      ['2026-03-10T11:00:00.000Z', 1],
    ])
    expect(await history(engine)).toEqual([
      ['2026-03-03', '2026-03-03T09:00:00.250Z', null, 7, null],
      ['2026-03-05', '2026-03-05T10:00:00.000Z', 7, 3, null],
      ['2026-03-10', '2026-03-10T11:00:00.000Z', 3, 4, 1],
    ])
  })

  test('has at most numEvents items, the newest; ten without it', async () => {
    const engine = await open(game())
    const days = Array.from({ length: 12 }, (_, index) => `2026-04-${String(index + 1).padStart(2, '0')}`)
    await writeAt(
      engine,
      days.map((day) => [`${day}T12:00:00.000Z`, 1] as const),
    )
    expect(await history(engine, { numEvents: 2 })).toEqual([
      ['2026-04-11', '2026-04-11T12:00:00.000Z', 10, 11, null],
      ['2026-04-12', '2026-04-12T12:00:00.000Z', 11, 12, 1],
    ])
    const ten = await history(engine)
    expect([ten.length, ten[0]]).toEqual([10, ['2026-04-03', '2026-04-03T12:00:00.000Z', 2, 3, null]])
    expect(await history(engine, { numEvents: 100 })).toHaveLength(12)
    expect(await history(engine, { numEvents: 0 })).toEqual([])
  })

  test('is of one run, by local dates', async () => {
    const engine = await open(game(weekly))
    engine.at('2026-03-07T12:00:00.000Z')
    await engine.users.create({ id: 'ann', tz: 'Asia/Tokyo' })
    await writeAt(engine, [
      ['2026-03-07T14:59:59.999Z', 1],
      ['2026-03-07T15:00:00.000Z', 2],
      ['2026-03-08T14:59:59.999Z', 3],
      ['2026-03-08T15:00:00.000Z', 4],
    ])
    expect(await history(engine, { run: '2026-03-08' })).toEqual([
      ['2026-03-07', '2026-03-07T14:59:59.999Z', null, 1, null],
      ['2026-03-08', '2026-03-08T14:59:59.999Z', 1, 6, 1],
    ])
    expect(await history(engine)).toEqual([['2026-03-09', '2026-03-08T15:00:00.000Z', null, 4, 1]])
  })

  test('has late events in their places', async () => {
    const engine = await open(game())
    await writeAt(engine, [['2026-03-10T12:00:00.000Z', 5]])
    const occurredAt = new Date('2026-03-04T12:00:00.000Z')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 2, occurredAt })
    expect(await history(engine)).toEqual([
      ['2026-03-04', '2026-03-04T12:00:00.000Z', null, 2, null],
      ['2026-03-10', '2026-03-10T12:00:00.000Z', 2, 7, 1],
    ])
  })

  test('begins where a new game begins to count', async () => {
    const engine = await open({ metrics: { words: { name: 'Words written' } } })
    await writeAt(engine, [['2026-03-09T12:00:00.000Z', 5]])
    const after = await engine.redefine(game())
    await writeAt(after, [['2026-03-10T12:00:00.000Z', 2]])
    expect(await history(after)).toEqual([['2026-03-10', '2026-03-10T12:00:00.000Z', null, 2, 1]])
  })
})

onEachStorage('the rank in users.streak', (open) => {
  const streaks = (leaderboards: GameDefinition['leaderboards'] = {}): GameDefinition => ({
    ...game(),
    leaderboards: { words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-03-02' }, ...leaderboards },
  })
  const rankOf = async (engine: Engine, id: string) => (await engine.users.streak(id)).rank

  test('is that on the first leaderboard by streak without groups', async () => {
    const engine = await open(
      streaks({
        cities: { name: 'Cities', rankBy: 'streak', start: '2026-03-02', breakdown: ['city'] },
        all: { name: 'All', rankBy: 'streak', start: '2026-03-02' },
        few: { name: 'Few', rankBy: 'streak', start: '2026-03-02', maxParticipants: 1 },
      }),
    )
    await writeAt(engine, [['2026-03-09T12:00:00.000Z', 1]])
    engine.at('2026-03-10T12:00:00.000Z')
    await write(engine, 'bob', 1, { attributes: { city: 'London' } })
    await engine.users.create({ id: 'cid' })
    expect([await rankOf(engine, 'ann'), await rankOf(engine, 'bob'), await rankOf(engine, 'cid')]).toEqual([
      1,
      2,
      null,
    ])
    engine.at('2026-03-11T12:00:00.000Z')
    expect([await rankOf(engine, 'ann'), await rankOf(engine, 'bob')]).toEqual([null, 1])
    engine.at('2026-03-12T12:00:00.000Z')
    expect(await rankOf(engine, 'bob')).toBe(null)
  })

  test('is null beyond the limit, and without such a leaderboard', async () => {
    const limited = await open(
      streaks({ few: { name: 'Few', rankBy: 'streak', start: '2026-03-02', maxParticipants: 1 } }),
    )
    await write(limited, 'bob', 1)
    await write(limited, 'ann', 1)
    expect([await rankOf(limited, 'ann'), await rankOf(limited, 'bob')]).toEqual([1, null])
    const cities = { name: 'Cities', rankBy: 'streak', start: '2026-03-02', breakdown: ['city'] } as const
    const grouped = await open(streaks({ cities }))
    await write(grouped, 'ann', 1)
    expect(await rankOf(grouped, 'ann')).toBe(null)
    const without = await open(streaks())
    await write(without, 'ann', 1)
    expect(await rankOf(without, 'ann')).toBe(null)
  })
})
