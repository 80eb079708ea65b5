import { describe, expect, test } from 'vitest'
import type { DefinedGame, Gamification } from '../../src/index.ts'
import { times, useAllPlaces, useEngines } from '../support/places.ts'
import { SOAK } from '../support/zones.ts'
import { createWorld, DAILY, EVENING, NOON, PLAIN, type World } from './newer-notices-world.ts'

// Four engines sweep from the moment on at which one of them brings a game with other notices, while users act.

const HOUR = 3_600_000
const ENGINES = 4
/** More than are gone through at once. */
const USERS = times(70, (index) => `user-${index}`)
const GAME_HOURS = 11
const HOURS = SOAK ? 1_100 : 110
const START = Date.parse(NOON)
const GAMES = [
  { ...PLAIN, emails: { recap: 'daily', reactivation: [1, 2] } },
  { ...PLAIN, streak: { ...DAILY, reminders: [EVENING, { key: 'late', before: { hours: 1 } }] } },
  PLAIN,
  { ...PLAIN, emails: { reactivation: [1], achievements: false } },
] as const

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC'] as const

function act(engine: Gamification<DefinedGame>, index: number): Promise<unknown> {
  const user = { id: USERS[index] ?? '', tz: zones[index % zones.length] ?? 'UTC' }
  return engine.metrics.event('words', { user, value: 7 })
}

/** Hour by hour, now and then with another game; `together`: what is done in an hour is done at once. */
async function play(world: World, engines: Gamification<DefinedGame>[], together: boolean): Promise<void> {
  const all = async (deeds: readonly (() => Promise<unknown>)[]): Promise<void> => {
    if (together) await Promise.all(deeds.map((deed) => deed()))
    else for (const deed of deeds) await deed()
  }
  const of = (index: number) => engines[index % engines.length] as Gamification<DefinedGame>
  const deploy = async (hour: number): Promise<void> => {
    const game = GAMES[(hour / GAME_HOURS - 1) % GAMES.length]
    if (game !== undefined) engines[hour % engines.length] = await world.deploy(game)
  }
  await all(USERS.map((_, index) => () => act(of(index), index)))
  for (let hour = 1; hour <= HOURS; hour += 1) {
    world.at(new Date(START + hour * HOUR).toISOString())
    const acting = USERS.flatMap((_, index) => ((index * 7 + hour * 3) % 31 === 0 ? [index] : []))
    // An event at the instant of a deploy may be decided under either game, so the deploy comes first.
    await deploy(hour)
    await all([
      ...acting.map((index) => () => act(of(index + hour), index)),
      ...engines.map((engine) => () => engine.workOnce()),
    ])
  }
  world.at(new Date(START + (HOURS + 1) * HOUR).toISOString())
  for (const engine of engines) await engine.workOnce()
}

describe.each(useAllPlaces())('After games with other notices, on $name', ({ make }) => {
  const start = useEngines(NOON)

  test('four that sweep while users act tell each message once, and none too few', {
    timeout: SOAK ? 1_200_000 : 120_000,
  }, async () => {
    const told: (readonly string[])[] = []
    for (const count of [1, ENGINES]) {
      const world = await createWorld(start, make(), PLAIN)
      const engines = [world.engine]
      while (engines.length < count) engines.push(await world.deploy(PLAIN))
      await play(world, engines, count > 1)
      told.push([...world.told].sort())
      expect(await engines.at(-1)?.verify()).toMatchObject({ drift: [] })
    }
    expect(new Set(told[1]).size).toBe(told[1]?.length)
    expect(told[1]).toEqual(told[0])
    expect(told[0]?.filter((line) => line.includes('reminder')).length).toBeGreaterThan(50)
    expect(told[0]?.filter((line) => line.includes('reactivation')).length).toBeGreaterThan(50)
  })
})
