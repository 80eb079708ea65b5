import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly $ref?: string }[]
}

interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly parameters: { readonly [name: string]: { readonly name: string; readonly in: string } }
  }
}

async function read(...args: readonly string[]): Promise<Document> {
  const { code, out, err } = await laurels(['openapi', ...args])
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

/** The headers that an operation takes. */
function headersOf({ components }: Document, { parameters }: Operation): readonly string[] {
  return parameters.flatMap(({ $ref = '' }) => {
    const found = components.parameters[$ref.replace('#/components/parameters/', '')]
    return found?.in === 'header' ? [found.name] : []
  })
}

describe('openapi', () => {
  test('prints the application API as JSON with two spaces', async () => {
    const { out } = await laurels(['openapi'])
    expect(out.startsWith('{\n  "openapi": "3.1.0",\n  "info": {\n    "title": "laurels application API",\n')).toBe(
      true,
    )
    expect(out.endsWith('\n}\n')).toBe(true)
    const { info, servers, paths } = JSON.parse(out) as Document
    expect(info).toEqual({
      title: 'laurels application API',
      description: 'What users do and have: metric events, achievements, points, streaks and leaderboards.',
      contact: { name: 'laurels', url: 'https://github.com/laurels-dev/laurels' },
      version: '1.20.1',
      license: { name: 'MIT', identifier: 'MIT' },
    })
    expect(servers).toEqual([{ url: '/v1' }])
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/achievements', '/metrics/{key}/event', '/users/{id}', '/users/{id}/preferences']),
    )
  })

  test('prints the admin API', async () => {
    const { info, servers, paths } = await read('--admin')
    expect(info).toMatchObject({ title: 'laurels admin API', version: '1.20.1' })
    expect(servers).toEqual([{ url: '/admin/v1' }])
    expect(Object.keys(paths['/application-api-keys'] ?? {})).toEqual(['post', 'get', 'delete'])
  })

  test.each([
    ['application', [], 20],
    ['admin', ['--admin'], 3],
  ])('declares X-SDK-VERSION and Tenant-ID on every operation of the %s API', async (_, args, atLeast) => {
    const document = await read(...args)
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(operations.length).toBeGreaterThanOrEqual(atLeast)
    for (const operation of operations) {
      expect([operation.operationId, ...headersOf(document, operation).slice(0, 2)]).toEqual([
        operation.operationId,
        'X-SDK-VERSION',
        'Tenant-ID',
      ])
    }
    const event = document.paths['/metrics/{key}/event']?.post
    if (event !== undefined) expect(headersOf(document, event)).toContain('Idempotency-Key')
  })

  test.each([[[]], [['--admin']]])('writes it to a file, given %j', async (args) => {
    const target = file('written/openapi.json', 'what was there before, which is replaced '.repeat(10_000))
    expect(await laurels(['openapi', ...args, '--out', target])).toMatchObject({
      code: 0,
      out: `wrote ${target}\n`,
      err: '',
    })
    expect(readFileSync(target, 'utf8')).toBe((await laurels(['openapi', ...args])).out)
  })

  test('--help prints how to use it, in lines that fit a terminal', async () => {
    const { code, out } = await laurels(['openapi', '--help'])
    expect(out).toMatch(/^Usage: laurels openapi \[--admin\] \[--out <file>\]\n/)
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(code).toBe(0)
    expect((await laurels(['help', 'openapi'])).out).toBe(out)
  })

  test.each([
    [['--admn'], "unknown option '--admn'; did you mean '--admin'?"],
    [['x.json'], "there is an argument too many: 'x.json'"],
    [['--out', ''], '--out must not be empty: give the path of a file'],
  ])('%j is wrong: it says why, and exits with 2', async (args, message) => {
    const called = await laurels(['openapi', ...args])
    expect(called).toMatchObject({ code: 2, out: '', err: `laurels: ${message}\nSee laurels openapi --help\n` })
  })

  test('fails where the file cannot be written', async () => {
    const target = file('nowhere').concat('/openapi.json')
    const { code, out, err } = await laurels(['openapi', '--out', target])
    expect(err).toBe(`laurels: ENOENT: no such file or directory, open '${target}'\n`)
    expect([code, out]).toEqual([2, ''])
  })
})
