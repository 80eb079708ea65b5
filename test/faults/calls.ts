import type { Fault } from './fault.ts'

/** Calls: queue, batch, replays, handlers, reads, games of several processes. */
export const callFaults: readonly Fault[] = [
  {
    name: 'A replay writes the profile.',
    file: 'src/engine/accept/accept-command.ts',
    find: `if (found !== null) return { type: 'unchanged', entryId: found }`,
    replace: `if (found !== null) {
      const upsert = { ...command, body: { kind: 'userUpserted' } as const }
      return decideCommand(upsert, state, { ...situation, found: null })
    }`,
    tests: ['acceptance/idempotency', 'engine/races'],
  },
  {
    name: 'An idempotency key is shared by all metrics of a batch.',
    file: 'src/engine/accept/user-batch.ts',
    find: 'JSON.stringify([used.metric, used.idempotencyKey])',
    replace: 'JSON.stringify([used.idempotencyKey])',
    tests: ['engine/races > is apart for each metric and each user'],
  },
  {
    name: 'A key that was used earlier in the batch is taken for new.',
    file: 'src/engine/accept/user-batch.ts',
    find: 'found: stored ?? batch.usedBy(command)',
    replace: 'found: stored',
    tests: ['engine/batches'],
  },
  {
    name: 'The instant of an event goes back with the clock.',
    file: 'src/engine/accept/accept-command.ts',
    find: 'return state === null ? now : Math.max(now, state.at)',
    replace: 'return now',
    tests: ['acceptance/metric-event', 'acceptance/late-events'],
  },
  {
    name: 'An event five minutes ahead of the clock is refused.',
    file: 'src/engine/calls/write/record-event.ts',
    find: 'at <= now + GREATEST_LEAD',
    replace: 'at < now + GREATEST_LEAD',
    tests: ['acceptance/limits', 'acceptance/late-events'],
  },
  {
    name: 'The queue answers in the wrong order.',
    file: 'src/engine/record/batch-queue.ts',
    find: 'resolve(results[index] as Result)',
    replace: 'resolve(results[batch.length - 1 - index] as Result)',
    tests: ['acceptance/metric-event', 'engine/races > entries that are refused'],
  },
  {
    name: 'A failure nobody foresaw fails the whole batch.',
    file: 'src/engine/record/batch-queue.ts',
    find: 'if (batch.length === 1 || isAboutAll(error)) {',
    replace: 'if (batch.length > 0) {',
    tests: ['engine/races > a storage that throws'],
  },
  {
    name: 'The event loop gets no turn between batches.',
    file: 'src/engine/record/batch-queue.ts',
    find: `      setImmediate(() => void runNext())
      return`,
    replace: `      void runNext()
      return`,
    tests: ['engine/turns'],
  },
  {
    name: 'One refused entry fails its batch.',
    file: 'src/engine/accept/user-batch.ts',
    find: `    case 'refused':
      return decision`,
    replace: `    case 'refused':
      if (decision.refusal.code !== 'unknown_user') throw new Error(decision.refusal.message)
      return decision`,
    tests: ['engine/races > entries that are refused leave their neighbours alone'],
  },
  {
    name: 'A save that failed is answered as if it had been stored.',
    file: 'src/engine/record/record-batch.ts',
    find: 'if (error !== EPOCH_MOVED) throw error',
    replace: 'if (error !== EPOCH_MOVED) break',
    tests: ['engine/races > a storage that is unavailable once'],
  },
  {
    name: 'Callers are answered, and handlers called, before the save is stored.',
    file: 'src/engine/record/record-batch.ts',
    find: 'report = await storage.commit(',
    replace: 'void storage.commit(',
    tests: ['engine/races > a storage that is unavailable once'],
  },
  {
    name: 'A batch is decided under an older game than the newest.',
    file: 'src/engine/record/record-batch.ts',
    find: 'if (epoch !== current.epoch) throw EPOCH_MOVED',
    replace: '',
    tests: ['engine/newer-games'],
  },
  {
    name: 'A process with a known older game stores it again.',
    file: 'src/engine/game-book.ts',
    find: 'stored.some(({ fingerprint }) => fingerprint === own.fingerprint)',
    replace: 'last.fingerprint === own.fingerprint',
    tests: ['engine/races > counts for both from then on'],
  },
  {
    name: 'A storage that could not be read once is never read again.',
    file: 'src/engine/game-book.ts',
    find: `    reading ??= read(deadline).catch((error: unknown) => {
      reading = null
`,
    replace: `    reading ??= read(deadline).catch((error: unknown) => {
`,
    tests: ['engine/races > finds the engine well again'],
  },
  {
    name: 'Handlers are called for replays.',
    file: 'src/engine/record/submit.ts',
    find: `if (outcome.type === 'recorded') door.notify(() => notify(context.emitter, { tenant, user }, outcome))`,
    replace: `const told = { type: 'recorded', entryId: '', before: null, after: stateAfter(outcome), awards: [] } as const
    door.notify(() =>
      notify(context.emitter, { tenant, user }, outcome.type === 'recorded' ? outcome : { ...outcome, ...told }),
    )`,
    tests: ['engine/handlers > are told nothing by a replay'],
  },
  {
    name: 'Handlers are called for an import.',
    file: 'src/engine/calls/write/import-events.ts',
    find: 'notify: () => undefined',
    replace: 'notify: (run) => run()',
    tests: ['engine/handlers > are told nothing by an import'],
  },
  {
    name: 'streak.extended is told for every event of the day.',
    file: 'src/engine/record/notify.ts',
    find: 'if (length <= previous) return',
    replace: 'if (length < previous) return',
    tests: ['engine/handlers > are told of a streak'],
  },
  {
    name: 'A handler that fails keeps others from being called: only the first is.',
    file: 'src/engine/record/emitter.ts',
    find: 'const handler of [...set]',
    replace: 'const handler of [...set].slice(0, 1)',
    tests: ['engine/handlers > that fail'],
  },
  {
    name: 'Ids of imported events are new each time.',
    file: 'src/engine/calls/write/import-events.ts',
    find: '{ entryId: importedEventId(tenant, event.user.id, metric, idempotencyKey) }',
    replace: '{}',
    tests: ['engine/import-ids'],
  },
  {
    name: 'Reading an unknown user creates it.',
    file: 'src/engine/calls/read/read-user.ts',
    find: `(view, current) => {
      const known = requireUser(view.state, user)`,
    replace: `async (view, current) => {
      if (view.state === null) {
      const receivedAt = context.now()
      const made = { entryId: context.newId(receivedAt), receivedAt, occurredAt: null, profile: null, createsUser: true }
      await context.recorder.record({ tenant, user, ...made, body: { kind: 'userUpserted' } })
    }
      const known = requireUser(view.state, user)`,
    tests: ['engine/reads', 'acceptance/errors'],
  },
  {
    name: 'Reading a streak writes how long it still is.',
    file: 'src/engine/calls/read/read-streak.ts',
    find: '  const counted = periods === 0 ? [] :',
    replace: `  await context.storage.commit([{ tenant, user, lookups: [] }], ([loaded]) => {
    const before = loaded?.state ?? state
    const after = { ...before, streak: { ...before.streak, length: told.length } }
    const nothing = { put: [], remove: [] }
    const others = { awards: nothing, periods: nothing, leaderboards: nothing, unlimited: [], ranks: [] }
    return [{ before, after, appended: [], redated: [], ...others, counted: [] }]
  })
  const counted = periods === 0 ? [] :`,
    tests: ['engine/reads'],
  },
  {
    name: 'A summary leaves out its last date.',
    file: 'src/engine/calls/read/summarize-events.ts',
    find: 'date < startDate || date > endDate',
    replace: 'date < startDate || date >= endDate',
    tests: ['acceptance/event-summary'],
  },
  {
    name: 'A change in a summary counts what came before its first date.',
    file: 'src/engine/calls/read/summarize-events.ts',
    find: 'date < startDate || date > endDate',
    replace: 'date > endDate',
    tests: ['acceptance/event-summary'],
  },
  {
    name: 'A summary reads only the first entries.',
    file: 'src/engine/replay/read-log.ts',
    find: 'after = part.last',
    replace: 'after = null',
    tests: ['engine/long-logs'],
  },
]
