import { join } from 'node:path'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type ImportItem } from '../../src/index.ts'
import { game } from './game.ts'
import { table } from './measure.ts'
import type { Size } from './sizes.ts'

const START = Date.parse('2020-01-01T00:00:00Z')

function* history(count: number): Generator<ImportItem> {
  for (let index = 0; index < count; index += 1) {
    yield { metric: 'words', user: { id: 'old' }, value: 1, occurredAt: new Date(START + index * 600_000) }
  }
}

/** One late event of a user with a long history, while others go on. */
export async function benchLate(folder: string, size: Size['late']): Promise<string> {
  const rows: (string | number)[][] = []
  for (const entries of size.entries) {
    const library = createGamification({
      game,
      storage: sqlite(join(folder, `late-${entries}.db`), { synchronous: 'NORMAL' }),
    })
    await library.migrate()
    await library.import(history(entries))
    const took: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const start = performance.now()
      const occurredAt = new Date(START + 1_000 + round * 1_000)
      await library.metrics.event('words', { user: { id: 'old' }, value: 1, occurredAt })
      took.push(performance.now() - start)
    }
    const others = await meanwhile(
      library.metrics.event('words', { user: { id: 'old' }, value: 1, occurredAt: new Date(START + 9_000) }),
      (index) => library.metrics.event('words', { user: { id: `other-${index}` }, value: 1 }),
    )
    await library.close()
    rows.push([
      `${entries} entries`,
      Math.min(...took),
      others.length,
      others.at(Math.floor(others.length * 0.99)) ?? 0,
    ])
  }
  return table('A late event', ['', 'ms', "others' events", "others' p99 ms"], rows)
}

/** What each call took while `work` went on, in ascending order. */
async function meanwhile(
  work: Promise<unknown>,
  call: (index: number) => Promise<unknown>,
): Promise<readonly number[]> {
  let isDone = false
  const done = work.then(() => {
    isDone = true
  })
  const took: number[] = []
  while (!isDone) {
    const start = performance.now()
    await call(took.length)
    took.push(performance.now() - start)
  }
  await done
  return took.sort((left, right) => left - right)
}
