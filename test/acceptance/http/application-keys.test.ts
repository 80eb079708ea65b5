import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../../src/index.ts'
import { UUID_7 } from '../../support/engine.ts'
import { expectInvalid, expectProblem, expectStatus, type Server, serve } from './serve.ts'

const game: GameDefinition = { metrics: { words: { name: 'Words written' } } }
const PATH = '/admin/v1/application-api-keys'

const FULL_KEY: string = expect.stringMatching(/^app_[^.]{12}\.[A-Za-z0-9_-]{43}$/)
const PREFIX: string = expect.stringMatching(/^app_[^.]{12}$/)
const MESSAGE: string = expect.stringMatching(/\S+ \S+/)

const serveUsers = async (...ids: readonly string[]): Promise<Server> => {
  const server = await serve(game)
  for (const id of ids) await server.call('POST', '/v1/users', { body: { id } })
  return server
}

const create = (server: Server, ...ids: readonly string[]) =>
  server.call('POST', PATH, { body: ids.map((userId) => ({ userId })) })

describe('4.13 POST /application-api-keys', () => {
  test('200 when none was created', async () => {
    const server = await serveUsers()
    const answer = await create(server, 'zoe')
    expectStatus(answer, 200)
    expect(answer.body).toEqual({
      created: [],
      issues: [{ index: 0, userId: 'zoe', severity: 'error', message: MESSAGE }],
    })
    expectProblem(await server.call('GET', '/v1/users/zoe'), 404, 'unknown_user')
  })

  test('an item without a user id is an issue without userId, and does not stop the others', async () => {
    const server = await serveUsers('ann')
    const { status, body } = await server.call('POST', PATH, { body: [{}, { userId: 'ann' }] })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        created: [{ id: UUID_7, userId: 'ann', key: FULL_KEY, prefix: PREFIX }],
        issues: [{ index: 0, severity: 'error', message: MESSAGE }],
      },
    })
  })

  test('section 8: 100 items are accepted, 101 are 422 and create nothing', async () => {
    const server = await serveUsers('ann')
    const hundred = await create(server, 'ann', ...Array.from({ length: 99 }, (_, index) => `u${index}`))
    expectStatus(hundred, 201)
    expect(hundred.body.created).toHaveLength(1)
    expect(hundred.body.issues).toHaveLength(99)
    expect(hundred.body.issues[98]).toEqual({ index: 99, userId: 'u98', severity: 'error', message: MESSAGE })
    expectInvalid(await create(server, 'ann', ...Array.from({ length: 100 }, (_, index) => `u${index}`)))
  })
})

describe('4.13 DELETE /application-api-keys', () => {
  const createThree = async (server: Server): Promise<readonly { readonly id: string; readonly key: string }[]> =>
    (await create(server, 'ann', 'bob', 'cid')).body.created

  test('answers 200 with what was deleted, and the key is invalid at once', async () => {
    const server = await serveUsers('ann', 'bob', 'cid')
    const [ofAnn, ofBob] = await createThree(server)
    expect((await server.call('GET', '/v1/users/ann', { key: ofAnn!.key })).status).toBe(200)
    const answer = await server.call('DELETE', `${PATH}?ids=${ofAnn!.id}`)
    expectStatus(answer, 200)
    expect(answer.body).toEqual({ deleted: [{ id: ofAnn!.id }], issues: [] })
    expectProblem(await server.call('GET', '/v1/users/ann', { key: ofAnn!.key }), 401)
    expect((await server.call('GET', '/v1/users/bob', { key: ofBob!.key })).status).toBe(200)
  })

  test('does not delete an admin key', async () => {
    const server = await serveUsers()
    const [admin] = await server.engine.adminKeys.list()
    const { status, body } = await server.call('DELETE', `${PATH}?ids=${admin!.id}`)
    expect(status).toBe(200)
    expect(body.deleted).toEqual([])
    expect(await server.engine.adminKeys.list()).toHaveLength(1)
  })
})
