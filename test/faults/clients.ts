import type { Fault } from './fault.ts'

/** What clients may do, keys that can little, and what a key wrote. */
export const clientFaults: readonly Fault[] = [
  {
    name: 'A client may take away what the game does not let it take.',
    file: 'src/http/capabilities.ts',
    find: 'bounds !== undefined && deed.value >= bounds.min && deed.value',
    replace: 'bounds !== undefined && deed.value',
    tests: ['http/capabilities > take away', 'http/authorization-clients'],
  },
  {
    name: 'A client may send any value of a metric that is named.',
    file: 'src/http/capabilities.ts',
    find: 'deed.value <= (bounds.max ?? Number.POSITIVE_INFINITY)',
    replace: 'deed.value <= Number.POSITIVE_INFINITY',
    tests: ['http/capabilities', 'http/authorization-clients'],
  },
  {
    name: 'A key for the events of one metric sends those of all.',
    file: 'src/http/capabilities.ts',
    find: `capability.kind === 'events' && (named === null || named === deed.metric)`,
    replace: `capability.kind === 'events'`,
    tests: ['http/capabilities', 'http/authorization-clients'],
  },
  {
    name: "Sessions are not bound by the game's clients.",
    file: 'src/http/authorize.ts',
    find: 'if (denied !== null) throw',
    replace: `if (denied !== null && caller.kind === 'application') throw`,
    tests: ['http/authorization-clients'],
  },
  {
    name: 'What a key is for is not asked.',
    file: 'src/http/authorize.ts',
    find: `caller.kind === 'application' ? (caller.can ?? null) : null`,
    replace: 'null',
    tests: ['http/authorization-clients'],
  },
  {
    name: 'A route that does not say what it does counts as a read.',
    file: 'src/http/route.ts',
    find: `(spec.method === 'GET' ? READ : OTHER)`,
    replace: `(spec.method === 'GET' ? READ : READ || OTHER)`,
    tests: ['http/authorization-clients > does not say what it does'],
  },
  {
    name: 'What an event says about its user is not asked for.',
    file: 'src/http/routes/metrics.ts',
    find: '      ...assertedDeeds(user),',
    replace: '      ...assertedDeeds({ ...user, attributes: {}, name: undefined } as never),',
    tests: ['http/authorization-clients'],
  },
  {
    name: "The official client's spelling of a field is not asked for.",
    file: 'src/http/deeds.ts',
    find: 'update.subscribedToEmails ?? update.subscribeToEmails ?? undefined',
    replace: 'update.subscribedToEmails ?? undefined',
    tests: ['http/authorization-clients'],
  },
  {
    name: 'A key is valid at the instant at which it expires.',
    file: 'src/engine/calls/keys/authenticate.ts',
    find: 'expiresAt <= context.now()',
    replace: 'expiresAt < context.now()',
    tests: ['http/application-keys > end at their instant'],
  },
  {
    name: 'A key that says what it can in words that nobody knows is a key.',
    file: 'src/engine/calls/keys/authenticate.ts',
    find: 'if (can !== null && parseCapabilities(can) === null) return null',
    replace: 'if (can !== null && parseCapabilities(can) === undefined) return null',
    tests: ['http/application-keys > opens nothing'],
  },
  {
    name: 'A key whose stored `can` is broken can do everything.',
    file: 'adapters/sql/api-key-rows.ts',
    find: `  } catch {
    return []`,
    replace: `  } catch {
    return null`,
    tests: ['http/application-keys > opens nothing'],
  },
  {
    name: 'The log does not know by which key a request came.',
    file: 'src/http/handler.ts',
    find: `caller !== null && 'keyId' in caller ? caller.keyId : null`,
    replace: `caller?.kind === 'admin' ? caller.keyId : null`,
    tests: ['http/application-keys > the log names the key'],
  },
  {
    name: 'One of several events that are voided together stays.',
    file: 'src/engine/record/several-voids.ts',
    find: 'for (const { entryId, event } of voids) {',
    replace: 'for (const { entryId, event } of voids.slice(1)) {',
    tests: ['engine/voids-of-keys'],
  },
  {
    name: 'Events at the end of the time are voided too.',
    file: 'src/engine/calls/write/events-to-void.ts',
    find: 'line.at < to &&',
    replace: 'line.at <= to &&',
    tests: ['engine/voids-of-keys > of a user in a time'],
  },
  {
    name: 'Events that are void are found again by the key that wrote them.',
    file: 'adapters/sql/log.ts',
    find: `
        .where((eb) => eb.or([eb('voided_by', 'is', null), eb('voided_by', '=', eb.ref('entry_id'))]))`,
    replace: '',
    tests: ['adapters/storage'],
  },
  {
    name: 'Events that a key wrote for later tenants are found with those of one.',
    file: 'adapters/sql/log.ts',
    find: `
        .where('tenant_id', '<=', bind('tenant_id'))`,
    replace: '',
    tests: ['adapters/storage'],
  },
  {
    name: 'With the keys of one user those of all others are deleted.',
    file: 'src/engine/calls/keys/application-keys.ts',
    find: 'storage.applicationKeys(tenant, { user, after, limit: MOST_AT_ONCE })',
    replace: 'storage.applicationKeys(tenant, { ...(user === "" ? { user } : {}), after, limit: MOST_AT_ONCE })',
    tests: ['http/application-keys > of one user are deleted together'],
  },
  {
    name: 'A client may take away where the game does not say a smallest value.',
    file: 'src/game/schema.ts',
    find: 'min: value.default(0)',
    replace: 'min: value.default(-1e15)',
    tests: ['game/clients'],
  },
]
