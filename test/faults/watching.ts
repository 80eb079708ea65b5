import type { Fault } from './fault.ts'

/** What is told of the engine while it runs: its channels, and whether it is healthy. */
export const watchingFaults: readonly Fault[] = [
  {
    name: 'A refused call is told as if it had been answered.',
    file: 'src/engine/tracing.ts',
    find: `          fail(error)
          finish()`,
    replace: '          finish()',
    tests: ['host/diagnostics'],
  },
  {
    name: 'The span of a call is not that of what it asks of the storage.',
    file: 'src/engine/tracing.ts',
    find: 'return channel.start.runStores(told, () => {',
    replace: `channel.start.publish(told)
  return channel.end.runStores(told, () => {`,
    tests: ['host/diagnostics'],
  },
  {
    name: 'Calls of a request are told to nobody.',
    file: 'src/tenant-api.ts',
    find: `tracedCall(operation, async () =>
      options?.tx === undefined ? foreseen('outcome_unknown', () => begin(use)) : begin(use),
    )`,
    replace: `((run: () => Promise<T>) => (request?.arrivedAt === undefined ? tracedCall(operation, run) : run()))(async () =>
      options?.tx === undefined ? foreseen('outcome_unknown', () => begin(use)) : begin(use),
    )`,
    tests: ['host/diagnostics'],
  },
  {
    name: 'An engine whose storage hangs never says so.',
    file: 'src/engine/calls/operate/health.ts',
    find: 'timer = setTimeout(() => resolve(null), MOST_MS)',
    replace: 'timer = setTimeout(() => resolve(null), MOST_MS * 1_000)',
    tests: ['host/health'],
  },
  {
    name: 'Everybody who asks for the health asks the storage anew.',
    file: 'src/engine/calls/operate/health.ts',
    find: 'asked ??= askHealth(',
    replace: 'asked = askHealth(',
    tests: ['host/health'],
  },
  {
    name: 'A load balancer is told ok while the storage does not answer.',
    file: 'src/http/routes/health.ts',
    find: `if (status !== 'ok') throw`,
    replace: `if (status === undefined) throw`,
    tests: ['host/health'],
  },
  {
    name: 'Health is well although nothing is written any more.',
    file: 'src/engine/calls/operate/health.ts',
    find: 'storage.checkWritable?.()',
    replace: '',
    tests: ['host/health > whose file was deleted'],
  },
]
