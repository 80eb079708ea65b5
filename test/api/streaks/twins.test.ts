// One named streak under the rules of a game's `streak`, in its place: whatever happens, the answers are the same.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import type { DefinedGame, GameDefinition, Gamification } from '../../../src/index.ts'
import { isGamificationError } from '../../../src/index.ts'
import { type Deed, type Life, lives, perform, USERS } from '../../record/random-lives.ts'
import { openOn } from '../../support/engine.ts'
import { seedOfRun } from '../../support/zones.ts'

const SEED = seedOfRun()
const MOST = 40

/** The life of a game with a `streak` and no other, and the same with a named one. */
function toTwins({ definition, deeds }: Life): readonly [Life, Life] | null {
  const { streak, streaks: _, ...rest } = definition
  if (streak === undefined) return null
  const { customization: _own, ...rule } = streak
  const achievements = Object.entries(definition.achievements ?? {}).filter(([key]) => key !== 'athlete')
  const systems = Object.entries(definition.points ?? {}).map(([key, system]) => {
    const triggers = (system.triggers ?? []).filter(
      (trigger) => trigger.type !== 'streak' || trigger.streak === undefined,
    )
    // With keys the ids do not tell what they look at.
    return [key, { ...system, triggers: triggers.map((trigger, index) => ({ ...trigger, key: `t${index}` })) }] as const
  })
  const boards = Object.entries(definition.leaderboards ?? {}).filter(([key]) => key !== 'gym')
  const game = (which: object): GameDefinition => ({
    ...rest,
    achievements: Object.fromEntries(
      achievements.map(([key, each]) => [key, each.trigger === 'streak' ? { ...each, ...which } : each]),
    ),
    points: Object.fromEntries(
      systems.map(([key, { triggers, ...system }]) => [
        key,
        { ...system, triggers: triggers.map((each) => (each.type === 'streak' ? { ...each, ...which } : each)) },
      ]),
    ),
    leaderboards: Object.fromEntries(
      boards.map(([key, each]) => [key, each.rankBy === 'streak' ? { ...each, ...which } : each]),
    ),
  })
  const ofGame: readonly Deed[] = deeds.filter(({ said }) => said.call !== 'preferences')
  return [
    { definition: { ...game({}), streak: rule }, deeds: ofGame.map((deed) => naming(deed, undefined)) },
    {
      definition: { ...game({ streak: 'gym' }), streaks: { gym: rule } },
      deeds: ofGame.map((deed) => naming(deed, 'gym')),
    },
  ]
}

function naming(deed: Deed, streak: 'gym' | undefined): Deed {
  const { said } = deed
  return said.call === 'freeze' || said.call === 'restore' ? { ...deed, said: { ...said, streak } } : deed
}

type Engine = Gamification<DefinedGame> & { at(instant: string): void }

/** Everything that is answered, the named streak in the place of the game's. */
async function live({ definition, deeds }: Life, streak?: string): Promise<readonly string[]> {
  const clock = { now: new Date(deeds[0]?.now ?? 0).toISOString() }
  const engine = await openOn(memory(), clock, definition)
  const told: unknown[] = []
  for (const deed of deeds) {
    engine.at(new Date(deed.now).toISOString())
    told.push(toPlain(await perform(engine, deed), streak))
    told.push(toPlain(await read(engine, deed.user, streak), streak))
  }
  for (const days of [1, 2, 40]) {
    engine.at(new Date((deeds.at(-1)?.now ?? 0) + days * 86_400_000).toISOString())
    for (const user of USERS) told.push(toPlain(await read(engine, user, streak), streak))
  }
  expect((await engine.verify()).drift).toEqual([])
  await engine.close()
  return told.map((answer) => JSON.stringify(answer))
}

async function read(engine: Engine, user: string, streak?: string): Promise<unknown> {
  const named = streak === undefined ? {} : { streak }
  try {
    return {
      streak: await engine.users.streak(user, { historyPeriods: 30, ...named }),
      achievements: await engine.users.achievements(user, { includeIncomplete: true }),
    }
  } catch (error) {
    if (!isGamificationError(error)) throw error
    return error.code
  }
}

/** Ids follow from random ones, and of the streak that is told the key is not there. */
function toPlain(answer: unknown, streak?: string): unknown {
  const text = JSON.stringify(answer, (key, value: unknown) => {
    if (key === 'streakKey' || key === 'message' || key === 'reason') return undefined
    if (typeof value !== 'object' || value === null || !('currentStreak' in value)) return value
    const { streaks, ...rest } = value as { currentStreak: unknown; streaks?: Record<string, unknown> }
    return streak === undefined ? value : { ...rest, currentStreak: streaks?.[streak] }
  })
  return text?.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[457][0-9a-f-]{21}/g, 'id')
}

describe("A named streak under the rules of the game's", () => {
  test(`answers as it does in every random life (seed ${SEED})`, { timeout: 600_000 }, async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(lives(MOST), async (life) => {
        const twins = toTwins(life)
        if (twins === null) return
        const [own, named] = twins
        const answers = await live(own)
        expect(await live(named, 'gym')).toEqual(answers)
        compared += 1
      }),
      { numRuns: Number(process.env.RUNS ?? 12), seed: SEED },
    )
    expect(compared).toBeGreaterThan(0)
  })
})
