import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { liveFunctions, savedTypes } from '../../adapters/postgres/function-sources/index.ts'
import { inSchema } from '../../adapters/postgres/in-schema.ts'
import { POSTGRES_MIGRATIONS } from '../../adapters/postgres/migrations.ts'
import { pendingMigrations } from '../../adapters/sql/migrations.ts'
import type { Migration } from '../../adapters/sql/traits.ts'
import { SQLITE_MIGRATIONS } from '../../adapters/sqlite/migrations.ts'
import { sqliteTraits } from '../../adapters/sqlite/traits.ts'
import { functionOf, sourcesOfFunctions } from '../support/function-texts.ts'
import { POSTGRES_HASHES, SQLITE_HASHES } from '../support/migrations.ts'

const hashOf = (texts: readonly string[]): string => createHash('sha256').update(JSON.stringify(texts)).digest('hex')

describe.each([
  ['SQLite', SQLITE_MIGRATIONS, SQLITE_HASHES],
  ['Postgres', POSTGRES_MIGRATIONS, POSTGRES_HASHES],
])('The migrations of %s', (_, migrations, hashes) => {
  test('are those that the tests know, in the order of their names', () => {
    const names = migrations.map(({ name }) => name)
    expect(names, 'A new migration gets a line in test/support/migrations.ts.').toEqual(Object.keys(hashes))
    expect(names).toEqual([...names].sort())
  })

  test.each(migrations)('$name runs the texts that databases have run already', ({ name, texts }) => {
    expect(hashes, `${name} is new: add it to test/support/migrations.ts, with ${hashOf(texts)}.`).toHaveProperty(name)
    const advice = `The texts of ${name} have changed. Databases have run them as they were: write a new migration instead.`
    expect(hashOf(texts), advice).toBe(hashes[name])
  })
})

describe('The functions of Postgres', () => {
  const texts = POSTGRES_MIGRATIONS.flatMap((migration) => migration.texts)
  // Of several texts of one function the newest.
  const frozen = new Map(texts.map((text) => [functionOf(text), text]))

  test('take rows of the types that a migration has as the sources make them', () => {
    const types = savedTypes('{schema}').map((text) => text.replaceAll('"{schema}".', '"laurels".'))
    const advice =
      'A type of saved rows makes another text than the migrations have: give it its next number, with a migration.'
    expect(texts, advice).toEqual(expect.arrayContaining(types))
  })

  test('are eighteen', () => {
    expect([...sourcesOfFunctions().keys()].join(' ')).toBe(
      'load_v2 count_before_v2 standings_v3 page_v2 count_blocks_v3 build_blocks_v3 begin_moves_v3 tidy_blocks_v3 ' +
        'periods_v1 named_periods_v1 register_v1 fence_v2 save_v14 save_v15 ' +
        'place_messages_v1 replace_messages_v1 forget_starts_v1 remove_user_v8',
    )
  })

  test.each([...sourcesOfFunctions()])('%s is in a migration as its source makes it', (name, text) => {
    const advice = `The source of ${name} makes another text than the newest migration has: give the function its next number, and write a migration with the new text (npm run function -- <name>).`
    expect(frozen.get(name), advice).toBe(text)
  })

  test('are named by their newest versions wherever the code names them', () => {
    const folder = new URL('../../adapters/postgres/', import.meta.url)
    const files = ['', 'blocks/', 'function-sources/'].flatMap((room) =>
      readdirSync(new URL(room, folder)).flatMap((name) => (name.endsWith('.ts') ? [`${room}${name}`] : [])),
    )
    const old = files.flatMap((name) => {
      const named = readFileSync(new URL(name, folder), 'utf8').match(/\b[a-z]+(?:_[a-z]+)*_v\d+\b/g) ?? []
      return named.filter((each) => !sourcesOfFunctions().has(each)).map((each) => `${name} names ${each}`)
    })
    expect(old).toEqual([])
  })

  test.each(['laurels', `a "b".$laurels$ {schema} 'c' $laurels_$ $& "laurels".`])(
    'are the same in the schema %s',
    (schema) => {
      const made = [...sourcesOfFunctions().values()].map((text) => inSchema(text, schema))
      expect(made).toEqual(liveFunctions(schema).map((text) => text.trim()))
    },
  )
})

describe('A database', () => {
  const second: Migration = { name: '0002-caps', texts: ['alter table laurels_users add column caps text'] }
  const traits = { ...sqliteTraits, migrations: [...SQLITE_MIGRATIONS.slice(0, 1), second] }
  const namesOf = (applied: readonly string[]) => pendingMigrations(traits, applied).map(({ name }) => name)

  test('gets what it lacks, in order', () => {
    expect(namesOf([])).toEqual(['0001-tables', '0002-caps'])
    expect(namesOf(['0001-tables'])).toEqual(['0002-caps'])
    expect(namesOf(['0001-tables', '0002-caps'])).toEqual([])
  })

  test.each([[['0001-first-tables']], [['0001-first-tables', '0002-api-keys', '0004-leaderboards']]])(
    'of a build from before the first release is refused, with %j',
    (applied) => {
      const message = `The tables were made by a newer laurels (migration ${applied.join(', ')}), or by one from before its first release.`
      expect(() => namesOf(applied)).toThrow(
        expect.objectContaining({ code: 'storage_unusable', message: expect.stringContaining(message) }),
      )
    },
  )
})
