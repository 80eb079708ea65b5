import type { Fault } from './fault.ts'

/** What brings a database from one schema to the next. */
export const migrationFaults: readonly Fault[] = [
  {
    name: 'A migration that databases have run is changed.',
    file: 'adapters/sqlite/migrations/0001-tables.ts',
    find: 'awarded real not null',
    replace: 'awarded real',
    tests: ['adapters/frozen-migrations > runs the texts that databases have run already'],
  },
  {
    name: 'A function of Postgres changes, and no migration brings the change.',
    file: 'adapters/postgres/function-sources/read-users.ts',
    find: 'order by p.start_date desc limit most',
    replace: 'order by p.start_date limit most',
    tests: ['adapters/frozen-migrations > is in a migration as its source makes it'],
  },
  {
    name: 'Tables of a build that nobody knows are migrated all the same.',
    file: 'adapters/sql/migrations.ts',
    find: 'if (unknown.length > 0)',
    replace: 'if (unknown.length > 9)',
    tests: ['adapters/frozen-migrations > of a build from before the first release', 'adapters/sqlite-upgrade'],
  },
  {
    name: 'A process calls the version of a function that the newest migration has replaced.',
    file: 'adapters/postgres/batches.ts',
    find: '}.fence_v2($1, $2) as value',
    replace: '}.fence_v1($1, $2) as value',
    tests: ['adapters/frozen-migrations > are named by their newest versions'],
  },
  {
    name: 'A schema may bear a name that ends the body of a function.',
    file: 'adapters/postgres/in-schema.ts',
    find: 'while (schema.includes(',
    replace: 'if (!schema.includes(',
    tests: ['adapters/frozen-migrations > are the same in the schema'],
  },
  {
    name: 'A column that may be null is taken for one that is always there.',
    file: 'adapters/sql/columns.ts',
    find: `level: 'text null' }`,
    replace: `level: 'text' }`,
    tests: ['adapters/real-columns > of a new SQLite file'],
  },
  {
    name: 'The level of points is not replaced where SQLite stores a row again.',
    file: 'adapters/sql/row-queries.ts',
    find: 'const changes = values.map(',
    replace: `const changes = values.filter((column) => column !== 'level').map(`,
    tests: ['adapters/real-columns > are all named by what SQLite inserts'],
  },
]
