// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import { add, codeOf, type Engine, onEachStorage, UUID_5, UUID_7 } from '../../support/engine.ts'

const game = {
  metrics: {
    words: { name: 'Words', limits: [{ value: 100, per: { days: 1 }, then: 'hold' }] },
    pages: { name: 'Pages' },
  },
  userAttributes: ['plan'],
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 150 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 10, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: { words: { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' } },
} as const
const unlimited = { ...game, metrics: { words: { name: 'Words' }, pages: { name: 'Pages' } } } as const
const at = (instant: string) => ({ occurredAt: new Date(instant) })

onEachStorage('An event that a limit holds back', (open) => {
  test('is answered as held, and nothing follows from it', async () => {
    const engine = await open(game)
    await add(engine, 'words', 90)
    const held = await add(engine, 'words', 20, { idempotencyKey: 'late-night' })
    expect(held).toMatchObject({
      held: true,
      eventId: UUID_7,
      total: 90,
      achievements: [],
      points: {},
      leaderboards: {},
    })
    expect(held.idempotentReplayed).toBe(false)
    const again = await add(engine, 'words', 20, { idempotencyKey: 'late-night' })
    expect(again).toMatchObject({ eventId: held.eventId, idempotentReplayed: true, total: 90 })
    expect(await add(engine, 'words', 10)).toMatchObject({ total: 100 })
    expect((await engine.users.points('ann', 'xp')).total).toBe(10)
    const days = { aggregation: 'daily', startDate: '2026-03-09', endDate: '2026-03-10' } as const
    expect(await engine.users.metricEventSummary('ann', 'words', days)).toMatchObject([{ change: 0 }, { change: 100 }])
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('is listed as held, not as voided, and is the same after an export and import', async () => {
    const engine = await open(game)
    const { eventId: held } = await add(engine, 'words', 200)
    const { eventId: voided } = await add(engine, 'words', 20)
    const { voidId } = await engine.events.void(voided)
    await add(engine, 'words', 30)
    const statesOf = async ({ users }: Engine) => {
      const { entries } = await users.events('ann')
      return entries.flatMap(({ kind, id, held, voidedBy }) => (kind === 'eventRecorded' ? [[id, held, voidedBy]] : []))
    }
    const states = [
      [expect.any(String), undefined, undefined],
      [voided, undefined, voidId],
      [held, true, undefined],
    ]
    expect(await statesOf(engine)).toEqual(states)
    const lines: string[] = []
    for await (const line of engine.export()) lines.push(line)
    expect(lines.filter((line) => line.includes('"held":true'))).toHaveLength(1)
    const copy = await open(game)
    await copy.import(lines)
    expect(await statesOf(copy)).toEqual(states)
    expect((await copy.events.held()).map(({ eventId }) => eventId)).toEqual([held])
    await copy.events.approve(held)
    expect((await copy.users.singleMetric('ann', 'words')).current).toBe(230)
    expect(await copy.verify()).toMatchObject({ drift: [] })
  })

  test('creates its user all the same, and takes the profile that came with it', async () => {
    const engine = await open(game)
    const user = { id: 'ann', name: 'Ann', attributes: { plan: 'pro' } }
    const { held, total } = await engine.metrics.event('words', { user, value: 101 })
    expect([held, total]).toEqual([true, 0])
    expect(await engine.users.get('ann')).toMatchObject({ name: 'Ann' })
    expect((await engine.users.streak('ann')).length).toBe(0)
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('counts from its approval on, at its own place, as if it had never been held', async () => {
    const engine = await open(game)
    const free = await open(unlimited)
    const run = async (on: typeof engine) => {
      on.at('2026-03-10T12:00:00Z')
      await add(on, 'words', 90)
      const { eventId } = await add(on, 'words', 70)
      on.at('2026-03-11T12:00:00Z')
      await add(on, 'words', 5)
      return eventId
    }
    const held = await run(engine)
    await run(free)
    expect((await engine.users.achievements('ann')).length).toBe(0)

    const answer = await engine.events.approve(held)

    expect(answer).toMatchObject({
      approvalId: UUID_7,
      eventId: held,
      userId: 'ann',
      metricId: UUID_5,
      alreadyApproved: false,
      total: 165,
      achievements: [{ key: 'novelist', achievedAt: '2026-03-10T12:00:00.000Z' }],
      points: { xp: { total: 16, added: 7 } },
      leaderboards: { words: { rank: 1 } },
    })
    expect(await engine.users.singleMetric('ann', 'words')).toEqual(await free.users.singleMetric('ann', 'words'))
    expect(await engine.users.streak('ann')).toEqual(await free.users.streak('ann'))
    expect((await engine.users.points('ann', 'xp')).total).toBe((await free.users.points('ann', 'xp')).total)
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('is approved once: approving again changes nothing', async () => {
    const engine = await open(game)
    await add(engine, 'words', 90)
    const { eventId } = await add(engine, 'words', 20, { idempotencyKey: 'evening' })
    const subject = { user: 'ann', metric: 'words', idempotencyKey: 'evening' }
    const first = await engine.events.approve(subject)
    expect(first).toMatchObject({ eventId, alreadyApproved: false, total: 110 })
    expect(await engine.events.approve(eventId)).toMatchObject({
      approvalId: first.approvalId,
      alreadyApproved: true,
      total: 110,
      achievements: [],
    })
  })

  test('approved by several at once counts once', async () => {
    const engine = await open(game)
    const { eventId } = await add(engine, 'words', 120)
    const answers = await Promise.all(Array.from({ length: 8 }, () => engine.events.approve(eventId)))
    expect(answers.filter(({ alreadyApproved }) => !alreadyApproved)).toHaveLength(1)
    expect(new Set(answers.map(({ approvalId }) => approvalId)).size).toBe(1)
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(120)
  })

  test('counts for the limit when it is approved, and not before', async () => {
    const engine = await open(game)
    await add(engine, 'words', 60)
    const { eventId } = await add(engine, 'words', 70)
    expect((await add(engine, 'words', 40)).held).toBeUndefined()
    await engine.events.approve(eventId)
    expect((await add(engine, 'words', 1)).held).toBe(true)
    await engine.events.void(eventId)
    expect((await add(engine, 'words', 1)).held).toBe(true)
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(100)
  })

  test('is void for good when it is voided, and cannot be approved then', async () => {
    const engine = await open(game)
    const { eventId } = await add(engine, 'words', 120)
    const voided = await engine.events.void(eventId, { reason: 'A robot' })
    expect(voided).toMatchObject({ eventId, total: 0, alreadyVoided: false })
    expect((await engine.events.void(eventId)).alreadyVoided).toBe(true)
    await expect(engine.events.approve(eventId)).rejects.toMatchObject({
      code: 'event_not_held',
      message: `The event "${eventId}" is not held back, so it is not approved: it was voided by ${voided.voidId}.`,
    })
    expect(await engine.events.held()).toEqual([])
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('is not the only kind that approve is asked for: what counts already, or is not there, is refused', async () => {
    const engine = await open(game)
    const { eventId } = await add(engine, 'words', 20)
    await expect(engine.events.approve(eventId)).rejects.toMatchObject({
      code: 'event_not_held',
      message: expect.stringContaining('it counts since it was recorded'),
    })
    expect(await codeOf(engine.events.approve('4f1c2c7e-3d9a-4bb0-8f0a-2b9f3c1d4e5f'))).toBe('unknown_event')
    expect(await codeOf(engine.events.approve({ user: 'ann', metric: 'words', idempotencyKey: 'x' }))).toBe(
      'unknown_event',
    )
  })

  test('is no part of what another game would change', async () => {
    const engine = await open(game)
    await add(engine, 'words', 200)
    await add(engine, 'words', 10)
    const report = await engine.whatIf({ ...engine.game })
    expect(report).toMatchObject({ users: 1, changed: 0, achievements: [], points: [] })
  })

  test('is listed, in order of user and of when it happened, page by page', async () => {
    const engine = await open(game)
    const hold = async (id: string, instant: string, key: string) => {
      const event = { user: { id }, value: 101, idempotencyKey: key, ...at(instant) }
      return (await engine.metrics.event('words', event)).eventId
    }
    await engine.metrics.event('pages', { user: { id: 'bob' }, value: 1 })
    const later = await hold('bob', '2026-03-09T12:00:00Z', 'b-2')
    const sooner = await hold('bob', '2026-03-08T12:00:00Z', 'b-1')
    const ann = await hold('ann', '2026-03-10T11:00:00Z', 'a-1')
    const all = await engine.events.held()
    expect(all.map(({ eventId }) => eventId)).toEqual([ann, sooner, later])
    expect(all[0]).toEqual({
      eventId: ann,
      userId: 'ann',
      metricId: UUID_5,
      metric: 'words',
      value: 101,
      attributes: {},
      idempotencyKey: 'a-1',
      occurredAt: '2026-03-10T11:00:00.000Z',
      recordedAt: '2026-03-10T12:00:00.000Z',
      date: '2026-03-10',
    })
    const ids = async (request: object) => (await engine.events.held(request)).map(({ eventId }) => eventId)
    expect(await ids({ limit: 2 })).toEqual([ann, sooner])
    expect(await ids({ limit: 2, after: sooner })).toEqual([later])
    expect(await ids({ user: 'bob' })).toEqual([sooner, later])
    expect(await ids({ user: 'bob', after: sooner })).toEqual([later])
    expect(await ids({ user: 'nobody' })).toEqual([])
    // A page continues after an event that was approved meanwhile.
    await engine.events.approve(sooner)
    expect(await ids({ after: sooner })).toEqual([later])
    expect(await codeOf(engine.events.held({ user: 'ann', after: later }))).toBe('unknown_event')
    expect(await codeOf(engine.events.held({ limit: 101 }))).toBe('invalid_request')
  })

  test('is told by imports and batches', async () => {
    const engine = await open(game)
    const item = (value: number, key: string) => ({ user: { id: 'ann' }, value, idempotencyKey: key })
    const report = await engine.import([
      { metric: 'words', ...item(60, 'a') },
      { metric: 'words', ...item(60, 'b') },
    ])
    expect(report).toMatchObject({ read: 2, recorded: 2, held: 1, refused: 0 })
    const batch = [
      { key: 'words', ...item(40, 'c') },
      { key: 'words', ...item(1, 'd') },
      { key: 'words', ...item(60, 'b') },
    ]
    expect(await engine.admin.metrics.events(batch)).toEqual({ accepted: 3, replayed: 1, issues: [], held: [1] })
    expect((await engine.events.held()).map(({ idempotencyKey }) => idempotencyKey)).toEqual(['b', 'd'])
  })

  test('is tried by a dry run without being kept', async () => {
    const engine = await open(game)
    const tried = await engine.metrics.event('words', { user: { id: 'ann' }, value: 101 }, { dryRun: true })
    expect(tried).toMatchObject({ held: true, total: 0 })
    expect(await engine.events.held()).toEqual([])
  })
})
