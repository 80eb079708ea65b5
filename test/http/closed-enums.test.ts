import { expect, onTestFinished, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { openServer, type Server } from '../support/http.ts'

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  userAttributes: ['trigger', 'type'],
  achievements: { both: { name: 'Both', trigger: 'criteria', of: [{ metric: 'words', value: 5 }] } },
  points: { xp: { name: 'XP' } },
}

async function open(): Promise<Server> {
  const server = await openServer({ definition: game })
  onTestFinished(() => server.close())
  return server
}

const write = (server: Server) =>
  server.call('POST', '/v1/metrics/words/event', { body: { user: { id: 'ann' }, value: 5 } })

test('an achievement with criteria has the trigger api on /v1, and criteria as its kind', async () => {
  const server = await open()
  const expected = { key: 'both', trigger: 'api', kind: 'criteria', criteria: [{ type: 'metric' }] }
  expect((await write(server)).body.achievements).toMatchObject([expected])
  expect((await server.call('GET', '/v1/achievements')).body).toMatchObject([expected])
  expect((await server.call('GET', '/v1/users/ann/achievements')).body).toMatchObject([expected])
  const { body } = await server.call('GET', '/v1/users/ann/wrapped')
  expect(body.activity.entireYear.achievements).toMatchObject([expected])
})

test('in the process it has the trigger criteria, and no kind', async () => {
  const { engine } = await open()
  const { achievements } = await engine.metrics.event('words', { user: { id: 'ann' }, value: 5 })
  expect(achievements).toMatchObject([{ key: 'both', trigger: 'criteria' }])
  expect(achievements[0]).not.toHaveProperty('kind')
})

test('an adjustment has the type user_creation on /v1, and adjustment as its kind; the admin API has its own value', async () => {
  const server = await open()
  await write(server)
  const body = { userId: 'ann', points: 3, reason: 'A gift' }
  await server.call('POST', '/admin/v1/points/xp/adjust', { body })
  const { awards } = (await server.call('GET', '/v1/users/ann/points/xp')).body
  expect(awards).toMatchObject([{ awarded: 3, trigger: { type: 'user_creation', kind: 'adjustment' } }])
  const inProcess = await server.engine.users.points('ann', 'xp')
  expect(inProcess.awards).toMatchObject([{ awarded: 3, trigger: { type: 'adjustment' } }])
})

test("a user's own texts stay, even with the name and value of an enum", async () => {
  const server = await open()
  const attributes = { trigger: 'criteria', type: 'adjustment' }
  const { body } = await server.call('POST', '/v1/users', { body: { id: 'ann', attributes } })
  expect(body.attributes).toEqual({ trigger: 'criteria', type: 'adjustment' })
})

test('the document of /v1 has the closed enums, and the document of the admin API has no kind', async () => {
  const server = await open()
  const schemasOf = async (path: string) => (await server.call('GET', path)).body.components.schemas
  const { UserAchievement, AwardTrigger } = await schemasOf('/v1/openapi.json')
  expect(UserAchievement.properties.trigger.enum).not.toContain('criteria')
  expect(UserAchievement.properties.kind.const).toBe('criteria')
  expect(AwardTrigger.properties.type.enum).toEqual(['achievement', 'metric', 'streak', 'time', 'user_creation'])
  const admin = await schemasOf('/admin/v1/openapi.json')
  expect(admin.UserAchievement.properties).not.toHaveProperty('kind')
  expect(admin.UserAchievement.properties.trigger.enum).toContain('criteria')
})
