import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { clockOf } from '../../../adapters/cli/terminal.ts'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const game = file('game.json', JSON.stringify({ metrics: { words: { name: 'Words' } } }))

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('The clock of the machine is no clock of the host, so it is compared with that of Postgres', () => {
  expect(clockOf({ now: Date.now })).toEqual({})
  expect(clockOf({ now: () => 5 }).clock?.()).toEqual(new Date(5))
})

describe('laurels serve', () => {
  test('says which option or variable is missing or wrong', async () => {
    const serve = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
      laurels(['serve', '--db', file('none.db'), ...args], { variables })

    expect((await serve([])).err).toBe(
      'laurels: --game is missing: give the module or JSON file of the game, or set LAURELS_GAME\nSee laurels serve --help\n',
    )
    expect((await serve(['--game', game], { PORT: 'http' })).err).toBe(
      "laurels: --port must be a whole number from 0 to 65,535, not 'http'\nSee laurels serve --help\n",
    )
    expect((await serve(['--game', game, '--console', 'read'], { LAURELS_CONSOLE_PASSWORD: 'short' })).err).toBe(
      'laurels: --console needs a password of at least 16 characters in LAURELS_CONSOLE_PASSWORD\nSee laurels serve --help\n',
    )
  })

  test('takes variables for options, of which a given option wins, and an empty variable is none', async () => {
    const signal = AbortSignal.abort()
    const args = ['serve', '--db', file('app.db'), '--port', '0']
    const variables = { LAURELS_DRAIN: '0', LAURELS_GAME: game, HOST: '127.0.0.1', PORT: '1', LAURELS_CORS: '' }
    const { code, out, err } = await laurels(args, { variables, signal, now: '2026-03-10T12:00:00Z' })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [warning = '', listening, stopping] = out.trimEnd().split('\n')
    expect(warning).toMatch(
      /^2026-03-10T12:00:00.000Z warning There is no API key yet, so all calls are refused. Create one: laurels keys create --db /,
    )
    expect(listening).toMatch(/^2026-03-10T12:00:00.000Z Listening on http:\/\/127\.0\.0\.1:\d+$/)
    expect(stopping).toBe('2026-03-10T12:00:00.000Z Stopping')
  })

  test('answers for some seconds more after it was interrupted, and says that it stops', async () => {
    const port = await freePort()
    const stopping = new AbortController()
    const args = ['serve', '--db', file('drained.db'), '--port', String(port), '--game', game, '--drain', '1']
    const served = laurels(args, { signal: stopping.signal })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const get = (path: string) =>
      new Promise<{ status: number | undefined; connection: string | undefined; body: string }>((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, path, agent }, async (response) => {
          resolve({ status: response.statusCode, connection: response.headers.connection, body: await text(response) })
        })
        sent.on('error', reject).end()
      })
    await expect.poll(() => get('/readyz').catch(() => null)).toMatchObject({ status: 200, connection: 'keep-alive' })
    stopping.abort()
    // On the connection that is open, then on a new one.
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await get('/readyz')).toEqual({ status: 503, connection: 'close', body: '{"status":"stopping"}\n' })
    }
    expect(await get('/healthz')).toMatchObject({ status: 200, connection: 'close' })
    expect(await served).toMatchObject({ code: 0, err: '' })
    await expect(get('/healthz')).rejects.toThrow('ECONNREFUSED')
    agent.destroy()
  })

  test('logs what a warning is about', async () => {
    const other = file('other.json', JSON.stringify({ metrics: { pages: { name: 'Pages' } } }))
    const start = (path: string) =>
      laurels(['serve', '--db', file('changed.db'), '--port', '0', '--drain', '0', '--game', path], {
        signal: AbortSignal.abort(),
      })
    await start(game)
    expect((await start(other)).out).toContain(
      ' warning The game differs from the stored one: the new rules count from now on. epoch=2\n',
    )
  })
})
