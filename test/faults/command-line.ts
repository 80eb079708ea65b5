import type { Fault } from './fault.ts'

/** What people type, and what the command line makes of it. */
export const commandLineFaults: readonly Fault[] = [
  {
    name: 'The command line takes the database of DATABASE_URL although --db names another.',
    file: 'adapters/cli/database.ts',
    find: `const db = given ?? variable('DATABASE_URL') ?? ''`,
    replace: `const db = variable('DATABASE_URL') ?? given ?? ''`,
    tests: ['adapters/cli-database-url'],
  },
  {
    name: 'The command line takes the URL of any database for the path of a file.',
    file: 'adapters/cli/database.ts',
    find: `['', 'file'].includes(protocol.toLowerCase())`,
    replace: `['', 'file', 'mysql'].includes(protocol.toLowerCase())`,
    tests: ['adapters/cli-database-url'],
  },
  {
    name: 'The SQL of migrations that are run by hand does not say that they were applied.',
    file: 'adapters/sql/migrations.ts',
    find: '[...texts, record(name)]',
    replace: '[...texts, record(name)].slice(0, -1)',
    tests: ['adapters/cli-migrate-sql', 'postgres/cli-migrate-sql'],
  },
  {
    name: 'The SQL of migrations that are run by hand makes no schema.',
    file: 'adapters/postgres/migration-script.ts',
    find: '(exists ? [] : [',
    replace: '(!exists ? [] : [',
    tests: ['postgres/cli-migrate-sql'],
  },
  {
    name: 'The command line explains one thing where two are asked for.',
    file: 'adapters/cli/explain-subject.ts',
    find: 'given.length + Number(isNamed) !== 1',
    replace: 'given.length + Number(isNamed) < 1',
    tests: ['adapters/cli-explain'],
  },
  {
    name: 'The demo mixes its users with those of a database in use.',
    file: 'adapters/cli/demo/prepare.ts',
    find: 'if (add || users === 0) return game',
    replace: 'if (add || users >= 0) return game',
    tests: ['adapters/cli-demo > refuses a database that has users'],
  },
  {
    name: 'The demo is another one whenever it is made.',
    file: 'adapters/cli/demo/random.ts',
    find: 'let state = seed >>> 0',
    replace: 'let state = (seed * Date.now()) >>> 0',
    tests: ['adapters/cli-demo > gives the same each time'],
  },
  {
    name: 'The demo records what has not happened yet.',
    file: 'adapters/cli/demo/history.ts',
    find: 'occurredAt.getTime() <= now',
    replace: 'occurredAt.getTime() <= now + 86_400_000',
    tests: ['adapters/cli-demo'],
  },
]
