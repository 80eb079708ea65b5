import type { HttpResponse } from '../../src/http/exchange.ts'
import { NEVER_KEPT } from './headers.ts'

/** A page without scripts or styles, for who is not let in or came to nowhere. Nothing of the request is in it. */
export function plainPage(
  status: number,
  title: string,
  text: string,
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...NEVER_KEPT, ...headers },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
    <p>${text}</p>
  </body>
</html>
`,
  }
}
