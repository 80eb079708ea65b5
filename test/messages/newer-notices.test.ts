import { describe, expect, test } from 'vitest'
import { type DefinedGame, defineGame, type GameDefinition, type Gamification } from '../../src/index.ts'
import { useEngines, usePlaces } from '../support/places.ts'
import { createWorld, DAY, EMAILS, NOON, PLAIN, STEP, write } from './newer-notices-world.ts'

// Messages that a newer game announces reach idle users, from its registration on.

describe.each(usePlaces())('What a newer game announces, on $name', ({ make }) => {
  const start = useEngines(NOON)
  const create = (definition: GameDefinition) => createWorld(start, make(), definition)

  test('emails that it brings are told to who has done nothing since, and none of before it', async () => {
    const world = await create(PLAIN)
    await write(world.engine)
    // At eight that morning the first of reactivation would have been due.
    await world.sweepUntil('2026-03-11T10:00:00Z')
    const next = await world.deploy({ ...PLAIN, emails: { ...EMAILS, achievements: true } })
    await world.sweepUntil('2026-03-16T08:00:00Z', next)
    expect(world.told).toEqual([
      'ann emails.streak_reminder_due 2026-03-11T19:00',
      'ann streak.lost 2026-03-11T23:00',
      'ann emails.reactivation_due 2026-03-13T07:00',
      'ann emails.reactivation_due 2026-03-15T07:00',
      'ann emails.recap_due 2026-03-16T07:00',
    ])
    expect(await next.verify()).toMatchObject({ drift: [] })
  })

  test.each(['forward', 'grant', 'recompute'] as const)('by `apply` with `%s` it is the same', async (policy) => {
    const world = await create(PLAIN)
    await write(world.engine)
    world.at('2026-03-12T12:00:00Z')
    await world.engine.workOnce()
    await world.engine.apply(defineGame({ ...PLAIN, emails: EMAILS }), { policy })
    await world.sweepUntil('2026-03-16T08:00:00Z')
    expect(world.told).toEqual([
      'ann streak.lost 2026-03-11T23:00',
      'ann emails.reactivation_due 2026-03-13T07:00',
      'ann emails.reactivation_due 2026-03-15T07:00',
      'ann emails.recap_due 2026-03-16T07:00',
    ])
  })

  test('a time trigger that it brings begins with the next entry, and one that it takes away pays until then', async () => {
    const xp = (...triggers: readonly { type: 'time'; every: { days: number }; points: number }[]): GameDefinition => ({
      ...PLAIN,
      points: { xp: { name: 'XP', triggers } },
    })
    const daily = { type: 'time', every: { days: 1 }, points: 5 } as const
    const pointsOf = async (engine: Gamification<DefinedGame>) => (await engine.users.points('ann', 'xp')).total
    const world = await create(xp())
    await write(world.engine)
    const next = await world.deploy(xp(daily))
    await world.sweepUntil('2026-03-12T12:30:00Z', next)
    expect(world.told.splice(0)).toEqual(['ann streak.lost 2026-03-11T23:00'])
    expect(await pointsOf(next)).toBe(0)
    await write(next)
    const last = await world.deploy({ ...xp(), metrics: { words: { name: 'W' } } })
    await world.sweepUntil('2026-03-14T12:30:00Z', last)
    // As a read shows them.
    expect(world.told).toEqual([
      'ann points.changed 2026-03-12T23:00',
      'ann streak.lost 2026-03-13T23:00',
      'ann points.changed 2026-03-13T23:00',
    ])
    expect(await pointsOf(last)).toBe(10)
  })

  test('runs that it begins or leaves out, and boosts: each game tells of its own time, however seldom it is swept', async () => {
    const daily = { name: 'Daily', rankBy: 'metric', metric: 'words', run: { unit: 'day', interval: 1 } } as const
    const board = (key: string, start: string): GameDefinition => ({
      ...PLAIN,
      leaderboards: { [key]: { ...daily, start } },
      points: { xp: { name: 'XP' } },
    })
    const all: (readonly string[])[] = []
    for (const step of [STEP, 100 * DAY]) {
      const world = await create(board('old', '2026-03-10'))
      await world.engine.workOnce()
      if (step === STEP) await world.sweepUntil('2026-03-11T12:00:00Z')
      world.at('2026-03-11T12:00:00Z')
      const boost = { name: 'Double', start: '2026-03-11', end: '2026-03-11', multiplier: 2 }
      const given = await world.engine.admin.points.boosts.create('xp', [boost])
      expect(given.issues).toEqual([])
      world.at('2026-03-12T12:00:00Z')
      if (step === STEP) await world.sweepUntil('2026-03-12T12:00:00Z')
      const next = await world.deploy(board('new', '2026-03-12'))
      await world.sweepUntil('2026-03-13T14:00:00Z', next, step)
      all.push([...world.told].sort())
    }
    expect(all[0]).toEqual([
      'null leaderboard.finished 2026-03-11T13:00',
      'null leaderboard.finished 2026-03-13T13:00',
      'null leaderboard.started 2026-03-11T10:00',
      'null leaderboard.started 2026-03-12T10:00',
      'null leaderboard.started 2026-03-13T10:00',
      'null points.boost_finished 2026-03-12T13:00',
      'null points.boost_started 2026-03-11T12:01',
    ])
    expect(all[1]).toEqual(all[0])
  })
})
