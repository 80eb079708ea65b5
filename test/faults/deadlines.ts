import type { Fault } from './fault.ts'

/** Deadlines, shares of a batch, and the file under SQLite. */
export const deadlineFaults: readonly Fault[] = [
  {
    name: 'A call that is past its deadline is sent when its turn comes.',
    file: 'src/engine/record/batch-queue.ts',
    find: 'const batch = rejectLate(taken)',
    replace: 'const batch = taken',
    tests: ['engine/deadlines'],
  },
  {
    name: 'Calls wait for the batch before them beyond their deadlines.',
    file: 'src/engine/record/batch-queue.ts',
    find: 'if (timer !== null || deadline === NEVER) return',
    replace: 'if (deadline !== NEVER) return',
    tests: ['engine/deadlines'],
  },
  {
    name: 'Each step of a call has a deadline of its own.',
    file: 'src/engine/deadline.ts',
    find: 'if (deadline === NEVER && by === null && !isClient) return context\n',
    replace: 'if (deadline > 0) return context\n',
    tests: ['engine/deadlines'],
  },
  {
    name: 'The deadline of a request begins anew with each of its calls.',
    file: 'src/tenant-api.ts',
    find: 'startCall(context, request)',
    replace: 'startCall(context)',
    tests: ['engine/deadlines'],
  },
  {
    name: 'A call that is begun just before its deadline is cut off.',
    file: 'src/engine/record/record-batch.ts',
    find: 'Math.max(first, performance.now() + LEAST_MS)',
    replace: 'first',
    tests: ['engine/deadlines'],
  },
  {
    name: 'The items of an import run out of time while they wait for each other.',
    file: 'src/tenant-api.ts',
    find: 'importItems(unhurried, tenantOf, items, options)',
    replace: 'importItems(startCall(context), tenantOf, items, options)',
    tests: ['engine/deadlines'],
  },
  {
    name: 'A batch takes those who came first, however many are of one user.',
    file: 'src/engine/record/recorder.ts',
    find: '    ownerOf: userKeyText,\n',
    replace: '',
    tests: ['engine/shares'],
  },
  {
    name: 'Whoever has had a turn has the next one too.',
    file: 'src/engine/record/fair-queue.ts',
    find: `      shares.delete(owner)
      if (next === null) continue
      own.first = next
      // The iteration comes to it again after all the others.
      shares.set(owner, own)`,
    replace: `      if (next === null) shares.delete(owner)
      else own.first = next`,
    tests: ['engine/shares'],
  },
  {
    name: 'A call to Postgres waits for an import beyond its deadline.',
    file: 'adapters/postgres/batch-turns.ts',
    find: 'if (isAlone || deadline === Number.POSITIVE_INFINITY) return turn',
    replace: 'if (isAlone || deadline > 0) return turn',
    tests: ['postgres/deadlines > behind the batch of an import'],
  },
  {
    name: 'SQLite writes on into a file that was deleted or replaced.',
    file: 'adapters/sqlite/file-watch.ts',
    find: 'return known === undefined || known === id',
    replace: 'return true',
    tests: ['crash/file-gone > replaced'],
  },
  {
    name: 'SQLite looks at its file once, and never again.',
    file: 'adapters/sqlite/file-watch.ts',
    find: 'nextLook = performance.now() + LOOK_MS',
    replace: 'nextLook = Number.POSITIVE_INFINITY',
    tests: ['crash/file-gone > first write'],
  },
  {
    name: 'The WAL of a file that was replaced is left for the next one.',
    file: 'adapters/sqlite/file-watch.ts',
    find: 'renameSync(file + suffix, ',
    replace: 'String(',
    tests: ['crash/file-gone > hand its WAL on'],
  },
  {
    name: 'What a read says of damage does not keep anything from being written.',
    file: 'adapters/sqlite/database.ts',
    find: '    watch.note(error)\n',
    replace: '',
    tests: ['crash/file-gone > what a read found'],
  },
  {
    name: 'A damaged file is probed from memory.',
    file: 'adapters/sqlite/connection.ts',
    find: `  database.exec('pragma shrink_memory')\n`,
    replace: '',
    tests: ['crash/file-gone > overwritten over 200 kB'],
  },
  {
    name: 'A key of one user keeps the process busy with as many requests as it likes.',
    file: 'src/http/handler.ts',
    find: 'key?.startsWith(OF_ONE_USER) === true ? key : null',
    replace: 'key === OF_ONE_USER ? key : null',
    tests: ['http/key-turns'],
  },
]
