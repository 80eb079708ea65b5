// Admin keys that many callers make at once: there are never more than three. SOAK=1: many more rounds.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { runChild } from '../crash/child.ts'
import { compiled } from '../support/compiled.ts'
import { type Engine, NOON, onEachStorage, openOn } from '../support/engine.ts'
import { codesOf, times } from '../support/places.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { game } from './authorization-table.ts'

const ROUNDS = process.env.SOAK === '1' ? 100 : 5
const PROCESS_ROUNDS = process.env.SOAK === '1' ? 20 : 1

const nextFile = useDatabaseFiles()

/** How many there are, by both ways of counting them: those listed, and those made whose key opens something. */
async function countKeys(engine: Engine, made: readonly string[]): Promise<readonly [listed: number, valid: number]> {
  const holders = await Promise.all(made.map((key) => engine.authenticate(key)))
  return [(await engine.adminKeys.list()).length, holders.filter((holder) => holder !== null).length]
}

onEachStorage('Fifty admin keys made at once', (open) => {
  test('are three, and the others are refused', async () => {
    const engine = await open(game)
    const made = await Promise.allSettled(times(50, () => engine.adminKeys.create()))
    const keys = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value.key] : []))
    expect(keys).toHaveLength(3)
    expect(await countKeys(engine, keys)).toEqual([3, 3])
    expect(new Set(await codesOf(times(50, () => engine.adminKeys.create())))).toEqual(new Set(['too_many_admin_keys']))
    expect(await countKeys(engine, keys)).toEqual([3, 3])
  })

  test('while others are rotated, revoked, reactivated, used and deleted, are never more than three', async () => {
    const engine = await open(game)
    const made: string[] = []
    const create = async (): Promise<void> => {
      made.push((await engine.adminKeys.create()).key)
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const known = await engine.adminKeys.list()
      const changes = known.flatMap(({ id }, index) => [
        engine.adminKeys.rotate(id).then(({ key }) => void made.push(key)),
        engine.adminKeys.revoke(id),
        engine.adminKeys.reactivate(id),
        ...(index === round % 3 ? [engine.adminKeys.delete(id)] : []),
      ])
      const counts = times(10, async () => (await engine.adminKeys.list()).length)
      await Promise.allSettled([...times(25, create), ...changes, ...times(25, create)])
      expect(Math.max(...(await Promise.all(counts)))).toBeLessThanOrEqual(3)
      expect(await countKeys(engine, made)).toEqual([3, expect.toSatisfy((valid: number) => valid <= 3)])
    }
  }, 120_000)
})

describe('On one SQLite file', () => {
  let directory = ''
  beforeAll(() => {
    directory = compiled()
  }, 60_000)

  test('fifty keys made at once by four processes are three', async () => {
    for (let round = 0; round < PROCESS_ROUNDS; round += 1) {
      const file = nextFile()
      const engine = await openOn(sqlite(file), { now: NOON }, game)
      onTestFinished(() => engine.close())
      const script = `
        const engine = createGamification({ game: defineGame(args.game), storage: sqlite(args.file) })
        await engine.migrate()
        await new Promise((resolve) => setTimeout(resolve, args.startAt - Date.now()))
        const made = await Promise.allSettled(Array.from({ length: 50 }, () => engine.adminKeys.create()))
        for (const { value, reason } of made) say(value?.key ?? reason.code)
        await engine.close()`
      const args = { file, game, startAt: Date.now() + 500 }
      const lines = (await Promise.all(times(4, () => runChild({ directory, script, args })))).flat()
      const keys = lines.filter((line) => line.includes('.'))
      expect(lines).toHaveLength(200)
      expect(keys).toHaveLength(3)
      expect(new Set(lines.filter((line) => !line.includes('.')))).toEqual(new Set(['too_many_admin_keys']))
      expect(await countKeys(engine, keys)).toEqual([3, 3])
    }
  }, 120_000)

  test('fifty made at once through two connections are three', async () => {
    const file = nextFile()
    const engines = [
      await openOn(sqlite(file), { now: NOON }, game),
      await openOn(sqlite(file), { now: NOON }, game),
    ] as const
    onTestFinished(() => Promise.all(engines.map((each) => each.close())).then(() => undefined))
    const made = await Promise.allSettled(times(50, (index) => engines[index % 2 === 0 ? 0 : 1].adminKeys.create()))
    const keys = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value.key] : []))
    expect(keys).toHaveLength(3)
    for (const engine of engines) expect(await countKeys(engine, keys)).toEqual([3, 3])
  })
})
