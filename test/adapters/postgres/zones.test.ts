// The suite of every storage in a process of another zone, on a database with another order of texts. SOAK=1: three zones.

import { describe, expect, test } from 'vitest'
import { storageSuite } from '../../../src/testing/storage-suite.ts'
import { runChildren } from './races-children.ts'
import { type OwnDatabase, useDatabases } from './races-database.ts'
import type { Job, SuiteReport } from './races-jobs.ts'

const SOAK = process.env.SOAK !== undefined
const ALL_ZONES = [
  { zone: 'Asia/Tokyo', offset: -540 },
  { zone: 'Pacific/Kiritimati', offset: -840 },
  { zone: 'America/St_Johns', offset: 150 },
]
const ZONES = SOAK ? ALL_ZONES : ALL_ZONES.slice(1, 2)
/** Compares letters before their case, and numbers by their value. */
const ICU = `template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'en-US-u-kn-true'`

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

describe('the storage suite', () => {
  test('holds in other zones, in a database whose order is that of ICU, with type parsers of the host', async (context) => {
    const database = await newIcuDatabase()
    if (database === null) return context.skip('this Postgres was built without ICU')
    const [order] = await database.query<{ texts: string[] }>(
      `select array_agg(t order by t) as texts from unnest(array['B', 'a', '10', '9']) t`,
    )
    expect(order?.texts).toEqual(['9', '10', 'a', 'B'])

    const started = performance.now()
    const { url } = database
    const jobs = ZONES.map(({ zone }, index): readonly Job[] => [
      { job: 'suite', url, schema: `zone_${index}`, gate: 0, lanes: 2, zone, parsers: true },
    ])
    const reports = (await runChildren<SuiteReport>(url, jobs)).flatMap((child) => child.reports)
    process.stdout.write(`${ZONES.length} times the storage suite: ${Math.round(performance.now() - started)} ms\n`)
    expect(reports.flatMap(({ failed }) => failed)).toEqual([])
    expect(reports.map(({ passed }) => passed)).toEqual(ZONES.map(() => storageSuite.length))
    expect(reports.map(({ offset }) => offset)).toEqual(ZONES.map(({ offset }) => offset))
  }, 120_000)
})
