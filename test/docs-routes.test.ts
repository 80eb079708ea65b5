import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { apiOf } from '../src/api/endpoint.ts'
import { eachOperation, type Operation, type Operations } from '../src/api/operation.ts'
import { OPERATIONS } from '../src/api/operations.ts'
import { adminApi, applicationApi } from '../src/http/apis.ts'
import { pages, root } from './support/pages.ts'

const page = pages.find(({ name }) => name === 'http-and-keys')?.text ?? ''
const tables = page.slice(page.indexOf('\n## What is there\n'), page.indexOf('\n## Keys\n'))
const [application = '', admin = ''] = tables.split('| Below `/admin/v1` |')

/** The words of a path but for its parameters. Paths below an existing path are named as a whole. */
function namesOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
}

test.each([
  ['application', applicationApi.routes, application],
  ['admin', adminApi.routes, admin],
] as const)('docs/http-and-keys.md names every route of the %s API', (_, routes, table) => {
  const words = new Set(table.match(/[a-z][a-z.-]+/g))
  expect(routes.filter(({ path }) => !namesOf(path).every((name) => words.has(name))).map(({ path }) => path)).toEqual(
    [],
  )
})

const HEADING = '\n## All calls\n'

const INTRODUCTION = `
In the process, each call is a method of this name, and \`laurels call\` makes it from the [command line](command-line.md#call).
A \`write\` takes [\`tx\`](transactions-and-orms.md); a \`change\` commits on its own.

| Call | Route | What it does | Kind |
|---|---|---|---|
`

function toRow([name, { kind, takesDryRun, endpoint }]: readonly [string, Operation]): string {
  const prefix = endpoint !== null && apiOf(name, endpoint) === 'admin' ? '/admin/v1' : '/v1'
  const route = endpoint === null ? '' : `\`${endpoint.at.replace(' ', ` ${prefix}`)}\``
  return `|\`${name}\`|${route}|${endpoint?.summary ?? ''}|${kind}${takesDryRun ? ', `dryRun`' : ''}|\n`
}

test('docs/other-languages.md ends with the table of calls; UPDATE_DOCS=1 writes it', () => {
  const file = join(root, 'docs/other-languages.md')
  const [before = ''] = readFileSync(file, 'utf8').split(HEADING)
  const rows = [...eachOperation(OPERATIONS as Operations)].map(toRow)
  const text = `${before}${HEADING}${INTRODUCTION}${rows.join('')}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
})
