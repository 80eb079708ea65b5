import { describe, expect, test } from 'vitest'
import { sqlite } from '../../../adapters/sqlite/index.ts'
import { createGamification, defineGame } from '../../../src/index.ts'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

const DEFINITION = { metrics: { words: { name: 'Words' } } }

async function fill(name: string): Promise<string> {
  const path = file(name)
  const gamification = createGamification({ game: defineGame(DEFINITION), storage: sqlite(path) })
  await gamification.migrate()
  await gamification.close()
  return path
}

describe('laurels console, called wrongly,', () => {
  test.each([
    [['--port', '65536'], "--port must be a whole number from 0 to 65,535, not '65536'"],
    [['--port', 'x'], "--port must be a whole number from 0 to 65,535, not 'x'"],
    [['--tenant', ''], '--tenant must not be empty'],
    [['--wrte'], "unknown option '--wrte'; did you mean '--write'?"],
    [['more'], "there is an argument too many: 'more'"],
  ])('says what is wrong: %j', async (args, message) => {
    const { code, out, err } = await laurels(['console', '--db', file('none.db'), ...args])
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: `laurels: ${message}\nSee laurels console --help\n` })
  })

  test('makes no database, and names no tenant in a game without', async () => {
    expect(await laurels(['console', '--db', file('none.db')])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/There is no database at .*none\.db/),
    })
    expect(await laurels(['console', '--db', await fill('one.db'), '--tenant', 'acme'])).toMatchObject({
      code: 2,
      err: expect.stringMatching('the game has no tenants'),
    })
  })

  test('does not take another game for the one in force', async () => {
    const game = file('other.json', JSON.stringify({ metrics: { laps: { name: 'Laps' } } }))
    expect(await laurels(['console', '--db', await fill('other.db'), '--game', game])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching('is not the game in force'),
    })
  })

  test('says how to call it', async () => {
    const { code, out } = await laurels(['console', '--help'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^Usage: laurels console \[--db <file\|url>\] \[--write\]/)])
  })
})
