// Who may ask the console's routes for what, through every binding.

import { describe, expect, test } from 'vitest'
import { doesChange, OPERATIONS, type Operation } from '../../http/authorization-table.ts'
import { openWorld, TENANT } from '../../http/authorization-world.ts'
import { openGamification } from '../../http/hosts.ts'
import { ask, type RawAnswer, type RawCall } from '../../http/raw.ts'
import { useConsoleFiles } from '../../support/console-files.ts'
import { byCookie, DIFFERENT_MOUNTS, serveAt } from '../../support/consoles.ts'

const directory = useConsoleFiles()

const ORIGIN = ['Origin', 'http://127.0.0.1'] as const
const as = (access: string) => ['Cookie', `theme=dark; access=${access}`] as const

describe.each(DIFFERENT_MOUNTS)('Through $name', (mount) => {
  test('every route is closed without access, and open as far as it goes', async () => {
    const world = await openWorld('node', { multiTenant: true })
    const { engine: gamification } = world.server
    const port = await serveAt(mount, { gamification, authorize: byCookie, settings: { directory } })
    const call = (operation: Operation, access: string): Promise<RawAnswer> =>
      ask(port, operation.method, `${mount.path}/api${operation.target('ann')}`, {
        headers: [as(access), ORIGIN, ['Tenant-ID', TENANT]],
        body: operation.body === undefined ? '{}' : JSON.stringify(operation.body('ann')),
      })
    const before = world.tables()
    const refused = new Set<string>()
    for (const operation of OPERATIONS) {
      const { head, text } = await call(operation, 'none')
      refused.add(`${head}\r\n${text}`)
    }
    expect([...refused]).toEqual([expect.stringMatching(/^HTTP\/1\.1 401 [\s\S]*"code":"unauthorized"\}$/)])
    for (const operation of OPERATIONS) {
      const { status, text } = await call(operation, 'read')
      expect({ operation, status, text }).toMatchObject({ status: doesChange(operation) ? 403 : operation.status })
    }
    expect(world.tables()).toEqual(before)
    for (const operation of OPERATIONS.filter(({ isFinal }) => isFinal !== true)) {
      const { status, text } = await call(operation, 'write')
      expect({ operation, status, text }).toMatchObject({ status: operation.status })
    }
  })

  test('a page of another site changes nothing', async () => {
    const { gamification } = await openGamification()
    const port = await serveAt(mount, { gamification, authorize: byCookie, settings: { directory } })
    const body = '{"user":{"id":"ann"},"value":5}'
    const post = (...headers: NonNullable<RawCall['headers']>): Promise<RawAnswer> =>
      ask(port, 'POST', `${mount.path}/api/v1/metrics/words/event`, { headers: [as('write'), ...headers], body })
    expect(await post()).toMatchObject({ status: 403 })
    expect(await post(['Origin', 'https://evil.example'])).toMatchObject({ status: 403 })
    expect(await post(['Origin', 'null'])).toMatchObject({ status: 403 })
    expect(await post(ORIGIN, ['Sec-Fetch-Site', 'cross-site'])).toMatchObject({ status: 403 })
    expect(await post(ORIGIN, ['Content-Type', 'text/plain'])).toMatchObject({ status: 415 })
    // What a proxy may say is not believed.
    const proxied = [
      ['X-Forwarded-Host', 'evil.example'],
      ['Forwarded', 'host=evil.example'],
    ] as const
    expect(await post(['Origin', 'http://evil.example'], ...proxied)).toMatchObject({ status: 403 })
    expect((await gamification.users.singleMetric('ann', 'words')).current).toBe(0)
    expect(await post(ORIGIN)).toMatchObject({ status: 201 })
  })

  test('where a proxy takes the host away, the pages are those that the host names', async () => {
    const { gamification } = await openGamification()
    const settings = { directory }
    const port = await serveAt(mount, { gamification, authorize: byCookie, origins: ['https://example.com'], settings })
    const body = '{"user":{"id":"ann"},"value":5}'
    const post = (origin: string): Promise<RawAnswer> =>
      ask(port, 'POST', `${mount.path}/api/v1/metrics/words/event`, {
        headers: [as('write'), ['Origin', origin]],
        body,
      })
    expect(await post('http://127.0.0.1')).toMatchObject({ status: 403 })
    expect(await post('https://evil.example')).toMatchObject({ status: 403 })
    const answer = await post('https://example.com')
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.head).not.toMatch(/access-control/i)
  })
})
