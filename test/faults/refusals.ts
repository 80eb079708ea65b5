import type { Fault } from './fault.ts'

/** What somebody with one key of one user can send, read and cause. */
export const refusalFaults: readonly Fault[] = [
  {
    name: 'Every item of a list that is too long is looked at.',
    file: 'src/requests/preferences.ts',
    find: '.max(MOST_CHANNELS)',
    replace: '',
    tests: ['engine/refusals'],
  },
  {
    name: 'Every mistake of a request is told.',
    file: 'src/requests/input.ts',
    find: '.slice(0, MOST_ISSUES)',
    replace: '.slice(0, MOST_ISSUES * 1_000)',
    tests: ['engine/refusals'],
  },
  {
    name: 'A message does not say how many more mistakes there are.',
    file: 'src/requests/input.ts',
    find: 'const more = found.length > told.length ?',
    replace: 'const more = found.length < told.length ?',
    tests: ['engine/refusals'],
  },
  {
    name: 'A name is quoted whole, however long it is.',
    file: 'src/rules/names.ts',
    find: 'return quoted.length > 2 * LONGEST ?',
    replace: 'return quoted.length > 2_000_000 ?',
    tests: ['http/refusals'],
  },
  {
    name: 'All parameters of a query are read, however many there are.',
    file: 'src/http/query.ts',
    find: 'if (pairs.length > MOST_PARAMETERS) {',
    replace: 'if (pairs.length > MOST_PARAMETERS + 1) {',
    tests: ['http/query-limits'],
  },
  {
    name: 'Each spelling of a zone is a zone of its own.',
    file: 'src/rules/calendar.ts',
    find: 'zones.get(name.toLowerCase()) ?? findZone(name)',
    replace: `zones.get(name) ??
      zones
        .set(name, { name, formatter: new Intl.DateTimeFormat('en', { timeZone: name }), quarters: new Map() })
        .get(name) ??
      null`,
    tests: ['engine/zone-spellings'],
  },
  {
    name: 'The name of a zone is judged before it is known whose key it is.',
    file: 'src/http/routes/metrics.ts',
    find: 'check: ({ value }) => checkValue(value),',
    replace: `check: ({ user, value }) => checkValue(user.tz === 'Mars/Base' ? 1e16 : value),`,
    tests: ['http/malformed-order'],
  },
  {
    name: 'A zone that nobody knows is recorded.',
    file: 'src/requests/user.ts',
    find: `typeof tz !== 'string' || isTimeZone(tz)`,
    replace: `typeof tz !== 'string' || tz !== ''`,
    tests: ['acceptance/http/users'],
  },
  {
    name: 'A chunk of a log on SQLite has as many lines as it may, however long they are.',
    file: 'adapters/sqlite/log.ts',
    find: 'return size >= CHUNK_BYTES',
    replace: 'return size < 0',
    tests: ['adapters/storage'],
  },
  {
    name: 'A chunk of a log on Postgres has as many lines as it may, however long they are.',
    file: 'adapters/postgres/log.ts',
    find: 'where coalesce(size_before, 0) < $',
    replace: 'where 0 < $',
    tests: ['adapters/storage'],
  },
  {
    name: 'A chunk that is shorter than it might be is taken for the last.',
    file: 'src/engine/replay/read-log.ts',
    find: 'if (last === undefined) return true',
    replace: 'if (last === undefined || chunk.length < CHUNK) return true',
    tests: ['engine/long-profiles'],
  },
  {
    name: 'A void event is in the summary.',
    file: 'adapters/sql/log.ts',
    find: '} and voided_by is null and metric =',
    replace: '} and metric =',
    tests: ['adapters/storage'],
  },
  {
    name: 'A key without its user is an admin key.',
    file: 'adapters/sql/api-key-rows.ts',
    find: `if (kind !== 'application' || tenant === null || user === null) return undefined`,
    replace: 'if (tenant === null || user === null) return null',
    tests: ['http/contradicting-keys'],
  },
  {
    name: 'An admin key with a user opens everything.',
    file: 'adapters/sql/api-key-rows.ts',
    find: 'return tenant === null && user === null ? null : undefined',
    replace: 'return null',
    tests: ['http/contradicting-keys'],
  },
  {
    name: 'A 503 tells where the database is.',
    file: 'src/http/problem.ts',
    find: 'if (status >= 500) return INSIDE[code] ?? FAULT',
    replace: 'if (status >= 500) return status === 500 ? FAULT : message',
    tests: ['http/bindings-failures'],
  },
  {
    name: 'A 503 is not in the log.',
    file: 'src/http/handler.ts',
    find: 'response.status >= 500) log',
    replace: 'response.status === 500) log',
    tests: ['http/bindings-failures'],
  },
  {
    name: 'An application key is told what the game has.',
    file: 'src/http/problem.ts',
    find: `isOneUser(caller) ? (TO`,
    replace: `caller?.kind === 'admin' ? (TO`,
    tests: ['http/leaderboard-rights'],
  },
  {
    name: 'The answer to an event has private leaderboards for application keys.',
    file: 'src/http/routes/metrics.ts',
    find: 'includePrivate = seesPrivate(caller)',
    replace: 'includePrivate = true',
    tests: ['http/leaderboard-rights'],
  },
  {
    name: 'The own place on a private leaderboard is told to an application key.',
    file: 'src/http/routes/leaderboards.ts',
    find: `may: 'its own user, on a leaderboard that is not private', isPrivate }`,
    replace: `may: 'its own user, on a leaderboard that is not private' }`,
    tests: ['http/leaderboard-rights'],
  },
  {
    name: 'The rank of a streak is that on a private leaderboard.',
    file: 'src/engine/calls/read/read-streak.ts',
    find: 'visibleLeaderboards(game, includePrivate)',
    replace: 'visibleLeaderboards(game, includePrivate || true)',
    tests: ['http/leaderboard-rights'],
  },
]
