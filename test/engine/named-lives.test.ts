// Random lives with named streaks, in which events come late, are voided, and zones change: on every storage.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onEachStorage } from '../support/engine.ts'
import { seedOfRun } from '../support/zones.ts'
import { type Life, lives, perform, USERS } from './random-lives.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? 4)

/** Lives of games that have named streaks, with more voids. */
const named = lives(60).filter(({ definition }) => definition.streaks !== undefined)
const LIVES: readonly Life[] = fc.sample(named, { numRuns: RUNS, seed: SEED })

onEachStorage('After a random life with named streaks', (open) => {
  test(`there is no drift, and a rebuild changes nothing (seed ${SEED})`, { timeout: 600_000 }, async () => {
    for (const { definition, deeds } of LIVES) {
      const engine = await open(definition)
      let at = 0
      for (const deed of deeds) {
        at = Math.max(at, deed.now)
        engine.at(new Date(deed.now).toISOString())
        await perform(engine, deed)
      }
      // Who comes back much later: everything that time did is stored.
      engine.at(new Date(at + 100 * 86_400_000).toISOString())
      for (const id of USERS) await engine.metrics.event('reads', { user: { id }, value: 1 }).catch(() => null)
      expect((await engine.verify()).drift).toEqual([])
      const keys = Object.keys(definition.streaks ?? {})
      const told = () =>
        Promise.all(
          USERS.flatMap((id) =>
            keys.map((streak) => engine.users.streak(id, { streak, historyPeriods: 100 }).catch(() => null)),
          ),
        )
      const before = await told()
      await engine.rebuild()
      expect(await told()).toEqual(before)
    }
  })
})
