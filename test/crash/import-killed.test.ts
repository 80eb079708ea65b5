// @heavy: It starts processes and kills them.
// Imports that are killed in the middle and run again. SOAK=1: a hundred kills, and the real history if it is there.

import { writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import type { ImportItem } from '../../src/api/events/requests.ts'
import type { DefinedGame } from '../../src/game/define-game.ts'
import { createGamification } from '../../src/gamification.ts'
import type { UserState } from '../../src/rules/state.ts'
import { loadUser } from '../../src/sql/read-user.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import { compiled } from '../support/compiled.ts'
import { dump } from '../support/dump.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { crashGame } from './crash-game.ts'
import { expectFolded, expectSameTables, expectSound, keysIn, logsOf, lookInto, onCopy } from './evidence.ts'
import { lateAmong, longestStreaksOf, makeHistory, totalsOf } from './history.ts'
import { type Acknowledged, finishImport, type ImportArgs, killImport } from './import-child.ts'
import { createRandom, type Random, seedOfSoak } from './random.ts'

const SOAK = process.env.SOAK === '1'
const KILLS = SOAK ? 100 : 4
const KILLS_OF_ONE_FILE = 4
const ITEMS = SOAK ? 6_000 : 2_000
const USERS = 40
/** The number of late items. */
const LATE = SOAK ? 111 : 41
const MINUTE = 60_000
// After all of both histories.
const NOW = '2026-09-01T00:00:00.000Z'

const nextFile = useDatabaseFiles()
let directory = ''

// Once: the sources may change while the tests run.
beforeAll(() => {
  directory = compiled()
}, 60_000)

interface Undisturbed {
  readonly tables: ReadonlyMap<string, readonly string[]>
  readonly log: readonly string[]
  readonly states: ReadonlyMap<string, UserState | null>
}

async function importUndisturbed(
  game: DefinedGame,
  items: AsyncIterable<ImportItem> | Iterable<ImportItem>,
): Promise<Undisturbed> {
  const database = new Database(':memory:')
  const storage = sqlite(database)
  const engine = createGamification({ game, storage, clock: () => new Date(NOW) })
  await engine.migrate()
  await engine.import(items)
  const users = (await loadUserKeys(storage, { limit: 100_000 })).map(async (key) => {
    const { state } = await loadUser(storage, key)
    return [key.user, state] as const
  })
  const states = new Map(await Promise.all(users))
  const undisturbed = { tables: dump(database), log: await logsOf(storage), states }
  database.close()
  return undisturbed
}

/** After a kill: what was acknowledged is there, and nothing by halves. */
async function expectNothingLost(file: string, said: Acknowledged): Promise<void> {
  await onCopy(file, async (copy) => {
    expectSound(copy)
    const stored = keysIn(copy)
    expect([...said.keys].filter((key) => !stored.has(key))).toEqual([])
    expect(stored.size).toBeGreaterThanOrEqual(said.settled)
    await expectFolded(copy)
  })
}

async function expectEndOf(file: string, undisturbed: Undisturbed): Promise<void> {
  expectSound(file)
  expectSameTables(lookInto(file, dump), undisturbed.tables)
  const storage = sqlite(file)
  expectSameTables(new Map([['log', await logsOf(storage)]]), new Map([['log', undisturbed.log]]))
  await storage.close()
}

/** The place in the import to kill at: mostly anywhere, sometimes while the late items at its end are replayed. */
function nextKill(
  random: Random,
  all: number,
  late: number,
): { readonly acknowledged: number; readonly delay: number } {
  const acknowledged = random.chance(0.35) ? random.whole(all - late, all - 1) : random.whole(1, all - late)
  return { acknowledged, delay: random.whole(0, 12) }
}

const SEED = seedOfSoak(8)

describe('an import that is killed and run again', () => {
  const history = makeHistory({ items: ITEMS, users: USERS, seed: 20_260_601 })
  let undisturbed: Undisturbed
  let items = ''

  beforeAll(async () => {
    undisturbed = await importUndisturbed(crashGame, history)
    items = `${nextFile()}.ndjson`
    writeFileSync(items, history.map((item) => JSON.stringify(item)).join('\n'))
  })

  test('has a history to import of which the state is known without the library', () => {
    expect(lateAmong(history)).toHaveLength(LATE)
    const totals = [...undisturbed.states].flatMap(([user, state]) =>
      [...(state?.totals ?? [])].map(([metric, { total }]) => [`${user} ${metric}`, total] as const),
    )
    expect(new Map(totals)).toEqual(totalsOf(history))
    const longest = longestStreaksOf(history, 5)
    expect(longest.size).toBe(32)
    for (const [user, length] of longest) {
      expect([user, undisturbed.states.get(user)?.streak.longest]).toEqual([user, length])
    }
    // A kept completion is at the mercy of what was known when; this history has none.
    expect(undisturbed.log.filter((row) => row.includes('completionKept'))).toEqual([])
    expect(undisturbed.log).toHaveLength(ITEMS)
  })

  test(
    `at random moments loses nothing acknowledged, stays sound, and ends as if nothing had happened (seed ${SEED})`,
    async () => {
      const random = createRandom(SEED)
      let kills = 0
      let acknowledged = 0
      let files = 0
      while (kills < KILLS) {
        const synchronous = files % 2 === 0 ? 'NORMAL' : 'FULL'
        const args: ImportArgs = { file: nextFile(), items, synchronous, now: NOW, definition: crashGame.definition }
        const said: Acknowledged = { keys: new Set(), settled: 0 }
        const length = Math.min(KILLS_OF_ONE_FILE, KILLS - kills)
        const planned = Array.from({ length }, () => nextKill(random, ITEMS, LATE))
        for (const kill of planned.sort((left, right) => left.acknowledged - right.acknowledged)) {
          if (await killImport(directory, args, said, kill)) kills += 1
          await expectNothingLost(args.file, said)
        }
        const before = await onCopy(args.file, (copy) => keysIn(copy).size)
        const counts = { read: ITEMS, recorded: ITEMS - before, replayed: before, refused: 0 }
        expect(await finishImport(directory, args)).toMatchObject(counts)
        await expectEndOf(args.file, undisturbed)
        expect(await expectFolded(args.file)).toBe(USERS)
        acknowledged += said.keys.size
        files += 1
      }
      process.stdout.write(`imports killed: ${kills}, events acknowledged before: ${acknowledged}, files: ${files}\n`)
    },
    SOAK ? 30 * MINUTE : MINUTE,
  )
})
