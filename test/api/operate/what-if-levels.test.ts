import { afterEach, describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { defineGame, type GameDefinition } from '../../../src/index.ts'
import { type Engine, NOON, openOn } from '../../support/engine.ts'

/** The points from which each level counts, by its key. */
type Levels = { readonly [key: string]: number }

function gameWith(levels: Levels): GameDefinition {
  return {
    metrics: { w: { name: 'W' } },
    points: {
      xp: {
        name: 'XP',
        triggers: [{ key: 'w', type: 'metric', metric: 'w', threshold: 1, points: 1 }],
        levels: Object.fromEntries(Object.entries(levels).map(([key, points]) => [key, { name: key, points }])),
      },
    },
  }
}

const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

/** The effect of another game's levels on one user with this many points. */
async function compare(total: number, now: Levels, then: Levels): Promise<unknown> {
  const engine = await openOn(memory(), { now: NOON }, gameWith(now))
  opened.push(engine)
  await engine.metrics.event('w', { user: { id: 'ann' }, value: total })
  const { changed, levels } = await engine.whatIf(defineGame(gameWith(then)))
  const [found = { system: 'xp', up: 0, down: 0 }, ...others] = levels
  expect(others).toEqual([])
  return { changed, up: found.up, down: found.down }
}

const SAME = { changed: 0, up: 0, down: 0 }
const UP = { changed: 1, up: 1, down: 0 }
const DOWN = { changed: 1, up: 0, down: 1 }
const TWO = { bronze: 0, silver: 500 }

describe('What another game does to levels', () => {
  test('is nothing to a user who stays on a level that takes more, or less', async () => {
    expect(await compare(1000, TWO, { bronze: 0, silver: 700 })).toEqual(SAME)
    expect(await compare(1000, TWO, { bronze: 0, silver: 400 })).toEqual(SAME)
  })

  test('is a fall where the level is out of reach, a climb where it is within', async () => {
    expect(await compare(600, TWO, { bronze: 0, silver: 700 })).toEqual(DOWN)
    expect(await compare(450, TWO, { bronze: 0, silver: 400 })).toEqual(UP)
    expect(await compare(450, TWO, { bronze: 460, silver: 500 })).toEqual(DOWN)
    expect(await compare(5, { bronze: 10 }, { bronze: 5 })).toEqual(UP)
  })

  test('is nothing where levels are put in elsewhere, and a climb where the user gets one of them', async () => {
    expect(await compare(600, TWO, { iron: 0, bronze: 100, silver: 500 })).toEqual(SAME)
    expect(await compare(300, TWO, { bronze: 0, copper: 200, silver: 500 })).toEqual(UP)
    expect(await compare(50, TWO, { iron: 0, bronze: 100, silver: 500 })).toEqual(DOWN)
  })

  test('goes by the levels as they were where the level of the user is gone', async () => {
    const three = { iron: 0, bronze: 100, silver: 500 }
    expect(await compare(50, three, { bronze: 20, silver: 500 })).toEqual(UP)
    expect(await compare(50, three, { bronze: 100, silver: 500 })).toEqual(DOWN)
    expect(await compare(200, three, { iron: 0, silver: 500 })).toEqual(DOWN)
  })

  test('goes by their positions where all were renamed', async () => {
    expect(await compare(600, TWO, { low: 0, high: 400 })).toEqual(SAME)
    expect(await compare(600, TWO, { low: 0, high: 800 })).toEqual(DOWN)
    expect(await compare(100, TWO, { low: 0, high: 100 })).toEqual(UP)
  })

  test('is nothing to a user whom a newer game has moved, though nothing was done since', async () => {
    const engine = await openOn(memory(), { now: NOON }, gameWith(TWO))
    opened.push(engine)
    await engine.metrics.event('w', { user: { id: 'ann' }, value: 600 })
    const newer = await engine.redefine(gameWith({ bronze: 0, silver: 700 }))
    expect(await newer.whatIf(defineGame(gameWith({ bronze: 0, silver: 700 })))).toMatchObject({
      changed: 0,
      levels: [],
    })
  })
})
