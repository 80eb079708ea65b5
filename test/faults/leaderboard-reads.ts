import type { Fault } from './fault.ts'

/** Who is shown what of a leaderboard. */
export const leaderboardReadFaults: readonly Fault[] = [
  {
    name: 'A private leaderboard is not denied to application keys.',
    file: 'src/http/routes/leaderboards.ts',
    find: '?.private ?? false',
    replace: '?.private === undefined && false',
    tests: ['http/leaderboard-rights'],
  },
  {
    name: 'A process of an older game shows a leaderboard that the newer one made private.',
    file: 'src/http/routes/leaderboards.ts',
    find: `includePrivate: holder?.kind === 'admin',`,
    replace: 'includePrivate: holder !== null,',
    tests: ['http/leaderboard-rights'],
  },
  {
    name: 'The list has private leaderboards for everybody.',
    file: 'src/http/routes/leaderboards.ts',
    find: `all({ includePrivate: holder?.kind === 'admin' })`,
    replace: 'all()',
    tests: ['http/leaderboard-rights'],
  },
  {
    name: 'Among some users of a leaderboard expired streaks rank.',
    file: 'src/engine/read-leaderboard.ts',
    find: 'isAlive(entry, at) && (group',
    replace: '(isAlive(entry, at) || true) && (group',
    tests: ['acceptance/leaderboard-pages'],
  },
  {
    name: 'Some users of a leaderboard are ranked across groups when one is named.',
    file: 'src/engine/read-leaderboard.ts',
    find: 'group === null || entry.group === group',
    replace: 'group === null || entry.group !== null',
    tests: ['acceptance/leaderboard-pages'],
  },
  {
    name: 'Streaks of a leaderboard that has ended go on expiring.',
    file: 'src/engine/find-leaderboard.ts',
    find: `Math.min(now, endOfDate('UTC', end))`,
    replace: `Math.max(now, endOfDate('UTC', end))`,
    tests: ['acceptance/leaderboards'],
  },
  {
    name: 'A leaderboard of streaks shows them before it starts.',
    file: 'src/engine/find-leaderboard.ts',
    find: `statusOn(leaderboard, date, time) === 'scheduled'`,
    replace: `statusOn(leaderboard, date, time) === 'finished'`,
    tests: ['acceptance/leaderboards'],
  },
  {
    name: 'On a leaderboard the first beyond the limit has a rank.',
    file: 'src/engine/read-rank.ts',
    find: 'before < limit',
    replace: 'before <= limit',
    tests: ['acceptance/user-leaderboard'],
  },
  {
    name: 'The run of a leaderboard is that of the date in UTC for every user.',
    file: 'src/engine/read-user-leaderboard.ts',
    find: 'localTime(zoneOf(read.state.profile), read.at)',
    replace: `localTime(zoneOf(read.state.profile) && 'UTC', read.at)`,
    tests: ['acceptance/user-leaderboard'],
  },
  {
    name: 'The history of a leaderboard goes on from a streak that was lost.',
    file: 'src/engine/leaderboard-history.ts',
    find: 'previous !== null && isAlive(previous, at) ?',
    replace: 'previous !== null && (isAlive(previous, at) || true) ?',
    tests: ['acceptance/user-leaderboard'],
  },
  {
    name: 'The history of a leaderboard has all its runs.',
    file: 'src/engine/leaderboard-history.ts',
    find: 'change.entry.run === run.id',
    replace: 'change.entry.run !== null',
    tests: ['acceptance/user-leaderboard'],
  },
  {
    name: 'The rank of a streak is that on a leaderboard with groups.',
    file: 'src/engine/read-streak.ts',
    find: 'breakdown.length === 0',
    replace: 'breakdown.length >= 0',
    tests: ['acceptance/user-leaderboard'],
  },
]
