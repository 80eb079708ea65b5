// @heavy: It takes more than three seconds.
// A file that cannot grow, by SQLite's max_page_count.

import { describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { checkFold } from '../support/check-fold.ts'
import { dump } from '../support/dump.ts'
import { codesOf, times, useEngines } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { crashGame } from './crash-game.ts'
import { expectSameTables, expectSound, keysIn, logsOf, lookInto } from './evidence.ts'
import { makeHistory } from './history.ts'
import { createSmallDisk } from './small-disk.ts'

const SOAK = process.env.SOAK === '1'
const DISKS = SOAK ? 20 : 5
/** For kinds that take longer. */
const FEWER_DISKS = SOAK ? 20 : 2
const NOW = '2026-06-01T12:00:00.000Z'
const DAY = 86_400_000
const long = 'x'.repeat(1_000)
/** More than a page: an event with these never finds room by chance. */
const heavy = { note: long, more: long, rest: long, source: long }

const nextFile = useDatabaseFiles()
const start = useEngines(NOW)

const everything = (file: string): Map<string, string[]> =>
  lookInto(file, (database) => dump(database, { everything: true }))

/** Calls until one fails; returns how many succeeded and what the failure was. */
async function untilFull(call: (index: number) => Promise<unknown>): Promise<{ done: number; error: unknown }> {
  for (let done = 0; done < 10_000; done += 1) {
    try {
      await call(done)
    } catch (error) {
      return { done, error }
    }
  }
  throw new Error('The disk never became full')
}

describe('a full disk', () => {
  test.each(times(DISKS, (index) => index * 3))(
    'with room for %i pages more refuses what does not fit, whole; reads go on; with room all is well again',
    async (pages) => {
      const file = nextFile()
      const disk = createSmallDisk()
      const storage = sqlite(file, { driver: disk.driver, synchronous: pages % 2 === 0 ? 'NORMAL' : 'FULL' })
      const engine = await start(crashGame, storage)
      // Three days of 40 words: 12 for the words, 20 for the user, 5 for the streak.
      for (const day of ['2026-05-30', '2026-05-31', '2026-06-01']) {
        const occurredAt = new Date(`${day}T09:00:00Z`)
        await engine.metrics.event('words', { user: { id: 'ann' }, value: 40, occurredAt })
      }

      disk.leave(pages)
      const send = (index: number, user = 'bob') =>
        engine.metrics.event('words', {
          user: { id: user },
          value: 1,
          attributes: heavy,
          idempotencyKey: `heavy-${index}`,
        })
      const { done, error } = await untilFull((index) => send(index))
      expect(error).toMatchObject({ name: 'GamificationError', code: 'storage_full', cause: { code: 'SQLITE_FULL' } })
      expect(String(error)).toContain(`There is no room left for ${file}. Nothing was saved.`)
      expect(keysIn(file)).toEqual(new Set(times(done, (index) => `words heavy-${index}`)))
      expect(await checkFold(storage)).toBe(done === 0 ? 1 : 2)

      const before = everything(file)
      expect(await codesOf([send(done)])).toEqual(['storage_full'])
      const together = times(100, (index) => send(index, `user-${index % 10}`))
      expect(new Set(await codesOf(together))).toEqual(new Set(['storage_full']))
      const tokens = { deviceTokens: times(6, (index) => `${index}${long}`) }
      expect(
        await codesOf([engine.users.identify('ann', tokens), engine.users.create({ id: 'eve', ...tokens })]),
      ).toEqual(['storage_full', 'storage_full'])
      expectSameTables(everything(file), before)

      expect((await engine.users.singleMetric('ann', 'words')).current).toBe(120)
      expect(await engine.users.streak('ann')).toMatchObject({
        length: 3,
        started: '2026-05-30',
        expires: '2026-06-02',
      })
      expect(await engine.users.points('ann', 'xp')).toMatchObject({ total: 37, level: { key: 'bronze' } })
      await expect(engine.users.get('eve')).rejects.toMatchObject({ code: 'unknown_user' })

      disk.clear()
      // The key was not used up.
      expect(await send(done)).toMatchObject({ total: done + 1, idempotentReplayed: false })
      expect((await engine.users.identify('ann', tokens)).deviceTokens).toHaveLength(6)
      expect(await codesOf(times(100, (index) => send(index, `user-${index % 10}`)))).toEqual(times(100, () => 'ok'))
      expect(await checkFold(storage)).toBe(12)
      await engine.close()
      expectSound(file)
    },
  )

  test.each(times(FEWER_DISKS, (index) => 2 + index * 2))(
    'with room for %i pages more stops an import, which goes on when it is run again',
    async (pages) => {
      const history = makeHistory({ items: 800, users: 12, seed: pages })
      const undisturbed = sqlite(nextFile(), { synchronous: 'NORMAL' })
      const reference = await start(crashGame, undisturbed)
      await reference.import(history)

      const file = nextFile()
      const disk = createSmallDisk()
      const storage = sqlite(file, { driver: disk.driver, synchronous: 'NORMAL' })
      const engine = await start(crashGame, storage)
      disk.leave(pages)
      let stored = 0
      for (const more of [10, 25]) {
        await expect(engine.import(history)).rejects.toMatchObject({ code: 'storage_full' })
        expect(keysIn(file).size).toBeGreaterThanOrEqual(stored)
        stored = keysIn(file).size
        await checkFold(storage)
        disk.leave(more)
      }
      expect(stored).toBeLessThan(800)
      disk.clear()
      const counts = { read: 800, recorded: 800 - stored, replayed: stored, refused: 0 }
      expect(await engine.import(history)).toMatchObject(counts)
      expect(await checkFold(storage)).toBe(12)
      expect(await logsOf(storage)).toEqual(await logsOf(undisturbed))
      await Promise.all([engine.close(), reference.close()])
      expectSound(file)
    },
  )

  test.each(times(FEWER_DISKS, (index) => index))(
    'with room for %i pages more refuses a late event whole, and takes it when there is room',
    async (pages) => {
      const file = nextFile()
      const disk = createSmallDisk()
      const storage = sqlite(file, { driver: disk.driver, synchronous: 'NORMAL' })
      const engine = await start(crashGame, storage)
      // Forty days in a row, but for 2026-05-12.
      const first = Date.parse('2026-04-23T10:00:00Z')
      const event = (day: number, value: number) => ({
        user: { id: 'ann' },
        value,
        occurredAt: new Date(first + day * DAY),
      })
      for (const day of times(40, (index) => index)) {
        if (day !== 19) await engine.metrics.event('words', event(day, 10))
      }
      expect(await engine.users.streak('ann')).toMatchObject({ length: 20, started: '2026-05-13' })
      // 20 for the user, 39 for 390 words, 200 for steady, 5 for each of 6 times three days in both streaks.
      expect((await engine.users.points('ann', 'xp')).total).toBe(20 + 39 + 200 + 30 + 30)

      disk.leave(0)
      await untilFull((index) =>
        engine.metrics.event('words', { user: { id: `user-${index}` }, value: 1, attributes: heavy }),
      )
      disk.leave(pages)
      const late = { ...event(19, 10), attributes: heavy, idempotencyKey: 'late' }
      const tooMuch = times(pages + 1, (index) => ({ ...late, idempotencyKey: `late-${index}` }))
      const before = everything(file)
      // Waiting commands share one replay and one save.
      const codes = await codesOf(tooMuch.map((request) => engine.metrics.event('words', request)))
      expect(codes).toEqual(times(pages + 1, () => 'storage_full'))
      expectSameTables(everything(file), before)
      await checkFold(storage)
      expect(await engine.users.streak('ann')).toMatchObject({ length: 20, started: '2026-05-13' })

      disk.clear()
      expect(await engine.metrics.event('words', late)).toMatchObject({ total: 400, idempotentReplayed: false })
      expect(await engine.users.streak('ann')).toMatchObject({ length: 40, started: '2026-04-23' })
      // 40 for 400 words now, and 13 times three days in one streak.
      expect((await engine.users.points('ann', 'xp')).total).toBe(20 + 40 + 200 + 65)
      await checkFold(storage)
      await engine.close()
      expectSound(file)
    },
  )

  test.each(times(DISKS, (index) => [1 + (index % 10), index % 4 < 2 ? 'NORMAL' : 'FULL'] as const))(
    'with room for %i pages in all refuses to migrate, and migrates when there is room (synchronous %s)',
    async (pages, synchronous) => {
      const file = nextFile()
      const full = sqlite(file, { driver: createSmallDisk(pages).driver, synchronous })
      await expect(full.migrate()).rejects.toMatchObject({ code: 'storage_full' })
      await full.close()
      expectSound(file)
      expect(lookInto(file, (database) => database.prepare('select name from sqlite_schema').all())).toEqual([])

      const engine = await start(crashGame, sqlite(file))
      expect(await engine.metrics.event('words', { user: { id: 'ann' }, value: 3 })).toMatchObject({ total: 3 })
    },
  )
})
