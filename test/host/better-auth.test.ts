import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { anonymous } from 'better-auth/plugins'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type LaurelsOptions, laurels } from '../../adapters/better-auth/index.ts'
import { applicationApi } from '../../adapters/fetch/index.ts'
import { memory } from '../../adapters/memory/index.ts'
import { NOON, openOn, untyped } from '../support/engine.ts'

const GAME = {
  metrics: { words: { name: 'Words' } },
  clients: { events: { words: { max: 10 } }, profile: ['name', 'email'] },
} as const
const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long password' }

/** The real hash takes a tenth of a second. */
const QUICK = {
  hash: async (password: string) => password,
  verify: async ({ hash, password }: { hash: string; password: string }) => hash === password,
}

async function open(options: Partial<LaurelsOptions> = {}) {
  const gamification = await openOn(memory(), { now: NOON }, GAME)
  onTestFinished(() => gamification.close())
  const logged: string[] = []
  const plugin = laurels({ gamification, ...options })
  const auth = betterAuth({
    baseURL: 'http://localhost:3000',
    secret: 'a secret that is long enough for this test',
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true, password: QUICK },
    user: { deleteUser: { enabled: true }, changeEmail: { enabled: true } },
    plugins: [anonymous({ onLinkAccount: plugin.onLinkAccount }), plugin],
    logger: { log: (_level, message) => void logged.push(message) },
  })

  let cookie = ''
  /** A request of a browser, which keeps its cookies. */
  const send = async (path: string, body: object = {}): Promise<{ status: number; id: string }> => {
    const headers = { 'Content-Type': 'application/json', Origin: 'http://localhost:3000', cookie }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await auth.handler(new Request(`http://localhost:3000/api/auth${path}`, request))
    const set = response.headers.getSetCookie().map((each) => each.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    const answer = (await response.json()) as { user?: { id: string } } | null
    return { status: response.status, id: answer?.user?.id ?? '' }
  }
  const add = (id: string, value: number) => gamification.metrics.event('words', { user: { id }, value })
  const total = async (id: string) => (await gamification.users.singleMetric(id, 'words')).current
  return { gamification, send, add, total, logged }
}

const unknown = { code: 'unknown_user' }
type Engine = Awaited<ReturnType<typeof openOn>>

describe('A user of better-auth', () => {
  test('is known to laurels after the sign-up, and has the new name after an update', async () => {
    const { gamification, send } = await open()
    const { id } = await send('/sign-up/email', ADA)
    expect(await gamification.users.get(id)).toMatchObject({ id, name: 'Ada', email: 'ada@example.com' })
    await send('/update-user', { name: 'Ada Lovelace' })
    expect(await gamification.users.get(id)).toMatchObject({ name: 'Ada Lovelace' })
  })

  test('has the profile that the host chooses', async () => {
    const { gamification, send } = await open({ profile: ({ name }) => ({ name: name.toUpperCase() }) })
    const { id } = await send('/sign-up/email', ADA)
    expect(await gamification.users.get(id)).toMatchObject({ name: 'ADA', email: null })
  })

  test.each([
    ['a promise', (engine: Engine) => Promise.resolve(engine)],
    ['a function', (engine: Engine) => () => engine],
    ['a function that answers with a promise', (engine: Engine) => async () => engine],
  ])('is known to laurels if the engine is given by %s', async (_, give) => {
    const engine = await openOn(memory(), { now: NOON }, GAME)
    onTestFinished(() => engine.close())
    const { send } = await open({ gamification: give(engine) })
    const { id } = await send('/sign-up/email', ADA)
    expect(await engine.users.get(id)).toMatchObject({ name: 'Ada' })
  })

  test('keeps the other fields if laurels refuses some, and the log names these', async () => {
    const profile = () => ({ name: 'Ada', tz: 'Berlin', attributes: { plan: 'blue' } })
    const { gamification, send, logged } = await open({ profile })
    const { id } = await send('/sign-up/email', ADA)
    expect(await gamification.users.get(id)).toMatchObject({ name: 'Ada', tz: null, attributes: {} })
    expect(logged.filter((line) => line.startsWith('laurels'))).toEqual([
      `laurels refused tz of the user ${id}, and saved the other fields. Correct the option profile.`,
      `laurels refused attributes of the user ${id}, and saved the other fields. Correct the option profile.`,
    ])
  })

  test('is deleted with the account', async () => {
    const { gamification, send } = await open()
    const { id } = await send('/sign-up/email', ADA)
    expect(await send('/delete-user', { password: ADA.password })).toMatchObject({ status: 200 })
    await expect(gamification.users.get(id)).rejects.toMatchObject(unknown)
  })
})

describe('An anonymous user', () => {
  test('gives the progress to the account of the sign-up, and its id stays another name', async () => {
    const { send, add, total, gamification } = await open()
    const visitor = await send('/sign-in/anonymous')
    expect(await gamification.users.get(visitor.id)).toMatchObject({ name: null, email: null })
    await add(visitor.id, 5)
    const { id } = await send('/sign-up/email', ADA)
    expect(id).not.toBe(visitor.id)
    expect(await total(id)).toBe(5)
    expect(await gamification.users.get(visitor.id)).toMatchObject({ id, name: 'Ada' })
  })

  test('gives the progress to an account that exists already', async () => {
    const { send, add, total } = await open()
    const { id } = await send('/sign-up/email', ADA)
    await add(id, 3)
    await send('/sign-out')
    const visitor = await send('/sign-in/anonymous')
    await add(visitor.id, 5)
    await send('/sign-in/email', ADA)
    expect(await total(id)).toBe(8)
  })

  test('gives the progress to an account without a name, as links and codes make them', async () => {
    const { send, add, total, gamification } = await open()
    const visitor = await send('/sign-in/anonymous')
    await add(visitor.id, 5)
    const { id } = await send('/sign-up/email', { ...ADA, name: '' })
    expect(await total(id)).toBe(5)
    expect(await gamification.users.get(id)).toMatchObject({ id, name: null, email: 'ada@example.com' })
  })

  test('has keys that end with the sign-in, so that they never open the account', async () => {
    const { gamification, send } = await open()
    const { id } = await send('/sign-up/email', ADA)
    await send('/sign-out')
    const visitor = await send('/sign-in/anonymous')
    const { created } = await gamification.admin.applicationApiKeys.create([{ userId: visitor.id }])
    const [{ key } = { key: '' }] = created
    const api = applicationApi(gamification)
    const call = async (method: string, body?: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
      return (await api(new Request(`http://localhost:3000/v1/users/${visitor.id}`, init))).status
    }
    expect(await call('GET')).toBe(200)

    await send('/sign-in/email', ADA)

    expect(await gamification.users.get(visitor.id)).toMatchObject({ id })
    expect([await call('GET'), await call('PATCH', { email: 'eve@example.com' })]).toEqual([401, 401])
    expect(await gamification.users.get(id)).toMatchObject({ email: 'ada@example.com' })
    expect(await gamification.admin.applicationApiKeys.list()).toEqual([])
  })

  test('is deleted without an account', async () => {
    const { gamification, send } = await open()
    const { id } = await send('/sign-in/anonymous')
    await send('/delete-anonymous-user')
    await expect(gamification.users.get(id)).rejects.toMatchObject(unknown)
  })
})

describe('A failure of laurels', () => {
  test('fails no sign-up, and is logged', async () => {
    const { gamification, send, logged } = await open()
    await gamification.close()
    const { status, id } = await send('/sign-up/email', ADA)
    expect(status).toBe(200)
    expect(logged).toContain(`laurels could not identify the user ${id}. Call users.identify again.`)
  })

  test('to merge keeps the progress, which the host can merge later', async () => {
    let isBroken = true
    const { gamification, send, add, total, logged } = await open({
      profile: () => {
        if (isBroken && visitor !== '') throw new Error('No profile.')
        return {}
      },
    })
    let visitor = ''
    visitor = (await send('/sign-in/anonymous')).id
    await add(visitor, 5)
    const { status, id } = await send('/sign-up/email', ADA)
    expect(status).toBe(200)
    expect(logged).toContain(`laurels could not merge the user ${visitor} into ${id}. Call users.merge again.`)
    expect(await total(visitor)).toBe(5)

    isBroken = false
    await gamification.users.identify(id, {})
    await gamification.users.merge({ from: visitor, into: id })
    expect(await total(id)).toBe(5)
  })
})

test('The anonymous plug-in without onLinkAccount is refused', async () => {
  const gamification = await openOn(memory(), { now: NOON }, GAME)
  onTestFinished(() => gamification.close())
  const auth = betterAuth({
    baseURL: 'http://localhost:3000',
    secret: 'a secret that is long enough for this test',
    database: memoryAdapter({}),
    plugins: [anonymous(), laurels({ gamification })],
  })
  await expect(auth.$context).rejects.toThrow('Without onLinkAccount anonymous users lose their progress')
})

test('An unknown option is refused', () => {
  expect(() => laurels(untyped({ engine: 1 }))).toThrow("unknown property 'engine'")
})

test.each([
  [undefined, 'undefined'],
  [{}, 'an empty object'],
  ['engine', "'engine'"],
])('The plug-in refuses %j as the engine at its start', (gamification, given) => {
  expect(() => laurels(untyped({ gamification }))).toThrow(
    `Invalid gamification: must be the engine of createGamification(), a promise of it, or a function that returns it, not ${given}.`,
  )
})
