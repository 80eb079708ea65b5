import { expect, test } from 'vitest'
import { missingIn, readClient } from './official-client.ts'

const client = readClient('node_modules/@trophyso/node')

test('The routes, fields and values of the installed client are read', () => {
  expect(client.routes).toContain('PATCH /users/{}/preferences')
  expect(client.routes).toContain('POST /metrics/{}/event')
  expect(client.fields).toContain('BulkStreakResponseItem.streakLength')
  expect(client.values).toContain('AchievementResponseTrigger.streak')
})

test('laurels has all of them', () => {
  expect(missingIn(client)).toEqual({ routes: [], fields: [], values: [] })
})

test('What a newer client adds is named', () => {
  const newer = {
    routes: [...client.routes, 'GET /users/{}/horoscope'],
    fields: [...client.fields, 'User.starSign'],
    values: [...client.values, 'AchievementResponseTrigger.astrology'],
  }
  expect(missingIn(newer)).toEqual({
    routes: ['GET /users/{}/horoscope'],
    fields: ['User.starSign'],
    values: ['AchievementResponseTrigger.astrology'],
  })
})
