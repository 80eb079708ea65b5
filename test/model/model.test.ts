// The reference model itself, against values worked out by hand from the specification and its decisions.
import { describe, expect, it } from 'vitest'
import type { Call, GameDefinition, Model, Outcome, Patch } from './model.ts'
import { createModel } from './model.ts'

const at = (time: string): number => Date.parse(time.length === 10 ? `${time}T12:00:00Z` : `${time}:00Z`)

type Extra = {
  id?: string
  profile?: Patch
  attributes?: { [key: string]: string }
  occurredAt?: number
  idempotencyKey?: string
}

function send(model: Model, time: string, metric: string, value: number, extra: Extra = {}) {
  return model.call({ call: 'event', now: at(time), id: 'u', metric, value, ...extra })
}

/** An event that happened at `time` and was sent on 2024-01-31. */
function sendLate(model: Model, time: string, metric: string, value: number, extra: Extra = {}) {
  return send(model, '2024-01-31', metric, value, { occurredAt: at(time), ...extra })
}

function good(outcome: Outcome): Extract<Outcome, { ok: true }> {
  if (!outcome.ok) throw new Error(`refused with ${outcome.status}`)
  return outcome
}

function seen(model: Model, time = '2024-01-31') {
  const snapshot = model.snapshot(at(time), 'u')
  if (snapshot === null) throw new Error('unknown user')
  return snapshot
}

const refused = (status: number) => ({ ok: false, status })

const runs: GameDefinition = { metrics: { runs: { name: 'Runs' }, laps: { name: 'Laps' } } }
const daily: GameDefinition = { ...runs, streak: { frequency: 'daily', metrics: { runs: {} } } }

describe('totals', () => {
  it('count ten times 0.1 as 1', () => {
    const model = createModel(runs)
    for (let i = 0; i < 10; i += 1) send(model, '2024-01-01', 'runs', 0.1)
    expect(seen(model).totals).toEqual({ runs: 1, laps: 0 })
  })

  it.each([
    [[-1.1, 1.2], 0.1],
    [[-1.2, 1.1, 0.1], 0],
    [[100, -99.9, -0.1], 0],
    [[1000.1, -1000], 0.1],
    [[12_345_678_901_234.5, 0.05], 12_345_678_901_234.6],
  ])('of %j are %d', (values, expected) => {
    const model = createModel(runs)
    for (const value of values) send(model, '2024-01-01', 'runs', value)
    expect(seen(model).totals.runs).toBe(expected)
  })

  it('stay within 1e15, and a refused event changes nothing', () => {
    const model = createModel(runs)
    expect(send(model, '2024-01-01', 'runs', 1e15)).toMatchObject({ ok: true, total: 1e15 })
    expect(send(model, '2024-01-02', 'runs', 10, { profile: { name: 'Ada' } })).toEqual(refused(422))
    expect(seen(model)).toMatchObject({ totals: { runs: 1e15 }, profile: { name: null, updated: at('2024-01-01') } })
  })

  it('take unknown and archived metrics and unknown attributes for wrong', () => {
    const model = createModel({ metrics: { old: { name: 'Old', status: 'archived' }, runs: { name: 'Runs' } } })
    expect(send(model, '2024-01-01', 'old', 1)).toEqual(refused(422))
    expect(send(model, '2024-01-01', 'constructor', 1)).toEqual(refused(422))
    expect(send(model, '2024-01-01', 'runs', 1, { attributes: { toString: 'x' } })).toEqual(refused(422))
    expect(send(model, '2024-01-01', 'runs', 1, { profile: { attributes: { a: 'x' } } })).toEqual(refused(422))
    expect(model.snapshot(at('2024-01-01'), 'u')).toBeNull()
  })
})

describe('calls', () => {
  it('with a used idempotency key are replays that write nothing, for the same metric only', () => {
    const model = createModel(runs)
    const idempotencyKey = 'k'
    expect(send(model, '2024-01-01', 'runs', 3, { idempotencyKey })).toMatchObject({ replayed: false, total: 3 })
    expect(send(model, '2024-01-02', 'runs', 4, { idempotencyKey, profile: { name: 'Ada' } })).toEqual({
      ok: true,
      replayed: true,
      late: false,
    })
    expect(send(model, '2024-01-02', 'laps', 4, { idempotencyKey })).toMatchObject({ replayed: false, total: 4 })
    expect(send(model, '2024-01-02', 'laps', 4, { idempotencyKey: 'a b' })).toEqual(refused(400))
    expect(seen(model)).toMatchObject({ totals: { runs: 3, laps: 4 }, profile: { name: null } })
  })

  it('go on from the newest instant when the clock has gone back', () => {
    const model = createModel(runs)
    send(model, '2024-01-02', 'runs', 1)
    model.call({ call: 'update', now: at('2024-01-01'), id: 'u', profile: { name: 'Ada' } })
    expect(seen(model).profile).toMatchObject({ created: at('2024-01-02'), updated: at('2024-01-02') })
  })

  it('may say an instant from 1970 to five minutes ahead', () => {
    const model = createModel(runs)
    const now = at('2024-01-01')
    expect(send(model, '2024-01-01', 'runs', 1, { occurredAt: now + 300_001 })).toEqual(refused(422))
    expect(send(model, '2024-01-01', 'runs', 1, { occurredAt: -1 })).toEqual(refused(422))
    expect(send(model, '2024-01-01', 'runs', 1, { occurredAt: now + 300_000 })).toMatchObject({ late: false })
    expect(send(model, '2024-01-01', 'runs', 1, { occurredAt: now })).toEqual({ ok: true, replayed: false, late: true })
  })

  it('subscribe by default when there is an email, and never without one', () => {
    const model = createModel(runs)
    const identify = (profile: Patch) => model.call({ call: 'identify', now: at('2024-01-01'), id: 'u', profile })
    expect(identify({ subscribedToEmails: true })).toEqual(refused(422))
    identify({})
    expect(seen(model).profile.subscribedToEmails).toBe(false)
    identify({ email: 'a@example.com' })
    expect(seen(model).profile.subscribedToEmails).toBe(true)
    identify({ subscribedToEmails: false })
    expect(seen(model).profile.subscribedToEmails).toBe(false)
  })

  it('that update or prefer need a known user', () => {
    const model = createModel(runs)
    const unknown = { now: 0, id: 'u' }
    expect(model.call({ call: 'update', ...unknown, profile: {} })).toEqual(refused(404))
    expect(model.call({ call: 'preferences', ...unknown })).toEqual(refused(404))
  })
})

describe('points', () => {
  const system = (
    triggers: NonNullable<NonNullable<GameDefinition['points']>[string]['triggers']>,
    maxPoints?: number,
  ): GameDefinition => ({
    ...runs,
    eventAttributes: ['kind'],
    userAttributes: ['plan'],
    points: { xp: { name: 'XP', triggers, ...(maxPoints === undefined ? {} : { maxPoints }) } },
  })

  it('are given for every full threshold that is newly reached', () => {
    const model = createModel(system([{ type: 'metric', metric: 'runs', threshold: 10, points: 5 }]))
    const first = good(send(model, '2024-01-01', 'runs', 25))
    expect(first.points).toEqual({ xp: { total: 10, added: 10, awards: [{ trigger: 0, awarded: 10, total: 10 }] } })
    expect(good(send(model, '2024-01-01', 'runs', -20)).points).toEqual({})
    expect(good(send(model, '2024-01-01', 'runs', 20)).points).toEqual({})
    expect(good(send(model, '2024-01-01', 'runs', 5)).points).toMatchObject({ xp: { total: 15, added: 5 } })
    expect(seen(model).marks).toEqual({ xp: [30] })
  })

  it('find three times 0.1 in 0.3', () => {
    const model = createModel(system([{ type: 'metric', metric: 'runs', threshold: 0.1, points: 1 }]))
    expect(good(send(model, '2024-01-01', 'runs', 0.3)).points).toMatchObject({ xp: { total: 3 } })
  })

  it('of a trigger with filters follow the events that match both event and user, active or not', () => {
    const filtered = { type: 'metric', metric: 'runs', threshold: 10, points: 1 } as const
    const model = createModel(
      system([
        { ...filtered, eventAttributes: { kind: 'trail' }, userAttributes: { plan: 'pro' } },
        { ...filtered, eventAttributes: { kind: 'trail' }, status: 'inactive' },
        { type: 'user_creation', points: 5, status: 'inactive' },
      ]),
    )
    const trail = { attributes: { kind: 'trail' } }
    send(model, '2024-01-01', 'runs', 9, trail)
    send(model, '2024-01-01', 'runs', 4, { ...trail, profile: { attributes: { plan: 'pro' } } })
    send(model, '2024-01-01', 'runs', 7)
    expect(seen(model)).toMatchObject({ marks: { xp: [4, 13, null] }, points: { xp: { total: 0, awards: [] } } })
    send(model, '2024-01-01', 'runs', 6, trail)
    expect(seen(model)).toMatchObject({ marks: { xp: [10, 19, null] }, points: { xp: { total: 1 } } })
  })

  it('are clipped award by award, and what is clipped is gone', () => {
    const plus = { type: 'metric', metric: 'runs', threshold: 1, points: 10 } as const
    const minus = { type: 'metric', metric: 'runs', threshold: 1, points: -3 } as const
    const model = createModel(system([plus, minus, plus], 8))
    expect(good(send(model, '2024-01-01', 'runs', 1)).points?.xp).toEqual({
      total: 8,
      added: 8,
      awards: [
        { trigger: 0, awarded: 8, total: 8 },
        { trigger: 1, awarded: -3, total: 5 },
        { trigger: 2, awarded: 3, total: 8 },
      ],
    })
  })

  it('refuse an event that a blocking trigger would take below 0, all triggers together', () => {
    const model = createModel(
      system([
        { type: 'metric', metric: 'laps', threshold: 1, points: -5, blockIfOutOfPoints: true },
        { type: 'metric', metric: 'laps', threshold: 1, points: 2 },
        { type: 'user_creation', points: 3 },
      ]),
    )
    expect(send(model, '2024-01-01', 'laps', 2)).toEqual(refused(422))
    expect(model.snapshot(at('2024-01-01'), 'u')).toBeNull()
    expect(good(send(model, '2024-01-01', 'laps', 1)).points?.xp).toEqual({
      total: 2,
      added: 2,
      awards: [
        { trigger: 2, awarded: 3, total: 3 },
        { trigger: 0, awarded: -3, total: 0 },
        { trigger: 1, awarded: 2, total: 2 },
      ],
    })
  })

  it('make levels go up and down', () => {
    const model = createModel({
      ...runs,
      points: {
        xp: {
          name: 'XP',
          levels: { silver: { name: 'Silver', points: 20 }, bronze: { name: 'Bronze', points: 10 } },
          triggers: [
            { type: 'metric', metric: 'runs', threshold: 1, points: 1 },
            { type: 'metric', metric: 'laps', threshold: 1, points: -1 },
          ],
        },
      },
    })
    expect(good(send(model, '2024-01-01', 'runs', 5)).points?.xp).not.toHaveProperty('level')
    expect(good(send(model, '2024-01-01', 'runs', 20)).points).toMatchObject({ xp: { total: 25, level: 'silver' } })
    expect(good(send(model, '2024-01-01', 'laps', 6)).points).toMatchObject({ xp: { total: 19, level: 'bronze' } })
    expect(good(send(model, '2024-01-01', 'laps', 10)).points).toMatchObject({ xp: { total: 9, level: null } })
  })
})

describe('achievements', () => {
  const game: GameDefinition = {
    ...runs,
    eventAttributes: ['kind'],
    userAttributes: ['plan'],
    achievements: {
      all: { name: 'All', trigger: 'achievement', achievements: ['both', 'joined'] },
      both: { name: 'Both', trigger: 'achievement', achievements: ['ten', 'trails'] },
      ten: { name: 'Ten', trigger: 'metric', metric: 'runs', value: 10 },
      trails: { name: 'Trails', trigger: 'metric', metric: 'runs', value: 5, eventAttributes: { kind: 'trail' } },
      joined: { name: 'Joined', trigger: 'api', userAttributes: { plan: 'pro' } },
      shut: { name: 'Shut', trigger: 'api', status: 'locked' },
      gone: { name: 'Gone', trigger: 'api', status: 'inactive' },
    },
    points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'all', points: 100 }] } },
  }
  const completion = (model: Model, achievement: string, profile: Patch = {}) =>
    model.call({ call: 'complete', now: at('2024-01-03'), id: 'u', profile, achievement })

  it('are completed with their composites, once, and paid', () => {
    const model = createModel(game)
    expect(good(send(model, '2024-01-01', 'runs', 10)).achievements).toEqual(['ten'])
    const trail = good(send(model, '2024-01-02', 'runs', 5, { attributes: { kind: 'trail' } }))
    expect(trail.achievements).toEqual(['both', 'trails'])
    const joined = good(completion(model, 'joined', { attributes: { plan: 'pro' } }))
    expect(joined).toMatchObject({ achievements: ['all', 'joined'], points: { xp: { added: 100 } } })
    expect(completion(model, 'joined', { attributes: { plan: 'free' } })).toMatchObject({
      achievements: [],
      points: {},
    })
    expect(seen(model).achievements).toEqual({
      ten: at('2024-01-01'),
      trails: at('2024-01-02'),
      both: at('2024-01-02'),
      joined: at('2024-01-03'),
      all: at('2024-01-03'),
    })
  })

  it('of which all parts are there wait for an attribute: a change of the profile, or an event, completes them', () => {
    const waiting: GameDefinition = {
      ...game,
      achievements: {
        ten: { name: 'Ten', trigger: 'metric', metric: 'runs', value: 10 },
        all: { name: 'All', trigger: 'achievement', achievements: ['ten'], userAttributes: { plan: 'pro' } },
      },
    }
    const pro = { attributes: { plan: 'pro' } }
    const [update, event] = [createModel(waiting), createModel(waiting)]
    for (const model of [update, event]) {
      expect(good(send(model, '2024-01-01', 'runs', 10)).achievements).toEqual(['ten'])
      expect(good(send(model, '2024-01-02', 'runs', 1)).achievements).toEqual([])
    }
    update.call({ call: 'update', now: at('2024-01-03'), id: 'u', profile: pro })
    expect(seen(update)).toMatchObject({ achievements: { all: at('2024-01-03') }, points: { xp: { total: 100 } } })
    const answer = good(send(event, '2024-01-03', 'laps', 1, { profile: pro }))
    expect(answer).toMatchObject({ achievements: ['all'], points: { xp: { added: 100 } } })
  })

  it('by the API are 404 when there is no such, 422 when the user may not have them', () => {
    const model = createModel(game)
    expect(completion(model, 'nothing')).toEqual(refused(404))
    expect(completion(model, 'gone')).toEqual(refused(404))
    expect(completion(model, 'ten')).toEqual(refused(404))
    expect(completion(model, 'shut')).toEqual(refused(422))
    expect(completion(model, 'joined')).toEqual(refused(422))
    expect(model.snapshot(0, 'u')).toBeNull()
  })
})

describe('a streak', () => {
  it('grows day by day, expires when read, and starts again', () => {
    const model = createModel(daily)
    send(model, '2024-01-01', 'runs', 1)
    expect(good(send(model, '2024-01-02', 'runs', 1)).streak).toEqual({
      length: 2,
      started: '2024-01-01',
      periodStart: '2024-01-02',
      periodEnd: '2024-01-02',
      expires: '2024-01-03',
      extended: true,
    })
    expect(good(send(model, '2024-01-02', 'runs', -5)).streak).toMatchObject({ length: 2, extended: false })
    expect(seen(model, '2024-01-03T23:59').streak).toMatchObject({ length: 2, periodStart: '2024-01-03' })
    const none = { length: 0, started: null, periodStart: null, periodEnd: null, expires: null }
    expect(seen(model, '2024-01-04T00:00').streak).toEqual(none)
    expect(good(send(model, '2024-01-04', 'laps', 1)).streak).toEqual({ ...none, extended: false })
    expect(good(send(model, '2024-01-04', 'runs', 1)).streak).toMatchObject({ length: 1, started: '2024-01-04' })
  })

  it('of weeks asks every metric for its threshold under AND', () => {
    const model = createModel({
      ...runs,
      streak: { frequency: 'weekly', evaluationMode: 'ALL', metrics: { runs: { threshold: 10 }, laps: {} } },
    })
    send(model, '2024-01-01', 'runs', 6) // a Monday
    expect(good(send(model, '2024-01-05', 'laps', 1)).streak).toMatchObject({ length: 0 })
    expect(good(send(model, '2024-01-07', 'runs', 4)).streak).toEqual({
      length: 1,
      started: '2024-01-01',
      periodStart: '2024-01-01',
      periodEnd: '2024-01-07',
      expires: '2024-01-14',
      extended: true,
    })
  })

  it('completes its achievements and pays at every multiple of a length', () => {
    const model = createModel({
      ...daily,
      achievements: { two: { name: 'Two', trigger: 'streak', length: 2 } },
      points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 2, points: 7 }] } },
    })
    for (const day of ['01', '02', '02', '03', '04']) send(model, `2024-01-${day}`, 'runs', 1)
    expect(seen(model)).toMatchObject({
      achievements: { two: at('2024-01-02') },
      points: { xp: { total: 14, awards: [{ date: at('2024-01-02') }, { date: at('2024-01-04') }] } },
    })
  })

  it('is not broken by moving east, nor won by moving west', () => {
    const model = createModel(daily)
    send(model, '2024-01-01', 'runs', 1)
    // 00:30 on the 2nd becomes 14:30 on the 2nd, then 13:40 on the 1st in Pago Pago: counted already.
    const pago = { profile: { tz: 'Pacific/Pago_Pago' } }
    send(model, '2024-01-02T00:30', 'runs', 1, { profile: { tz: 'Pacific/Kiritimati' } })
    expect(good(send(model, '2024-01-02T00:40', 'runs', 1, pago)).streak).toEqual({
      length: 2,
      started: '2023-12-31',
      periodStart: '2024-01-01',
      periodEnd: '2024-01-01',
      expires: '2024-01-02',
      extended: false,
    })
    // 11:00 on the 2nd becomes 12:00 on the 3rd: yesterday's period stays yesterday's.
    const east = { profile: { tz: 'Pacific/Kiritimati' } }
    expect(good(send(model, '2024-01-02T22:00', 'runs', 1, east)).streak).toMatchObject({
      length: 3,
      periodStart: '2024-01-03',
      expires: '2024-01-04',
    })
  })

  it('does not lengthen faster than time goes by, whatever the zones', () => {
    const model = createModel(daily)
    send(model, '2024-01-01T22:30', 'runs', 1)
    expect(good(send(model, '2024-01-02T00:00', 'runs', 1)).streak).toMatchObject({ length: 2 })
    model.call({ call: 'update', now: at('2024-01-02T00:30'), id: 'u', profile: { tz: 'Atlantic/Azores' } })
    expect(seen(model, '2024-01-02T00:30').streak).toMatchObject({ length: 2, expires: '2024-01-02' })
    const counted = good(send(model, '2024-01-02T01:00', 'runs', 1)).streak // 2 + floor((2.5 + 3) / 24) is 2
    expect(counted).toMatchObject({ length: 2, started: '2024-01-01', expires: '2024-01-03', extended: false })
    expect(good(send(model, '2024-01-03T01:00', 'runs', 1)).streak).toMatchObject({ length: 3 })
  })

  it('cannot miss the day that Apia left out', () => {
    const model = createModel(daily)
    const apia = { profile: { tz: 'Pacific/Apia' } }
    expect(good(send(model, '2011-12-29T20:00', 'runs', 1, apia)).streak).toMatchObject({
      periodStart: '2011-12-29',
      expires: '2011-12-31',
    })
    expect(good(send(model, '2011-12-30T12:00', 'runs', 1)).streak).toMatchObject({
      length: 2,
      periodStart: '2011-12-31',
    })
  })

  it('takes along what was done today to another zone, and mixes no two days', () => {
    const game: GameDefinition = { ...runs, streak: { frequency: 'daily', metrics: { runs: { threshold: 10 } } } }
    const east = createModel(game)
    send(east, '2024-01-01T23:30', 'runs', 6)
    expect(
      good(send(east, '2024-01-01T23:45', 'runs', 4, { profile: { tz: 'Pacific/Kiritimati' } })).streak,
    ).toMatchObject({ length: 1, started: '2024-01-02' })
    const west = createModel(game)
    send(west, '2024-01-01', 'runs', 6)
    send(west, '2024-01-02T00:30', 'runs', 4)
    const moved = good(send(west, '2024-01-02T00:45', 'runs', 0, { profile: { tz: 'Atlantic/Azores' } }))
    expect(moved.streak).toMatchObject({ length: 0 })
  })

  it('follows personal preferences from the next event on, where the game allows them', () => {
    const streak = (time: string, metrics: { key: string; threshold?: number }[]): Call => ({
      call: 'preferences',
      now: at(time),
      id: 'u',
      streak: { metrics },
    })
    const fixed = createModel(daily)
    send(fixed, '2024-01-01', 'laps', 2)
    expect(fixed.call(streak('2024-01-01', [{ key: 'laps' }]))).toEqual(refused(403))
    const model = createModel({ ...runs, streak: { frequency: 'daily', metrics: { runs: {} }, customization: true } })
    send(model, '2024-01-01', 'laps', 2)
    expect(model.call(streak('2024-01-01', [{ key: 'steps' }]))).toEqual(refused(422))
    expect(model.call(streak('2024-01-01', [{ key: 'laps' }, { key: 'laps' }]))).toEqual(refused(422))
    expect(model.call(streak('2024-01-01', [{ key: 'laps', threshold: -1 }]))).toEqual(refused(422))
    expect(model.call(streak('2024-01-01', []))).toEqual(refused(422))
    good(model.call(streak('2024-01-01', [{ key: 'laps', threshold: 2 }])))
    expect(seen(model, '2024-01-01').streak.length).toBe(0)
    expect(good(send(model, '2024-01-01', 'runs', -1)).streak).toMatchObject({ length: 1, extended: true })
    expect(seen(model).preferences).toEqual({
      notifications: {},
      streak: { evaluationMode: 'OR', metrics: [{ key: 'laps', threshold: 2 }] },
    })
  })

  it('takes preferences in parts: what is not named stays, and a threshold of 0 is any change above 0', () => {
    const model = createModel({ ...runs, streak: { frequency: 'daily', metrics: { runs: {} }, customization: true } })
    const prefer = (streak: Extract<Call, { call: 'preferences' }>['streak']) =>
      good(
        model.call({
          call: 'preferences',
          now: at('2024-01-01'),
          id: 'u',
          ...(streak === undefined ? {} : { streak }),
        }),
      )
    const metrics = [{ key: 'runs', threshold: 2 }, { key: 'laps' }]
    good(send(model, '2024-01-01', 'runs', 0))
    prefer({})
    expect(seen(model).preferences.streak).toBeNull()
    prefer({ evaluationMode: 'ALL' })
    expect(seen(model).preferences.streak).toEqual({ evaluationMode: 'AND' })
    prefer({ metrics })
    prefer({ enabled: true })
    expect(seen(model).preferences.streak).toEqual({
      enabled: true,
      evaluationMode: 'AND',
      metrics: [
        { key: 'runs', threshold: 2 },
        { key: 'laps', threshold: 0 },
      ],
    })
    expect(good(send(model, '2024-01-01', 'runs', 2)).streak).toMatchObject({ length: 0 })
    expect(good(send(model, '2024-01-01', 'laps', 1)).streak).toMatchObject({ length: 1 })
  })

  it('that is switched off is 0 and sums nothing up, in any game, and begins at 0 when it is on again', () => {
    const model = createModel({ ...runs, streak: { frequency: 'daily', metrics: { runs: { threshold: 2 } } } })
    const turn = (time: string, enabled: boolean) =>
      good(model.call({ call: 'preferences', now: at(time), id: 'u', streak: { enabled } }))
    good(send(model, '2024-01-01', 'runs', 2))
    expect(good(send(model, '2024-01-02', 'runs', 2)).streak).toMatchObject({ length: 2 })
    turn('2024-01-02', false)
    expect(seen(model, '2024-01-02')).toMatchObject({
      streak: { length: 0, started: null, periodStart: null, periodEnd: null, expires: null },
      preferences: { streak: { enabled: false } },
    })
    expect(good(send(model, '2024-01-03', 'runs', 2)).streak).toMatchObject({ length: 0, extended: false })
    turn('2024-01-03', true)
    expect(good(send(model, '2024-01-03', 'runs', 1)).streak).toMatchObject({ length: 0, extended: false })
    expect(good(send(model, '2024-01-03', 'runs', 1)).streak).toMatchObject({ length: 1, extended: true })
    expect(good(send(model, '2024-01-04', 'runs', 2)).streak).toMatchObject({ length: 2, started: '2024-01-03' })
  })
})

describe('a late event', () => {
  it('counts on its own day, with all that follows', () => {
    const model = createModel({
      ...daily,
      points: { xp: { name: 'XP', triggers: [{ type: 'streak', length: 3, points: 50 }] } },
    })
    send(model, '2024-01-01', 'runs', 1)
    send(model, '2024-01-03', 'runs', 1)
    expect(sendLate(model, '2024-01-02', 'runs', 1)).toEqual({ ok: true, replayed: false, late: true })
    expect(seen(model, '2024-01-03')).toMatchObject({
      streak: { length: 3, started: '2024-01-01' },
      points: { xp: { awards: [{ trigger: 0, awarded: 50, total: 50, date: at('2024-01-03') }] } },
    })
  })

  it('takes no completion away, nor what follows from one', () => {
    const model = createModel({
      ...runs,
      achievements: {
        ten: { name: 'Ten', trigger: 'metric', metric: 'runs', value: 10 },
        top: { name: 'Top', trigger: 'achievement', achievements: ['ten'] },
      },
      points: {
        xp: {
          name: 'XP',
          triggers: [
            { type: 'metric', metric: 'runs', threshold: 10, points: 1 },
            { type: 'achievement', achievement: 'top', points: 7 },
          ],
        },
      },
    })
    send(model, '2024-01-02', 'runs', 10)
    expect(seen(model).points.xp?.total).toBe(8)
    sendLate(model, '2024-01-01', 'runs', -5)
    const expected = {
      totals: { runs: 5 },
      marks: { xp: [5, null] },
      achievements: { ten: at('2024-01-02'), top: at('2024-01-02') },
      points: { xp: { total: 7, awards: [{ trigger: 1, awarded: 7, total: 7, date: at('2024-01-02') }] } },
    }
    expect(seen(model)).toMatchObject(expected)
    expect(send(model, '2024-01-31', 'runs', 1)).toMatchObject({ achievements: [], total: 6 })
    // It would be earlier now by the rules alone, and is.
    sendLate(model, '2024-01-01T00:00', 'runs', 20)
    expect(seen(model).achievements).toEqual({ ten: at('2024-01-01T00:00'), top: at('2024-01-01T00:00') })
  })

  it('un-accepts no later event, but is refused itself when out of points at its own place', () => {
    const model = createModel({
      ...runs,
      points: {
        xp: {
          name: 'XP',
          triggers: [
            { type: 'metric', metric: 'runs', threshold: 1, points: 1 },
            { type: 'metric', metric: 'laps', threshold: 1, points: -1, blockIfOutOfPoints: true },
          ],
        },
      },
    })
    send(model, '2024-01-02', 'runs', 5)
    send(model, '2024-01-04', 'laps', 5)
    expect(sendLate(model, '2024-01-01', 'laps', 1)).toEqual(refused(422))
    good(sendLate(model, '2024-01-03', 'laps', 3))
    expect(seen(model).points.xp).toEqual({
      total: 0,
      level: null,
      awards: [
        { trigger: 0, awarded: 5, total: 5, date: at('2024-01-02') },
        { trigger: 1, awarded: -3, total: 2, date: at('2024-01-03') },
        { trigger: 1, awarded: -2, total: 0, date: at('2024-01-04') },
      ],
    })
  })

  it('is refused when it would lead a total out of bounds later on', () => {
    const model = createModel(runs)
    send(model, '2024-01-02', 'runs', 1e15)
    send(model, '2024-01-03', 'runs', -1e15)
    expect(sendLate(model, '2024-01-01', 'runs', 10)).toEqual(refused(422))
    expect(sendLate(model, '2024-01-03', 'runs', 10)).toMatchObject({ ok: true })
  })

  it('has its profile take effect at its own instant, field by field', () => {
    const model = createModel({ ...runs, userAttributes: ['a', 'b'] })
    send(model, '2024-01-02', 'runs', 1)
    model.call({ call: 'update', now: at('2024-01-04'), id: 'u', profile: { name: 'New', attributes: { a: 'new' } } })
    const profile = { name: 'Old', email: 'a@example.com', attributes: { a: 'old', b: 'old' } }
    sendLate(model, '2024-01-03', 'runs', 1, { profile })
    sendLate(model, '2024-01-01', 'runs', 1)
    expect(seen(model).profile).toEqual({
      name: 'New',
      email: 'a@example.com',
      tz: null,
      subscribedToEmails: true,
      deviceTokens: null,
      attributes: { a: 'new', b: 'old' },
      created: at('2024-01-01'),
      updated: at('2024-01-04'),
    })
  })
})

describe('the summary', () => {
  it('counts changes inside the range only, and totals from the beginning', () => {
    const model = createModel(runs)
    for (const [day, value] of [
      ['01', 5],
      ['03', 1],
      ['09', 2],
      ['10', 4],
    ] as const) {
      send(model, `2024-01-${day}`, 'runs', value)
    }
    expect(model.summary('u', 'runs', 'weekly', '2024-01-03', '2024-01-09')).toEqual([
      { date: '2024-01-01', total: 6, change: 1 },
      { date: '2024-01-08', total: 8, change: 2 },
    ])
    expect(model.summary('u', 'runs', 'monthly', '2023-12-15', '2024-01-31')).toEqual([
      { date: '2023-12-01', total: 0, change: 0 },
      { date: '2024-01-01', total: 12, change: 12 },
    ])
    expect(model.summary('u', 'runs', 'daily', '2024-01-09', '2024-01-10')).toEqual([
      { date: '2024-01-09', total: 8, change: 2 },
      { date: '2024-01-10', total: 12, change: 4 },
    ])
  })
})

describe('a user who is suspended', () => {
  const call = (model: Model, name: 'suspend' | 'restore', time: string) =>
    model.call({ call: name, now: at(time), id: 'u', reason: 'Forged' })

  it('has no place, and all that was scored meanwhile once restored', () => {
    const model = createModel(daily)
    expect(call(model, 'suspend', '2024-01-01')).toEqual(refused(404))
    send(model, '2024-01-01', 'runs', 3)
    send(model, '2024-01-01', 'runs', 5, { id: 'v' })
    const suspended = { since: at('2024-01-02'), reason: 'Forged' }
    expect(call(model, 'suspend', '2024-01-02')).toMatchObject({ ok: true, suspended })
    expect(call(model, 'suspend', '2024-01-03')).toMatchObject({ ok: true, suspended })
    expect(send(model, '2024-01-03', 'runs', 4)).toMatchObject({ total: 7 })
    expect(model.board('runs')).toEqual([{ user: 'v', value: 5, rank: 1 }])
    expect(call(model, 'restore', '2024-01-04')).toMatchObject({ ok: true, suspended: null })
    expect(model.board('runs')).toEqual([
      { user: 'u', value: 7, rank: 1 },
      { user: 'v', value: 5, rank: 2 },
    ])
  })
})

describe('a merge', () => {
  const merge = (model: Model, id: string, into: string, time = '2024-01-31') =>
    model.call({ call: 'merge', now: at(time), id, into })

  it('makes one history of two, of which one id is another name', () => {
    const model = createModel(daily)
    send(model, '2024-01-01', 'runs', 3, { id: 'guest', profile: { name: 'Old', email: 'a@example.com' } })
    send(model, '2024-01-02', 'runs', 1, { profile: { name: 'New' } })
    send(model, '2024-01-03', 'runs', 1, { id: 'guest' })
    const merged = { from: 'guest', into: 'u', merged: true, entries: 2, repeated: 0 }
    expect(merge(model, 'guest', 'u', '2024-01-03')).toMatchObject({ ok: true, merged })
    expect(seen(model, '2024-01-03')).toMatchObject({
      profile: { name: 'New', email: 'a@example.com', created: at('2024-01-01') },
      totals: { runs: 5 },
      streak: { length: 3, started: '2024-01-01' },
    })
    expect(send(model, '2024-01-04', 'runs', 1, { id: 'guest' })).toMatchObject({ total: 6, streak: { length: 4 } })
    expect(model.users()).toEqual([
      { id: 'guest', suspended: null, mergedInto: 'u' },
      { id: 'u', suspended: null, mergedInto: null },
    ])
    const nothing = { from: 'u', into: 'u', merged: false, entries: 0, repeated: 0 }
    expect(merge(model, 'u', 'guest')).toMatchObject({ ok: true, merged: nothing })
    expect(merge(model, 'u', 'u')).toEqual(refused(422))
    expect(merge(model, 'u', 'nobody')).toEqual(refused(404))
  })

  it('counts a key that both have used once: the first event', () => {
    const model = createModel(runs)
    send(model, '2024-01-02', 'runs', 3, { idempotencyKey: 'k' })
    send(model, '2024-01-01', 'runs', 4, { id: 'guest', idempotencyKey: 'k' })
    expect(merge(model, 'guest', 'u')).toMatchObject({ merged: { repeated: 1 } })
    expect(seen(model).totals.runs).toBe(4)
    expect(send(model, '2024-01-31', 'runs', 5, { idempotencyKey: 'k' })).toMatchObject({ replayed: true })
  })

  it('keeps what either had completed, as of when it first was', () => {
    const model = createModel({
      ...runs,
      achievements: { ten: { name: 'Ten', trigger: 'metric', metric: 'runs', value: 100 } },
    })
    send(model, '2024-01-01', 'runs', -200, { id: 'guest' })
    send(model, '2024-01-02', 'runs', 100)
    send(model, '2024-01-02', 'runs', -150)
    send(model, '2024-01-03', 'runs', 300, { id: 'guest' })
    merge(model, 'guest', 'u')
    expect(seen(model)).toMatchObject({ totals: { runs: 50 }, achievements: { ten: at('2024-01-02') } })
  })

  it('is refused when a total would leave its bounds, and changes nothing', () => {
    const model = createModel(runs)
    send(model, '2024-01-01', 'runs', 9e14)
    send(model, '2024-01-02', 'runs', 9e14, { id: 'guest' })
    expect(merge(model, 'guest', 'u')).toEqual(refused(422))
    expect(model.users()).toHaveLength(2)
    expect(seen(model).totals.runs).toBe(9e14)
  })
})
