// Ranks in the answers of a batch whose own answer is lost: they are asked for again, after the save.

import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../../adapters/memory/index.ts'
import { postgres } from '../../../adapters/postgres/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type Gamification,
  type Storage,
} from '../../../src/index.ts'
import { useEmptySchemas } from '../../support/postgres.ts'
import { type Query, readCounts } from './leaderboards-counts.ts'
import { isSave } from './processes.ts'
import type { Fate } from './proxy.ts'
import { clock, useWorld } from './world.ts'

const board = { rankBy: 'metric', metric: 'words', start: '2026-01-01' } as const
const game = defineGame({
  metrics: { words: { name: 'Words' } },
  leaderboards: {
    all: { ...board, name: 'All', maxParticipants: null },
    top: { ...board, name: 'Top three', maxParticipants: 3 },
  },
})

const nextSchema = useEmptySchemas()

async function open(storage: Storage): Promise<Gamification<DefinedGame>> {
  const engine = createGamification<DefinedGame>({ game, storage, clock })
  onTestFinished(() => engine.close())
  await engine.migrate()
  return engine
}

const FIRST = { ann: 5, bob: 4, cid: 3, dan: 2, eve: 1 }
/** Each passes other users, and some of those move too. */
const BATCH = { eve: 4, dan: 1, fay: 3, cid: 9, ann: 1 }

async function record({ metrics }: Gamification<DefinedGame>, values: Readonly<Record<string, number>>) {
  const calls = Object.entries(values).map(([id, value]) => metrics.event('words', { user: { id }, value }))
  return (await Promise.all(calls)).map(({ total, leaderboards }) => ({ total, leaderboards }))
}

test.each<Fate>(['answerLost', 'halfAnswered', 'sentLate', 'neverSent'])(
  'ranks of a batch whose save is %s are those of memory, and every entry is counted once',
  async (fate) => {
    const { schema, proxy, query } = await useWorld(nextSchema())
    const engine = await open(postgres(proxy.url, { schema, deadlineMs: 20_000 }))
    const reference = await open(memory())
    for (const each of [engine, reference]) await record(each, FIRST)

    const fates = [fate]
    proxy.choose((question) => (isSave(question) ? fates.shift() : null) ?? 'passes')
    expect(await record(engine, BATCH)).toEqual(await record(reference, BATCH))
    expect(fates).toEqual([])
    await proxy.quiet()
    expect(await readCounts(query as Query, schema)).toMatchObject({ faults: [], pending: 0 })
  },
  60_000,
)
