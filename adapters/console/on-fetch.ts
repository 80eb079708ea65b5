import { checkPrefix } from '../../src/http/index.ts'
import { answerAt, type FetchHandler, fromFetch } from '../fetch/answer-at.ts'
import type { Console } from './console.ts'

export function onFetch(console: Console<Request>, prefix: string): FetchHandler {
  return answerAt(checkPrefix(prefix), (request, target) =>
    console({
      target,
      path: URL.parse(request.url)?.pathname ?? '/',
      original: request,
      read: (found) => fromFetch(request, found),
    }),
  )
}
