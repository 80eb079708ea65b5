import type { ServerResponse } from 'node:http'
import type { HttpResponse } from './exchange.ts'

export function isStream(body: HttpResponse['body']): body is AsyncIterable<string> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

/** Writes each line when it is made, and no faster than the client reads. Ends the stream where the client has gone. */
export async function sendLines(lines: AsyncIterable<string>, to: ServerResponse): Promise<void> {
  const iterator = lines[Symbol.asyncIterator]()
  const closed = new Promise<void>((resolve) => to.once('close', resolve))
  const isGone = (): boolean => to.destroyed || to.closed
  void closed.then(() => iterator.return?.())
  try {
    if (isGone()) return void (await iterator.return?.())
    to.flushHeaders()
    for (let next = await iterator.next(); next.done !== true && !isGone(); next = await iterator.next()) {
      if (!to.write(next.value)) await Promise.race([closed, new Promise((resolve) => to.once('drain', resolve))])
    }
    to.end()
  } catch {
    // It has begun: that it is not whole can be told by breaking it off only.
    to.destroy()
  }
}
