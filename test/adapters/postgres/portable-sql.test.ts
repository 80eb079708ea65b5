import { describe, expect, test } from 'vitest'
import { postgresTraits } from '../../../adapters/postgres/traits.ts'
import { textsOf } from '../../support/statements.ts'

/** Features that YugabyteDB 2025.2 documents as missing, and that our SQL could use by mistake. */
const MISSING: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['system columns', /\b(?:ctid|xmin|xmax|cmin|cmax|tableoid)\b/],
  ['LOCK TABLE', /\block\s+table\b/],
  ['inheritance of tables', /\binherits\b/],
  ['exclusion constraints', /\bexclude\s+using\b/],
  ['deferrable constraints', /\bdeferrable\b/],
  ['GiST, SP-GiST and BRIN indexes', /\busing\s+(?:gist|spgist|brin)\b/],
  ['LISTEN and NOTIFY', /\b(?:listen|notify|pg_notify)\b/],
  ['functions of XML', /\bxml(?:element|agg|forest|parse|table)\b/],
  ['ALTER TYPE', /\balter\s+type\b/],
  ['generated columns that are stored', /\bgenerated\s+always\s+as\s*\(/],
  ['two-phase commit', /\bprepare\s+transaction\b/],
  ['cursors that are held or moved', /\bwith\s+hold\b|\bwhere\s+current\s+of\b/],
]

describe('The SQL of Postgres uses none of', () => {
  const traits = postgresTraits('laurels')
  const made = traits.migrations.flatMap((migration) => migration.texts)
  const texts = [...made, ...textsOf(traits)].map((text) => text.toLowerCase())

  test('what is looked for, in some hundred texts', () => {
    expect(texts.length).toBeGreaterThan(100)
  })

  test.each(MISSING)('the %s', (_, pattern) => {
    expect(texts.filter((text) => pattern.test(text))).toEqual([])
  })
})
