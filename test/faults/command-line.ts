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
]
