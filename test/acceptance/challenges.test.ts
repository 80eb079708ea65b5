import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { codeOf, onEachStorage } from '../support/engine.ts'

const game: GameDefinition = {
  metrics: { pages: { name: 'Pages' } },
  points: { xp: { name: 'XP' } },
  challenges: {
    daily: { name: 'Daily', every: 'day', of: [{ metric: 'pages', value: 20 }], reward: { points: { xp: 10 } } },
    sprint: {
      name: 'Sprint',
      of: [{ metric: 'pages', value: 100 }],
      enrol: 'manual',
      within: { days: 7 },
      claim: { within: { days: 2 } },
      reward: { points: { xp: 50 } },
    },
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
})
