// The engine's fold beside the model. SOAK=1 goes through more histories; SEED=… repeats a run.

import { expect, test } from 'vitest'
import { howMany } from '../../support/share.ts'
import { seedOfRun } from '../../support/zones.ts'
import { historyOf } from './histories.ts'
import { differenceIn, shortest } from './play.ts'
import { createPure } from './pure.ts'

const SEED = seedOfRun()
const RUNS = Number(process.env.HISTORIES ?? howMany(300, 600, 100_000))

test(`The fold agrees with the model on ${RUNS} histories (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  for (let run = 0; run < RUNS; run += 1) {
    const history = historyOf(SEED + run, 20)
    if (differenceIn(history, createPure(history.games)) === null) continue
    expect.fail(`seed ${SEED + run}\n${shortest(history, () => createPure(history.games))}`)
  }
})
