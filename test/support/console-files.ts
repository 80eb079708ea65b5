import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll } from 'vitest'

export const SCRIPT = `document.body.append('the console')\n`
export const STYLE = 'body { margin: 0 }\n'

/** Built pages in small, in a directory that goes away after the tests of the file: what `npm run build` makes takes longer. */
export function useConsoleFiles(): string {
  const directory = mkdtempSync(join(tmpdir(), 'laurels-console-'))
  const write = (name: string, content: string | Uint8Array): void => writeFileSync(join(directory, name), content)
  write(
    'index.html',
    `<!doctype html>
<html lang="en">
  <head>
    <base href="/" />
    <title>laurels</title>
    <script type="module" crossorigin src="./index-AbCd_-12.js"></script>
    <link rel="stylesheet" crossorigin href="./index-00000000.css">
  </head>
  <body></body>
</html>
`,
  )
  write('index-AbCd_-12.js.br', brotliCompressSync(SCRIPT))
  write('index-00000000.css.br', brotliCompressSync(STYLE))
  // Files that are not part of the pages.
  write('secret-AbCd_-12.txt', 'secret')
  write('secret-AbCd_-12.txt.br', 'secret')
  write('.env', 'SECRET=secret')
  write('plain.js', 'secret')
  writeFileSync(join(directory, '..', 'laurels-beside-AbCd_-12.js'), 'secret')
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
