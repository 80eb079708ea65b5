export { adminApi, applicationApi, serve, serveConsole, serveSessions, userApi } from './apis.ts'
export {
  checkConsole,
  checkFetchRequest,
  checkNodeResponse,
  checkRegistered,
  checkServing,
  checkSessions,
} from './check-options.ts'
export { type ConsoleHandler, type ConsoleSession, readAccess } from './console.ts'
export type { HttpBody, HttpHandler, HttpRequest, HttpResponse } from './exchange.ts'
export { fromNode, holdBody, toNode } from './node.ts'
export { toOpenApi } from './openapi.ts'
export type { ConsoleAccess } from './options.ts'
export { checkPlainPrefix, checkPrefix, toTarget } from './query.ts'
export type { HttpApi } from './route.ts'
export { isStream } from './stream.ts'
