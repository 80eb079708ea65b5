import type { Fault } from './fault.ts'

/** The user API: whose session it is, and which page may change something in it. */
export const sessionFaults: readonly Fault[] = [
  {
    name: 'What another site makes a browser send is carried out.',
    file: 'src/http/session.ts',
    find: `if (origin === undefined || !(origins === undefined ? isOfHost(origin, request) : origins.includes(origin))) {`,
    replace: `if (origin === undefined) {`,
    tests: ['http/user-api'],
  },
  {
    name: 'What comes without an origin is taken for one of the app.',
    file: 'src/http/session.ts',
    find: `if (origin === undefined || !(`,
    replace: `if (origin !== undefined && !(`,
    tests: ['http/user-api'],
  },
  {
    name: 'The host may change something though the app named other pages.',
    file: 'src/http/session.ts',
    find: '(origins === undefined ? isOfHost(origin, request) : origins.includes(origin))',
    replace: '(isOfHost(origin, request) || (origins?.includes(origin) ?? false))',
    tests: ['http/user-api'],
  },
  {
    name: 'Another port of the host is the app.',
    file: 'src/http/session.ts',
    find: 'known.host === host.toLowerCase()',
    replace: `known.hostname === host.toLowerCase().split(':')[0]`,
    tests: ['http/user-api'],
  },
  {
    name: 'A form of another kind is taken for JSON.',
    file: 'src/http/session.ts',
    find: String.raw`/^application\/json\s*(?:;|$)/i`,
    replace: '/json/i',
    tests: ['http/user-api'],
  },
  {
    name: 'A session may name anybody.',
    file: 'src/http/callers.ts',
    find: `return caller !== null && caller.kind !== 'admin' && caller.kind !== 'console'`,
    replace: `return caller?.kind === 'application'`,
    tests: ['http/user-api', 'http/authorization-names'],
  },
  {
    name: 'A header chooses the tenant of a session.',
    file: 'src/http/authorize.ts',
    find: `  if (caller?.kind === 'session') return caller.tenant\n`,
    replace: '',
    tests: ['http/user-api'],
  },
  {
    name: 'A user has as many requests handled at once as sessions.',
    file: 'src/http/handler.ts',
    find: 'return inTurn(server, turn, () => answer(server, request, arrivedAt, () => found))',
    replace: 'return inTurn(server, turn && null, () => answer(server, request, arrivedAt, () => found))',
    tests: ['http/user-api'],
  },
  {
    name: 'What the host answers in place of an id is the mistake of whoever asks.',
    file: 'src/http/session.ts',
    find: 'throw new TypeError(`The option',
    replace: `throw new Problem('invalid_request', \`The option`,
    tests: ['http/user-api'],
  },
  {
    name: 'A page of another site may read what the session of the user sees.',
    file: 'src/http/cors.ts',
    find: `if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' }`,
    replace: `if (origin === undefined) return { vary: 'Origin' }`,
    tests: ['http/user-api', 'http/cors'],
  },
  {
    name: 'The client sends an event again under another key.',
    file: 'adapters/client/send.ts',
    find: `{ 'Idempotency-Key': idempotencyKey }`,
    replace: `{ 'Idempotency-Key': idempotencyKey + Math.random() }`,
    tests: ['http/client'],
  },
  {
    name: 'The client takes half an answer for none of its business.',
    file: 'adapters/client/send.ts',
    find: 'if (response.ok && body !== undefined) return { answer: body }',
    replace: 'if (response.ok) return { answer: body }',
    tests: ['http/client'],
  },
  {
    name: 'The client asks for the id ..',
    file: 'adapters/client/index.ts',
    find: `!['', '.', '..'].includes(id)`,
    replace: `!['', '.'].includes(id)`,
    tests: ['http/client'],
  },
  {
    name: 'The limit is asked for after the body was read.',
    file: 'src/http/handler.ts',
    find: `    if (caller !== null && server.rateLimit !== null) await requireRate(server.rateLimit, caller)
    const { call, api } = await admit(server, request, arrivedAt, match, query, caller)
`,
    replace: `    const { call, api } = await admit(server, request, arrivedAt, match, query, caller)
    if (caller !== null && server.rateLimit !== null) await requireRate(server.rateLimit, caller)
`,
    tests: ['http/rate-limit'],
  },
  {
    name: 'A limit that answers nonsense lets everybody through.',
    file: 'src/http/rate.ts',
    find: 'if (!(seconds >= 0 && Number.isFinite(seconds))) {',
    replace: 'if (!(seconds >= 0)) return\n  if (!Number.isFinite(seconds)) {',
    tests: ['http/rate-limit'],
  },
]
