// Ties among users whose ids the database itself would order otherwise.

import { expect, test } from 'vitest'
import { postgres } from '../../../adapters/postgres/index.ts'
import { createGamification, type DefinedGame } from '../../../src/index.ts'
import { NAMES, ORDERED } from '../../../src/testing/storage/samples.ts'
import { checkFold } from '../../support/check-fold.ts'
import { NOON } from '../../support/engine.ts'
import { times } from '../../support/places.ts'
import { readCounts } from './leaderboards-counts.ts'
import { boardsGame, TOP } from './leaderboards-game.ts'
import { expectSumsOfLog } from './leaderboards-log.ts'
import { expectRanksOfEntries } from './leaderboards-ranks.ts'
import { type OwnDatabase, useDatabases } from './races-database.ts'

const ROUNDS = process.env.SOAK === undefined ? 7 : 60
/** Compares letters before their case and numbers by their value, and passes over signs. */
const ICU = `template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'en-US-u-kn-true-ka-shifted'`
/** Of one order for ICU, or nearly so, and of others by their bytes. */
const COUNTRIES = ['ss', 'ß', 'SS', 'e\u0301', 'é']

const newDatabase = useDatabases()

/** null where this Postgres was built without ICU. */
async function newIcuDatabase(): Promise<OwnDatabase | null> {
  try {
    return await newDatabase(ICU)
  } catch (error) {
    if (error instanceof Error && /ICU/i.test(error.message)) return null
    throw error
  }
}

const whole = [...new Set([...NAMES, ...ORDERED])].filter((name) => Buffer.byteLength(name) < 100)
/** Ids that differ in their middle. */
const idOf = (n: number): string => `${n % 4}${whole[n % whole.length]}${Math.floor(n / whole.length)}`

test('ties are broken by the bytes of ids in a database whose order is that of ICU', async (context) => {
  const database = await newIcuDatabase()
  if (database === null) return context.skip('this Postgres was built without ICU')
  const { url, query } = database
  const [order] = await query<{ texts: string[] }>(
    `select array_agg(t order by t) as texts from unnest(array['B', 'a', '10', '9', '-c']) t`,
  )
  expect(order?.texts).toEqual(['9', '10', 'a', 'B', '-c'])

  const storage = postgres(url)
  const clock = () => new Date(NOON)
  const engine = createGamification<DefinedGame>({ game: boardsGame, storage, clock })
  await engine.migrate()
  // Everybody at one instant, and few different values.
  for (let round = 0; round < ROUNDS; round += 1) {
    const events = times(90, (n) => {
      const number = round * 40 + n
      const attributes = { country: COUNTRIES[number % COUNTRIES.length] ?? '' }
      const user = { id: idOf(number), ...(number % 3 === 0 ? { attributes } : {}) }
      return engine.metrics.event('words', { user, value: 1 })
    })
    const answers = await Promise.all(events)
    const ranks = answers.map(({ leaderboards }) => leaderboards.all?.rank ?? 0)
    expect(Math.min(...ranks)).toBeGreaterThan(0)
  }
  expect(await readCounts(query, 'laurels')).toMatchObject({ faults: [], pending: 0 })
  expect(await expectRanksOfEntries(storage, query, 'laurels', { limits: { top: TOP } })).toBeGreaterThan(900)
  const participants = await expectSumsOfLog(storage)
  expect(participants.get('all 2026-01-01')).toBeGreaterThan(256)
  expect(await checkFold(storage)).toBe(participants.get('all 2026-01-01'))
  await engine.close()
}, 120_000)
