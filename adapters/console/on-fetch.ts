import { checkPrefix } from '../../src/http/index.ts'
import { answerAt, type FetchHandler, fromFetch } from '../fetch/answer-at.ts'
import type { Console } from './console.ts'

export function onFetch(console: Console<Request>, prefix: string): FetchHandler {
  return answerAt(checkPrefix(prefix), (request, place) =>
    console({
      target: place.target,
      path: URL.parse(request.url)?.pathname ?? '/',
      original: request,
      read: (found) => fromFetch(request, { ...place, target: found }),
    }),
  )
}
