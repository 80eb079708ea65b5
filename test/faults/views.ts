import type { Fault } from './fault.ts'

/** What analysts read. Each test that is named looks at the rows; the hash of the migration would find the change as well. */
export const viewFaults: readonly Fault[] = [
  {
    name: 'A voided event is in the totals of SQLite.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: 'kind = 1 and voided_by is null',
    replace: 'kind = 1',
    tests: ['views/rows > have no day of which every event is voided'],
  },
  {
    name: 'A voided event is in the totals of Postgres.',
    file: 'adapters/postgres/migrations/0012-packed-rows.ts',
    find: 'kind = 1 and voided_by is null',
    replace: 'kind = 1',
    tests: ['views/scenario > add up what events did on each local day'],
  },
  {
    name: 'SQLite adds values up as doubles.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: `round(sum(value), max(places))`,
    replace: 'sum(value)',
    tests: ['views/rows > add decimals'],
  },
  {
    name: 'Postgres adds values up as doubles.',
    file: 'adapters/postgres/migrations/0012-packed-rows.ts',
    find: `sum(value::numeric)::double precision::numeric`,
    replace: 'sum(value)',
    tests: ['views/rows > add decimals'],
  },
  {
    name: 'Points are dated by the day in UTC, not by the local date of what caused them.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: `a.system as points_system_key, l.local_date as date`,
    replace: `a.system as points_system_key, a.at / 86400000 as date`,
    tests: ['views/scenario > add up what awards gave and took on each local day'],
  },
  {
    name: 'Of equal values the one that was reached later ranks first.',
    file: 'adapters/postgres/migrations/0002-views.ts',
    find: `order by minus_value, reached_at, user_id`,
    replace: `order by minus_value, reached_at desc, user_id`,
    tests: ['views/rows > rank those first who came first'],
  },
  {
    name: 'Versions of a leaderboard are ranked together.',
    file: 'adapters/sqlite/migrations/0002-views.ts',
    find: `partition by tenant_id, leaderboard, run, group_key`,
    replace: `partition by tenant_id, leaderboard, substr(run, 1, 10), group_key`,
    tests: ['views/rows > rank versions of a leaderboard apart'],
  },
  {
    name: 'A paused period passes for a frozen one.',
    file: 'adapters/postgres/migrations/0002-views.ts',
    find: `kind = 'frozen' as used_freeze`,
    replace: `kind <> 'counted' as used_freeze`,
    tests: ['views/scenario > show the periods of streaks'],
  },
  {
    name: 'The end of a period follows the first game, not the newest.',
    file: 'adapters/sqlite/migrations/0002-views.ts',
    find: `order by epoch desc limit 1`,
    replace: `order by epoch limit 1`,
    tests: ['views/rows > periods that begin on'],
  },
  {
    name: 'A question for one user reads the whole log.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: `window days as (partition by tenant_id, user_id, metric_key order`,
    replace: `window days as (partition by tenant_id || '', user_id || '', metric_key order`,
    tests: ['views/plans > reads the lines of the one user'],
  },
]
