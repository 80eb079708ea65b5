// `save.sql` names columns one by one: it writes every column of every table that it fills, each from the one of its own name.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COLUMNS } from '../../adapters/sql/columns.ts'

const SAVE = readFileSync(new URL('../../adapters/postgres/functions/save.sql', import.meta.url), 'utf8')
const STATEMENTS = SAVE.replaceAll(/decode\((r\.\w+), 'hex'\)/g, '$1').split(';')
/** Columns that others write, or the database. */
const OTHERS: { readonly [table: string]: readonly string[] } = {
  users: ['notices_sent_until', 'next_notice_at'],
  // Its number is computed beside the others.
  messages: ['number', 'position'],
}
const INSERTED = ['users', 'log', 'awards', 'messages'] as const
const MERGED = [
  ...(['totals', 'tallies', 'completions', 'points', 'streak_periods', 'streak_pauses'] as const),
  ...(['named_streak_periods', 'given_boosts', 'snapshots', 'leaderboard_entries'] as const),
]

function columnsOf(table: keyof typeof COLUMNS): readonly string[] {
  return Object.keys(COLUMNS[table])
    .filter((column) => !OTHERS[table]?.includes(column))
    .sort()
}

function statementWith(text: string): string {
  return STATEMENTS.find((statement) => statement.includes(text)) ?? ''
}

function namesIn(list: string): readonly string[] {
  return list.split(',').map((name) => name.trim())
}

function expectAll(table: keyof typeof COLUMNS, columns = '', values = ''): void {
  expect([...namesIn(columns)].sort()).toEqual(columnsOf(table))
  expect(namesIn(values)).toEqual(namesIn(columns).map((column) => `r.${column}`))
}

function expectPairs(table: keyof typeof COLUMNS, text: string): void {
  const pairs = [...text.matchAll(/(\w+) = (r\.\w+)/g)]
  expect(pairs.map(([, left]) => left).sort()).toEqual(columnsOf(table))
  expect(pairs.filter(([, left, right]) => right !== `r.${left}`)).toEqual([])
}

test.each(INSERTED)('%s: a row that is inserted has all columns', (table) => {
  const statement = statementWith(`insert into "laurels".${table} (`)
  const [, columns, values] =
    /insert into \S+ \((?:number, )?([^)]*)\)\s*select(?:\s+greatest.*?r\.place,)?(.*?)from/s.exec(statement) ?? []
  expectAll(table, columns, values)
})

test.each(MERGED)('%s: a row that is inserted, or there already, has all columns', (table) => {
  const statement = statementWith(`merge into "laurels".${table} t`)
  const [matched = '', inserted = ''] = statement.split('when not matched')
  expectPairs(table, matched)
  const [, columns, values] = /insert \(([^)]*)\)\s*values \(([^)]*)\)/.exec(inserted) ?? []
  expectAll(table, columns, values)
})

test('users: a row that is there gets all columns', () => {
  expectPairs('users', statementWith('update "laurels".users t set\n'))
})
