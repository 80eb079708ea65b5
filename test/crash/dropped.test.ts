// @heavy: It takes more than three seconds.
// Engines that are never closed. The garbage collector, a worker that ends and the end of the process must not crash
// the process.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compiled, runCompiled } from '../support/compiled.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const COUNT = process.env.SOAK === undefined ? 60 : 1_000
const nextFile = useDatabaseFiles()

/** Opens engines, writes through each, and lets go of them. */
const OPEN = `
  import { setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  import { createGamification, defineGame } from './src/index.js'
  import { sqlite } from './adapters/sqlite/index.js'

  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const game = defineGame({ metrics: { words: { name: 'Words' } } })
  const drivers = { 'node:sqlite': async () => (await import('node:sqlite')).DatabaseSync, default: undefined }

  export async function openMany(driver, file, count) {
    const load = drivers[driver]
    let total = 0
    for (let index = 0; index < count; index += 1) {
      const place = index % 2 === 0 ? ':memory:' : file + '-' + (index % 20)
      const storage = sqlite(place, { synchronous: 'NORMAL', ...(load && { driver: load }) })
      const engine = createGamification({ game, storage })
      await engine.migrate()
      total += (await engine.metrics.event('words', { user: { id: 'user-' + index }, value: 1 })).total
      if (index % 10 === 9) collect()
      if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve))
    }
    return total
  }
`

describe.each(['default', 'node:sqlite'])(`${COUNT} engines on the driver %s that are never closed`, (driver) => {
  test('are collected, and left open at the end of the process', { timeout: 600_000 }, async () => {
    const script = `${OPEN}
      console.log(await openMany(...process.argv.slice(1, 3), ${COUNT}))`
    expect((await runCompiled(script, driver, nextFile())).stdout).toBe(`${COUNT}\n`)
  })

  test('are left open by workers that end by themselves, and by some that are stopped', {
    timeout: 600_000,
  }, async () => {
    const script = `
      import { Worker } from 'node:worker_threads'

      const [driver, file, count] = process.argv.slice(1)
      const ends = []
      for (let index = 0; index < 4; index += 1) {
        const worker = new Worker(new URL(process.argv[4]), { execArgv: [], workerData: { driver, file: file + index, count: Number(count) / 4 } })
        const told = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
        const ended = new Promise((resolve) => worker.once('exit', resolve))
        ends.push(told.then(async (total) => {
          // Two are stopped where they are, two have come to their end.
          if (index % 2 === 0) await worker.terminate()
          await ended
          return total
        }))
      }
      console.log((await Promise.all(ends)).reduce((sum, each) => sum + each, 0))`
    const worker = join(compiled(), `dropped-${process.pid}.mjs`)
    writeFileSync(
      worker,
      `${OPEN}
      import { parentPort, workerData } from 'node:worker_threads'
      parentPort.postMessage(await openMany(workerData.driver, workerData.file, workerData.count))`,
    )
    const { stdout } = await runCompiled(script, driver, nextFile(), String(COUNT), pathToFileURL(worker).href)
    rmSync(worker)
    expect(stdout).toBe(`${COUNT}\n`)
  })
})
