import { expect, test } from 'vitest'
import { adminApi, applicationApi } from '../src/http/apis.ts'
import { pages } from './support/pages.ts'

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
