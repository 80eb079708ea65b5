// Messages about a user who has hidden, or who has turned the game off.

import { expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition, GamificationMessage } from '../../src/index.ts'
import { add, type Engine, NOON, onEachStorage, openOn } from '../support/engine.ts'
import { openReceiver } from './webhooks/receiver.ts'

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: { first: { name: 'First', trigger: 'metric', metric: 'words', value: 1 } },
  points: { xp: { name: 'XP', triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }] } },
  streak: { frequency: 'daily', metrics: { words: {} } },
  leaderboards: { all: { name: 'All', rankBy: 'metric', metric: 'words', start: '2026-03-01' } },
  emails: { recap: 'daily', reactivation: [2] },
}
const TYPES = [
  ...['user.created', 'achievement.completed', 'points.changed', 'streak.started', 'streak.extended', 'streak.lost'],
  ...['leaderboard.rank_changed', 'leaderboard.changed'],
  ...['emails.streak_reminder_due', 'emails.recap_due', 'emails.reactivation_due', 'emails.achievement_due'],
] as const satisfies readonly GamificationMessage['type'][]

async function listen(engine: Engine): Promise<GamificationMessage[]> {
  const handed: GamificationMessage[] = []
  await engine.subscribe('all', { types: TYPES }, (messages) => void handed.push(...messages))
  return handed
}

const write = (engine: Engine, id: string, value: number) =>
  add(engine, 'words', value, { user: { id, name: id.toUpperCase(), email: `${id}@example.com` } })

async function at(engine: Engine, instant: string): Promise<void> {
  engine.at(instant)
  for (let rounds = 0; rounds < 5; rounds += 1) await engine.workOnce()
}

onEachStorage('The messages', (open) => {
  test('about a user end while the game is off, those of time too, and go on when it is on', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    for (const id of ['ann', 'bob']) await engine.users.create({ id, tz: 'UTC' })
    await engine.users.updatePreferences('bob', { gamification: 'off' })
    await engine.workOnce()
    handed.length = 0
    await write(engine, 'bob', 5)
    await write(engine, 'ann', 3)
    // Ranks and points come at quarters, mails and the end of the streak in the days after.
    for (const day of ['10T12:15', '10T20:15', '11T08:15', '11T21:00', '12T08:15', '13T08:15', '14T08:15']) {
      await at(engine, `2026-03-${day}:00.000Z`)
    }
    expect(handed.filter(({ userId }) => userId === 'bob')).toEqual([])
    expect(JSON.stringify(handed)).not.toMatch(/bob/i)
    const ofAnn = new Set(handed.filter(({ userId }) => userId === 'ann').map(({ type }) => type))
    for (const type of [
      'achievement.completed',
      'streak.lost',
      'emails.streak_reminder_due',
      'emails.reactivation_due',
      'emails.recap_due',
    ]) {
      expect(ofAnn).toContain(type)
    }
    handed.length = 0

    await engine.users.updatePreferences('bob', { gamification: 'on' })
    await write(engine, 'bob', 1)
    await at(engine, '2026-03-14T08:45:00.000Z')
    const ofBob = handed.filter(({ userId }) => userId === 'bob').map(({ type }) => type)
    expect(ofBob).toContain('streak.started')
    expect(ofBob).toContain('leaderboard.rank_changed')
    expect(ofBob).not.toContain('achievement.completed')
    expect(await engine.users.achievements('bob')).toMatchObject([{ key: 'first' }])
  })

  test('about ranks have no hidden user, and no name of an anonymous one', async () => {
    const engine = await open(GAME)
    await write(engine, 'ann', 3)
    await write(engine, 'bob', 5)
    await write(engine, 'cid', 4)
    await engine.users.updatePreferences('bob', { leaderboards: 'hidden' })
    await engine.users.updatePreferences('cid', { leaderboards: 'anonymous' })
    const handed = await listen(engine)
    await write(engine, 'ann', 3)
    await write(engine, 'bob', 9)
    await at(engine, '2026-03-10T12:15:00.000Z')
    const boards = handed.filter(({ type }) => type.startsWith('leaderboard.'))
    expect(boards.map(({ type, userId }) => [type, userId]).sort()).toEqual([
      ['leaderboard.changed', null],
      ['leaderboard.rank_changed', 'ann'],
    ])
    expect(JSON.stringify(boards)).not.toMatch(/bob|cid/i)
    expect(boards.find(({ type }) => type === 'leaderboard.changed')).toMatchObject({
      data: {
        leaderboard: {
          rankings: [
            { userId: 'ann', rank: 1 },
            { userId: expect.stringMatching(/^[\w-]{22}$/), userName: null, anonymous: true, rank: 2, value: 4 },
          ],
        },
      },
    })
  })
})

test('A webhook gets nothing about a user while the game is off', async () => {
  const receiver = await openReceiver()
  const engine = await openOn(memory(), { now: NOON }, GAME)
  const { id } = await engine.webhooks.create({ url: `${receiver.address}/hook`, types: TYPES, allowInternal: true })
  await engine.users.create({ id: 'bob' })
  await engine.workOnce()
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['user.created'])
  await engine.users.updatePreferences('bob', { gamification: 'off' })
  await write(engine, 'bob', 5)
  await at(engine, '2026-03-10T12:15:00.000Z')
  expect(receiver.received.length).toBe(1)
  expect((await engine.webhooks.get(id)).deliveries).toEqual({ waiting: 0, done: 1, dead: 0 })
  await engine.users.updatePreferences('bob', { gamification: 'on' })
  await write(engine, 'bob', 1)
  await at(engine, '2026-03-10T12:30:00.000Z')
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toContain('points.changed')
  await engine.close()
})
