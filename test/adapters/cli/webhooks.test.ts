import { createGamification, defineGame } from 'laurels'
import { sqlite } from 'laurels/sqlite'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { openReceiver } from '../../messages/webhooks/receiver.ts'
import { type Called, laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()
const definition = { metrics: { words: { name: 'Words' } } }
const KEY = 'a key of the host, long enough for this'
const UNKNOWN = '01956c3a-0000-7000-8000-000000000000'
let databases = 0

interface Host {
  readonly db: string
  call(...args: readonly string[]): Promise<Called>
  /** A new user, as the backend makes one. */
  enroll(id: string): Promise<void>
  /** The id of the one webhook. */
  webhook(): Promise<string>
}

/** A database with a game and without users. */
async function openHost(): Promise<Host> {
  databases += 1
  const db = file(`webhooks/${databases}/app.db`)
  const withEngine = async (use: (engine: ReturnType<typeof createGamification>) => unknown): Promise<void> => {
    const gamification = createGamification({ game: defineGame(definition), storage: sqlite(db) })
    await gamification.migrate()
    await use(gamification)
    await gamification.close()
  }
  await withEngine(() => undefined)
  const call: Host['call'] = (...args) => laurels([...args, '--db', db], { variables: { LAURELS_WEBHOOK_KEY: KEY } })
  return {
    db,
    call,
    enroll: (id) => withEngine(({ users }) => users.create({ id })),
    webhook: async () => JSON.parse((await call('webhooks', 'list', '--json')).out)[0].id,
  }
}

describe('laurels webhooks', () => {
  test('create prints the secret alone on standard output, and list shows all but that', async () => {
    const { call, webhook } = await openHost()
    expect((await call('webhooks', 'list')).out).toBe('no webhooks\n')
    const types = 'user.created, streak.lost'
    const made = await call('webhooks', 'create', '--url', 'https://example.com/a', '--types', types, '--name', 'CRM')
    const id = await webhook()
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/),
      err: `Made the webhook ${id}; this signs for it. Keep it now: it is not shown again.\n`,
    })
    const { out } = await call('webhooks', 'list')
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'status', 'waiting', 'done', 'dead', 'order', 'name', 'url', 'types'],
      [id, 'active', '0', '0', '0', 'user', 'CRM', 'https://example.com/a', 'streak.lost, user.created'],
      [''],
    ])
    expect((await call('webhooks', 'list', '--json')).out).not.toContain(made.out.trim().slice(6))
  })

  test('update changes what is named, and delete wants to be sure', async () => {
    const { call, webhook } = await openHost()
    await call('webhooks', 'create', '--url', 'https://example.com/a', '--types', 'user.created')
    const id = await webhook()
    const { out } = await call('webhooks', 'update', id, '--order', 'none', '--status', 'disabled', '--json')
    expect(JSON.parse(out)).toMatchObject({ url: 'https://example.com/a', order: 'none', status: 'disabled' })
    expect(await call('webhooks', 'delete', id)).toMatchObject({
      code: 2,
      err: `laurels: this deletes the webhook ${id} for good: say --yes\nSee laurels webhooks --help\n`,
    })
    expect((await call('webhooks', 'delete', id, '--yes')).out).toBe(`deleted ${id}\n`)
    expect((await call('webhooks', 'list')).out).toBe('no webhooks\n')
  })

  test('work sends what happens, deliveries tell what became of it, and replay sends it again', async () => {
    const { call, enroll, webhook } = await openHost()
    const { address, received } = await openReceiver()
    const made = await call('webhooks', 'create', '--url', address, '--types', 'user.created', '--allow-internal')
    const id = await webhook()
    await enroll('ann')
    expect(await call('work', '--once')).toMatchObject({
      code: 0,
      out: 'published 0, merged 0, delivered 1, failed 0\n',
    })
    const [{ body, headers } = { body: '', headers: {} }] = received
    expect(new Webhook(made.out.trim()).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'user.created',
      userId: 'ann',
      data: { user: { id: 'ann' } },
    })
    const message = JSON.parse(body).id
    const { out } = await call('webhooks', 'deliveries', id)
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['type', 'user', 'state', 'attempts', 'last', 'id'],
      ['user.created', 'ann', 'done', '1', '200', message],
      [],
    ])
    expect((await call('webhooks', 'replay', id)).out).toBe('0 deliveries will be sent again\n')
    expect((await call('webhooks', 'replay', id, '--ids', message)).out).toBe('1 delivery will be sent again\n')
    expect(JSON.parse((await call('work', '--once', '--json')).out)).toMatchObject({ delivered: 1, failed: 0 })
    expect((await call('webhooks', 'deliveries', id, '--state', 'dead')).out).toBe('no deliveries here\n')
  })

  test('create without the key says which variable has it', async () => {
    const { db } = await openHost()
    const args = ['webhooks', 'create', '--url', 'https://example.com/', '--types', 'user.created', '--db', db]
    expect(await laurels(args)).toMatchObject({
      code: 2,
      err: expect.stringContaining('set the variable LAURELS_WEBHOOK_KEY to the key that your backend gives'),
    })
  })

  test('a key that is too short stops only the commands that use it', async () => {
    const { db } = await openHost()
    const withShortKey = (...args: readonly string[]) =>
      laurels([...args, '--db', db], { variables: { LAURELS_WEBHOOK_KEY: 'short' } })
    for (const args of [['users', 'list'], ['verify'], ['webhooks', 'list'], ['subscriptions', 'list']]) {
      expect(await withShortKey(...args)).toMatchObject({ code: 0, err: '' })
    }
    for (const args of [
      ['work', '--once'],
      ['webhooks', 'create', '--url', 'https://example.com/', '--types', 'user.created'],
    ]) {
      expect(await withShortKey(...args)).toMatchObject({
        code: 2,
        err: expect.stringContaining('Invalid webhooks.secretKey'),
      })
    }
  })

  test.each([
    [[], 'say what to do: list, create, update, delete, deliveries, replay, rotate'],
    [['crate'], "unknown command 'crate'; did you mean 'create'?"],
    [['create'], '--url is missing: give the URL that messages are sent to'],
    [
      ['create', '--url', 'https://a.example'],
      '--types is missing: give types of messages, as achievement.completed,streak.lost',
    ],
    [['list', 'x'], "there is an argument too many: 'x'"],
    [['update'], '<id> is missing: laurels webhooks update <id>'],
    [['deliveries', UNKNOWN, '--state', 'daed'], "unknown value of --state 'daed'; did you mean 'dead'?"],
  ])('%j is wrong, and says why', async (args, message) => {
    expect(await laurels(['webhooks', ...args, '--db', 'x.db'])).toMatchObject({
      code: 2,
      out: '',
      err: `laurels: ${message}\nSee laurels webhooks --help\n`,
    })
  })
})

describe('laurels work', () => {
  test('goes on until it is interrupted', async () => {
    const { db, call, enroll } = await openHost()
    const { address, received } = await openReceiver()
    await call('webhooks', 'create', '--url', address, '--types', 'user.created', '--allow-internal')
    const interruption = new AbortController()
    const variables = { LAURELS_WEBHOOK_KEY: KEY }
    const args = ['work', '--poll', '20', '--db', db]
    const working = laurels(args, { signal: interruption.signal, variables })
    await enroll('ann')
    await enroll('bob')
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(2)
    interruption.abort()
    expect(await working).toMatchObject({ code: 0, out: '', err: 'Working until it is interrupted.\n' })
  })

  test.each([
    [['--json'], '--json is for --once: leave it out'],
    [['--once', '--poll', '20'], '--poll is not for --once: leave it out'],
    [['--poll', '5'], "--poll must be a whole number from 10 to 60,000, not '5'"],
  ])('%j is wrong, and says why', async (args, message) => {
    expect(await laurels(['work', ...args, '--db', 'x.db'])).toMatchObject({
      code: 2,
      err: `laurels: ${message}\nSee laurels work --help\n`,
    })
  })
})

describe('laurels subscriptions', () => {
  test('lists how far each is, and what was put aside, which retry brings back', async () => {
    const { call, db } = await openHost()
    expect((await call('subscriptions', 'list')).out).toBe('no subscriptions\n')
    const gamification = createGamification({
      game: defineGame(definition),
      storage: sqlite(db),
      logger: { warn: () => undefined, error: () => undefined },
    })
    await gamification.subscribe('mailer', { types: ['user.created'], deadLetterAfter: 1 }, () => {
      throw new Error('No post today')
    })
    await gamification.users.create({ id: 'ann' })
    expect((await call('subscriptions', 'list')).out).toBe(`name    status  behind  put aside  types         failed
mailer  idle         1          0  user.created
`)
    // Together with others first, then by itself.
    const start = performance.now()
    while ((await gamification.subscriptions.list())[0]?.deadLetters === 0 && performance.now() - start < 20_000) {
      await gamification.workOnce()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await gamification.close()
    expect((await call('subscriptions', 'list')).out).toContain('mailer  idle         0          1  user.created\n')
    const { out } = await call('subscriptions', 'dead', 'mailer')
    expect(out.split('\n')[1]).toMatch(/user\.created {2}ann {3}1 .*No post today/)
    expect((await call('subscriptions', 'retry', 'mailer')).out).toBe('1 message will be handed over again\n')
  })

  test.each([
    [[], 'say what to do: list, dead, retry'],
    [['dead'], '<name> is missing: laurels subscriptions dead <name>'],
    [['list', 'x'], "there is an argument too many: 'x'"],
  ])('%j is wrong, and says why', async (args, message) => {
    expect(await laurels(['subscriptions', ...args, '--db', 'x.db'])).toMatchObject({
      code: 2,
      err: `laurels: ${message}\nSee laurels subscriptions --help\n`,
    })
  })
})
