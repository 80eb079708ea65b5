// @heavy: It takes more than three seconds.

import { expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { loadGames } from '../../../src/sql/games.ts'
import { add, codeOf, type Engine, NOON, onEachStorage, openOn, STORAGES } from '../../support/engine.ts'

const WORDS = { type: 'metric', metric: 'words', threshold: 1, points: 5 } as const

function game(more: object = {}): GameDefinition {
  return {
    metrics: { words: { name: 'Words' } },
    userAttributes: ['plan'],
    points: { xp: { name: 'XP', triggers: [WORDS], ...more }, gold: { name: 'Gold' } },
  }
}

const ALL = { name: 'For all', start: '2026-03-01', multiplier: 2 }

async function give(engine: Engine, boost: object): Promise<string> {
  const { created, issues } = await engine.admin.points.boosts.create('xp', [{ ...ALL, ...boost }])
  expect(issues).toEqual([])
  return created[0]?.id ?? ''
}

/** The points of an event of one word. */
async function paid(engine: Engine, rest: Parameters<typeof add>[3] = {}): Promise<number | undefined> {
  return (await add(engine, 'words', 1, rest)).points.xp?.added
}

async function expectClean(engine: Engine): Promise<void> {
  expect((await engine.verify()).drift).toEqual([])
}

onEachStorage('A boost of all users', (open) => {
  test('holds from the next event on, and its award says which multiplied it', async () => {
    const engine = await open(game())
    expect(await paid(engine)).toBe(5)
    const id = await give(engine, {})
    const { points } = await add(engine, 'words', 1)
    const boost = {
      id,
      name: 'For all',
      status: 'active',
      start: '2026-03-01',
      end: null,
      multiplier: 2,
      rounding: 'down',
    }
    expect(points.xp?.awards).toMatchObject([{ awarded: 10, boosts: [boost] }])
    expect((await engine.users.points('ann', 'xp')).awards.map(({ boosts }) => boosts)).toEqual([[boost], undefined])
    expect(await engine.points.boosts('xp')).toEqual([boost])
    expect(await engine.users.pointsBoosts('ann', 'xp')).toEqual([boost])
    await expectClean(engine)
  })

  test('takes nothing back when it is changed or deleted', async () => {
    const engine = await open(game())
    const id = await give(engine, {})
    expect(await paid(engine)).toBe(10)
    await engine.admin.points.boosts.update('xp', [{ id, multiplier: 3, name: 'Tripled' }])
    expect(await paid(engine)).toBe(15)
    expect(await engine.admin.points.boosts.delete('xp', [id])).toEqual({ deleted: [{ id }], issues: [] })
    expect(await paid(engine)).toBe(5)
    const { total, awards } = await engine.users.points('ann', 'xp')
    expect(total).toBe(30)
    expect(awards.map(({ boosts = [] }) => boosts.map(({ name }) => name))).toEqual([[], ['Tripled'], ['For all']])
    await expectClean(engine)
    expect((await engine.rebuild()).drift).toEqual([])
  })

  test('is kept by a deploy and by apply, and a restart with the same game stores nothing', async () => {
    const engine = await open(game())
    await give(engine, {})
    const again = await engine.redefine(game())
    expect(await paid(again)).toBe(10)
    expect((await again.health()).isNewestGame).toBe(true)
    const next = await engine.redefine(game({ description: 'New' }))
    expect(await paid(next)).toBe(10)
    expect((await next.points.boosts('xp')).map(({ name }) => name)).toEqual(['For all'])
    const other = await engine.redefine(game({ description: 'Newer' }))
    await other.apply(other.game, { policy: 'recompute' })
    expect(await paid(other)).toBe(10)
    await expectClean(other)
  })

  test('is there for a whole request once, in order, with issues for what cannot be', async () => {
    const engine = await open(game())
    await engine.users.create({ id: 'ann' })
    const answer = await engine.admin.points.boosts.create('xp', [
      { ...ALL, name: 'One' },
      { ...ALL, name: 'Two', userId: 'ann' },
      { ...ALL, name: 'Three', userId: 'nobody' },
      { ...ALL, name: 'Four', end: '2026-02-28' },
      { ...ALL, name: 'Five', userAttributes: [{ attributeId: 'paln', attributeValue: 'pro' }] },
      { ...ALL, name: 'Six', end: '2026-03-05', multiplier: 1.5, rounding: 'up' },
    ])
    expect(answer.created.map(({ name, status, userId }) => [name, status, userId])).toEqual([
      ['One', 'active', null],
      ['Two', 'active', 'ann'],
      ['Six', 'finished', null],
    ])
    expect(answer.issues.map(({ index, userId, severity }) => [index, userId, severity])).toEqual([
      [2, 'nobody', 'error'],
      [3, undefined, 'error'],
      [4, undefined, 'error'],
    ])
    const listed = await engine.admin.points.boosts.list('xp', { limit: 2, skip: 1 })
    expect(listed.map(({ userId }) => userId)).toEqual([null, 'ann'])
    expect(await engine.admin.points.boosts.list('gold')).toEqual([])
    const [system] = await engine.admin.points.systems.list()
    expect(system?.boosts).toHaveLength(2)
    expect(await engine.admin.points.boosts.list(system?.id ?? '')).toHaveLength(3)
  })

  test('that is the last of one request is the newest, whichever starts first', async () => {
    const half = (rounding: string, start: string) => ({ ...ALL, name: rounding, multiplier: 1.5, rounding, start })
    for (const userId of [null, 'ann']) {
      for (const [starts, expected] of [
        [['2026-03-09', '2026-03-01'], 11],
        [['2026-03-01', '2026-03-09'], 11],
      ] as const) {
        const engine = await open(game())
        await engine.users.create({ id: 'ann' })
        // 5 × 1.5 × 1.5 is 11.25.
        await engine.admin.points.boosts.create('xp', [
          { ...half('up', starts[0]), userId },
          { ...half('down', starts[1]), userId },
        ] as never)
        const { points } = await add(engine, 'words', 1)
        expect(points.xp?.awards[0]?.boosts?.map(({ name }) => name)).toEqual(['up', 'down'])
        expect(points.xp?.added).toBe(expected)
      }
    }
  })

  test('is refused where it has the wrong shape, or too many are there', async () => {
    const engine = await open(game())
    const { boosts } = engine.admin.points
    for (const wrong of [
      { multiplier: 1 },
      { multiplier: 0 },
      { multiplier: 100 },
      { start: '2026-02-29' },
      { name: '' },
      { name: 'n'.repeat(256) },
      { userId: 'ann', userAttributes: [{ attributeId: 'plan', attributeValue: 'pro' }] },
    ]) {
      expect(await codeOf(boosts.create('xp', [{ ...ALL, ...wrong }]))).toBe('invalid_request')
    }
    await expect(boosts.create('xp', [{ ...ALL, multiplier: 100 }])).rejects.toThrow('must be below 100')
    await expect(boosts.create('xp', [{ ...ALL, multiplier: 0 }])).rejects.toThrow('must be above 0')
    expect(await codeOf(boosts.create('xp', []))).toBe('invalid_request')
    expect(await codeOf(boosts.create('silver', [ALL]))).toBe('unknown_points_system')
    expect(await codeOf(boosts.get('xp', '0192f0a0-0000-7000-8000-000000000000'))).toBe('unknown_boost')
    const many = await boosts.create(
      'xp',
      Array.from({ length: 100 }, () => ALL),
    )
    expect([many.created.length, many.issues]).toEqual([100, []])
    const more = await boosts.create('xp', [ALL])
    expect([more.created, more.issues.map(({ message }) => message)]).toEqual([
      [],
      ['The points system xp has 100 boosts, which are the most: delete those that are over.'],
    ])
  })

  test('that the game plans can neither be changed nor deleted by a call', async () => {
    const engine = await open(game({ boosts: { spring: { name: 'Spring', start: '2026-03-01', multiplier: 3 } } }))
    const [planned] = await engine.admin.points.boosts.list('xp')
    const id = planned?.id ?? ''
    const { issues } = await engine.admin.points.boosts.update('xp', [{ id, multiplier: 2 }])
    expect(issues).toEqual([
      { id, boostId: id, severity: 'error', message: `The boost "${id}" is planned in the game: change it there.` },
    ])
    expect((await engine.admin.points.boosts.delete('xp', [id])).deleted).toEqual([])
    expect(await paid(engine)).toBe(15)
  })
})

onEachStorage('A boost of one user', (open) => {
  test('goes with the user: exported, deleted and imported again, and made anonymous without its name', async () => {
    const engine = await open(game())
    await engine.users.create({ id: 'ann' })
    const id = await give(engine, { userId: 'ann', name: 'For dear Ann' })
    await paid(engine)
    await engine.admin.points.boosts.update('xp', [{ id, multiplier: 3, end: '2026-12-31' }])
    await give(engine, { name: 'For all', multiplier: 7 })
    expect(await paid(engine)).toBe(105)
    const before = await engine.users.points('ann', 'xp')
    const lines: string[] = []
    for await (const line of engine.users.export('ann')) lines.push(line)
    await engine.users.delete('ann')
    expect(await codeOf(engine.admin.points.boosts.get('xp', id))).toBe('unknown_boost')
    expect(await engine.import(lines)).toMatchObject({ recorded: 1 })
    expect(await engine.users.points('ann', 'xp')).toEqual(before)
    expect(await engine.admin.points.boosts.get('xp', id)).toMatchObject({ multiplier: 3, end: '2026-12-31' })
    const { anonymousId } = await engine.users.delete('ann', { keep: 'anonymous' })
    const kept = await engine.users.points(anonymousId ?? '', 'xp')
    expect(kept.total).toBe(before.total)
    expect(JSON.stringify(kept)).not.toContain('dear')
    expect(JSON.stringify(await engine.users.events(anonymousId ?? ''))).not.toContain('dear')
    await expectClean(engine)
  })
})

test('two processes on one storage: what one gives holds in the next event of the other', async () => {
  for (const { create } of STORAGES) {
    const storage = create()
    const clock = { now: NOON }
    const one = await openOn(storage, clock, game())
    const other = await openOn(storage, clock, game())
    expect(await paid(other)).toBe(5)
    const id = await give(one, {})
    expect(await paid(other)).toBe(10)
    const [mine, yours] = await Promise.all([give(one, { multiplier: 3 }), give(other, { multiplier: 5 })])
    for (const process of [one, other]) {
      const ids = (await process.points.boosts('xp')).map((boost) => boost.id)
      expect(ids.sort()).toEqual([id, mine, yours].sort())
      expect(await process.admin.points.boosts.get('xp', yours)).toMatchObject({ multiplier: 5 })
    }
    expect(await paid(one)).toBe(150)
    await other.admin.points.boosts.delete('xp', [id, mine])
    expect(await paid(one)).toBe(25)
    const stored = await loadGames(storage)
    expect(stored.map(({ fingerprint }) => fingerprint)).toEqual(Array(5).fill(one.game.fingerprint))
    await one.close()
  }
})
