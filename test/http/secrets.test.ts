// The secret part of a key is in the answer that creates it, and nowhere else.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import {
  createGamification,
  type DefinedGame,
  defineGame,
  type ErrorCode,
  type Gamification,
  GamificationError,
  type Storage,
} from '../../src/index.ts'
import { listen } from '../support/bindings.ts'
import type { BindingName } from '../support/http.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { game, OPERATIONS } from './authorization-table.ts'
import { ask, type RawCall } from './raw.ts'

const nextFile = useDatabaseFiles()

/** The body of a key in every form in which somebody could come to write it down. */
function formsOf(key: string): readonly Buffer[] {
  const body = key.slice(key.indexOf('.') + 1)
  const decoded = Buffer.from(body, 'base64url')
  const ofText = Buffer.from(body)
  const texts = [
    body,
    decoded.toString('hex'),
    decoded.toString('hex').toUpperCase(),
    decoded.toString('base64'),
    decoded.toString('base64').replace(/=+$/, ''),
    ofText.toString('hex'),
    ofText.toString('hex').toUpperCase(),
    ofText.toString('base64').replace(/=+$/, ''),
    ofText.toString('base64url'),
    [...decoded].join(','),
    [...decoded].join(', '),
    [...body].reverse().join(''),
    body.replaceAll('-', '+').replaceAll('_', '/'),
    // Half of it would be too much.
    body.slice(0, 21),
    body.slice(-21),
  ]
  return [decoded, Buffer.from(body, 'utf16le'), ...texts.map((text) => Buffer.from(text))]
}

/** Expects none of the keys to be in the bytes, in any form. */
function expectNone(where: string, bytes: Buffer, keys: readonly string[]): void {
  for (const key of keys) {
    const found = formsOf(key).filter((form) => bytes.includes(form))
    expect([where, found.map((form) => form.toString('latin1'))]).toEqual([where, []])
  }
}

interface Seen {
  /** Lines of the logger, and whatever was written to the console. */
  readonly lines: string[]
  readonly answers: string[]
  readonly keys: string[]
}

interface Watched extends Seen {
  readonly engine: Gamification<DefinedGame>
  readonly port: number
  /** Answers status and text, which are kept. */
  call(method: string, target: string, call?: RawCall): Promise<{ status: number; text: string }>
  /** Makes application keys over HTTP; that one answer is not kept, but searched for what else is in it. */
  createKeys(admin: string, ...users: readonly string[]): Promise<readonly { id: string; key: string }[]>
}

const everythingOf = (value: unknown): string =>
  inspect(value, { depth: null, showHidden: true, maxArrayLength: null, maxStringLength: null, getters: true })

/** A server whose logger records everything, hidden properties of errors and their causes too. */
async function watch(storage: Storage, binding: BindingName = 'node'): Promise<Watched> {
  const seen: Seen = { lines: [], answers: [], keys: [] }
  const record = (...parts: readonly unknown[]): void => {
    seen.lines.push(parts.map(everythingOf).join(' '), JSON.stringify(parts))
  }
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
      seen.lines.push(String(text))
      return true
    })
    onTestFinished(() => spy.mockRestore())
  }
  const engine = createGamification<DefinedGame>({
    game: defineGame(game),
    storage,
    logger: { warn: record, error: record },
  })
  await engine.migrate()
  const { port, close } = await listen(binding, engine, { cors: { origins: ['https://app.example.com'] } })
  onTestFinished(async () => {
    await close()
    await engine.close()
  })
  const call: Watched['call'] = async (method, target, asked) => {
    const { head, text, status } = await ask(port, method, target, asked)
    seen.answers.push(`${head}\r\n\r\n${text}`)
    return { status, text }
  }
  const createKeys: Watched['createKeys'] = async (key, ...users) => {
    const body = JSON.stringify(users.map((userId) => ({ userId })))
    const { text } = await ask(port, 'POST', '/admin/v1/application-api-keys', { key, body })
    const { created } = JSON.parse(text)
    seen.keys.push(...created.map((each: { key: string }) => each.key))
    seen.answers.push(JSON.stringify({ ...JSON.parse(text), created: created.map(withoutKey) }))
    return created
  }
  return { ...seen, engine, port, call, createKeys }
}

const withoutKey = ({ key, ...rest }: { readonly key: string }): object => rest

/** Everything that can be done with keys, in-process and over HTTP. */
async function useKeys({ engine, call, createKeys, keys, answers }: Watched): Promise<void> {
  const keep = (answer: unknown): void => void answers.push(everythingOf(answer))
  const first = await engine.adminKeys.create()
  const second = await engine.adminKeys.create()
  const third = await engine.adminKeys.create()
  keep(await engine.adminKeys.create().catch((error: unknown) => error))
  const rotated = await engine.adminKeys.rotate(second.id)
  keys.push(first.key, second.key, third.key, rotated.key)
  for (const made of [first, second, third, rotated]) keep(withoutKey(made))
  keep(await engine.adminKeys.revoke(third.id))
  keep(await engine.adminKeys.list())
  const body = '{"user":{"id":"ann"},"value":1}'
  for (const key of [first.key, second.key, third.key, rotated.key]) {
    await call('POST', '/v1/metrics/words/event', { key, body })
  }
  await call('POST', '/v1/users', { key: first.key, body: '{"id":"bob"}' })
  const [ofAnn, ofBob] = await createKeys(first.key, 'ann', 'bob', 'zoe')
  for (const operation of OPERATIONS.filter(
    ({ method, path }) => !(method === 'POST' && path === '/application-api-keys'),
  )) {
    for (const key of [...keys, ofAnn?.key ?? '', ofBob?.key ?? '']) {
      const json = operation.body === undefined ? undefined : JSON.stringify(operation.body('ann'))
      await call(operation.method, operation.target('ann'), { key, body: json })
    }
  }
  for (const key of keys) {
    // Wrong in ways that could be echoed.
    await call('POST', '/admin/v1/application-api-keys', { key: `${key}x`, body })
    await call('POST', '/v1/metrics/words/event', { key, body: '{"user":' })
    await call('POST', '/v1/metrics/words/event', { key, body: '{"user":{"id":"ann"}}' })
    await call('POST', '/v1/metrics/nothing/event', { key, body })
    await call('GET', '/v1/nothing', { key })
    await call('TRACE', '/v1/users/ann', { key })
    await call('OPTIONS', '/v1/users/ann', { key, headers: [['Origin', 'https://app.example.com']] })
    await call('GET', '/v1/users/ann', { key: `${key.slice(0, -1)}!` })
  }
  await call('DELETE', `/admin/v1/application-api-keys?ids=${ofBob?.id}`, { key: first.key })
  keep(await engine.adminKeys.reactivate(third.id))
  keep(await engine.adminKeys.delete(third.id))
  keep(await engine.adminKeys.list())
  keep(await engine.authenticate(first.key))
  keep(await engine.authenticate(ofAnn?.key))
  keep(await engine.authenticate(`${first.key}x`))
  keep(engine)
}

function expectNothingShown({ lines, answers, keys }: Seen): void {
  expectNone('an answer', Buffer.from(answers.join('\n')), keys)
  expectNone('a log line', Buffer.from(lines.join('\n')), keys)
}

test('The search of this file finds a key in each of its forms', () => {
  const key = `00000000.${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64url')}`
  for (const form of formsOf(key)) {
    expect(() => expectNone('here', Buffer.concat([Buffer.from('x'), form, Buffer.from('y')]), [key])).toThrow('here')
  }
})

// Express is Node's binding, mounted.
describe.each(['node', 'fastify', 'fetch'] as const)('Through %s', (binding) => {
  test('no answer but the one that creates a key shows it, and no log line', async () => {
    const watched = await watch(memory(), binding)
    await useKeys(watched)
    expect(watched.keys).toHaveLength(6)
    expect(watched.answers.length).toBeGreaterThan(100)
    expectNothingShown(watched)
  })
})

test('No byte of a key is in the database file, in its WAL or in any file beside it', async () => {
  const file = nextFile()
  const watched = await watch(sqlite(file))
  await useKeys(watched)
  const beside = (): readonly string[] =>
    readdirSync(dirname(file))
      .filter((name) => name.startsWith(basename(file)))
      .map((name) => join(dirname(file), name))
  const search = (): void => {
    for (const path of beside()) expectNone(path, readFileSync(path), watched.keys)
  }
  expect(existsSync(`${file}-wal`)).toBe(true)
  // What is searched is what was written: the prefixes are there.
  const written = Buffer.concat(beside().map((path) => readFileSync(path)))
  for (const key of watched.keys) expect(written.includes(key.slice(0, key.indexOf('.')))).toBe(true)
  search()
  await watched.engine.close()
  expect(existsSync(`${file}-wal`)).toBe(false)
  search()
  expectNothingShown(watched)
})

/** Of everything that a storage is asked, the worst error that it could give: one that repeats what it was given. */
function breaking(inner: Storage, isBroken: () => boolean, toError: (text: string) => unknown): Storage {
  return new Proxy(inner, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== 'function' || name === 'migrate' || name === 'close') return member
      return async (...args: readonly unknown[]) => {
        if (isBroken()) throw toError(`${String(name)}(${everythingOf(args)})`)
        return Reflect.apply(member, target, args)
      }
    },
  })
}

const ERRORS: readonly (readonly [what: string, toError: (text: string) => unknown])[] = [
  ['an error that repeats what was asked', (text) => new Error(text)],
  ['an error with properties', (text) => Object.assign(new Error('refused'), { detail: text, parameters: [text] })],
  ['an error with a cause', (text) => new Error('refused', { cause: new Error(text) })],
  ['text', (text) => text],
  ...(['unavailable', 'storage_full', 'storage_unusable', 'outcome_unknown', 'internal', 'closed'] as const).map(
    (code: ErrorCode) =>
      [code, (text: string) => new GamificationError(code, 'refused', { cause: new Error(text) })] as const,
  ),
]

describe('When the storage breaks', () => {
  test.each(ERRORS)('with %s, no log line and no answer shows a key', async (_, toError) => {
    let isBroken = false
    const asked: string[] = []
    const storage = breaking(
      memory(),
      () => isBroken,
      (text) => {
        asked.push(text)
        return toError(text)
      },
    )
    const watched = await watch(storage)
    const { engine, call, createKeys, keys, answers } = watched
    const first = await engine.adminKeys.create()
    keys.push(first.key)
    await call('POST', '/v1/users', { key: first.key, body: '{"id":"ann"}' })
    await createKeys(first.key, 'ann')
    isBroken = true

    const keep = (error: unknown): void => void answers.push(everythingOf(error), JSON.stringify(error))
    await engine.adminKeys.create().catch(keep)
    await engine.adminKeys.rotate(first.id).catch(keep)
    await engine.adminKeys.revoke(first.id).catch(keep)
    await engine.adminKeys.list().catch(keep)
    for (const key of keys) {
      await engine.authenticate(key).catch(keep)
      for (const { method, target, body } of OPERATIONS) {
        const json = body === undefined ? undefined : JSON.stringify(body('ann'))
        await call(method, target('ann'), { key, body: json })
      }
    }
    expect(asked.length).toBeGreaterThan(40)
    // Nobody but the engine has ever seen a body: what the storage is asked holds none.
    expectNone('what the storage is asked', Buffer.from(asked.join('\n')), keys)
    expectNothingShown(watched)
  })

  test('while keys are made, those that were not made are nowhere to be seen', async () => {
    let broken: string | null = null
    const inner = memory()
    const storage = new Proxy(inner, {
      get: (target, name, receiver) => {
        const member: unknown = Reflect.get(target, name, receiver)
        if (typeof member !== 'function') return member
        return (...args: readonly unknown[]) => {
          if (name === broken) throw Object.assign(new Error(`${name} was refused: ${everythingOf(args)}`), { args })
          return Reflect.apply(member, target, args)
        }
      },
    })
    const watched = await watch(storage)
    const { engine, call, answers, lines } = watched
    const { key } = await engine.adminKeys.create()
    await call('POST', '/v1/users', { key, body: '{"id":"ann"}' })
    broken = 'addApplicationKeys'
    const asked = { key, body: '[{"userId":"ann"}]', patience: 300 }
    expect([0, 500, 503]).toContain((await call('POST', '/admin/v1/application-api-keys', asked)).status)
    broken = 'addAdminKey'
    answers.push(everythingOf(await engine.adminKeys.create().catch((error: unknown) => error)))
    broken = 'updateAdminKey'
    const { id = '' } = (await engine.adminKeys.list())[0] ?? {}
    answers.push(everythingOf(await engine.adminKeys.rotate(id).catch((error: unknown) => error)))
    // Whatever looks like a body is none of theirs: they are 43 characters of base64url behind a dot.
    const shown = [...answers, ...lines].join('\n').match(/\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g)
    expect(shown).toBeNull()
    expect(lines.join('\n')).toContain('was refused')
    expectNone('a log line', Buffer.from(lines.join('\n')), [key])
  })

  test('when the last use of a key cannot be written down, the log names the key by its id', async () => {
    const inner = memory()
    const storage: Storage = {
      ...inner,
      updateAdminKey: async (...args) => {
        throw new Error(`updateAdminKey(${everythingOf(args)}) was refused`)
      },
    }
    const watched = await watch(storage)
    const { key, id } = await watched.engine.adminKeys.create()
    watched.keys.push(key)
    expect((await watched.call('GET', '/v1/achievements', { key })).status).toBe(200)
    await vi.waitFor(() => expect(watched.lines.join('\n')).toContain(id))
    expectNothingShown(watched)
  })
})
