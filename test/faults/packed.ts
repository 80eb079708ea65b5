import type { Fault } from './fault.ts'

/** How the log and the awards are packed, and what shows them. */
export const packedFaults: readonly Fault[] = [
  {
    name: 'An id without a UUID takes as many bytes as one where it is empty.',
    file: 'adapters/sql/packed.ts',
    find: `const NO_UUID = '0'.repeat(34)`,
    replace: `const NO_UUID = '0'.repeat(32)`,
    tests: ['views/packed > is the same again'],
  },
  {
    name: 'A UUID in capital letters is stored in small ones.',
    file: 'adapters/sql/packed.ts',
    find: '[0-9a-f]{12}$/\n',
    replace: '[0-9a-f]{12}$/i\n',
    tests: ['views/packed > is the same again'],
  },
  {
    name: 'Two kinds of entries change their numbers.',
    file: 'adapters/sql/packed.ts',
    find: '  userSuspended: 13,\n  userRestored: 14,',
    replace: '  userSuspended: 14,\n  userRestored: 13,',
    tests: ['views/packed > every kind of entry has its number'],
  },
  {
    name: 'An entry that was recorded later has the instant at which it occurred for both.',
    file: 'adapters/sql/entry-rows.ts',
    find: 'recorded_at: entry.recordedAt === entry.at ? null : entry.recordedAt,',
    replace: 'recorded_at: null,',
    tests: ['adapters/storage', 'views/packed > the log is shown as text'],
  },
  {
    name: 'What is written to the view of SQLite takes lines of other tenants with it.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: `const LINE = 'tenant_id = old.tenant_id and user_id`,
    replace: `const LINE = 'user_id`,
    tests: ['views/packed > finds the line by its own key alone'],
  },
  {
    name: 'What is written to the view of Postgres takes lines of other tenants with it.',
    file: 'adapters/postgres/migrations/0012-packed-rows.ts',
    find: `const LINE = 'tenant_id = old.tenant_id and user_id`,
    replace: `const LINE = 'user_id`,
    tests: ['views/packed > finds the line by its own key alone'],
  },
  {
    name: 'Who might read the log of Postgres may not, once it is packed.',
    file: 'adapters/postgres/migrations/0012-packed-rows.ts',
    find: `a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`,
    replace: `a.privilege_type in ('INSERT', 'UPDATE', 'DELETE')`,
    tests: ['adapters/packed-upgrade > may be read and written by whom it was given to'],
  },
  {
    name: 'An upgrade of SQLite packs the milliseconds of a local time away.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: ', 7, 2) * 1000 + substr($',
    replace: ', 7, 2) * 1000 + 0 * substr($',
    tests: ['adapters/packed-upgrade > shows the same rows', 'views/packed > is a day and milliseconds'],
  },
  {
    name: 'An upgrade of Postgres puts what was recorded late at the beginning of 1970.',
    file: 'adapters/postgres/migrations/0012-packed-rows.ts',
    find: '.at, nullif($',
    replace: '.at, 0 * nullif($',
    tests: ['adapters/packed-upgrade > shows the same rows'],
  },
  {
    name: 'Awards that are read in pages are of two moments.',
    file: 'adapters/sql/all-awards.ts',
    find: 'if (now.version === version) return',
    replace: 'if (now.version >= version) return',
    tests: ['adapters/all-awards > are read again where somebody has written'],
  },
  {
    name: 'All awards of a user are read in one turn of the event loop.',
    file: 'adapters/sql/all-awards.ts',
    find: 'await new Promise((resolve) => setImmediate(resolve))',
    replace: 'await null',
    tests: ['adapters/all-awards > are read in turns with others'],
  },
]
