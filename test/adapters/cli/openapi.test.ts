import { describe, expect, test } from 'vitest'
import { laurels } from '../../support/cli.ts'

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
      description: 'Users and their data: metric events, achievements, points, streaks and leaderboards.',
      contact: { name: 'laurels', url: 'https://github.com/laurels-dev/laurels' },
      version: '1.26.0',
      license: { name: 'MIT', identifier: 'MIT' },
    })
    expect(servers).toEqual([{ url: '/v1' }])
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/achievements', '/metrics/{key}/event', '/users/{id}', '/users/{id}/preferences']),
    )
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
})
