import type { Fault } from './fault.ts'

/** What is proven about a save on Postgres, and what keeps it from being stored twice. */
export const outcomeFaults: readonly Fault[] = [
  {
    name: 'Of a user for whom others wait nothing is tried again where a connection was lost.',
    file: 'adapters/postgres/errors.ts',
    find: 'return isLost(error.cause) || isPassing(error.cause) ? error.cause : error',
    replace: 'return error',
    tests: ['postgres/chaos-settling > what is stored while others wait'],
  },
  {
    name: 'That time was over is told in place of why Postgres could not be reached.',
    file: 'adapters/postgres/runner.ts',
    find: 'reason = tellingOf(reason, error)',
    replace: 'reason = error',
    tests: ['postgres/connection-reasons > also where the last attempt'],
  },
  {
    name: 'That time was over is told of an event in place of why Postgres could not be reached.',
    file: 'adapters/postgres/commit.ts',
    find: 'tellingOf(cause === null ? null : toStorageError(cause), thrown)',
    replace: 'thrown',
    tests: ['postgres/connection-reasons > also where an event'],
  },
  {
    name: 'PANIC is taken for a proof that nothing was stored.',
    file: 'adapters/postgres/errors.ts',
    find: `['PANIC', false]`,
    replace: `['PANIC', true]`,
    tests: ['postgres/chaos-severities'],
  },
  {
    name: 'FATAL is taken for a proof that nothing was stored.',
    file: 'adapters/postgres/errors.ts',
    find: `['FATAL', false]`,
    replace: `['FATAL', true]`,
    tests: ['postgres/chaos-severities'],
  },
  {
    name: 'A severity in another language is taken for ERROR.',
    file: 'adapters/postgres/session.ts',
    find: '?? (await goesOn(end, ask))',
    replace: '?? true',
    tests: ['postgres/chaos-severities > is known for what it is'],
  },
  {
    name: 'An ERROR in another language is taken for the end of the connection.',
    file: 'adapters/postgres/session.ts',
    find: '?? (await goesOn(end, ask))',
    replace: '?? false',
    tests: ['postgres/chaos-severities > an ERROR that passes is tried again'],
  },
  {
    name: 'A connection on which Postgres panicked goes back to its pool.',
    file: 'adapters/postgres/session.ts',
    find: 'failure = !isAnswer(error)',
    replace: 'failure = false',
    tests: ['postgres/chaos-severities > is closed'],
  },
  {
    name: 'A commit of keys that was not proven to fail is said to have stored nothing.',
    file: 'adapters/postgres/runner.ts',
    find: 'throw isLost(error) ? unknown(error) : error',
    replace: 'throw error',
    tests: ['postgres/chaos-severities > what is written beside batches'],
  },
  {
    name: 'A batch is sent again where the answer to it cannot be read.',
    file: 'adapters/postgres/store-batch.ts',
    find: `  } catch (error) {
    return unknownOutcome(error)
  }`,
    replace: `  } catch (error) {
    throw toStorageError(new Error('unreadable', { cause: error }))
  }`,
    tests: ['postgres/chaos-severities > an answer that cannot be read'],
  },
  {
    name: 'A save registers the process that nobody knows.',
    file: 'adapters/postgres/migrations/0012-packed-rows/save-v14.ts',
    find: `if not found then return '{"fenced":true}'; end if;`,
    replace: [
      'if not found then',
      `insert into "laurels".processes values (doc->>'process', 1, 'saved', 0) on conflict do nothing;`,
      `if not found then return '{"fenced":true}'; end if; end if;`,
    ].join(' '),
    tests: ['postgres/chaos-timelines > comes after its row has gone'],
  },
  {
    name: 'A fence that finds no process takes the batch for one that was never stored.',
    file: 'adapters/postgres/batches.ts',
    find: `return outcome === 'fenced' ?`,
    replace: `return outcome !== 'saved' ?`,
    tests: ['postgres/chaos-timelines > finds out from the log'],
  },
  {
    name: 'Versions of users count up, and come again when the database is brought back.',
    file: 'adapters/postgres/batch-view.ts',
    find: 'version: toVersion()',
    replace: 'version: user.loaded.version + 1',
    tests: ['postgres/chaos-timelines > a late event'],
  },
  {
    name: 'A process that takes a new number goes on with the users it remembers.',
    file: 'adapters/postgres/commit.ts',
    find: 'createBatches(runner, schema, forgetAll)',
    replace: 'createBatches(runner, schema, () => undefined)',
    tests: ['postgres/chaos-timelines > knows nobody any more'],
  },
  {
    name: 'Rows of processes stay for ever.',
    file: 'adapters/postgres/migrations/0001-tables/register-v1.ts',
    find: 'p.used_at < now - ',
    replace: 'p.used_at < 0 * ',
    tests: ['postgres/chaos-timelines > that have saved nothing for a day'],
  },
  {
    name: 'One entry id may stand in several lines of the log.',
    file: 'adapters/sqlite/migrations/0009-packed-rows.ts',
    find: 'create unique index laurels_log_by_entry',
    replace: 'create index laurels_log_by_entry',
    tests: ['adapters/storage'],
  },
  {
    name: 'In memory an entry id is looked for among those of its commit only.',
    file: 'adapters/memory/write.ts',
    find: ' || entries.has(entryId)',
    replace: '',
    tests: ['adapters/storage'],
  },
]
