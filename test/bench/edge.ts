import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Miniflare } from 'miniflare'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { createGamification } from '../../src/index.ts'
import { bundleWorker, startWorker } from '../support/workerd.ts'
import type { Written } from './edge-worker.ts'
import { type BenchEvent, events, game } from './game.ts'
import { measure, type Row, table } from './measure.ts'
import type { Size } from './sizes.ts'

/**
 * Events in a Durable Object under workerd, beside better-sqlite3 with `synchronous: 'FULL'`. A request is answered when its
 * event is on the disk. Callers within the object wait for no disk.
 */
export async function benchEdge(
  folder: string,
  { users, callers: counts, count }: Size['edge'],
  print: (text: string) => void,
): Promise<void> {
  const script = await bundleWorker(fileURLToPath(new URL('edge-worker.js', import.meta.url)))
  const worker = startWorker({ script, folder: mkdtempSync(join(folder, 'objects-')) })
  const rows: Row[] = []
  try {
    // All users are there before, so that each run writes the same rows.
    await ask(worker, 'run', { callers: 32, count: users * 3, users })
    for (const callers of counts) {
      const beside = await runSqlite(folder, { users, callers, count })
      const names = callers === 1 ? '1 caller' : `${callers} callers`
      rows.push([`better-sqlite3, ${names}`, beside, 1, '', ''])
      for (const [name, run] of [
        ['requests to an object', () => runRequests(worker, { users, callers, count })],
        ['within an object', () => ask(worker, 'run', { callers, count, users })],
      ] as const) {
        const before = await writtenBy(worker)
        const start = performance.now()
        await run()
        const perSecond = (count / (performance.now() - start)) * 1_000
        const after = await writtenBy(worker)
        const perEvent = [(after.rows - before.rows) / count, (after.bytes - before.bytes) / count]
        rows.push([`${name}, ${names}`, perSecond, perSecond / beside, ...perEvent])
      }
    }
  } finally {
    await worker.dispose()
  }
  print(table('Edge', ['', 'per s', 'of better-sqlite3', 'rows written', 'bytes'], rows))
}

interface Run {
  readonly users: number
  readonly callers: number
  readonly count: number
}

async function runSqlite(folder: string, { users, callers, count }: Run): Promise<number> {
  const file = join(mkdtempSync(join(folder, 'beside-')), 'app.db')
  const library = createGamification({ game, storage: sqlite(file, { synchronous: 'FULL' }) })
  await library.migrate()
  const source = events(users, callers)
  const record = (): Promise<unknown> => {
    const { user, metric, value } = source.next().value as BenchEvent
    return library.metrics.event(metric, { user: { id: user }, value })
  }
  await measure(32, users * 3, record)
  const { perSecond } = await measure(callers, count, record)
  await library.close()
  return perSecond
}

async function runRequests(worker: Miniflare, { users, callers, count }: Run): Promise<void> {
  const source = events(users, callers)
  await measure(callers, count, async () => {
    const body = JSON.stringify(source.next().value)
    await requireOk(await worker.dispatchFetch('http://bench/', { method: 'POST', body }))
  })
}

async function ask(worker: Miniflare, path: string, { users, callers, count }: Run): Promise<void> {
  const query = `callers=${callers}&count=${count}&users=${users}`
  await requireOk(await worker.dispatchFetch(`http://bench/${path}?${query}`))
}

async function writtenBy(worker: Miniflare): Promise<Written> {
  return (await (await worker.dispatchFetch('http://bench/written')).json()) as Written
}

async function requireOk(response: { readonly ok: boolean; text(): Promise<string> }): Promise<void> {
  const text = await response.text()
  if (!response.ok) throw new Error(text)
}
