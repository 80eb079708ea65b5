// The model's tiers, repeats and several streaks, against values worked out by hand from what was decided on them.
import { describe, expect, it } from 'vitest'
import type { Call, FullGame, Model, Outcome } from './model.ts'
import { createModel } from './model.ts'

const at = (time: string): number => Date.parse(time.length === 10 ? `${time}T12:00:00Z` : `${time}:00Z`)

type Extra = Omit<Partial<Extract<Call, { call: 'event' }>>, 'call' | 'now'>

function send(model: Model, time: string, metric: string, value: number, extra: Extra = {}) {
  return good(model.call({ call: 'event', now: at(time), id: 'u', metric, value, ...extra }))
}

function good(outcome: Outcome): Extract<Outcome, { ok: true }> {
  if (!outcome.ok) throw new Error(`refused with ${outcome.status}`)
  return outcome
}

function seen(model: Model, time: string) {
  const snapshot = model.snapshot(at(time), 'u')
  if (snapshot === null) throw new Error('unknown user')
  return snapshot
}

const metrics: FullGame['metrics'] = { words: { name: 'Words' }, reps: { name: 'Reps' } }

describe('tiers', () => {
  const game: FullGame = {
    metrics,
    achievements: {
      writer: {
        name: 'Writer',
        trigger: 'metric',
        metric: 'words',
        tiers: { bronze: { value: 1_000 }, silver: { value: 5_000 }, gold: { value: 20_000 } },
      },
      best: { name: 'Best', trigger: 'achievement', achievements: ['writer.gold'] },
    },
    points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'writer.silver', points: 50 }] } },
  }

  it('are achievements of their own: a jump past three completes three, and what is made of them', () => {
    const model = createModel(game)
    expect(send(model, '2024-01-01', 'words', 1_500)).toMatchObject({ achievements: ['writer.bronze'], points: {} })
    expect(send(model, '2024-01-02', 'words', 30_000)).toMatchObject({
      achievements: ['best', 'writer.gold', 'writer.silver'],
      points: { xp: { added: 50 } },
    })
    expect(seen(model, '2024-01-02').achievements).toEqual({
      'writer.bronze': at('2024-01-01'),
      'writer.silver': at('2024-01-02'),
      'writer.gold': at('2024-01-02'),
      best: at('2024-01-02'),
    })
  })
})

describe('what repeats', () => {
  const game: FullGame = {
    metrics,
    eventAttributes: ['kind'],
    userAttributes: ['plan'],
    achievements: {
      thousand: { name: 'A thousand', trigger: 'metric', metric: 'words', value: 1_000, repeat: true },
      twice: { name: 'Twice', trigger: 'metric', metric: 'words', value: 1_000, repeat: { max: 2 } },
      race: { name: 'Race', trigger: 'api', repeat: { max: 3 } },
      week: { name: 'Week', trigger: 'streak', length: 3, repeat: true },
    },
    points: { xp: { name: 'XP', triggers: [{ type: 'achievement', achievement: 'thousand', points: 5 }] } },
    streak: { frequency: 'daily', metrics: { reps: {} } },
  }
  const complete = (model: Model, time: string, idempotencyKey?: string) =>
    good(
      model.call({
        call: 'complete',
        now: at(time),
        id: 'u',
        achievement: 'race',
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }),
    )

  it('is completed for every multiple of the highest total, and pays each time', () => {
    const model = createModel(game)
    expect(send(model, '2024-01-01', 'words', 2_500)).toMatchObject({
      achievements: ['thousand 1', 'thousand 2', 'twice 1', 'twice 2'],
      points: { xp: { added: 10, awards: [{ trigger: 0, awarded: 10, total: 10 }] } },
    })
    expect(send(model, '2024-01-02', 'words', -2_000).achievements).toEqual([])
    expect(send(model, '2024-01-03', 'words', 2_000).achievements).toEqual([])
    expect(send(model, '2024-01-04', 'words', 500).achievements).toEqual(['thousand 3'])
    expect(seen(model, '2024-01-04')).toMatchObject({
      achievements: { thousand: at('2024-01-04'), twice: at('2024-01-01') },
      counts: { thousand: 3, twice: 2 },
    })
  })

  it('is completed once for each idempotency key, and without one the first time', () => {
    const model = createModel(game)
    expect(complete(model, '2024-01-01').achievements).toEqual(['race 1'])
    expect(complete(model, '2024-01-02').achievements).toEqual([])
    expect(complete(model, '2024-01-03', 'berlin').achievements).toEqual(['race 2'])
    expect(complete(model, '2024-01-04', 'berlin').achievements).toEqual([])
    expect(complete(model, '2024-01-05').achievements).toEqual([])
    expect(complete(model, '2024-01-06', 'boston').achievements).toEqual(['race 3'])
    expect(complete(model, '2024-01-07', 'london').achievements).toEqual([])
    expect(seen(model, '2024-01-07')).toMatchObject({ achievements: { race: at('2024-01-06') }, counts: { race: 3 } })
  })

  it('is completed once in each streak that is long enough', () => {
    const model = createModel(game)
    const days = ['01', '02', '03', '04', '06', '07', '08']
    const completed = days.flatMap((day) => send(model, `2024-01-${day}`, 'reps', 1).achievements ?? [])
    expect(completed).toEqual(['week 1', 'week 2'])
    expect(seen(model, '2024-01-08')).toMatchObject({ counts: { week: 2 }, achievements: { week: at('2024-01-08') } })
  })

  it('loses by a void all but the first completion, and is completed for what is reached again', () => {
    const model = createModel(game)
    send(model, '2024-01-01', 'words', 1_000)
    send(model, '2024-01-02', 'words', 2_000, { idempotencyKey: 'k' })
    model.call({ call: 'void', now: at('2024-01-03'), id: 'u', metric: 'words', idempotencyKey: 'k' })
    expect(seen(model, '2024-01-03')).toMatchObject({
      totals: { words: 1_000 },
      counts: { thousand: 1 },
      achievements: { thousand: at('2024-01-01') },
      points: { xp: { total: 5 } },
    })
    const again = ['thousand 2', 'thousand 3', 'twice 2']
    expect(send(model, '2024-01-04', 'words', 2_500).achievements).toEqual(again)
    expect(send(model, '2024-01-05', 'words', 500).achievements).toEqual(['thousand 4'])
  })
})

describe('several streaks', () => {
  const gym = { frequency: 'weekly', metrics: { reps: {} } } as const
  const game: FullGame = {
    metrics,
    achievements: {
      reader: { name: 'Reader', trigger: 'streak', length: 2 },
      strong: { name: 'Strong', trigger: 'streak', streak: 'gym', length: 2 },
    },
    points: { xp: { name: 'XP', triggers: [{ type: 'streak', streak: 'gym', length: 1, points: 7 }] } },
    streak: { frequency: 'daily', metrics: { words: {} } },
    streaks: { gym },
  }

  it('run beside each other, each with triggers and achievements of its own', () => {
    const model = createModel(game)
    expect(send(model, '2024-01-01', 'words', 1)).toMatchObject({ points: {}, streak: { length: 1 } })
    expect(send(model, '2024-01-02', 'reps', 1)).toMatchObject({
      points: { xp: { added: 7 } },
      streak: { length: 1, extended: false },
      streaks: {
        gym: {
          length: 1,
          started: '2024-01-01',
          periodStart: '2024-01-01',
          periodEnd: '2024-01-07',
          expires: '2024-01-14',
          extended: true,
        },
      },
    })
    expect(send(model, '2024-01-08', 'reps', 1)).toMatchObject({
      achievements: ['strong'],
      streak: { length: 0 },
      streaks: { gym: { length: 2 } },
    })
    expect(seen(model, '2024-01-21').streaks).toMatchObject({ gym: { length: 2, expires: '2024-01-21' } })
    expect(seen(model, '2024-01-22').streaks).toMatchObject({ gym: { length: 0, expires: null } })
  })

  it('with one key under the same rules read as `streak` does', () => {
    const rules = { frequency: 'daily', metrics: { words: { threshold: 2 } }, freezes: { initial: 1, max: 1 } } as const
    const model = createModel({ metrics, streak: rules, streaks: { twin: rules } })
    for (const [day, value] of [
      ['01', 2],
      ['02', 1],
      ['03', 3],
      ['04', 2],
      ['06', 2],
    ] as const) {
      const { streak, streaks } = send(model, `2024-01-${day}`, 'words', value)
      expect(streaks).toEqual({ twin: streak })
    }
    expect(seen(model, '2024-01-06').streak).toMatchObject({ length: 1, started: '2024-01-06', freezes: 0 })
    expect(seen(model, '2024-01-06').streaks).toEqual({ twin: seen(model, '2024-01-06').streak })
  })

  it('that share freezes leave the only one to the period that ended first, then to `streak`, then by key', () => {
    const daily = { frequency: 'daily', metrics: { words: {} }, freezes: 'shared' } as const
    const weekly = { frequency: 'weekly', metrics: { words: {} }, freezes: { initial: 1, max: 1 } } as const
    const first = createModel({ metrics, streak: weekly, streaks: { b: daily, a: daily } })
    send(first, '2024-01-01', 'words', 1) // a Monday
    // The 2nd ends for a and b before the week does.
    expect(seen(first, '2024-01-03')).toMatchObject({
      streak: { length: 1, freezes: 0 },
      streaks: { a: { length: 1, freezes: 0 }, b: { length: 0 } },
    })
    const own = { ...daily, freezes: { initial: 1, max: 1 } } as const
    const same = createModel({ metrics, streak: own, streaks: { a: daily, b: own } })
    send(same, '2024-01-01', 'words', 1)
    expect(seen(same, '2024-01-03')).toMatchObject({
      streak: { length: 1, freezes: 0 },
      streaks: { a: { length: 0, freezes: 0 }, b: { length: 1, freezes: 0 } },
    })
  })

  it('earn freezes that are shared once, at the midnight after what ends there', () => {
    const freezes = { max: 5, autoEarn: { interval: 2, amount: 2 } }
    const model = createModel({
      metrics,
      streak: { frequency: 'daily', metrics: { reps: {} }, freezes },
      streaks: { a: { frequency: 'daily', metrics: { words: {} }, freezes: 'shared' } },
    })
    send(model, '2024-01-01', 'reps', 1)
    send(model, '2024-01-02', 'words', 1)
    // On the 3rd two come, too late for the 2nd of `streak`; the 3rd and the 4th of `a` take them, and two more come.
    expect(seen(model, '2024-01-03')).toMatchObject({
      streak: { length: 0, freezes: 2 },
      streaks: { a: { length: 1 } },
    })
    expect(seen(model, '2024-01-05').streaks).toMatchObject({ a: { length: 1, freezes: 2 } })
  })

  it('are all switched off by the user, and begin at 0', () => {
    const model = createModel(game)
    send(model, '2024-01-02', 'reps', 1)
    model.call({ call: 'preferences', now: at('2024-01-03'), id: 'u', streak: { enabled: false } })
    expect(seen(model, '2024-01-03').streaks).toMatchObject({ gym: { length: 0 } })
    expect(send(model, '2024-01-08', 'reps', 1).streaks).toMatchObject({ gym: { length: 0, extended: false } })
    model.call({ call: 'preferences', now: at('2024-01-09'), id: 'u', streak: { enabled: true } })
    expect(send(model, '2024-01-09', 'reps', 1).streaks).toMatchObject({ gym: { length: 1, started: '2024-01-08' } })
  })

  it('have boards: the longer first, then who was that long first', () => {
    const model = createModel(game)
    send(model, '2024-01-02', 'reps', 1, { id: 'v' })
    send(model, '2024-01-03', 'reps', 1)
    send(model, '2024-01-04', 'words', 1)
    expect(model.streakBoard(at('2024-01-04'), 'gym')).toEqual([
      { user: 'v', value: 1, rank: 1 },
      { user: 'u', value: 1, rank: 2 },
    ])
    expect(model.streakBoard(at('2024-01-04'), null)).toEqual([{ user: 'u', value: 1, rank: 1 }])
    send(model, '2024-01-09', 'reps', 1)
    expect(model.streakBoard(at('2024-01-15'), 'gym')).toEqual([{ user: 'u', value: 2, rank: 1 }])
  })

  it('that come with another game begin there, and those that stay go on', () => {
    const model = createModel({ metrics, streak: { frequency: 'daily', metrics: { words: {} } } })
    send(model, '2024-01-01', 'words', 1)
    send(model, '2024-01-01', 'reps', 1)
    model.call({ call: 'deploy', now: at('2024-01-02'), definition: game })
    expect(seen(model, '2024-01-02')).toMatchObject({ streak: { length: 1 }, streaks: { gym: { length: 0 } } })
    const answer = send(model, '2024-01-02', 'words', 1)
    expect(answer).toMatchObject({ achievements: ['reader'], streak: { length: 2 }, streaks: { gym: { length: 0 } } })
  })
})
