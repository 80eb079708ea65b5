// @early: It takes long for its size.
// The engine on every storage beside the naive model of the mechanics. HISTORIES=… goes through as many; SEED=… repeats a run.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import type { Storage } from '../../../src/index.ts'
import { giveBack, sharedPool, takeEmptySchema } from '../../support/postgres.ts'
import { HEAVY, howMany } from '../../support/share.ts'
import { keepSnapshotsEvery } from '../../support/snapshots.ts'
import { SOAK, seedOfRun } from '../../support/zones.ts'
import { boards, drive, look, openDriven } from './drive.ts'
import { type Play, plays, travels, USERS } from './histories.ts'
import { createModel } from './model.ts'
import type { Answer } from './types.ts'

// Short histories have snapshots too: late events start from them.
keepSnapshotsEvery(3)

const RUNS = howMany(20, 50, 2_000)
const SEED = seedOfRun()

interface Opened {
  readonly storage: Storage
  readonly end?: () => Promise<void>
}

const STORAGES: readonly { readonly name: string; readonly open: () => Opened; readonly share: number }[] = [
  { name: 'SQLite', open: () => ({ storage: memory() }), share: 1 },
  ...(HEAVY ? [{ name: 'Postgres', open: openPostgres, share: 0.15 }] : []),
]

function openPostgres(): Opened {
  const schema = takeEmptySchema()
  return { storage: postgres(sharedPool(), { schema, deadlineMs: 60_000 }), end: () => giveBack(schema) }
}

async function agree(open: () => Opened, { game, calls }: Play): Promise<void> {
  const { storage, end } = open()
  const driven = await openDriven(game, storage)
  const model = createModel(game)
  try {
    for (const call of calls) {
      driven.clock.now = call.now
      const expected = model.call(call)
      const found = await drive(driven, call)
      expect({ call, answer: asFar(found, expected) }).toEqual({ call, answer: expected })
    }
    for (const wait of [0, 50 * 3_600_000]) {
      driven.clock.now += wait
      const { now } = driven.clock
      for (const id of USERS) {
        const expected = model.look(id, now)
        if (expected !== null) expect({ id, ...(await look(driven, id)) }).toEqual({ id, ...expected })
      }
    }
    const expected = model.boards()
    expect(await boards(driven, expected)).toEqual(expected)
    expect((await driven.engine.verify()).drift).toEqual([])
  } finally {
    await driven.engine.close()
    await end?.()
  }
}

/** Only what the model says of the call. */
function asFar(found: Answer, expected: Answer): Answer {
  if (found.isRefused || found.isReplayed || expected.isRefused || expected.isReplayed) return found
  return Object.fromEntries(Object.entries(found).filter(([key]) => key in expected))
}

describe.each(STORAGES)('the engine on $name', ({ open, share }) => {
  const runs = Number(process.env.HISTORIES ?? Math.ceil(RUNS * (SOAK ? 1 : share)))
  it(`follows the mechanics as the model does in ${runs} histories (seed ${SEED})`, {
    timeout: 14_400_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(plays(30), travels(50)), (play) => agree(open, play)),
      {
        numRuns: runs,
        seed: SEED,
        endOnFailure: process.env.SHRINK === '0',
        ...(process.env.PATH_OF === undefined ? {} : { path: process.env.PATH_OF }),
      },
    )
  })
})
