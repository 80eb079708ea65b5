// The log of Postgres itself on a disk that becomes full, or goes away for a moment: it panics in the middle of commits.

import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createRandom, seedOfSoak } from '../../crash/random.ts'
import { times } from '../../support/places.ts'
import { type RestartingServer, startRestartingServer } from './restarting-server.ts'
import { expectTruth, type Told, tell } from './told.ts'
import { createWorld, type Engine, type World } from './world.ts'

const CRASHES = 40
const ENGINES = 8
const CALLERS = 6
const SEED = seedOfSoak(1)

const isRoot = process.getuid?.() === 0
const SKIPPED = process.env.SOAK !== '1' ? 'with SOAK=1 only' : isRoot ? null : 'only root can mount a disk'

const SETTINGS = {
  // A commit waits a moment for others, so that a save that is on disk is not yet answered.
  commit_delay: '3000',
  commit_siblings: '1',
  max_wal_size: '16MB',
  min_wal_size: '2MB',
  wal_recycle: 'off',
}

/** A disk of so many megabytes, mounted until the test has ended. */
function mountDisk(megabytes: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', directory])
  onTestFinished(() => {
    execFileSync('umount', ['-l', directory])
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

/** Fills a disk to its last byte. */
function fill(file: string): void {
  const descriptor = openSync(file, 'a')
  for (const size of [1 << 16, 1 << 12, 1]) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size))
    } catch {
      // There is no room for so much.
    }
  }
  closeSync(descriptor)
}

function countPanics(server: RestartingServer): number {
  return server.log().split('PANIC:').length - 1
}

/** Returns true if it ends within ten seconds or more. */
async function comesTo(isSo: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isSo()) return true
    await sleep(50)
  }
  return false
}

async function isUp(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('create table if not exists public.probe (n int)')
    await client.query('insert into public.probe values (1)')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Takes the log's disk away in one way or another until Postgres panics, then gives it back. */
async function crash(server: RestartingServer, disk: string, kind: 'full' | 'away'): Promise<void> {
  const before = countPanics(server)
  const [wal, away, filler] = ['wal', 'away', 'filler'].map((name) => join(disk, name)) as [string, string, string]
  if (kind === 'full') fill(filler)
  else renameSync(wal, away)
  for (let tries = 0; !(await comesTo(() => countPanics(server) > before)); tries += 1) {
    if (tries === 12) throw new Error('Postgres did not panic')
  }
  if (kind === 'full') rmSync(filler)
  else renameSync(away, wal)
  const isBack = async (): Promise<boolean> => {
    await server.start()
    return isUp(server.url)
  }
  // A server whose recovery found the disk full may wait without end if many clients connect at that time.
  while (!(await comesTo(isBack))) await server.restart('broken off')
}

/** Callers that send one event after the other, half of them with keys, until they are stopped. */
function load(engines: readonly Engine[]): { readonly calls: readonly Told[]; stop(): Promise<void> } {
  const random = createRandom(SEED)
  const calls: Told[] = []
  let isOver = false
  const callers = times(ENGINES * CALLERS, async (caller) => {
    for (let count = 0; !isOver; count += 1) {
      const key = caller % 2 === 0 ? { key: `${caller}-${count}` } : {}
      const engine = engines[caller % ENGINES] as Engine
      calls.push(await tell(engine, { user: `user ${random.whole(0, 99)}`, ...key }))
    }
  })
  return {
    calls,
    stop: async () => {
      isOver = true
      await Promise.all(callers)
    },
  }
}

async function openEngines(url: string): Promise<{ readonly world: World; readonly engines: readonly Engine[] }> {
  const world = await createWorld('full_wal', url)
  onTestFinished(() => world.close())
  const engines: Engine[] = []
  for (const index of times(ENGINES, (each) => each)) {
    const storage = postgres(url, { schema: 'full_wal', deadlineMs: index % 2 === 0 ? 10_000 : 1_000 })
    engines.push(await world.open({ storage }))
  }
  return { world, engines }
}

test.skipIf(SKIPPED !== null)(
  `${CRASHES} times full or away: nothing is stored twice, nor after its caller heard that it was not${
    SKIPPED === null ? `, with seed ${SEED}` : ` (skipped: ${SKIPPED})`
  }`,
  async () => {
    const disk = mountDisk(64)
    const server = await startRestartingServer(SETTINGS, ['--wal-segsize=1', '-X', join(disk, 'wal')])
    onTestFinished(() => server.stop())
    const { world, engines } = await openEngines(server.url)
    const { calls, stop } = load(engines)
    for (const number of times(CRASHES, (each) => each)) {
      await sleep(300)
      await crash(server, disk, number % 4 === 3 ? 'away' : 'full')
    }
    await sleep(500)
    await stop()
    const counts: { [outcome: string]: number } = {}
    for (const { outcome } of calls) counts[outcome] = (counts[outcome] ?? 0) + 1
    process.stdout.write(`PANICs: ${countPanics(server)}, events: ${JSON.stringify(counts)}\n`)

    await expectTruth(world, calls)
    const doubled = 'select entry_id from laurels.log group by 1 having count(*) > 1'
    expect(await world.query(doubled)).toEqual([])
    expect((await (engines[0] as Engine).verify()).drift).toEqual([])
  },
  3_600_000,
)
