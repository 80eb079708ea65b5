import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification, type DefinedGame, defineGame, type ImportItem } from '../../src/index.ts'
import { measure, table } from './measure.ts'

export const activityGame: DefinedGame = defineGame({
  metrics: { commits: { name: 'Commits' }, 'lines-added': { name: 'Lines added' } },
  eventAttributes: ['project'],
  achievements: Object.fromEntries(
    [1, 10, 100, 1_000].map((value) => [
      `commits-${value}`,
      { name: `${value} commits`, trigger: 'metric' as const, metric: 'commits' as const, value },
    ]),
  ),
  points: { xp: { name: 'XP', triggers: [{ type: 'metric' as const, metric: 'commits', threshold: 1, points: 5 }] } },
  streak: { frequency: 'daily', metrics: { commits: {} } },
})

export async function* readActivity(file: string): AsyncGenerator<ImportItem> {
  let isHead = true
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (isHead) {
      isHead = false
      continue
    }
    const [idempotencyKey = '', id = '', tz = '', project = '', commits, lines, at = ''] = line.split(',')
    const rest = { user: { id, tz }, attributes: { project }, idempotencyKey, occurredAt: new Date(at) }
    yield { ...rest, metric: 'commits', value: Number(commits) }
    yield { ...rest, metric: 'lines-added', value: Number(lines) }
  }
}

/** The real file, by import and by one caller that waits for each answer. */
export async function benchImport(folder: string, file: string): Promise<string> {
  const rows: (string | number)[][] = []
  for (const synchronous of ['NORMAL', 'FULL'] as const) {
    const imported = createGamification({
      game: activityGame,
      storage: sqlite(join(folder, `import-${synchronous}.db`), { synchronous }),
    })
    await imported.migrate()
    const start = performance.now()
    const { recorded } = await imported.import(readActivity(file))
    const seconds = (performance.now() - start) / 1_000
    await imported.close()

    const single = createGamification({
      game: activityGame,
      storage: sqlite(join(folder, `single-${synchronous}.db`), { synchronous }),
    })
    await single.migrate()
    const items: ImportItem[] = []
    // In the order of time, so that no event is late.
    for await (const item of readActivity(file)) items.push(item)
    items.sort((left, right) => (left.occurredAt?.getTime() ?? 0) - (right.occurredAt?.getTime() ?? 0))
    const one = await measure(1, Math.min(10_000, items.length), (index) => {
      const { metric, ...event } = items[index] as ImportItem
      return single.metrics.event(metric, event)
    })
    await single.close()
    rows.push([
      `import of ${recorded}`,
      synchronous,
      seconds,
      recorded / seconds,
      one.perSecond,
      recorded / seconds / one.perSecond,
    ])
  }
  return table('The real file', ['', 'synchronous', 's', 'per s', 'one caller per s', 'ratio'], rows)
}
