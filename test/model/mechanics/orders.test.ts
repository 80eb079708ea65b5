// @early: It takes long for its size.
// Whatever the order in which a user's events arrive, the engine says what the model says of them in the order of the log.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { howMany } from '../../support/share.ts'
import { keepSnapshotsEvery } from '../../support/snapshots.ts'
import { seedOfRun } from '../../support/zones.ts'
import { boards, drive, look, openDriven } from './drive.ts'
import { eventsOfWeek } from './histories.ts'
import { createModel } from './model.ts'

keepSnapshotsEvery(3)

const RUNS = Number(process.env.HISTORIES ?? howMany(8, 25, 5_000))
const SEED = seedOfRun()

test(`${RUNS} shuffles of events of a week lead to one result (seed ${SEED})`, { timeout: 14_400_000 }, async () => {
  const shuffled = eventsOfWeek(18).chain(({ game, calls }) =>
    fc.shuffledSubarray(calls, { minLength: calls.length }).map((arriving) => ({ game, calls, arriving })),
  )
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ game, calls, arriving }) => {
      const model = createModel(game)
      for (const call of calls) model.call(call)
      const driven = await openDriven(game, memory())
      driven.clock.now = calls[0]?.now ?? 0
      // Waiting commands share one replay.
      await Promise.all(arriving.map((call) => drive(driven, call)))
      expect(await look(driven, 'ann')).toEqual(model.look('ann', driven.clock.now))
      expect(await boards(driven, model.boards())).toEqual(model.boards())
      await driven.engine.close()
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  )
})
