import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { DAILY, PAGES_AND_XP, SPRINT } from '../support/challenge-game.ts'
import { codeOf, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  ...PAGES_AND_XP,
  challenges: {
    daily: DAILY,
    sprint: SPRINT,
    quests: {
      name: 'Quests',
      every: 'week',
      pick: 1,
      rerolls: 1,
      pool: {
        a: { name: 'A', of: [{ metric: 'pages', value: 1_000 }] },
        b: { name: 'B', of: [{ metric: 'pages', value: 2_000 }] },
      },
    },
  },
}

onEachStorage('Challenges', (open) => {
  test('a window of today is completed once, and pays with the event', async () => {
    const engine = await open(game)
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 15 })
    const [open15] = await engine.users.challenges('ann')
    expect(open15?.quests[0]?.progress).toMatchObject({ current: 0, target: 1, ratio: 0.75 })
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 15 })
    const [daily] = await engine.users.challenges('ann')
    expect(daily?.quests[0]).toMatchObject({ claimed: true })
    expect((await engine.users.points('ann', 'xp')).total).toBe(10)
    expect(await engine.challenges.get('daily')).toMatchObject({ participants: 1, completed: 1 })
  })

  test('a late event completes a past window, and a void of it takes nothing back', async () => {
    const engine = await open(game)
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 1 })
    const occurredAt = new Date('2026-03-07T12:00:00.000Z')
    const { eventId } = await engine.metrics.event('pages', { user: { id: 'ann' }, value: 20, occurredAt })
    expect((await engine.users.points('ann', 'xp')).total).toBe(10)
    await engine.events.void(eventId)
    expect((await engine.users.points('ann', 'xp')).total).toBe(10)
    expect(await engine.challenges.get('daily')).toMatchObject({ completed: 1 })
    expect((await engine.verify()).drift).toEqual([])
  })

  test('an enrolment begins a window, and its reward is claimed once', async () => {
    const engine = await open(game)
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 500 })
    expect(await codeOf(engine.challenges.claim('sprint', { user: 'ann' }))).toBe('challenge_not_claimable')
    expect((await engine.challenges.enrol('sprint', { user: 'ann' })).window).not.toBeNull()
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 100 })
    const claims = [1, 2, 3].map(() => engine.challenges.claim('sprint', { user: 'ann' }))
    expect((await Promise.all(claims)).map(({ quests }) => quests[0]?.claimed)).toEqual([true, true, true])
    expect((await engine.users.points('ann', 'xp')).total).toBe(60)
    expect(await codeOf(engine.challenges.enrol('sprint', { user: 'ann' }))).toBe('accepted')
    expect(await codeOf(engine.challenges.enrol('daily', { user: 'ann' }))).toBe('challenge_closed')
  })

  test('a quest is exchanged once for a key', async () => {
    const engine = await open(game)
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: -1 })
    await engine.users.identify('bob', {})
    const picked = async () =>
      (await engine.users.challenges('bob')).find(({ key }) => key === 'quests')?.quests[0]?.key ?? ''
    const first = await picked()
    const reroll = { user: 'bob', quest: first, idempotencyKey: 'k1' }
    const exchanged = await engine.challenges.reroll('quests', reroll)
    expect(exchanged).toMatchObject({ rerollsLeft: 0 })
    expect(await engine.challenges.reroll('quests', reroll)).toEqual(exchanged)
    expect(await picked()).not.toBe(first)
    expect(await codeOf(engine.challenges.reroll('quests', { user: 'bob', quest: await picked() }))).toBe(
      'quest_not_replaceable',
    )
    expect(await codeOf(engine.challenges.get('none'))).toBe('unknown_challenge')
  })

  test('the answer says what the user may do now, and names the rewards', async () => {
    const engine = await open(game)
    await engine.users.identify('ann', {})
    const read = async () => {
      const challenges = await engine.users.challenges('ann')
      return challenges.map(({ key, canEnrol, replaceable }) => ({ key, canEnrol, replaceable: replaceable.length }))
    }
    expect(await read()).toEqual([
      { key: 'daily', canEnrol: false, replaceable: 0 },
      { key: 'sprint', canEnrol: true, replaceable: 0 },
      { key: 'quests', canEnrol: false, replaceable: 1 },
    ])
    const sprint = await engine.challenges.enrol('sprint', { user: 'ann' })
    expect(sprint.canEnrol).toBe(false)
    expect(sprint.quests[0]?.reward).toEqual({ points: [{ system: 'xp', name: 'XP', points: 50 }] })
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 1 })
    expect(await read()).toEqual([
      { key: 'daily', canEnrol: false, replaceable: 0 },
      { key: 'sprint', canEnrol: false, replaceable: 0 },
      { key: 'quests', canEnrol: false, replaceable: 0 },
    ])
    expect((await engine.challenges.abandon('sprint', { user: 'ann' })).canEnrol).toBe(true)
  })

  test('a criterion that an earlier window has met counts as met in a new one, before its first event', async () => {
    const rich = {
      name: 'Rich',
      every: 'day',
      of: [
        { points: 'xp', total: 10 },
        { events: 'pages', count: 1 },
      ],
    } as const
    const engine = await open({ ...game, challenges: { daily: game.challenges!.daily!, rich } })
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 20 })
    engine.at('2026-03-11T12:00:00.000Z')
    const challenges = await engine.users.challenges('ann')
    const quest = challenges.find(({ key }) => key === 'rich')?.quests[0]
    expect(quest?.progress?.criteria?.map(({ satisfied }) => satisfied)).toEqual([true, false])
  })

  test('leaving a challenge of every day keeps the days before', async () => {
    const club = { name: 'Club', every: 'day', enrol: 'manual', of: [{ events: 'pages', count: 2 }] } as const
    const engine = await open({ ...game, challenges: { club } })
    await engine.users.identify('ann', {})
    await engine.challenges.enrol('club', { user: 'ann' })
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 1 })
    engine.at('2026-03-11T12:00:00.000Z')
    await engine.challenges.abandon('club', { user: 'ann' })
    expect(await engine.challenges.get('club')).toMatchObject({ participants: 1, completed: 0 })
  })

  test('a void keeps the reward of a quest that a deploy has removed since', async () => {
    const pool = (keys: readonly string[]) =>
      Object.fromEntries(
        keys.map((key) => [key, { name: key, of: [{ events: 'pages', count: 1 }], reward: { points: { xp: 3 } } }]),
      )
    const quests = (keys: readonly string[]) =>
      ({
        ...game,
        challenges: { quests: { name: 'Quests', every: 'day', pick: 1, pool: pool(keys) } },
      }) as GameDefinition
    const engine = await open(quests(['a']))
    const { eventId } = await engine.metrics.event('pages', { user: { id: 'ann' }, value: 1 })
    engine.at('2026-03-10T13:00:00.000Z')
    const deployed = await engine.redefine(quests(['b']))
    await deployed.events.void(eventId)
    expect((await deployed.users.points('ann', 'xp')).total).toBe(3)
    expect((await deployed.verify()).drift).toEqual([])
  })

  test('a challenge that a late event completes takes no further enrolment', async () => {
    const engine = await open(game)
    await engine.users.identify('ann', {})
    await engine.challenges.enrol('sprint', { user: 'ann' })
    engine.at('2026-03-20T12:00:00.000Z')
    await engine.challenges.enrol('sprint', { user: 'ann' })
    const occurredAt = new Date('2026-03-11T12:00:00.000Z')
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 100, occurredAt })
    engine.at('2026-04-20T12:00:00.000Z')
    expect(await codeOf(engine.challenges.enrol('sprint', { user: 'ann' }))).toBe('challenge_closed')
  })

  test('of two users who merge, a reroll with the same key counts once', async () => {
    const pool = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((key) => [key, { name: key, of: [{ metric: 'pages', value: 9 }] }]),
    )
    const quests = { name: 'Quests', every: 'week', pick: 1, rerolls: 2, same: 'everyone', pool } as const
    const engine = await open({ ...game, challenges: { quests } })
    for (const id of ['ann', 'bob']) {
      await engine.users.identify(id, {})
      const [known] = await engine.users.challenges(id)
      const quest = known?.quests[0]?.key ?? ''
      await engine.challenges.reroll('quests', { user: id, quest, idempotencyKey: 'once' })
    }
    await engine.users.merge({ from: 'bob', into: 'ann' })
    expect((await engine.users.challenges('ann'))[0]?.rerollsLeft).toBe(1)
    expect((await engine.verify()).drift).toEqual([])
  })

  const monthly = (days: number, xp: number): GameDefinition => ({
    ...game,
    challenges: {
      month: {
        name: 'Month',
        every: 'month',
        of: [{ metric: 'pages', value: 10 }],
        claim: { within: { days } },
        reward: { points: { xp } },
      },
    },
  })

  test('a reward of a month is that of the game in which the month began, as long as it waits', async () => {
    let engine = await open(monthly(31, 1))
    engine.at('2026-05-20T12:00:00.000Z')
    engine = await engine.redefine(monthly(31, 2))
    engine.at('2026-05-31T12:00:00.000Z')
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 10 })
    engine.at('2026-06-28T12:00:00.000Z')
    engine = await engine.redefine(monthly(31, 4))
    engine.at('2026-06-30T12:00:00.000Z')
    await engine.challenges.claim('month', { user: 'ann' })
    expect((await engine.users.points('ann', 'xp')).total).toBe(1)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('a challenge whose first date a deploy moves is completed once', async () => {
    const fair = (dates: object): GameDefinition => ({
      ...game,
      challenges: {
        fair: { name: 'Fair', of: [{ metric: 'pages', value: 10 }], reward: { points: { xp: 5 } }, ...dates },
      },
    })
    let engine = await open(fair({ start: '2026-03-01', end: '2026-03-31' }))
    const read = async () => {
      await engine.metrics.event('pages', { user: { id: 'ann' }, value: 10 })
      return (await engine.users.points('ann', 'xp')).total
    }
    expect(await read()).toBe(5)
    engine.at('2026-03-12T12:00:00.000Z')
    engine = await engine.redefine(fair({ start: '2026-03-05', end: '2026-04-05' }))
    expect(await read()).toBe(5)
    engine.at('2026-04-20T12:00:00.000Z')
    engine = await engine.redefine(fair({ start: '2026-04-10', end: '2026-04-30' }))
    expect(await read()).toBe(10)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('a reward of a day is claimed days later, once', async () => {
    const { month } = monthly(7, 5).challenges!
    const engine = await open({ ...game, challenges: { daily: { ...month!, every: 'day' } as typeof month } as never })
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 10 })
    engine.at('2026-03-16T12:00:00.000Z')
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 1 })
    await engine.challenges.claim('daily', { user: 'ann' })
    await engine.challenges.claim('daily', { user: 'ann' })
    expect((await engine.users.points('ann', 'xp')).total).toBe(5)
  })

  test('a reward that waits can be claimed in its time, although a deploy has shortened it for others', async () => {
    const daily = (days: number): GameDefinition => {
      const { month } = monthly(days, 5).challenges!
      return { ...game, challenges: { daily: { ...month!, every: 'day' } as typeof month } } as GameDefinition
    }
    let engine = await open(daily(31))
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 10 })
    engine.at('2026-03-20T12:00:00.000Z')
    engine = await engine.redefine(daily(1))
    engine.at('2026-03-24T12:00:00.000Z')
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 1 })
    await engine.challenges.claim('daily', { user: 'ann' })
    expect((await engine.users.points('ann', 'xp')).total).toBe(5)
    expect((await engine.verify()).drift).toEqual([])
  })

  test('a claimed reward stays, although a late event shows that the quest was completed earlier', async () => {
    const engine = await open(game)
    await engine.users.identify('ann', {})
    await engine.challenges.enrol('sprint', { user: 'ann' })
    engine.at('2026-03-12T12:00:00.000Z')
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 100 })
    engine.at('2026-03-14T12:00:00.000Z')
    await engine.challenges.claim('sprint', { user: 'ann' })
    const before = (await engine.users.points('ann', 'xp')).total
    const occurredAt = new Date('2026-03-11T12:00:00.000Z')
    await engine.metrics.event('pages', { user: { id: 'ann' }, value: 100, occurredAt })
    // The late day completes the quest of its date, for 10 points.
    expect((await engine.users.points('ann', 'xp')).total).toBe(before + 10)
    const sprint = (await engine.users.challenges('ann')).find(({ key }) => key === 'sprint')
    expect(sprint?.quests).toMatchObject([{ claimed: true, completedAt: '2026-03-11T12:00:00.000Z' }])
    expect((await engine.verify()).drift).toEqual([])
  })
})
