import { TrophyApi, TrophyApiError } from '@trophyso/node'
import { expect, test } from 'vitest'
import { onEachServer, refusalOf } from './official-client.ts'

/*
 * The client puts ids and keys into the URL as they are. What makes a valid URL of it is `fetch`: it encodes spaces, most
 * punctuation and everything outside ASCII. It does not encode % / ? # \ and drops spaces and control characters at the
 * very end.
 */

/** Those that arrive as they are. */
const ENCODED = [
  'a',
  'ann of the north',
  ' ann',
  'Ωμέγα 🦉',
  'jos\u00e9',
  'jose\u0301',
  'Ann',
  'ann@example.com',
  'auth0|5f7c8ec7',
  'a+b',
  "o'neil",
  'a;b=c,d:e',
  'a&b=c',
  '[a]{b}',
  '"<a>`^',
  '~!$*()_-.',
  '...',
  'a..b',
  '__proto__',
  'constructor',
  'preferences',
  'metrics',
  'undefined',
]

onEachServer('ids in a path', (start) => {
  test.each([
    ['with odd characters', ENCODED],
    ['of 255 characters', ['x'.repeat(255), 'Ω'.repeat(255)]],
  ])('%s are kept byte for byte', async (_, ids) => {
    const { client } = await start()
    for (const [index, id] of ids.entries()) {
      expect((await client.users.identify(id, { name: 'One' })).id).toBe(id)
      expect(await client.users.update(id, { name: 'Two' })).toMatchObject({ id, name: 'Two' })
      await client.metrics.event('words', { user: { id }, value: index + 1 })
    }
    const readings = ids.map(async (id) => {
      const { id: read } = await client.users.get(id)
      const { current } = await client.users.singleMetric(id, 'words')
      const { total } = await client.users.points(id, 'xp')
      const { length } = await client.users.streak(id)
      const { notifications } = await client.users.getPreferences(id)
      const achievements = await client.users.achievements(id)
      return { read, current, total, length, notifications, achievements }
    })
    const expected = { total: 20, length: 0, notifications: {}, achievements: [] }
    expect(await Promise.all(readings)).toEqual(ids.map((id, index) => ({ read: id, current: index + 1, ...expected })))
  })

  test('with bad percent-encoding are a BadRequestError where the method declares it, else the general error', async () => {
    const { client } = await start()
    for (const id of ['100%', '%', '%zz', '%ff', '%c3%28', '%ed%a0%80']) {
      for (const call of [
        () => client.users.get(id),
        () => client.users.identify(id, {}),
        () => client.users.update(id, {}),
      ]) {
        const { type, status } = await refusalOf(call())
        expect({ id, type, status }).toEqual({ id, type: TrophyApi.BadRequestError, status: 400 })
      }
      const { type, status } = await refusalOf(client.users.allMetrics(id))
      expect({ id, type, status }).toEqual({ id, type: TrophyApiError, status: 400 })
    }
  })
})
