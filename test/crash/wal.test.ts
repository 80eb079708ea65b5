// @heavy: It takes more than three seconds.
// The possible states of the WAL after a crash.

import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { limit } from '../support/busy-machine.ts'
import { compiled } from '../support/compiled.ts'
import { times, useEngines } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { runAndKill } from './child.ts'
import { crashGame } from './crash-game.ts'
import { EVENTS_SCRIPT } from './events-child.ts'
import { expectFolded, expectSound, keysIn, lookInto } from './evidence.ts'
import { createRandom, seedOfSoak } from './random.ts'
import { watchStalls } from './stalls.ts'

const SOAK = process.env.SOAK === '1'
const NOW = '2026-06-01T12:00:00.000Z'
const PAGE = 4_096
const SEED = seedOfSoak(6)
/** A WAL that is past due for a checkpoint, in any setting that the library might have. */
const LONG_WAL = 5_000 * PAGE
const TOLERATED_STALL_MS = SOAK ? 150 : 1_000

const nextFile = useDatabaseFiles()
const start = useEngines(NOW)
let directory = ''

beforeAll(() => {
  directory = compiled()
}, 60_000)

/** Runs a process that sends `most` events and dies with its WAL in place; returns their keys in order of the answers. */
async function sendAndDie(file: string, more: { readonly [name: string]: unknown } = {}): Promise<readonly string[]> {
  const answered: string[] = []
  const args = {
    file,
    synchronous: 'NORMAL',
    run: 0,
    now: NOW,
    leaves: true,
    definition: crashGame.definition,
    ...more,
  }
  const onLine = (key: string): void => void answered.push(`words ${key}`)
  expect(await runAndKill({ directory, script: EVENTS_SCRIPT, args, onLine }, () => false, 0)).toBe('killed')
  return answered
}

const walSize = (file: string): number => (existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0)

describe('a WAL that a dead process left behind', () => {
  test('is read by the next one, which goes on writing', async () => {
    const file = nextFile()
    const answered = await sendAndDie(file, { most: 300 })
    expect(answered).toHaveLength(300)
    expect(walSize(file)).toBeGreaterThan(0)

    const engine = await start(crashGame, sqlite(file))
    // 300 events of seven users in turn, 2 words each: 43 of user-0.
    expect((await engine.users.singleMetric('user-0', 'words')).current).toBe(86)
    const answer = await engine.metrics.event('words', { user: { id: 'user-0' }, value: 4 })
    expect(answer.total).toBe(90)
    await engine.close()
    expect(walSize(file)).toBe(0)
    expectSound(file)
    expect(await expectFolded(file)).toBe(7)
  })

  test(`and that a power cut tore keeps a beginning of what was stored, each event whole (seed ${SEED})`, async () => {
    const random = createRandom(SEED)
    const source = nextFile()
    const answered = await sendAndDie(source, { most: 400 })
    const whole = walSize(source)
    let kept = 0
    for (let cut = 0; cut < (SOAK ? 60 : 4); cut += 1) {
      const file = nextFile()
      copyFileSync(source, file)
      copyFileSync(`${source}-wal`, `${file}-wal`)
      truncateSync(`${file}-wal`, random.whole(whole / 4, whole - 1))

      const storage = sqlite(file)
      const engine = await start(crashGame, storage)
      // Opened by the library first: it has to cope with what it finds.
      const left = lookInto(file, (database) =>
        database.prepare<[], number>('select count(*) from laurels_view_log').pluck().get(),
      )
      const stored = keysIn(file)
      expect(stored.size).toBe(left)
      // Eight lanes: what is kept are the first events but for those under way at the same time.
      const gap = answered.findIndex((key) => !stored.has(key))
      expect(stored.size - (gap === -1 ? answered.length : gap)).toBeLessThanOrEqual(8)
      kept += stored.size

      const { total } = await engine.metrics.event('words', { user: { id: 'new' }, value: 3, idempotencyKey: 'after' })
      expect(total).toBe(3)
      await engine.close()
      expectSound(file)
      await expectFolded(file)
    }
    expect(kept).toBeGreaterThan(0)
  }, 120_000)
})

describe('a reader that the host holds open for seconds', () => {
  test('sees its own moment throughout, and writes go on without standing still', async () => {
    const file = nextFile()
    const engine = await start(crashGame, sqlite(file))
    const ann = { user: { id: 'ann' }, value: 1, attributes: { note: 'n'.repeat(1_000), more: 'm'.repeat(1_000) } }
    await engine.metrics.event('words', ann)

    const host = new Database(file)
    host.exec('begin')
    const count = host.prepare<[], number>('select count(*) from laurels_view_log').pluck()
    expect(count.get()).toBe(1)

    const stalls = watchStalls()
    const end = performance.now() + (SOAK ? 10_000 : 2_000)
    let sent = 1
    let slowest = 0
    while (performance.now() < end) {
      const began = performance.now()
      await Promise.all(times(16, () => engine.metrics.event('words', ann)))
      slowest = Math.max(slowest, performance.now() - began)
      sent += 16
      await sleep(1)
    }
    const longest = stalls.stop()
    process.stdout.write(
      `beside a reader: ${sent} events, WAL of ${walSize(file)} bytes, longest stall ${Math.round(longest)} ms, ` +
        `slowest sixteen ${Math.round(slowest)} ms\n`,
    )
    expect(longest).toBeLessThan(limit(TOLERATED_STALL_MS))
    expect(slowest).toBeLessThan(limit(2_000))
    expect(count.get()).toBe(1)
    host.exec('commit')
    expect(count.get()).toBe(sent)
    expect((await engine.users.singleMetric('ann', 'words')).current).toBe(sent)
    // The WAL can be written back now: it does not continue growing.
    await Promise.all(times(64, () => engine.metrics.event('words', ann)))
    const size = walSize(file)
    for (const wave of times(10, (index) => index)) {
      expect((await Promise.all(times(16, () => engine.metrics.event('words', ann)))).at(-1)?.total).toBe(
        sent + 64 + 16 * (wave + 1),
      )
    }
    expect(walSize(file)).toBeLessThanOrEqual(Math.max(size, LONG_WAL))
    host.close()
    await engine.close()
    expectSound(file)
    expect(await expectFolded(file)).toBe(1)
  }, 60_000)
})
