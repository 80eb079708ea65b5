import { expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

const game = file('game.json', '{ "metrics": { "words": { "name": "Words" } } }')
const csv = file('events.csv', 'metric,userId,value,idempotencyKey\nwords,ada,5,k1\n')
const db = file('app.db')
const variables = { DATABASE_URL: db }

test('Without --db every command takes the database that DATABASE_URL names', async () => {
  expect((await laurels(['migrate', '--game', game], { variables })).out).toContain('stored the game as epoch 1\n')
  expect((await laurels(['import', csv, '--game', game], { variables })).out).toMatch(/^1 read, 1 recorded/)
  expect((await laurels(['info'], { variables })).out).toContain(`database: ${db}\n`)
  expect((await laurels(['verify'], { variables })).out).toBe('1 user, 1 entry: nothing differs\n')
  expect((await laurels(['rebuild'], { variables })).out).toBe('1 user, 1 entry: nothing differed\n')
  expect((await laurels(['what-if', '--game', game], { variables })).out).toContain('1 user checked')
  expect((await laurels(['apply', '--game', game, '--policy', 'forward'], { variables })).out).toContain('epoch 1')
  expect((await laurels(['keys', 'list'], { variables })).out).toBe('no admin keys\n')
  expect((await laurels(['void', '--user', 'ada', '--metric', 'words', '--key', 'k1'], { variables })).out).toContain(
    'words: 0\n',
  )
})

test('A mistake in DATABASE_URL is told of by its name, without its password', async () => {
  const call = async (url: string): Promise<string> =>
    (await laurels(['info'], { variables: { DATABASE_URL: url } })).err
  expect(await call('')).toContain('laurels: --db is missing: give the path of the SQLite database')
  expect(await call('postgres://me:secret@host:many/app')).toBe(
    'laurels: DATABASE_URL is no URL: write postgres://user:password@host/database\nSee laurels info --help\n',
  )
  expect(await call('mysql://me:secret@host/app')).toContain("laurels: DATABASE_URL begins with 'mysql://'")
})

test('The help of every command that has a database says so', async () => {
  for (const name of [
    'import',
    'migrate',
    'info',
    'explain',
    'verify',
    'rebuild',
    'what-if',
    'apply',
    'void',
    'held',
    'approve',
    'keys',
  ]) {
    expect((await laurels([name, '--help'])).out).toContain('(default: the variable DATABASE_URL)\n')
  }
})
