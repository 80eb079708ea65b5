// Decisions, section 5: freezes if a newer game has none, has others, or is the first to have them.

import { afterEach, describe, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import type { GameDefinition } from '../../src/index.ts'
import { add, type Engine, openOn } from '../support/engine.ts'

type FreezeOptions = NonNullable<NonNullable<GameDefinition['streak']>['freezes']>

const game = (freezes?: FreezeOptions): GameDefinition => ({
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} }, ...(freezes === undefined ? {} : { freezes }) },
})

const opened: Engine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

const keep = (engine: Engine): Engine => {
  opened.push(engine)
  return engine
}
const open = async (freezes?: FreezeOptions): Promise<Engine> =>
  keep(await openOn(memory(), { now: '2026-03-10T12:00:00.000Z' }, game(freezes)))
const renew = async (engine: Engine, freezes?: FreezeOptions): Promise<Engine> =>
  keep(await engine.redefine(game(freezes)))

/** Without words there is no streak, so no freeze is consumed. */
const touch = (engine: Engine, day: string) => {
  engine.at(`2026-03-${day}T12:00:00.000Z`)
  return add(engine, 'words', 0)
}
const freezesOn = async (engine: Engine, day: string): Promise<number | undefined> => {
  engine.at(`2026-03-${day}T12:00:00.000Z`)
  return (await engine.users.streak('ann')).freezes
}

describe('Under a newer game', () => {
  test('that is the first to have freezes, a user begins with them on the first date under it', async () => {
    const old = await open()
    await add(old, 'words', 0)
    const newer = await renew(old, { initial: 1, max: 3, autoEarn: { interval: 5 } })
    expect(await freezesOn(newer, '12')).toBe(1)
    await touch(newer, '12')
    expect(await freezesOn(newer, '16')).toBe(1)
    expect(await freezesOn(newer, '17')).toBe(2)
    expect(await freezesOn(newer, '22')).toBe(3)
  })

  test('that is the first to let them be earned, they are, from the first date under it', async () => {
    const old = await open({ initial: 1, max: 5 })
    await add(old, 'words', 0)
    const newer = await renew(old, { max: 5, autoEarn: { interval: 5, amount: 2 } })
    await touch(newer, '12')
    expect(await freezesOn(newer, '16')).toBe(1)
    expect(await freezesOn(newer, '17')).toBe(3)
  })

  test('the next one is earned on the date that was set, and only those after it by the new interval', async () => {
    const old = await open({ max: 5, autoEarn: { interval: 5 } })
    await add(old, 'words', 0)
    const newer = await renew(old, { max: 5, autoEarn: { interval: 3 } })
    await touch(newer, '13')
    expect(await freezesOn(newer, '14')).toBe(0)
    expect(await freezesOn(newer, '15')).toBe(1)
    expect(await freezesOn(newer, '17')).toBe(1)
    expect(await freezesOn(newer, '18')).toBe(2)
  })

  test('with a lower maximum, who has more keeps them, and gets none', async () => {
    const old = await open({ initial: 3, max: 3 })
    await add(old, 'words', 0)
    const newer = await renew(old, { max: 1, autoEarn: { interval: 1 } })
    await touch(newer, '11')
    expect(await freezesOn(newer, '13')).toBe(3)
    await touch(newer, '14')
    expect(await freezesOn(newer, '14')).toBe(3)
    const { issues } = await newer.admin.streaks.freezes.create({ freezes: [{ userId: 'ann' }] })
    expect(issues.map(({ level }) => level)).toEqual(['warning'])
    expect(await freezesOn(newer, '15')).toBe(3)
  })

  test('without freezes none is told of, earned or consumed, and they are there again with the next one', async () => {
    const old = await open({ initial: 1, max: 5, autoEarn: { interval: 2 } })
    await add(old, 'words', 1)
    const without = await renew(old)
    await touch(without, '11')
    expect(await freezesOn(without, '11')).toBeUndefined()
    without.at('2026-03-12T12:00:00.000Z')
    expect((await without.users.streak('ann')).length).toBe(0)
    await touch(without, '15')
    const back = await renew(without, { initial: 4, max: 5, autoEarn: { interval: 3 } })
    await touch(back, '16')
    expect(await freezesOn(back, '18')).toBe(1)
    expect(await freezesOn(back, '19')).toBe(2)
  })
})
