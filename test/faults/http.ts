import type { Fault } from './fault.ts'

/** The contract over HTTP, and whom it lets do what. */
export const httpFaults: readonly Fault[] = [
  {
    name: 'An application key may be used for anybody when it names its own user too.',
    file: 'src/http/authorize.ts',
    find: 'call.users?.every(',
    replace: 'call.users?.some(',
    tests: ['http/authorization-names'],
  },
  {
    name: 'A route that says nothing of application keys is open to them.',
    file: 'src/http/authorize.ts',
    find: '=== caller.userId) ?? false',
    replace: '=== caller.userId) ?? true',
    tests: ['http/authorization'],
  },
  {
    name: 'A revoked key is valid.',
    file: 'src/engine/calls/keys/authenticate.ts',
    find: ` || stored?.status !== 'active'`,
    replace: ' || stored === null',
    tests: ['http/keys'],
  },
  {
    name: 'The prefix alone opens.',
    file: 'src/engine/calls/keys/api-key.ts',
    find: 'return isSame && hash !== null',
    replace: 'return (isSame || true) && hash !== null',
    tests: ['http/keys'],
  },
  {
    name: 'A key of another tenant opens.',
    file: 'src/http/authorize.ts',
    find: 'caller.tenant !== tenant',
    replace: `caller.tenant === ''`,
    tests: ['http/tenants'],
  },
  {
    name: 'The key is asked after the body.',
    file: 'src/http/handler.ts',
    find: 'if (holder === null) throw unauthorized()',
    replace: `if (holder === null) {
    if (request.method === 'POST') await readJsonBody(request, BODY_LIMIT)
    throw unauthorized()
  }`,
    tests: ['http/malformed-order'],
  },
  {
    name: 'Ownership is asked before the schema.',
    file: 'src/http/route.ts',
    find: `bodySchema === null ? undefined : parse(bodySchema, body, 'body')`,
    replace: `bodySchema === null || applicationKeys !== undefined ? undefined : parse(bodySchema, body, 'body')`,
    tests: ['http/malformed-order'],
  },
  {
    name: 'The event of a request is passed on as it came.',
    file: 'src/http/routes/metrics.ts',
    find: 'event: { ...read, idempotencyKey }',
    replace: 'event: { ...(body as unknown as typeof read), idempotencyKey }',
    tests: ['acceptance/http/metric-event'],
  },
  {
    name: 'The idempotency key of a request is passed on as it came.',
    file: 'src/http/handler.ts',
    find: `readIdempotencyKey(route.takesIdempotencyKey ? request.header('idempotency-key') : undefined)`,
    replace: `(route.takesIdempotencyKey ? request.header('idempotency-key') : undefined) ?? null`,
    tests: ['acceptance/http/idempotency'],
  },
  {
    name: 'A request in-process is taken for one that was read.',
    file: 'src/requests/read-event.ts',
    find: `const key = parse(metricKey, metric, 'metric key')
  const { includePrivate, ...event } = parse(eventRequest, request, 'metric event')`,
    replace: `const key = parse(metricKey, metric, 'metric key')
  const { includePrivate, ...event } = request as ParsedEvent & { includePrivate: boolean }`,
    tests: ['host/arguments'],
  },
  {
    name: 'What was read of a request is taken for the event of any metric.',
    file: 'src/requests/read-event.ts',
    find: 'known !== undefined && known.metric === metric',
    replace: 'known !== undefined',
    tests: ['http/read-event'],
  },
  {
    name: 'A body of JSON is taken in whatever charset it is said to be.',
    file: 'src/http/json-body.ts',
    find: `type === 'application/json' && encoding`,
    replace: `type.startsWith('application/json') && encoding`,
    tests: ['http/malformed'],
  },
  {
    name: 'A second Content-Type passes where it is written in other letters.',
    file: 'src/http/node.ts',
    find: `name.toLowerCase() === 'content-type'`,
    replace: `name === 'content-type'`,
    tests: ['http/malformed'],
  },
  {
    name: 'A replay is answered with 201.',
    file: 'src/http/routes/metrics.ts',
    find: 'answer.idempotentReplayed === true ? 202 : 201',
    replace: '201',
    tests: ['http/idempotency'],
  },
  {
    name: 'An unknown metric in an event is 404.',
    file: 'src/http/routes/metrics.ts',
    find: 'statuses: { unknown_metric: 422 }',
    replace: 'statuses: {}',
    tests: ['acceptance/http/metric-event'],
  },
  {
    name: 'An unknown outcome is answered with 503.',
    file: 'src/http/problem.ts',
    find: 'outcome_unknown: null',
    replace: 'outcome_unknown: 503',
    tests: ['http/bindings-failures'],
  },
  {
    name: 'The connection of an unknown outcome stays open.',
    file: 'src/http/node.ts',
    find: 'request.socket.destroy()',
    replace: 'request.destroy()',
    tests: ['http/bindings-failures'],
  },
  {
    name: 'A body may be one byte longer than it may be.',
    file: 'src/http/node.ts',
    find: 'if (size <= limit) return',
    replace: 'if (size <= limit + 1) return',
    tests: ['http/malformed'],
  },
  {
    name: 'A slash in an id parts the path.',
    file: 'src/http/dispatch.ts',
    find: 'const segments = toSegments(path, longest + 1).map(decode)',
    replace: 'const segments = toSegments(decode(path) ?? path)',
    tests: ['http/authorization-names', 'http/malformed'],
  },
  {
    name: 'An id may hold U+0000.',
    file: 'src/http/dispatch.ts',
    find: ` || value.includes('\\0')`,
    replace: '',
    tests: ['http/malformed'],
  },
  {
    name: 'Errors have no CORS headers.',
    file: 'src/http/handler.ts',
    find: 'return response === null ? null : { ...response, headers: { ...response.headers, ...headers } }',
    replace:
      'return response === null || response.status >= 400 ? response : { ...response, headers: { ...response.headers, ...headers } }',
    tests: ['http/cors'],
  },
  {
    name: 'Every origin is allowed.',
    file: 'src/http/cors.ts',
    find: '|| !origins.includes(origin)',
    replace: '',
    tests: ['http/cors'],
  },
  {
    name: 'What went wrong inside is told.',
    file: 'src/http/problem.ts',
    find: 'if (status >= 500) return INSIDE',
    replace: 'if (status > 500) return INSIDE',
    tests: ['http/bindings-failures'],
  },
  {
    name: 'Fastify answers errors of the host’s hooks with an answer of ours.',
    file: 'adapters/fastify/register.ts',
    find: '  // Unknown paths, and ids',
    replace: `  app.setErrorHandler((_error, request, reply) => answer(request, reply))
  // Unknown paths, and ids`,
    tests: ['http/bindings-fastify'],
  },
  {
    name: 'The last use of a key is not noted.',
    file: 'src/engine/calls/keys/authenticate.ts',
    find: 'context.keyUses.note(keyId, context.now())',
    replace: '',
    tests: ['acceptance/http/keys'],
  },
  {
    name: 'The document of the API gives a text as an example of a list.',
    file: 'src/http/openapi.ts',
    find: "return kind === 'list' || kind === 'uuid-list' ? example.split(',') : example",
    replace: 'return example',
    tests: ['acceptance/http/openapi'],
  },
]
