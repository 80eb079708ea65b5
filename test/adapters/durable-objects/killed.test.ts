// @heavy: It kills workerd three times among 2,000 events.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Miniflare } from 'miniflare'
import { expect, test } from 'vitest'
import { bundleWorker, startWorker } from '../../support/workerd.ts'

const EVENTS = 2_000

/** The process of workerd, a child of this one. */
function processOf(): number {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' }).split(
    '\n',
  )
  const line = lines.find((each) => /\bworkerd\b/.test(each)) ?? ''
  return Number.parseInt(line, 10)
}

async function record(worker: Miniflare, number: number): Promise<void> {
  const given = encodeURIComponent(JSON.stringify([`u${number % 50}`, 1, `event-${number}`]))
  const response = await worker.dispatchFetch(`http://game/acme/event?${given}`)
  if (!response.ok) throw new Error(await response.text())
  await response.text()
}

test('no event that was answered is lost when workerd is killed, and none counts twice when it is sent again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'laurels-killed-'))
  const script = await bundleWorker(new URL('workers/game.ts', import.meta.url))
  const pending = new Set(Array.from({ length: EVENTS }, (_, number) => number))
  let kills = 0
  try {
    for (;;) {
      const worker = startWorker({ script, folder })
      await worker.ready
      const killAt = pending.size - EVENTS / 4
      let isDown = false
      const caller = async (): Promise<void> => {
        for (const number of pending) {
          if (isDown) return
          // Taken by another caller, or answered.
          if (underWay.has(number)) continue
          underWay.add(number)
          try {
            await record(worker, number)
            pending.delete(number)
          } catch {
            isDown = true
          }
          if (kills < 3 && pending.size <= killAt && !isDown) {
            isDown = true
            kills += 1
            process.kill(processOf(), 'SIGKILL')
          }
        }
      }
      const underWay = new Set<number>()
      await Promise.all(Array.from({ length: 32 }, caller))
      if (pending.size === 0) {
        const response = await worker.dispatchFetch('http://game/acme/totals?%5B%5D')
        expect(await response.json()).toMatchObject({ drift: [], sum: EVENTS, entries: EVENTS })
        await worker.dispose()
        break
      }
      await worker.dispose().catch(() => undefined)
      await sleep(100)
    }
    expect(kills).toBe(3)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
