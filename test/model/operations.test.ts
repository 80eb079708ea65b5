// The model's boosts, caps, cooldowns and what time pays, against values worked out by hand from what was decided on them.
import { describe, expect, it } from 'vitest'
import type { BoostDefinition, FullSystem, FullTrigger } from './full-game.ts'
import type { FullGame, Model, OperationCall, Outcome, Patch, PointsChange } from './model.ts'
import { createModel } from './model.ts'
import { multiplied } from './numbers.ts'

const at = (time: string): number => Date.parse(time.length === 10 ? `${time}T12:00:00Z` : `${time}:00Z`)

type Extra = { id?: string; profile?: Patch; occurredAt?: number; idempotencyKey?: string }

function send(model: Model, time: string, value: number, extra: Extra = {}): Outcome {
  return model.call({ call: 'event', now: at(time), id: 'u', metric: 'runs', value, ...extra })
}

/** What an event did to the points. */
function paid(outcome: Outcome): PointsChange | undefined {
  if (!outcome.ok) throw new Error(`refused with ${outcome.status}`)
  return outcome.points?.xp
}

function points(model: Model, time: string) {
  const snapshot = model.snapshot(at(time), 'u')
  if (snapshot === null) throw new Error('unknown user')
  return { total: snapshot.points.xp?.total, awards: snapshot.points.xp?.awards.map(({ awarded }) => awarded) }
}

const each: FullTrigger = { type: 'metric', metric: 'runs', threshold: 1, points: 1 }

function gameWith(system: Partial<FullSystem>): FullGame {
  return {
    metrics: { runs: { name: 'Runs' } },
    userAttributes: ['plan'],
    points: { xp: { name: 'XP', triggers: [each], ...system } },
  }
}

describe('multiplication', () => {
  it('is exact, and rounds once', () => {
    expect(multiplied(1, [2, 1.5, 3], 'down')).toBe(9)
    expect(multiplied(10, [1.1, 1.1], 'down')).toBe(12)
    expect(multiplied(10, [1.1, 1.1], 'up')).toBe(13)
    expect(multiplied(100, [1.1], 'up')).toBe(110) // 110.00000000000001 as doubles
    expect(multiplied(5, [0.5], 'nearest')).toBe(3)
    expect(multiplied(5, [0.1], 'nearest')).toBe(1)
    expect(multiplied(4, [0.1], 'nearest')).toBe(0)
    expect(multiplied(3, [1e-7], 'up')).toBe(1)
    expect(multiplied(1_000_000_000_000_000, [0.333], 'down')).toBe(333_000_000_000_000)
  })
})

describe('boosts', () => {
  const weekend: BoostDefinition = { name: 'Weekend', start: '2024-01-06', end: '2024-01-07', multiplier: 2 }
  const give = (model: Model, time: string, id: string | null, fields: BoostDefinition): Outcome =>
    model.call({ call: 'giveBoost', now: at(time), id, boost: fields.name, system: 'xp', fields })

  it('hold on the local dates of each user, both included, and the award says which', () => {
    const model = createModel(gameWith({ boosts: { weekend } }))
    expect(paid(send(model, '2024-01-05T23:59', 3))).toEqual({
      total: 3,
      added: 3,
      awards: [{ trigger: 0, awarded: 3, total: 3 }],
    })
    expect(paid(send(model, '2024-01-06T00:00', 3))).toEqual({
      total: 9,
      added: 6,
      awards: [{ trigger: 0, awarded: 6, total: 9, boosts: ['Weekend'] }],
    })
    // Monday in UTC, and Sunday still in Honolulu.
    expect(paid(send(model, '2024-01-08T09:00', 1, { profile: { tz: 'Pacific/Honolulu' } }))?.added).toBe(2)
    expect(paid(send(model, '2024-01-08T11:00', 1))?.added).toBe(1)
  })

  it('multiply each other, and are rounded by the mode of the newest', () => {
    const month = { start: '2024-01-01', end: '2024-01-31' }
    const model = createModel(
      gameWith({
        boosts: { a: { name: 'A', ...month, multiplier: 1.1 }, b: { name: 'B', ...month, multiplier: 1.1 } },
      }),
    )
    const answer = paid(send(model, '2024-01-02', 10))
    expect(answer?.awards).toEqual([{ trigger: 0, awarded: 12, total: 12, boosts: ['A', 'B'] }])
    // Given on the same day, but in operation: newer than what was planned.
    give(model, '2024-01-02', 'u', { name: 'C', start: '2023-01-01', multiplier: 1.5, rounding: 'up' })
    expect(paid(send(model, '2024-01-02', 1))?.added).toBe(2) // 1.815
    give(model, '2024-01-02T13:00', null, { name: 'D', start: '2023-01-01', multiplier: 0.5, rounding: 'nearest' })
    expect(paid(send(model, '2024-01-03', 1))?.added).toBe(1) // 0.9075
    expect(model.snapshot(at('2024-01-03'), 'u')?.boosts).toEqual({ xp: ['A', 'B', 'C', 'D'] })
    expect(model.snapshot(at('2024-02-01'), 'u')?.boosts).toEqual({ xp: ['C', 'D'] })
  })

  it('that were planned are the newer the later they start, wherever they stand', () => {
    const late: BoostDefinition = { name: 'Late', start: '2024-01-03', multiplier: 1.5, rounding: 'up' }
    const early: BoostDefinition = { name: 'Early', start: '2024-01-01', multiplier: 1.1, rounding: 'down' }
    for (const boosts of [
      { late, early },
      { early, late },
    ]) {
      expect(paid(send(createModel(gameWith({ boosts })), '2024-01-04', 1))?.added).toBe(2) // 1.65
    }
  })

  it('leave what takes points away, and give nothing where the product rounds to 0', () => {
    const minus: FullTrigger = { ...each, points: -2 }
    const model = createModel(
      gameWith({
        boosts: { half: { name: 'Half', start: '2024-01-01', multiplier: 0.5 } },
        triggers: [{ type: 'user_creation', points: 21 }, each, minus],
      }),
    )
    expect(paid(send(model, '2024-01-02', 1))).toEqual({
      total: 8,
      added: 8,
      awards: [
        { trigger: 0, awarded: 10, total: 10, boosts: ['Half'] },
        { trigger: 2, awarded: -2, total: 8 },
      ],
    })
  })

  it('are for those whose attributes match after what the entry says of them', () => {
    const pros = { ...weekend, userAttributes: { plan: 'pro' } }
    const model = createModel(gameWith({ boosts: { pros } }))
    expect(paid(send(model, '2024-01-06', 1))?.added).toBe(1)
    expect(paid(send(model, '2024-01-06', 1, { profile: { attributes: { plan: 'pro' } } }))?.added).toBe(2)
  })

  it('hold for what was done on Saturday and is sent on Tuesday', () => {
    const model = createModel(gameWith({ boosts: { weekend } }))
    send(model, '2024-01-08', 1)
    send(model, '2024-01-09', 4, { occurredAt: at('2024-01-06') })
    expect(points(model, '2024-01-09')).toEqual({ total: 9, awards: [8, 1] })
  })

  it('of one user are entries of the log: deleting one changes nothing before it, also for what comes late', () => {
    const model = createModel(gameWith({}))
    send(model, '2024-01-01', 1)
    expect(give(model, '2024-01-02', 'u', { name: 'Mine', start: '2024-01-01', multiplier: 3 })).toMatchObject({
      ok: true,
    })
    send(model, '2024-01-03', 1)
    model.call({ call: 'changeBoost', now: at('2024-01-04'), boost: 'Mine', fields: { multiplier: 10 } })
    send(model, '2024-01-05', 1)
    model.call({ call: 'deleteBoost', now: at('2024-01-06'), boost: 'Mine' })
    send(model, '2024-01-07', 1)
    expect(points(model, '2024-01-07')).toEqual({ total: 15, awards: [1, 3, 10, 1] })
    for (const day of ['01T13:00', '03T13:00', '05T13:00', '06T13:00']) {
      send(model, '2024-01-08', 1, { occurredAt: at(`2024-01-${day}`) })
    }
    expect(points(model, '2024-01-08').awards).toEqual([1, 1, 3, 3, 10, 10, 1, 1])
  })

  it('for all are part of the game: what comes late has those of its own instant', () => {
    const model = createModel(gameWith({}))
    send(model, '2024-01-01', 1)
    give(model, '2024-01-02', null, { name: 'All', start: '2024-01-01', multiplier: 3 })
    send(model, '2024-01-03', 1)
    model.call({ call: 'deleteBoost', now: at('2024-01-04'), boost: 'All' })
    send(model, '2024-01-05', 1)
    for (const day of ['01T13:00', '02T13:00', '04T13:00']) {
      send(model, '2024-01-08', 1, { occurredAt: at(`2024-01-${day}`) })
    }
    expect(points(model, '2024-01-08').awards).toEqual([1, 1, 3, 3, 1, 1])
  })

  it('are refused where they end before they begin, to a user nobody knows, and in no system', () => {
    const model = createModel(gameWith({}))
    const boost = { name: 'B', start: '2024-01-02', multiplier: 2 }
    expect(give(model, '2024-01-01', 'nobody', boost)).toEqual({ ok: false, status: 422 })
    expect(give(model, '2024-01-01', null, { ...boost, end: '2024-01-01' })).toEqual({ ok: false, status: 422 })
    const nowhere: OperationCall = { call: 'giveBoost', now: 0, id: null, boost: 'B', system: 'gems', fields: boost }
    expect(model.call(nowhere)).toEqual({ ok: false, status: 404 })
    give(model, '2024-01-01', null, boost)
    const change: OperationCall = { call: 'changeBoost', now: 0, boost: 'B', fields: { end: '2024-01-01' } }
    expect(model.call(change)).toEqual({ ok: false, status: 422 })
  })
})

describe('caps', () => {
  it('clip what a trigger pays in a day, and tomorrow does not pay it', () => {
    const model = createModel(gameWith({ triggers: [{ ...each, points: 10, cap: { points: 25, per: 'day' } }] }))
    expect(paid(send(model, '2024-01-01', 2))).toEqual({
      total: 20,
      added: 20,
      awards: [{ trigger: 0, awarded: 20, total: 20 }],
    })
    expect(paid(send(model, '2024-01-01', 2))).toEqual({
      total: 25,
      added: 5,
      awards: [{ trigger: 0, awarded: 5, total: 25 }],
      capped: [{ trigger: 0, due: 20, awarded: 5, resetsAt: at('2024-01-02T00:00') }],
    })
    expect(paid(send(model, '2024-01-01', 1))).toEqual({
      total: 25,
      added: 0,
      awards: [],
      capped: [{ trigger: 0, due: 10, awarded: 0, resetsAt: at('2024-01-02T00:00') }],
    })
    expect(paid(send(model, '2024-01-02', 1))?.added).toBe(10)
  })

  it('count by the week of the game, the month, or for ever', () => {
    const cap = (per: 'week' | 'month' | 'ever', time: string) => {
      const game = gameWith({ triggers: [{ ...each, cap: { points: 3, per } }] })
      const model = createModel({ ...game, weekStartsOn: 'sunday' })
      return paid(send(model, time, 5))?.capped?.[0]?.resetsAt
    }
    expect(cap('week', '2024-01-06')).toBe(at('2024-01-07T00:00'))
    expect(cap('month', '2024-01-06')).toBe(at('2024-02-01T00:00'))
    expect(cap('ever', '2024-01-06')).toBeNull()
  })

  it('of the system hold over all triggers but those that are exempt', () => {
    const model = createModel(
      gameWith({
        cap: { points: 10, per: 'day' },
        triggers: [
          { ...each, points: 6 },
          { ...each, points: 6, exempt: true },
          { ...each, points: 6 },
        ],
      }),
    )
    expect(paid(send(model, '2024-01-01', 1))).toEqual({
      total: 16,
      added: 16,
      awards: [
        { trigger: 0, awarded: 6, total: 6 },
        { trigger: 1, awarded: 6, total: 12 },
        { trigger: 2, awarded: 4, total: 16 },
      ],
      capped: [{ trigger: 2, due: 6, awarded: 4, resetsAt: at('2024-01-02T00:00') }],
    })
  })

  it('are used by what was awarded after boosts and maxPoints, and not given back', () => {
    const game = gameWith({
      maxPoints: 12,
      boosts: { double: { name: 'Double', start: '2024-01-01', multiplier: 2 } },
      triggers: [
        { ...each, points: 5, cap: { points: 15, per: 'day' } },
        { type: 'metric', metric: 'laps', threshold: 1, points: -12 },
      ],
    })
    const model = createModel({ ...game, metrics: { ...game.metrics, laps: { name: 'Laps' } } })
    const laps = { call: 'event', now: at('2024-01-01'), id: 'u', metric: 'laps', value: 1 } as const
    expect(paid(send(model, '2024-01-01', 1))?.added).toBe(10)
    // The cap leaves 5 of it, and maxPoints 2: these are used.
    expect(paid(send(model, '2024-01-01', 1))).toMatchObject({ added: 2, capped: [{ due: 10, awarded: 2 }] })
    expect(paid(model.call(laps))?.total).toBe(0)
    expect(paid(send(model, '2024-01-01', 1))).toMatchObject({ added: 3, capped: [{ due: 10, awarded: 3 }] })
  })

  it('deal a day anew when something comes late or is voided', () => {
    const model = createModel(gameWith({ triggers: [{ ...each, cap: { points: 5, per: 'day' } }] }))
    send(model, '2024-01-01T10:00', 3, { idempotencyKey: 'a' })
    send(model, '2024-01-01T12:00', 4)
    expect(points(model, '2024-01-01').awards).toEqual([3, 2])
    send(model, '2024-01-02', 1, { occurredAt: at('2024-01-01T08:00') })
    expect(points(model, '2024-01-02').awards).toEqual([1, 3, 1])
    model.call({ call: 'void', now: at('2024-01-02'), id: 'u', metric: 'runs', idempotencyKey: 'a' })
    expect(points(model, '2024-01-02').awards).toEqual([1, 4])
  })

  it('are not moved by a change of zone', () => {
    const model = createModel(gameWith({ triggers: [{ ...each, cap: { points: 5, per: 'day' } }] }))
    send(model, '2024-01-02T01:00', 5)
    expect(paid(send(model, '2024-01-02T02:00', 1, { profile: { tz: 'Pacific/Honolulu' } }))?.added).toBe(1) // the 1st
    expect(paid(send(model, '2024-01-02T03:00', 9))).toMatchObject({
      added: 4,
      capped: [{ due: 9, awarded: 4, resetsAt: at('2024-01-02T10:00') }],
    })
    expect(paid(send(model, '2024-01-02T11:00', 1))).toMatchObject({ added: 0 }) // the 2nd again
  })

  it('say before an event whether it would leave too few points', () => {
    const game = gameWith({
      triggers: [
        { ...each, points: 10, cap: { points: 10, per: 'day' } },
        { ...each, points: -8, blockIfOutOfPoints: true },
      ],
    })
    const model = createModel(game)
    expect(paid(send(model, '2024-01-01', 1))?.total).toBe(2)
    expect(send(model, '2024-01-01', 1)).toEqual({ ok: false, status: 422 })
    expect(paid(send(model, '2024-01-02', 1))?.total).toBe(4)
  })
})

describe('cooldowns', () => {
  it('refuse what comes too soon after the last payment', () => {
    const model = createModel(gameWith({ triggers: [{ ...each, cooldown: { minutes: 5 } }] }))
    expect(paid(send(model, '2024-01-01T12:00', 1))?.added).toBe(1)
    expect(paid(send(model, '2024-01-01T12:04', 2))).toEqual({
      total: 1,
      added: 0,
      awards: [],
      capped: [{ trigger: 0, due: 2, awarded: 0, resetsAt: at('2024-01-01T12:05') }],
    })
    // Counted from the last payment, not from the last attempt.
    expect(paid(send(model, '2024-01-01T12:05', 1))?.added).toBe(1)
    send(model, '2024-01-01T12:30', 7, { occurredAt: at('2024-01-01T11:58') })
    // Now 12:00 is too soon, 12:04 is not, and 12:05 is.
    expect(points(model, '2024-01-01')).toEqual({ total: 9, awards: [7, 2] })
  })
})

describe('what time pays', () => {
  const hourly: FullTrigger = { type: 'time', every: { hours: 6 }, points: 2 }
  const daily: FullTrigger = { type: 'time', every: { days: 1 }, points: -1 }

  it('falls so many hours after the user was created, is read at once and stored with the next entry', () => {
    const model = createModel(gameWith({ triggers: [hourly, each] }))
    send(model, '2024-01-01T12:00', 1)
    expect(points(model, '2024-01-01T17:59')).toEqual({ total: 1, awards: [1] })
    expect(points(model, '2024-01-01T18:00')).toEqual({ total: 3, awards: [1] })
    expect(points(model, '2024-01-03T12:00')).toEqual({ total: 17, awards: [1] })
    expect(paid(send(model, '2024-01-03T12:00', 1))).toEqual({
      total: 18,
      added: 17,
      awards: [
        { trigger: 0, awarded: 16, total: 17 },
        { trigger: 1, awarded: 1, total: 18 },
      ],
    })
  })

  it('falls at local midnights where it counts days, which keep their distance from today in another zone', () => {
    const model = createModel(gameWith({ triggers: [{ ...daily, every: { days: 2 }, points: 5 }] }))
    send(model, '2024-01-01T23:00', 1, { profile: { tz: 'America/New_York' } }) // 18:00 on the 1st
    expect(points(model, '2024-01-03T04:59').total).toBe(0)
    expect(points(model, '2024-01-03T05:00').total).toBe(5)
    // 13:00 on the 2nd in New York is 08:00 on the 3rd on Kiritimati: tomorrow it falls, as it would have.
    send(model, '2024-01-02T18:00', 1, { profile: { tz: 'Pacific/Kiritimati' } })
    expect(points(model, '2024-01-03T09:59').total).toBe(0)
    expect(points(model, '2024-01-03T10:00').total).toBe(5)
  })

  it('is clipped at every fall, in the order of the instants', () => {
    const model = createModel(gameWith({ maxPoints: 5, triggers: [{ ...daily, points: -3 }, hourly] }))
    send(model, '2024-01-01T12:00', 0)
    // 18:00 2; 00:00 first 0, then 2; 06:00 4; 12:00 and 18:00 5; 00:00 2, then 4.
    expect(points(model, '2024-01-03T00:00').total).toBe(4)
    expect(paid(send(model, '2024-01-03T00:00', 0))?.awards).toEqual([
      { trigger: 0, awarded: -5, total: 4 },
      { trigger: 1, awarded: 9, total: 4 },
    ])
  })

  it('is the same however time is cut, after an hour or ten years', () => {
    const game = gameWith({ maxPoints: 50, triggers: [hourly, { ...daily, points: -7 }] })
    const [often, once] = [createModel(game), createModel(game)]
    send(often, '2014-01-01T12:30', 0)
    send(once, '2014-01-01T12:30', 0)
    for (let hour = 0; hour < 48; hour += 1) {
      often.call({ call: 'event', now: at('2014-01-01T12:31') + hour * 3_600_000, id: 'u', metric: 'runs', value: 0 })
    }
    expect(points(often, '2014-01-03T13:00').total).toBe(7)
    expect(points(once, '2014-01-03T13:00').total).toBe(7)
    expect(points(often, '2024-01-01T00:00').total).toBe(43)
    expect(points(once, '2024-01-01T00:00').total).toBe(43)
  })

  it('is for those who match before the entry, and falls for nothing while it is inactive or they do not', () => {
    const pros = createModel(gameWith({ triggers: [{ ...hourly, userAttributes: { plan: 'pro' } }] }))
    send(pros, '2024-01-01T12:00', 0)
    expect(paid(send(pros, '2024-01-01T19:00', 0, { profile: { attributes: { plan: 'pro' } } }))).toBeUndefined()
    expect(points(pros, '2024-01-02T00:00').total).toBe(2)
    const inactive = createModel(gameWith({ triggers: [{ ...hourly, status: 'inactive' }] }))
    send(inactive, '2024-01-01T12:00', 0)
    expect(points(inactive, '2025-01-01').total).toBe(0)
  })

  it('knows no boosts, caps and cooldowns', () => {
    const boosts = { ten: { name: 'Ten', start: '2000-01-01', multiplier: 10 } }
    const model = createModel(gameWith({ boosts, cap: { points: 1, per: 'day' }, triggers: [hourly, each] }))
    send(model, '2024-01-01T12:00', 0)
    expect(paid(send(model, '2024-01-02T12:00', 1))?.awards).toEqual([
      { trigger: 0, awarded: 8, total: 8 },
      { trigger: 1, awarded: 1, total: 9, boosts: ['Ten'] },
    ])
  })

  it('begins for those who are there with their next entry under the game that brought it', () => {
    const model = createModel(gameWith({ triggers: [{ ...each, key: 'each' }] }))
    send(model, '2024-01-01T12:00', 0)
    const definition = gameWith({
      triggers: [
        { ...hourly, key: 'hourly' },
        { ...each, key: 'each' },
      ],
    })
    model.call({ call: 'deploy', now: at('2024-01-02T00:00'), definition })
    expect(points(model, '2024-01-03T00:00').total).toBe(0)
    send(model, '2024-01-03T00:00', 0)
    expect(points(model, '2024-01-03T05:59').total).toBe(0)
    expect(points(model, '2024-01-03T06:00').total).toBe(2)
    // More often from now on, still from where it began.
    const sooner: FullTrigger = { type: 'time', every: { hours: 4 }, points: 1, key: 'hourly' }
    model.call({ call: 'deploy', now: at('2024-01-03T06:30'), definition: gameWith({ triggers: [sooner] }) })
    send(model, '2024-01-03T07:00', 0)
    expect(points(model, '2024-01-03T08:00').total).toBe(3)
  })
})
