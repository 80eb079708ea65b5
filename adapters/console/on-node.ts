import { checkPrefix, fromNode } from '../../src/http/index.ts'
import { listen, type RequestListener, type RoutedRequest } from '../express/listen.ts'
import type { Console } from './console.ts'

export function onNode<Request extends RoutedRequest>(
  console: Console<Request>,
  prefix: string,
): RequestListener<Request> {
  return listen(checkPrefix(prefix), (request: Request, place) =>
    console({
      target: place.target,
      path: request.originalUrl ?? request.url ?? '/',
      original: request,
      read: (found) => fromNode(request, { ...place, target: found }),
    }),
  )
}
