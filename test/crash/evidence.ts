import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { loadUserKeys } from '../../src/sql/user-lists.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { checkFold } from '../support/check-fold.ts'
import { wholeLog } from '../support/fold.ts'

/** The content of a copy of a database file and of its WAL. The file itself stays as the killed process left it. */
export async function onCopy<T>(file: string, look: (copy: string) => T | Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-copy-'))
  const copy = join(directory, 'copy.db')
  try {
    for (const suffix of ['', '-wal']) {
      if (existsSync(`${file}${suffix}`)) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
    }
    return await look(copy)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Opens the file beside the library and closes it again. */
export function lookInto<T>(file: string, look: (database: Database.Database) => T): T {
  const database = new Database(file)
  try {
    return look(database)
  } finally {
    database.close()
  }
}

export function expectSound(file: string): void {
  expect(lookInto(file, (database) => database.pragma('integrity_check', { simple: true }))).toBe('ok')
}

/** `metric key` of every event that was sent with an idempotency key. */
export function keysIn(file: string): Set<string> {
  const text = `select metric || ' ' || idempotency_key from laurels_view_log where idempotency_key is not null`
  const keys = lookInto(file, (database) => database.prepare<[], string>(text).pluck().all())
  // SQLite's own index keeps them apart; this says so of what is answered.
  expect(new Set(keys).size).toBe(keys.length)
  return new Set(keys)
}

/** Expects the tables to be what a fold of every log finds; returns how many users there are. */
export async function expectFolded(file: string): Promise<number> {
  const storage = sqlite(file)
  try {
    return await checkFold(storage)
  } finally {
    await storage.close()
  }
}

/** The logs of all users without what says when an entry arrived, as text. */
export async function logsOf(storage: Storage): Promise<readonly string[]> {
  const lines: string[] = []
  for (const key of await loadUserKeys(storage, { limit: 100_000 })) {
    for (const { seq, ...entry } of await wholeLog(storage, key)) {
      lines.push(JSON.stringify([key, entry], (_, value: unknown) => (value instanceof Map ? [...value] : value)))
    }
  }
  return lines.sort()
}

/** Expects equal tables; it reports only the first differences. */
export function expectSameTables(
  actual: ReadonlyMap<string, readonly string[]>,
  expected: ReadonlyMap<string, readonly string[]>,
): void {
  expect([...actual.keys()]).toEqual([...expected.keys()])
  for (const [table, rows] of actual) {
    const others = new Set(expected.get(table))
    expect([table, rows.filter((row) => !others.has(row)).slice(0, 5)]).toEqual([table, []])
    expect([table, rows.length]).toEqual([table, expected.get(table)?.length])
  }
}
