import { expect } from 'vitest'
import { auditRows, loadRowOwners, repairRows, type UserFacts } from '../../src/sql/audit.ts'
import type { Drift, DriftRow } from '../../src/storage/audit.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { readFacts, storeRich } from '../../src/testing/storage/audit-samples.ts'
import { ANN, BOB } from '../../src/testing/storage/samples.ts'
import type { Corruptible } from './corruptions.ts'

/** The tables of a storage, past it. */
export interface Rows {
  insert(table: string, row: DriftRow): Promise<void>
  update(table: string, key: DriftRow, change: DriftRow): Promise<void>
  remove(table: string, key: DriftRow): Promise<void>
  /** Every row of every table but the versions of users, as text that differs when a single bit does. */
  dump(): Promise<unknown>
}

/** A user without any other row. */
const GHOST = { tenant: 'nobody', user: 'ghost' }

const pick = (row: DriftRow, columns: readonly string[]): DriftRow =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))

/**
 * Changes every column of a row, one after the other, deletes the row and invents one. Each damage is reported, and
 * repaired.
 */
export async function expectMended(storage: Storage, rows: Rows, { table, key, columns }: Corruptible): Promise<void> {
  const pairs = Object.entries({ tenant_id: ['', GHOST.tenant], user_id: ['ann', GHOST.user], ...columns } as const)
  const row: DriftRow = Object.fromEntries(pairs.map(([column, [right]]) => [column, right]))
  const wrong: DriftRow = Object.fromEntries(pairs.map(([column, [, other]]) => [column, other]))
  await storeRich(storage, ANN)
  await storeRich(storage, BOB)
  const facts = await readFacts(storage, ANN)
  const sound = await rows.dump()
  const keyColumns = ['tenant_id', 'user_id', ...key]
  const rowKey = pick(row, keyColumns)
  const changed: Drift = { table, key: rowKey, stored: row, expected: row }

  const mend = async (owner: typeof ANN, its: UserFacts | null): Promise<readonly Drift[]> => {
    expect(await rows.dump()).not.toEqual(sound)
    expect((await loadRowOwners(storage)).map(({ user }) => user)).toContain(owner.user)
    const { version, drift } = await auditRows(storage, owner, its)
    expect(await repairRows(storage, owner, its, version)).toBe(true)
    expect((await auditRows(storage, owner, its)).drift).toEqual([])
    return drift
  }

  for (const [column, value] of Object.entries(wrong)) {
    const change = { [column]: value }
    await rows.update(table, rowKey, change)
    if (!keyColumns.includes(column)) {
      expect(await mend(ANN, facts)).toEqual([{ ...changed, stored: { ...row, ...change } }])
    } else if (key.includes(column)) {
      const other = { ...row, ...change }
      const drift = [
        { ...changed, stored: null },
        { table, key: pick(other, keyColumns), stored: other, expected: null },
      ]
      const told = await mend(ANN, facts)
      expect(told).toHaveLength(2)
      expect(told).toEqual(expect.arrayContaining(drift))
    } else {
      // The row is now that of somebody else.
      expect(await mend(ANN, facts)).toEqual([{ ...changed, stored: null }])
      const owner = { ...ANN, ...(column === 'user_id' ? { user: GHOST.user } : { tenant: GHOST.tenant }) }
      const other = { ...row, ...change }
      expect(await mend(owner, null)).toEqual([{ table, key: pick(other, keyColumns), stored: other, expected: null }])
    }
    expect([column, await rows.dump()]).toEqual([column, sound])
  }

  await rows.remove(table, rowKey)
  expect(await mend(ANN, facts)).toEqual([{ ...changed, stored: null }])
  expect(await rows.dump()).toEqual(sound)

  const invented = { ...wrong, ...(key.length === 0 ? {} : { tenant_id: '', user_id: 'ann' }) }
  const drift = [{ table, key: pick(invented, keyColumns), stored: invented, expected: null }]
  await rows.insert(table, invented)
  expect(await (key.length === 0 ? mend(GHOST, null) : mend(ANN, facts))).toEqual(drift)
  expect(await rows.dump()).toEqual(sound)
}
