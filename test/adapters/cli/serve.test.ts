import { describe, expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const game = file('game.json', JSON.stringify({ metrics: { words: { name: 'Words' } } }))

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
    const variables = { LAURELS_GAME: game, HOST: '127.0.0.1', PORT: '1', LAURELS_CORS: '' }
    const { code, out, err } = await laurels(args, { variables, signal, now: '2026-03-10T12:00:00Z' })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [warning = '', listening, stopping] = out.trimEnd().split('\n')
    expect(warning).toMatch(
      /^2026-03-10T12:00:00.000Z warning There is no API key yet, so all calls are refused. Create one: laurels keys create --db /,
    )
    expect(listening).toMatch(/^2026-03-10T12:00:00.000Z Listening on http:\/\/127\.0\.0\.1:\d+$/)
    expect(stopping).toBe('2026-03-10T12:00:00.000Z Stopping')
  })

  test('logs what a warning is about', async () => {
    const other = file('other.json', JSON.stringify({ metrics: { pages: { name: 'Pages' } } }))
    const start = (path: string) =>
      laurels(['serve', '--db', file('changed.db'), '--port', '0', '--game', path], { signal: AbortSignal.abort() })
    await start(game)
    expect((await start(other)).out).toContain(
      ' warning The game differs from the stored one: the new rules count from now on. epoch=2\n',
    )
  })
})
