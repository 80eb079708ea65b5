// A file as the first migration left it: what came after must keep all that is in it.

import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { inspect } from '../../adapters/sqlite/inspect.ts'
import { SQLITE_MIGRATIONS, SQLITE_MIGRATIONS_TABLE } from '../../adapters/sqlite/migrations.ts'
import type { UserState } from '../../src/rules/state.ts'
import { adminKey } from '../../src/testing/storage/key-samples.ts'
import { ANN, event, readState, store } from '../../src/testing/storage/samples.ts'
import { SQLITE_NAMES } from '../support/migrations.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'

const nextFile = useDatabaseFiles()

/** Ann, whose streak is of four days; Bob, whose streak began with his only event; Eve, who has none. */
function makeOldFile(): string {
  const file = nextFile()
  const database = new Database(file)
  database.exec(SQLITE_MIGRATIONS_TABLE)
  for (const text of SQLITE_MIGRATIONS[0]?.texts ?? []) database.exec(text)
  database.exec(`
    insert into laurels_migrations values ('0001-tables');
    insert into laurels_games values (1, 'f00d', '{"metrics":{}}', 'forward', 1772366000000);
    insert into laurels_users (tenant_id, user_id, version, seq, at, epoch, created, updated, email, name, tz,
        subscribed_to_emails, device_tokens, attributes, notifications, personal_streak, streak_length,
        streak_last_period, streak_started, streak_first_at, streak_longest, streak_open_periods, streak_extended_at,
        streak_kept_period, streak_lost, freezes, freezes_next_earned, pauses, leaderboards)
      values
      ('', 'ann', 9, 1, 1772366400001, 1, 1772000000000, 1772100000000, 'ann@example.com', 'Ann', 'Europe/London', 1,
        '["phone"]', '{"plan":"pro"}', '{"recap":["email"]}', null, 4, 20513, '2026-02-26', 1772107200000, 11,
        '[{"period":20513,"sums":{"words":3}}]', 1772366400000, 20514, null, 2, '2026-03-09',
        '[{"id":"p-1","start":"2026-06-01","end":"2026-06-07"}]', '{}'),
      ('', 'bob', 1, 1, 1772366400001, 1, 1772366400001, 1772366400001, null, null, null, null,
        null, '{}', '{}', null, 1, 20513, '2026-03-01', 1772366400001, 1, '[]', 1772366400001, 20513, null, null, null,
        '[]', '{}'),
      ('', 'eve', 1, 1, 1772366400001, 1, 1772366400001, 1772366400001, null, null, null, null,
        null, '{}', '{}', null, 0, null, null, null, 0, '[]', null, null, null, null, null, '[]', '{}');
    insert into laurels_log
      select '', user_id, 1772366400001, 1, case user_id when 'ann' then 'entry-1' else 'entry-of-' || user_id end,
        'eventRecorded', 1, 1772366400001, 'Europe/London', '2026-03-01', '12:00:00.000', null, 'words', 1, null, null, null
        from laurels_users;
    insert into laurels_totals values ('', 'ann', 'words', 7.5, 9);
    insert into laurels_tallies values ('', 'ann', 'f3c5', 2, 2);
    insert into laurels_completions values ('', 'ann', 'novelist', 1772366400001, 'entry-1');
    insert into laurels_points values ('', 'ann', 'xp', 120, 'bronze');
    insert into laurels_awards values ('', 'ann', 'xp', 1772366400001, 1, 0, 'a-1', 't-1', 'entry-1', 10, 120);
    insert into laurels_streak_periods values ('', 'ann', '2026-03-01', 4, 'counted');
    insert into laurels_streak_pauses values ('', 'ann', 'p-1');
    insert into laurels_leaderboard_entries values ('', 'ann', 'readers', '2026-03', '', -7.5, 1772366400001, null, null);
    insert into laurels_leaderboard_blocks values ('', 'readers', '2026-03', '', 1, -1e308, -9007199254740991, '', 1);
    insert into laurels_api_keys values ('k-1', 'abcdefgh', 'f00d', null, null, 'admin', 'active', 1772366400001, null);
    insert into laurels_counters values ('', 'users', '', 3);
  `)
  database.close()
  return file
}

const ANN_BEFORE: UserState = {
  seq: 1,
  at: 1_772_366_400_001,
  epoch: 1,
  created: 1_772_000_000_000,
  updated: 1_772_100_000_000,
  profile: {
    email: 'ann@example.com',
    name: 'Ann',
    tz: 'Europe/London',
    subscribedToEmails: true,
    deviceTokens: ['phone'],
    attributes: new Map([['plan', 'pro']]),
  },
  preferences: { notifications: new Map([['recap', ['email']]]), streak: null },
  totals: new Map([['words', { total: 7.5, highest: 9 }]]),
  tallies: new Map([['f3c5', { total: 2, highest: 2 }]]),
  completions: new Map([['novelist', { at: 1_772_366_400_001, entryId: 'entry-1', count: 1 }]]),
  points: new Map([['xp', { total: 120, level: 'bronze' }]]),
  streak: {
    length: 4,
    last: 20_513,
    kept: 20_514,
    started: 20_510,
    firstAt: 1_772_107_200_000,
    extendedAt: 1_772_366_400_000,
    longest: 11,
    open: [{ period: 20_513, sums: new Map([['words', 3]]) }],
    lost: null,
  },
  freezes: { count: 2, nextEarned: 20_521 },
  pauses: [{ id: 'p-1', start: 20_605, end: 20_611 }],
  leaderboards: new Map(),
  mergedInto: null,
  suspended: null,
  dateSums: new Map(),
  boosts: [],
  caps: new Map(),
  cooldowns: new Map(),
  timers: new Map(),
  streaks: new Map(),
  activity: { dates: [], completedIn: new Map() },
}

describe('A file that has only the first migration', () => {
  test('says what it lacks', async () => {
    expect(await inspect(makeOldFile())).toMatchObject({
      applied: ['0001-tables'],
      pending: SQLITE_NAMES.slice(1),
      contents: { users: 3, logEntries: 3 },
    })
  })

  test('keeps all its data when it is migrated', async () => {
    const storage = sqlite(makeOldFile())
    expect(await storage.migrate()).toEqual({ applied: SQLITE_NAMES.slice(1) })
    expect(await storage.migrate()).toEqual({ applied: [] })

    const view = await storage.readUser(ANN, { awards: {}, periods: {} })
    expect(view).toMatchObject({ version: 9, epoch: 1, periods: [{ start: 20_513, length: 4 }] })
    expect(view.state).toEqual(ANN_BEFORE)
    expect(view.awards.map(({ id, total }) => [id, total])).toEqual([['a-1', 120]])
    expect(await storage.readLog(ANN)).toEqual([event(1)])
    expect((await storage.games()).map(({ epoch, fingerprint }) => [epoch, fingerprint])).toEqual([[1, 'f00d']])
    expect(await storage.counters('')).toEqual([{ kind: 'users', key: '', count: 3 }])
    expect(await storage.findKey('abcdefgh')).toMatchObject({ id: 'k-1', hash: 'f00d', status: 'active' })
    expect(await storage.pointsTotals('', 'xp')).toEqual([
      { user: 'ann', total: 120, attributes: new Map([['plan', 'pro']]) },
      { user: 'bob', total: 0, attributes: new Map() },
      { user: 'eve', total: 0, attributes: new Map() },
    ])
    await storage.close()
  })

  test('goes on as any other: users are written, keys are kept', async () => {
    const storage = sqlite(makeOldFile())
    await storage.migrate()
    const streak = { ...ANN_BEFORE.streak, length: 5, extendedAt: 1_772_452_800_000 }
    await store(storage, ANN, { appended: [event(2)], state: { streak } })
    expect((await readState(storage, ANN)).streak).toEqual(streak)
    expect(await storage.addAdminKey(adminKey('a'), 3)).toBe(true)
    expect(await storage.findKey('prefix-a')).toEqual(adminKey('a'))
    await storage.close()
  })

  test('has the same tables then as a new one, but for the order in which they were made', async () => {
    const [old, fresh] = [makeOldFile(), nextFile()]
    for (const file of [old, fresh]) {
      const storage = sqlite(file)
      await storage.migrate()
      await storage.close()
    }
    const schemaOf = (file: string): unknown[] => {
      const database = new Database(file)
      const found = database
        .prepare(
          `select m.name as tbl, c.name, c.type, c."notnull", c.pk from sqlite_schema m, pragma_table_info(m.name) c
            where m.type = 'table' order by 1, c.cid`,
        )
        .raw()
        .all()
      database.close()
      return found
    }
    expect(schemaOf(old)).toEqual(schemaOf(fresh))
  })
})

test('A file of a build from before the first release is refused, and left as it is', async () => {
  const file = nextFile()
  const database = new Database(file)
  onTestFinished(() => void database.close())
  database.exec(`
    create table laurels_migrations (name text not null primary key) strict, without rowid;
    insert into laurels_migrations values ('0001-first-tables');
    create table laurels_games (epoch integer not null primary key) strict, without rowid;
  `)
  const contents = (): unknown[] => [
    database.prepare('select name, sql from sqlite_schema order by name').all(),
    database.prepare('select * from laurels_migrations').all(),
  ]
  const before = contents()
  const storage = sqlite(file)
  const message = expect.stringContaining('(migration 0001-first-tables), or by one from before its first release')
  await expect(storage.migrate()).rejects.toMatchObject({ code: 'storage_unusable', message })
  await expect(storage.readUser(ANN)).rejects.toMatchObject({ code: 'storage_unusable', message })
  await storage.close()
  expect(contents()).toEqual(before)
})
