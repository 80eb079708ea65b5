// Application keys on the command line, and what one of them wrote.

import { createGamification, defineGame } from 'laurels'
import { sqlite } from 'laurels/sqlite'
import { describe, expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const game = defineGame({ metrics: { words: { name: 'Words' } } })
const clock = () => new Date('2026-03-10T09:00:00Z')

let databases = 0

/** Ann and Bob, with two keys of Ann's and one of Bob's; the first wrote 500 words and 20, Ann herself 3. */
async function filled(): Promise<{ readonly db: string; readonly ids: readonly string[] }> {
  databases += 1
  const db = file(`databases/${databases}.db`)
  const gamification = createGamification({ game, storage: sqlite(db), clock })
  await gamification.migrate()
  for (const id of ['ann', 'bob']) await gamification.users.create({ id })
  const { created } = await gamification.admin.applicationApiKeys.create([
    { userId: 'ann' },
    { userId: 'ann', can: ['read', 'events:words'], expiresAt: new Date('2026-04-01T00:00:00Z') },
    { userId: 'bob' },
  ])
  const ids = created.map(({ id }) => id)
  const leaked = gamification.forRequest(performance.now(), { by: ids[0] ?? null })
  for (const value of [500, 20]) await leaked.metrics.event('words', { user: { id: 'ann' }, value })
  await gamification.metrics.event('words', { user: { id: 'ann' }, value: 3 })
  await gamification.close()
  return { db, ids }
}

/** With ids and prefixes replaced by their numbers. */
function masked(text: string, ids: readonly string[]): string {
  return ids
    .reduce((rest, id, index) => rest.replaceAll(id, `<id ${index + 1}>`), text)
    .replaceAll(/app_\w{12}/g, 'app_')
}

describe('keys', () => {
  test('of a user are listed, and deleted', async () => {
    const { db, ids } = await filled()
    const listed = await laurels(['keys', 'list', '--user', 'ann', '--db', db])
    const rows = masked(listed.out, ids)
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect(rows.sort()).toEqual([
      [''],
      ['app_', '<id 1>', 'ann', 'all', '2026-03-10T09:00:00.000Z', 'never'],
      ['app_', '<id 2>', 'ann', 'read, events:words', '2026-03-10T09:00:00.000Z', '2026-04-01T00:00:00.000Z'],
      ['prefix', 'id', 'user', 'can', 'created', 'expires'],
    ])
    expect(await laurels(['keys', 'delete', '--user', 'ann', '--db', db])).toMatchObject({
      code: 0,
      out: 'deleted 2 application keys of ann\n',
    })
    expect((await laurels(['keys', 'list', '--user', 'ann', '--db', db])).out).toBe('no application keys\n')
    const all = JSON.parse((await laurels(['keys', 'list', '--application', '--json', '--db', db])).out)
    expect(all).toMatchObject([{ id: ids[2], userId: 'bob', can: null, expiresAt: null }])
  })

  test('are those of the account without these options', async () => {
    const { db } = await filled()
    expect((await laurels(['keys', 'list', '--db', db])).out).toBe('no admin keys\n')
  })

  test.each([
    [['delete', '--application'], 'say whose keys to delete: give --user'],
    [['revoke', '--user', 'ann'], '--user and --application go with list and delete, not with revoke'],
    [['list', '--user', ''], '--user must not be empty'],
    [['list', '--tenant', 'acme'], '--tenant is for application keys: give --user or --application too'],
    [['delete', '--user', 'ann', 'x'], "there is an argument too many: 'x'"],
    [['list', '--user', 'ann', '--tenant', 'acme'], 'the game has no tenants (multiTenant): leave --tenant out'],
  ])('%j is a wrong call', async (args, message) => {
    const { db } = await filled()
    const { code, out, err } = await laurels(['keys', ...args, '--db', db])
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
  })
})

describe('void', () => {
  test('--by undoes all that a key wrote, and finds nothing the second time', async () => {
    const { db, ids } = await filled()
    const call = ['void', '--by', ids[0] ?? '', '--reason', 'leaked', '--db', db]
    expect(await laurels(call)).toMatchObject({ code: 0, out: 'voided 2 events of 1 user\n', err: '' })
    expect((await laurels(call)).out).toBe('there are no such events that count: nothing changed\n')
    const rest = await laurels(['void', '--by', ids[1] ?? '', '--json', '--db', db])
    expect(JSON.parse(rest.out)).toEqual({ voided: 0, users: [], issues: [], hasMore: false })
    expect((await laurels(['verify', '--db', db])).code).toBe(0)
  })

  test.each([
    [['--by', ''], '--by is the id of an API key'],
    [['--by', 'x', '--user', 'ann'], 'goes with none of --user, --from and --to'],
    [['--by', 'x', '--event', 'y'], 'name one event or several'],
    [['--from', '2026-03-09T00:00:00Z'], '--from and --to want --user'],
    [['--user', 'ann', '--from', '2026-03-09T00:00:00Z'], '--to must be an instant, as 2026-03-10T12:00:00Z'],
    [['--user', 'ann', '--from', 'noon', '--to', '2026-03-09T00:00:00Z'], '--from must be an instant'],
    [['--user', 'ann', '--from', '2026-03-10', '--to', '2026-03-11'], '--from must be an instant'],
    [
      ['--user', 'ann', '--from', '2026-03-09T00:00:00Z', '--to', '2026-03-09T00:00:00Z'],
      'must have `from` before `to`',
    ],
  ])('%j is a wrong call', async (args, message) => {
    const { db } = await filled()
    const { code, out, err } = await laurels(['void', ...args, '--db', db])
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
  })
})
