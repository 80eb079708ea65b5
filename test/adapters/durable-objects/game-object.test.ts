// A game in Durable Objects, in workerd.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleWorker, startWorker } from '../../support/workerd.ts'

const POLL = { timeout: 20_000 }
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

test('an object without anything due has its alarm a day ahead', async () => {
  const here = startWorker({ script })
  try {
    await call(here, 'clock', 'setClock', '2026-03-02T12:00:00.000Z')
    await call(here, 'quiet', 'totals')
    await expect.poll(() => alarmOf(here, 'quiet')).toMatch(/^2026-03-03T12:00:/)
  } finally {
    await here.dispose()
  }
})

const alarmOf = (on: Miniflare, object: string): Promise<string> => call<string>(on, object, 'alarmAt')

interface Mail {
  readonly user: string
  readonly type: string
  readonly sentAt: number
}

const mailsOf = (on: Miniflare): Promise<readonly Mail[]> => call<readonly Mail[]>(on, 'acme', 'mails')

const MIDNIGHT = '2026-03-03T00:00:00.000Z'
const REMINDER = 'emails.streak_reminder_due'

test('a streak that is lost at midnight is told by the alarm', async () => {
  const here = startWorker({ script })
  try {
    await call(here, 'clock', 'setClock', '2026-03-02T23:59:58.000Z')
    await call(here, 'acme', 'eventOfYesterday', 'ann', 'UTC')
    await expect.poll(() => mailsOf(here), POLL).toMatchObject([{ user: 'ann', type: 'streak.lost' }])
    const [lost] = await mailsOf(here)
    expect(lost?.sentAt).toBeGreaterThanOrEqual(Date.parse(MIDNIGHT))
  } finally {
    await here.dispose()
  }
})

test('the alarm is moved forward when something earlier falls due, and back to the rest after it', async () => {
  const here = startWorker({ script })
  try {
    await call(here, 'clock', 'setClock', '2026-03-02T19:59:57.000Z')
    await call(here, 'acme', 'eventOfYesterday', 'in-new-york', 'America/New_York')
    await expect.poll(() => alarmOf(here, 'acme')).toBe('2026-03-03T01:00:00.000Z')
    await call(here, 'acme', 'eventOfYesterday', 'in-lisbon', 'Europe/Lisbon')
    await expect.poll(() => alarmOf(here, 'acme')).toBe('2026-03-02T20:00:00.000Z')
    await call(here, 'acme', 'eventOfYesterday', 'on-azores', 'Atlantic/Azores')
    expect(await alarmOf(here, 'acme')).toBe('2026-03-02T20:00:00.000Z')

    await expect.poll(() => mailsOf(here), POLL).toMatchObject([{ user: 'in-lisbon', type: REMINDER }])
    await expect.poll(() => alarmOf(here, 'acme')).toBe('2026-03-02T21:00:00.000Z')
  } finally {
    await here.dispose()
  }
})

/** Stops a worker before something is due, and calls the object in another one when the instant is past. */
async function missed(setTo: string, due: string, expected: string): Promise<readonly Mail[]> {
  const folder = mkdtempSync(join(tmpdir(), 'laurels-alarm-'))
  const before = startWorker({ script, folder })
  try {
    const aheadMs = await call<number>(before, 'clock', 'setClock', setTo)
    await call(before, 'acme', 'eventOfYesterday', 'ann', 'UTC')
    await expect.poll(() => alarmOf(before, 'acme')).toBe(due)
    await before.dispose()
    await sleep(Math.max(0, Date.parse(due) - aheadMs - Date.now()))
    const sent: string[] = []
    const bindings = { AHEAD_MS: String(aheadMs) }
    const after = startWorker({ script, folder, bindings, onFetch: (url) => sent.push(url) })
    try {
      // Cloudflare starts an object whose alarm is due; workerd alone leaves that to the next request.
      await call(after, 'acme', 'totals')
      await expect.poll(() => sent, POLL).toContain(`http://mailer/${expected}/ann`)
      return await mailsOf(after)
    } finally {
      await after.dispose()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('an object that was not running at midnight tells it when it starts', async () => {
  await missed('2026-03-02T23:59:58.000Z', MIDNIGHT, 'streak.lost')
})

test('a reminder that fell due while the object was not running is late, and comes once', async () => {
  const mails = await missed('2026-03-02T19:59:58.000Z', '2026-03-02T20:00:00.000Z', REMINDER)
  expect(mails).toMatchObject([{ user: 'ann', type: REMINDER }])
})
