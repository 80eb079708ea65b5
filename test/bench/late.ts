import { join } from 'node:path'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type ImportItem } from '../../src/index.ts'
import { game } from './game.ts'
import { measureBeside, table } from './measure.ts'
import type { Size } from './sizes.ts'

const START = Date.parse('2020-01-01T00:00:00Z')
const STEP_MS = 600_000
const DAY_MS = 86_400_000

function* history(count: number): Generator<ImportItem> {
  for (let index = 0; index < count; index += 1) {
    yield { metric: 'words', user: { id: 'old' }, value: 1, occurredAt: new Date(START + index * STEP_MS) }
  }
}

/** One late event of a user with a long history, while others continue. */
export async function benchLate(folder: string, size: Size['late']): Promise<string> {
  const rows: (string | number)[][] = []
  for (const entries of size.entries) {
    const library = createGamification({
      game,
      storage: sqlite(join(folder, `late-${entries}.db`), { synchronous: 'NORMAL' }),
    })
    await library.migrate()
    await library.import(history(entries))
    const end = START + entries * STEP_MS
    for (const [place, first] of [
      ['at the beginning', START],
      ['one day late', end - DAY_MS],
    ] as const) {
      const add = (round: number) => {
        const occurredAt = new Date(first + 1_000 + round * 1_000)
        return library.metrics.event('words', { user: { id: 'old' }, value: 1, occurredAt })
      }
      const took: number[] = []
      for (let round = 0; round < 5; round += 1) {
        const start = performance.now()
        await add(round)
        took.push(performance.now() - start)
      }
      const { took: others } = await measureBeside(add(9), (index) =>
        library.metrics.event('words', { user: { id: `other-${index}` }, value: 1 }),
      )
      const p99 = others.at(Math.floor(others.length * 0.99)) ?? 0
      rows.push([`${entries} entries, ${place}`, Math.min(...took), others.length, p99])
    }
    await library.close()
  }
  return table('A late event', ['', 'ms', "others' events", "others' p99 ms"], rows)
}
