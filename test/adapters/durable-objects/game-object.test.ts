// A game in Durable Objects, in workerd.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleWorker, startWorker } from '../../support/workerd.ts'

const DAY_MS = 86_400_000
let script: string
let worker: Miniflare
beforeAll(async () => {
  script = await bundleWorker(new URL('workers/game.ts', import.meta.url))
  worker = startWorker({ script })
})
afterAll(() => worker.dispose())

async function call<T>(on: Miniflare, object: string, method: string, ...given: readonly unknown[]): Promise<T> {
  const response = await on.dispatchFetch(
    `http://game/${object}/${method}?${encodeURIComponent(JSON.stringify(given))}`,
  )
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as T
}

test('each object is a game of its own, with keys of its own', async () => {
  const key = await call<string>(worker, 'acme', 'createKey')
  const write = (object: string): Promise<{ status: number; json(): Promise<unknown> }> =>
    worker.dispatchFetch(`http://game/${object}/v1/metrics/words/event`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ user: { id: 'ann' }, value: 250 }),
    })
  const accepted = await write('acme')
  expect(accepted.status).toBe(201)
  expect(await accepted.json()).toMatchObject({
    total: 250,
    points: { xp: { total: 20 } },
    currentStreak: { length: 1 },
  })
  expect((await write('globex')).status).toBe(401)
  expect(await call(worker, 'globex', 'event', 'ann', 5, 'a')).toMatchObject({ total: 5 })
  expect(await call(worker, 'acme', 'totals')).toMatchObject({ drift: [], sum: 250 })
})

test('a message about an event reaches its handler by the alarm, and is retried after a failure', async () => {
  await call(worker, 'retry', 'event', 'unlucky', 2, 'a')
  await expect
    .poll(() => call(worker, 'retry', 'mails'))
    .toMatchObject([{ user: 'unlucky', type: 'achievement.completed' }])
})

test('an object without anything due has its alarm a day ahead at most', async () => {
  await call(worker, 'quiet', 'totals')
  await expect.poll(() => call<number>(worker, 'quiet', 'alarmAt')).toBeGreaterThan(Date.now() + DAY_MS - 60_000)
  expect(await call<number>(worker, 'quiet', 'alarmAt')).toBeLessThanOrEqual(Date.now() + DAY_MS)
})

interface Mail {
  readonly user: string
  readonly type: string
  readonly sentAt: number
}

async function lossesIn(on: Miniflare): Promise<readonly Mail[]> {
  return (await call<readonly Mail[]>(on, 'acme', 'mails')).filter(({ type }) => type === 'streak.lost')
}

interface Before {
  readonly aheadMs: number
  readonly midnight: number
}

test('a streak that is lost at midnight is told by the alarm', async () => {
  const here = startWorker({ script })
  try {
    const { midnight } = await call<Before>(here, 'acme', 'beforeMidnight', 'ann')
    await expect.poll(() => lossesIn(here)).toMatchObject([{ user: 'ann', type: 'streak.lost' }])
    const [lost] = await lossesIn(here)
    expect(lost?.sentAt).toBeGreaterThanOrEqual(midnight)
  } finally {
    await here.dispose()
  }
})

test('an object that was not running at midnight tells it when it starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'laurels-alarm-'))
  const before = startWorker({ script, folder })
  try {
    const { aheadMs, midnight } = await call<Before>(before, 'acme', 'beforeMidnight', 'ann')
    const alarmAt = () => call<number | null>(before, 'acme', 'alarmAt')
    await expect.poll(async () => ((await alarmAt()) ?? Number.POSITIVE_INFINITY) <= midnight).toBe(true)
    await before.dispose()
    await sleep(Math.max(0, midnight - Date.now()))
    const sent: string[] = []
    const bindings = { AHEAD_MS: String(aheadMs) }
    const after = startWorker({ script, folder, bindings, onFetch: (url) => sent.push(url) })
    try {
      // Cloudflare starts an object whose alarm is due; workerd alone leaves that to the next request.
      await call(after, 'acme', 'totals')
      await expect.poll(() => sent).toContain('http://mailer/streak.lost/ann')
    } finally {
      await after.dispose()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
