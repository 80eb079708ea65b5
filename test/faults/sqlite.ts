import type { Fault } from './fault.ts'

/** The SQLite adapter, with what it shares with other SQL databases. */
export const sqliteFaults: readonly Fault[] = [
  {
    name: 'No unique index guards idempotency keys.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: 'create unique index laurels_log_by_idempotency',
    replace: 'create index laurels_log_by_idempotency',
    tests: ['adapters/storage'],
  },
  {
    name: 'The unique index of idempotency keys forgets the metric.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: '(tenant_id, user_id, metric, idempotency_key)',
    replace: '(tenant_id, user_id, idempotency_key)',
    tests: ['adapters/storage'],
  },
  {
    name: 'An idempotency key is looked up for all metrics of the user.',
    file: 'adapters/sql/log.ts',
    find: `        .where('metric', '=', bind('metric'))\n`,
    replace: '',
    tests: ['adapters/storage', 'acceptance/idempotency'],
  },
  {
    name: 'Entries of one instant are read in the order of their ids.',
    file: 'adapters/sql/log.ts',
    find: `.orderBy('seq')
    .limit(bind('limit'))`,
    replace: `.orderBy('entry_id')
    .limit(bind('limit'))`,
    tests: ['adapters/broken-saves'],
  },
  {
    name: 'A chunk of the log begins with the last line of the one before.',
    file: 'adapters/sql/log.ts',
    find: `eb(eb.refTuple('at', 'seq'), '>', `,
    replace: `eb(eb.refTuple('at', 'seq'), '>=', `,
    tests: ['adapters/storage'],
  },
  {
    name: 'A counter is replaced by the last change of it.',
    file: 'adapters/sql/counters.ts',
    find: `eb('counters.count', '+', eb.ref('excluded.count'))`,
    replace: `eb.ref('excluded.count')`,
    tests: ['adapters/storage'],
  },
  {
    name: 'Rows of what is gone stay.',
    file: 'adapters/sql/row-changes.ts',
    find: 'if (!after.has(name)) remove.push',
    replace: 'if (after.size < 0) remove.push',
    tests: ['adapters/storage'],
  },
  {
    name: 'An attribute named __proto__ is not stored.',
    file: 'adapters/sql/stored-text.ts',
    find: 'return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))',
    replace: `const object: { [key: string]: Value } = {}
  for (const [key, value] of map) object[key] = value
  return object`,
    tests: ['adapters/storage', 'engine/odd-strings'],
  },
  {
    name: 'The instant of the first event of a streak is not stored.',
    file: 'adapters/sql/user-rows.ts',
    find: 'first_at: streak.firstAt',
    replace: 'first_at: null',
    tests: ['adapters/storage'],
  },
  {
    name: 'A change of the preferences alone is not stored.',
    file: 'adapters/sqlite/save.ts',
    find: 'after.profile !== before.profile || after.preferences !== before.preferences',
    replace: 'after.profile !== before.profile',
    tests: ['adapters/storage', 'acceptance/preferences'],
  },
  {
    name: 'What an event seldom changes of a user is not stored.',
    file: 'adapters/sql/user-rows.ts',
    find: 'SELDOM.every((member) => before[member] === after[member]) &&',
    replace: '',
    tests: ['adapters/storage > a change of one member alone'],
  },
  {
    name: 'What an event seldom changes of a streak is not stored.',
    file: 'adapters/sql/user-rows.ts',
    find: 'before.streak[member] === after.streak[member]',
    replace: 'before.streak.length === after.streak.length || member',
    tests: ['adapters/storage > a change of one member alone'],
  },
  {
    name: 'Awards that are replaced are not removed first.',
    file: 'adapters/sqlite/save.ts',
    find: 'for (const row of remove)',
    replace: `for (const row of name === 'awards' ? remove.slice(put.length) : remove)`,
    tests: ['adapters/storage'],
  },
  {
    name: 'A user is decided on as it was before another process wrote it.',
    file: 'adapters/sqlite/state-cache.ts',
    find: 'if (dataVersion === null || dataVersion !== known) users.clear()',
    replace: 'if (dataVersion === null) users.clear()',
    tests: ['adapters/sqlite > write by turns'],
  },
  {
    name: 'A user is remembered as saved though the commit fails.',
    file: 'adapters/sqlite/commit.ts',
    find: '  return {\n    answer: users,',
    replace:
      '  for (const { user, state, version, told } of written) cache.put(user, { state, version, told })\n  return {\n    answer: users,',
    tests: ['adapters/sqlite-commit-fails'],
  },
  {
    name: 'Users are remembered by tenant and id without saying where the one ends.',
    file: 'adapters/sql/cached-users.ts',
    find: 'tenant.length',
    replace: `''`,
    tests: ['acceptance/tenants', 'adapters/storage'],
  },
  {
    name: 'A save that does not start from the stored state is stored.',
    file: 'adapters/sql/check-save.ts',
    find: `if ((before?.seq ?? 0) !== seq) fail(loaded, 'does not start from the stored state')`,
    replace: '',
    tests: ['adapters/broken-saves'],
  },
  {
    name: 'A line that is not there is dated anew without a word.',
    file: 'adapters/sqlite/save.ts',
    find: `toEntryRow(loaded, entry))
  if (changes !== 1)`,
    replace: `toEntryRow(loaded, entry))
  if (changes > 1)`,
    tests: ['adapters/storage'],
  },
  {
    name: 'The update of a user forgets the version that was read.',
    file: 'adapters/sql/users.ts',
    find: `        .set(bindAll(bind, STATE))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('version', '=', bind('read_version')),`,
    replace: `        .set(bindAll(bind, STATE))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),`,
    tests: ['adapters/broken-saves'],
  },
  {
    name: 'An event updates a user whatever version was read.',
    file: 'adapters/sql/users.ts',
    find: `        .set(bindAll(bind, STEP))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('version', '=', bind('read_version')),`,
    replace: `        .set(bindAll(bind, STEP))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id')),`,
    tests: ['adapters/broken-saves'],
  },
  {
    name: 'The update of a user writes all users of its tenant.',
    file: 'adapters/sql/users.ts',
    find: `        .set(bindAll(bind, STATE))
        .where('tenant_id', '=', bind('tenant_id'))
        .where('user_id', '=', bind('user_id'))
        .where('version', '=', bind('read_version')),`,
    // Versions are nobody else's, so alone they would name the user as well.
    replace: `        .set(bindAll(bind, STATE))
        .where('tenant_id', '=', bind('tenant_id')),`,
    tests: ['adapters/storage'],
  },
  {
    name: 'What decide throws is swallowed.',
    file: 'adapters/sqlite/commit.ts',
    find: 'throw refusal === undefined ? error : refusal.error',
    replace: 'if (refusal === undefined) throw error',
    tests: ['adapters/storage'],
  },
  {
    name: 'A game takes the place of the one with its epoch.',
    file: 'adapters/sqlite/commit.ts',
    find: 'if (game.epoch <= newest) return false',
    replace: '',
    tests: ['adapters/storage'],
  },
  {
    name: 'What failed half way is committed.',
    file: 'adapters/sqlite/connection.ts',
    find: `    if (database.isInTransaction()) run('ROLLBACK')`,
    replace: `    if (database.isInTransaction()) run('COMMIT')`,
    tests: ['adapters/storage'],
  },
  {
    name: 'A write begins without the right to write.',
    file: 'adapters/sqlite/connection.ts',
    find: `runText, 'BEGIN IMMEDIATE', body`,
    replace: `runText, 'BEGIN', body`,
    tests: ['adapters/sqlite-locks'],
  },
  {
    name: 'The journal is not a WAL, so that a reader holds up writers.',
    file: 'adapters/sqlite/connection.ts',
    find: `database.exec('pragma journal_mode = WAL')`,
    replace: `database.exec('pragma journal_mode = DELETE')`,
    tests: ['adapters/sqlite', 'adapters/sqlite-sharing'],
  },
  {
    name: 'What was answered may be lost in a power cut, though nobody asked for that.',
    file: 'adapters/sqlite/opener.ts',
    find: `const { synchronous = 'FULL' } = options`,
    replace: `const { synchronous = 'NORMAL' } = options`,
    tests: ['adapters/sqlite'],
  },
  {
    name: 'A database that somebody holds is not tried again.',
    file: 'adapters/sqlite/writer-turns.ts',
    find: 'if (!isBusy(error) || performance.now() >= end) throw error',
    replace: 'if (!isBusy(error) || pause >= 0) throw error',
    tests: ['adapters/sqlite-sharing > is written as soon as it is free'],
  },
  {
    name: 'A key is read within a transaction that stays open.',
    file: 'adapters/sqlite/connection.ts',
    find: 'if (isHolding(database)) throw BUSY',
    replace: 'if (isHolding(database)) return body()',
    tests: ['adapters/open-transactions > Reads beside an open transaction'],
  },
  {
    name: 'A key is read within a transaction of the host.',
    file: 'adapters/sqlite/connection.ts',
    find: `readOne: (body) => transact(database, runText, 'BEGIN', body)`,
    replace: 'readOne: (body) => body()',
    tests: ['adapters/sqlite-sharing > is unavailable while a transaction'],
  },
  {
    name: 'The transaction of a host is joined.',
    file: 'adapters/sqlite/connection.ts',
    find: 'if (database.isInTransaction()) throw BUSY',
    replace: 'if (database.isInTransaction()) return body()',
    tests: ['adapters/sqlite-sharing > is unavailable while a transaction'],
  },
  {
    name: 'Processes that start at once all migrate.',
    file: 'adapters/sqlite/migrate.ts',
    find: `  const report = connection.write(() => {
    connection.exec(sqliteTraits.migrationsTable)
    const pending = readPending(connection)`,
    replace: `  const pending = connection.read(() => readPending(connection))
  const report = connection.write(() => {
    connection.exec(sqliteTraits.migrationsTable)`,
    tests: ['adapters/sqlite-locks'],
  },
  {
    name: 'A storage that was closed is used all the same.',
    file: 'adapters/sqlite/database.ts',
    find: ' || !gate.isOpen()',
    replace: '',
    tests: ['adapters/storage'],
  },
  {
    name: 'A write overtakes those that wait for the file.',
    file: 'adapters/sqlite/database.ts',
    find: 'turns.isIdle() ?',
    replace: 'performance.now() > 0 ?',
    tests: ['adapters/sqlite-locks'],
  },
  {
    name: 'Closing does not wait for the calls under way.',
    file: 'adapters/sql/call-gate.ts',
    find: 'closing ??= Promise.allSettled(underWay).then(release)',
    replace: 'closing ??= Promise.resolve().then(release)',
    tests: ['adapters/storage'],
  },
  {
    name: 'SQLite writes however many rows in one turn of the event loop.',
    file: 'adapters/sqlite/large-writes.ts',
    find: 'isLarge = rows > MOST_AT_ONCE && isAlone()',
    replace: 'isLarge = rows > 1e9 * MOST_AT_ONCE && isAlone()',
    tests: ['adapters/sqlite-large-writes > a late event at the beginning'],
  },
  {
    name: 'SQLite keeps a transaction open for some turns though the host has a connection too.',
    file: 'adapters/sqlite/opener.ts',
    find: 'timesOpen(file) === connections',
    replace: 'timesOpen(file) !== -1',
    tests: ['adapters/sqlite-large-writes > where the host has a connection'],
  },
  {
    name: 'A large save on SQLite puts awards before it removes those of their places.',
    file: 'adapters/sqlite/save.ts',
    find: 'await inTurns(turns, remove, (connection, award) => connection.run(awards.remove,',
    replace: 'await inTurns(turns, put, (connection, award) => connection.run(awards.put,',
    tests: ['adapters/storage > thousands of lines and awards'],
  },
  {
    name: 'A large save on SQLite leaves out new lines.',
    file: 'adapters/sqlite/save.ts',
    find: '  await inTurns(turns, added, (connection, entry) => append(connection, loaded, entry))\n',
    replace: '',
    tests: ['adapters/storage > thousands of lines and awards'],
  },
  {
    name: 'The large removal of a user that has changed meanwhile removes it all the same.',
    file: 'adapters/sqlite/remove-user.ts',
    find: "if (isChanged(connection, key, options)) return 'changed'",
    replace: '',
    tests: ['adapters/storage > thousands of lines and awards'],
  },
  {
    name: 'A transaction on a connection of its own trusts blocks that others have changed.',
    file: 'adapters/sqlite/connection.ts',
    find: '      blocks.begin()\n      const held',
    replace: '      const held',
    tests: ['adapters/sqlite-large-writes > leaderboards are right'],
  },
  {
    name: 'The ids of many awards are made in one turn of the event loop.',
    file: 'src/engine/accept/award-rows.ts',
    find: 'if (!atOnce) return forEachInTurns(items, see)',
    replace: 'if (!atOnce && items === undefined) return forEachInTurns(items, see)',
    tests: ['engine/award-rows'],
  },
  {
    name: 'Of parts of a list as text there is nothing between them.',
    file: 'adapters/postgres/document-text.ts',
    find: "parts.join(',')",
    replace: "parts.join('')",
    tests: ['postgres/saved-types'],
  },
  {
    name: 'SQLite stores what waits for something while a user is held.',
    file: 'adapters/sqlite/joined-storage.ts',
    find: '  answer.catch(() => undefined)\n  throw waited()',
    replace: '  return answer as never',
    tests: ['adapters/storage > where the promise of what is done while a user is held rejects'],
  },
  {
    name: 'What waits for something while a user is held writes after it was refused.',
    file: 'adapters/sqlite/joined-storage.ts',
    find: '    if (isOver) throw waited()\n',
    replace: '',
    tests: ['adapters/storage > what waits while a user is held'],
  },
  {
    name: 'Memory stores what waits for something while a user is held.',
    file: 'adapters/memory/hold.ts',
    find: 'if (result instanceof Promise) {',
    replace: 'if (result instanceof Promise && writes.length > 1e9) {',
    tests: ['adapters/storage > what waits while a user is held'],
  },
  {
    name: 'A writer on SQLite has its turn though it was told that there is none in time.',
    file: 'adapters/sqlite/writer-turns.ts',
    find: 'if (isGivenUp || (!isFirst',
    replace: 'if ((isGivenUp && end === 0) || (!isFirst',
    tests: ['adapters/writer-turns > whoever was told', 'adapters/writer-turns > a storage at which'],
  },
  {
    name: 'A large write goes on in turns though the host has opened the file meanwhile.',
    file: 'adapters/sqlite/large-writes.ts',
    find: 'if (isAlone()) await nextTurn',
    replace: 'if (isAlone() || isAlone !== undefined) await nextTurn',
    tests: ['adapters/sqlite-large-writes > where the host opens a connection meanwhile'],
  },
  {
    name: 'A transaction that stays open does not look whether its file is still there.',
    file: 'adapters/sqlite/transactions.ts',
    find: "      if (how === 'commit') check()\n",
    replace: '',
    tests: ['adapters/sqlite-large-writes > a file that goes amid it'],
  },
  {
    name: 'A database whose text is UTF-16 is taken.',
    file: 'adapters/sqlite/migrate.ts',
    find: "if (encoding === 'UTF-8') return",
    replace: "if (encoding !== '') return",
    tests: ['adapters/sqlite > a database whose text is UTF-16'],
  },
]
