import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeViewsAfterAll, VIEWS_DATABASES, type ViewsDatabase } from '../support/views.ts'

// Views over rows that are written by hand.

closeViewsAfterAll()

const toDay = (date: string): number => Date.parse(date) / 86_400_000

describe.each(VIEWS_DATABASES)('The views of %s', (name, open) => {
  const bytes = (seq: number): string => (name === 'SQLite' ? `x'${seq + 10}'` : `decode('${seq + 10}', 'hex')`)
  let database: ViewsDatabase
  beforeEach(async () => {
    database = open()
    await database.storage.migrate()
  })
  afterEach(async () => {
    await database.storage.close()
    await database.close()
  })

  const event = (seq: number, date: string, value: number, voidedBy = 'null', user = 'ann'): string =>
    `('', '${user}', ${seq}, ${seq}, ${bytes(seq)}, 1, 1, ${seq}, 'UTC', ${toDay(date)}, 43200000, null, 'words', ` +
    `${value}, null, null, ${voidedBy})`
  const record = (...lines: readonly string[]) =>
    database.ask(
      `insert into {log} (tenant_id, user_id, at, seq, entry_id, kind, epoch, recorded_at, zone, local_date, local_time,
        profile, metric, value, idempotency_key, data, voided_by) values ${lines.join(', ')}`,
    )
  const totals = async () =>
    (await database.ask('select date, change, total from {view_metric_totals} order by date')).map((row) =>
      Object.values(row),
    )

  test.each<[string, readonly number[], number]>([
    ['values that cancel leave nothing behind', [0.1, 0.2, -0.3], 0],
    ['tenths are tenths', [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1],
    ['small ones are kept', [1e-9, 2e-9, 1], 1.000000003],
    ['very small ones too', [1e-20, 1e-20], 2e-20],
    ['what is left of large ones is exact', [123_456_789.25, -123_456_789], 0.25],
    ['of large ones there are 15 digits', [1e15, 0.1], 1e15],
    ['as many places as the value with most of them', [-1.1, 1.2, 0.05], 0.15],
    ['whole numbers are whole', [9e14, -1], 899_999_999_999_999],
    ['0 is a change', [0], 0],
  ])('add decimals: %s', async (_title, values, sum) => {
    await record(...values.map((value, index) => event(index + 1, '2026-03-10', value)))
    expect(await totals()).toEqual([['2026-03-10', sum, sum]])
    await database.ask(`update {log} set local_date = ${toDay('2026-02-28')} + seq where seq < 10`)
    expect((await totals()).at(-1)?.[2]).toBe(sum)
  })

  test('order days by their dates, not by when they were lived: who flies back lives one again', async () => {
    await record(event(1, '2026-03-10', 1), event(2, '2026-03-11', 2), event(3, '2026-03-10', 4))
    expect(await totals()).toEqual([
      ['2026-03-10', 5, 5],
      ['2026-03-11', 2, 7],
    ])
  })

  test.each<[string, readonly (readonly [change: number, total: number])[]]>([
    [
      'max',
      [
        [0.3, 0.3],
        [0, 0.3],
        [0.6, 0.9],
      ],
    ],
    [
      'min',
      [
        [0.3, 0.3],
        [-0.2, 0.1],
        [0, 0.1],
      ],
    ],
    [
      'last',
      [
        [0.3, 0.3],
        [-0.2, 0.1],
        [0.8, 0.9],
      ],
    ],
    [
      'sum',
      [
        [0.3, 0.3],
        [0.1, 0.4],
        [0.9, 1.3],
      ],
    ],
  ])('keep the %s of a metric by the newest game that has it', async (aggregation, days) => {
    const other = aggregation === 'max' ? 'min' : 'max'
    await database.ask(
      `insert into {games} values (1, 'a', '{"metrics":{"words":{"aggregation":"${other}"}}}', 'forward', 'start', 0, 0),
        (2, 'b', '{"metrics":{"words":{"aggregation":"${aggregation}"}}}', 'forward', 'start', 0, 0),
        (3, 'c', '{"metrics":{"lines":{"aggregation":"${other}"}}}', 'forward', 'start', 0, 0)`,
    )
    await record(event(1, '2026-03-10', 0.3), event(2, '2026-03-11', 0.1), event(3, '2026-03-12', 0.9))
    expect((await totals()).map(([, ...values]) => values)).toEqual(days)
  })

  test('take the newest of several values of a day, also after a flight back', async () => {
    await database.ask(
      `insert into {games} values (1, 'a', '{"metrics":{"words":{"aggregation":"last"}}}', 'forward', 'start', 0, 0)`,
    )
    await record(
      ...[event(1, '2026-03-10', 1), event(2, '2026-03-10', 2), event(3, '2026-03-11', 3), event(4, '2026-03-10', 4)],
    )
    expect(await totals()).toEqual([
      ['2026-03-10', 4, 4],
      ['2026-03-11', 0, 4],
    ])
  })

  test('have no day of which every event is voided', async () => {
    await record(event(1, '2026-03-10', 1, bytes(9)), event(2, '2026-03-11', 2))
    expect(await totals()).toEqual([['2026-03-11', 2, 2]])
  })

  test('count the events of each active day, and who came back how many days after the first', async () => {
    await record(
      ...[event(1, '2026-02-28', 1), event(2, '2026-03-01', 1), event(3, '2026-03-01', 1), event(4, '2026-03-07', 1)],
      ...[event(5, '2026-02-28', 1, 'null', 'bob'), event(6, '2026-03-01', 1, 'null', 'bob')],
      ...[event(7, '2026-02-28', 1, bytes(9), 'cleo'), event(8, '2026-03-07', 1, 'null', 'cleo')],
      event(9, '2026-03-07', 1, 'null', 'dora'),
    )
    const days = await database.ask('select user_id, date, events from {view_active_days} order by user_id, date')
    expect(days.map((row) => Object.values(row).join(' '))).toEqual([
      'ann 2026-02-28 1',
      'ann 2026-03-01 2',
      'ann 2026-03-07 1',
      'bob 2026-02-28 1',
      'bob 2026-03-01 1',
      'cleo 2026-03-07 1',
      'dora 2026-03-07 1',
    ])
    expect(
      await database.ask('select cohort, day, users, cohort_users from {view_retention} order by cohort, day'),
    ).toEqual([
      { cohort: '2026-02-28', day: 0, users: 2, cohort_users: 3 },
      { cohort: '2026-02-28', day: 1, users: 2, cohort_users: 3 },
      { cohort: '2026-02-28', day: 7, users: 2, cohort_users: 3 },
      { cohort: '2026-03-07', day: 0, users: 1, cohort_users: 1 },
    ])
  })

  test.each([
    ['daily', '2026-03-09', '2026-03-09'],
    ['weekly', '2026-02-23', '2026-03-01'],
    ['monthly', '2028-02-01', '2028-02-29'],
    ['monthly', '2026-12-01', '2026-12-31'],
  ])('end %s periods that begin on %s on %s, by the newest game', async (frequency, start, end) => {
    await database.ask(
      `insert into {games} values (1, 'a', '{"streak":{"frequency":"none"}}', 'forward', 'start', 0, 0),
        (2, 'b', '{"streak":{"frequency":"${frequency}"}}', 'forward', 'start', 0, 0)`,
    )
    await database.ask(`insert into {streak_periods} values ('', 'ann', '', '${start}', 1, 'counted')`)
    expect(await database.ask('select period_end from {view_streak_periods}')).toEqual([{ period_end: end }])
  })

  test('do not know the end of a period where no game has a streak', async () => {
    await database.ask(`insert into {games} values (1, 'a', '{"metrics":{}}', 'forward', 'start', 0, 0)`)
    await database.ask(`insert into {streak_periods} values ('', 'ann', '', '2026-03-10', 1, 'counted')`)
    expect(await database.ask('select period_end from {view_streak_periods}')).toEqual([{ period_end: null }])
  })

  test('order ids by code point where value and instant are equal', async () => {
    const users = ['b', 'B', '\u{1F600}', '\uFFFD', 'ä', 'a']
    await database.ask(
      `insert into {leaderboard_entries} values ${users.map((user) => `('', '${user}', 'all', '2026-01-01 v', '', -1, 0, null, null)`).join()}`,
    )
    const rows = await database.ask('select user_id from {view_leaderboard_rankings} order by rank')
    expect(rows.map(({ user_id }) => user_id)).toEqual(['B', 'a', 'b', 'ä', '\uFFFD', '\u{1F600}'])
  })

  test('rank those first who came first', async () => {
    await database.ask(
      `insert into {leaderboard_entries} values
        ('', 'ann', 'all', '2026-01-01 v', '', -1, 2, null, null), ('', 'bob', 'all', '2026-01-01 v', '', -1, 1, null, null)`,
    )
    const rows = await database.ask('select user_id, rank from {view_leaderboard_rankings} order by rank')
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['bob', 1],
      ['ann', 2],
    ])
  })

  test('rank versions of a leaderboard apart, and runs', async () => {
    await database.ask(
      `insert into {leaderboard_entries} values
        ('', 'ann', 'all', '2026-01-01 v', '', -1, 0, null, null), ('', 'bob', 'all', '2026-01-01 v', '', -2, 0, null, null),
        ('', 'ann', 'all', '2026-01-01 w', '', -3, 0, null, null), ('', 'ann', 'all', '2026-02-01 v', '', 0, 0, null, null)`,
    )
    const rows = await database.ask(
      'select run, version, user_id, rank, value from {view_leaderboard_rankings} order by run, version, rank',
    )
    expect(rows.map((row) => Object.values(row).join(' '))).toEqual([
      '2026-01-01 v bob 1 2',
      '2026-01-01 v ann 2 1',
      '2026-01-01 w ann 1 3',
      '2026-02-01 v ann 1 0',
    ])
  })

  test('qualifyNames out keys and groups that are stored as hashes', async () => {
    const names = JSON.stringify(['a-very-long-key', '[["plan","a very long plan"]]'])
    await database.ask(
      `insert into {leaderboard_entries} values ('', 'ann', 'sha256 1', '2026-01-01 v', 'sha256 2', -1, 0, null, '${names}')`,
    )
    expect(
      await database.ask('select leaderboard_key, breakdown_attribute_values from {view_leaderboard_rankings}'),
    ).toEqual([{ leaderboard_key: 'a-very-long-key', breakdown_attribute_values: '[["plan","a very long plan"]]' }])
  })

  test('tell instants to the millisecond', async () => {
    const instants = [0, 1, 999, 1_772_366_400_001, 1_772_366_400_999, 1_234_567_890_123, 4_102_444_799_999]
    await database.ask(
      `insert into {completions} values ${instants.map((at) => `('', 'ann', 'a-${at}', ${at}, 'e-1', 1)`).join()}`,
    )
    const rows = await database.ask('select achievement_key, achieved_at from {view_achievement_completions}')
    expect(new Map(rows.map(({ achievement_key, achieved_at }) => [achievement_key, achieved_at]))).toEqual(
      new Map(instants.map((at) => [`a-${at}`, new Date(at).toISOString()])),
    )
  })
})
