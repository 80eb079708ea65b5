import { describe, expect, test } from 'vitest'
import {
  ATTRIBUTES,
  configurationGame,
  LEADERBOARDS,
  LEVELS,
  METRICS,
  SYSTEM,
  TRIGGERS,
} from '../configuration-game.ts'
import { expectInvalid, expectProblem, serve } from './serve.ts'

// hosted-service-rest.md, 2.3: the game, as the admin API of the service shows it.

const XP = `/admin/v1/points/${SYSTEM.id}`

describe('the admin API answers what the game has', () => {
  test.each<[path: string, body: unknown]>([
    ['/admin/v1/attributes', ATTRIBUTES],
    ['/admin/v1/metrics', METRICS],
    ['/admin/v1/leaderboards', LEADERBOARDS],
    [`${XP}/levels`, LEVELS],
    [`${XP}/triggers`, TRIGGERS],
    ['/admin/v1/points?limit=1', [SYSTEM]],
    ['/admin/v1/metrics?skip=1&limit=100', METRICS.slice(1)],
    ['/admin/v1/points/xp/triggers?skip=1&limit=2', TRIGGERS.slice(1, 3)],
    [`/admin/v1/attributes/${ATTRIBUTES[2].id}`, ATTRIBUTES[2]],
    ['/admin/v1/attributes/plan', ATTRIBUTES[0]],
    ['/admin/v1/metrics/words', METRICS[0]],
    [XP, SYSTEM],
    [`${XP}/levels/${LEVELS[1].id}`, LEVELS[1]],
    ['/admin/v1/points/xp/levels/silver', LEVELS[1]],
    [`${XP}/triggers/${TRIGGERS[4].id}`, TRIGGERS[4]],
    [`/admin/v1/leaderboards/${LEADERBOARDS[0].id}`, LEADERBOARDS[0]],
    ['/admin/v1/leaderboards/rich', LEADERBOARDS[1]],
  ])('GET %s', async (path, body) => {
    const server = await serve(configurationGame)
    const answer = await server.call('GET', path)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body })
  })

  test.each([
    ['attributes/colour', 'unknown_attribute'],
    ['metrics/old', 'unknown_metric'],
    [`metrics/${SYSTEM.id}`, 'unknown_metric'],
    ['points/gems', 'unknown_points_system'],
    ['points/xp/levels/gold', 'unknown_level'],
    [`points/coins/levels/${LEVELS[0].id}`, 'unknown_level'],
    [`points/coins/triggers/${TRIGGERS[0].id}`, 'unknown_trigger'],
    ['leaderboards/none', 'unknown_leaderboard'],
  ])('404: there is no %s', async (path, code) => {
    const server = await serve(configurationGame)
    expectProblem(await server.call('GET', `/admin/v1/${path}`), 404, code)
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['skip=-1', 'skip'],
  ])('422: lists take no %s', async (query, path) => {
    const server = await serve(configurationGame)
    for (const list of ['attributes', 'metrics', 'points', 'points/xp/levels', 'points/xp/triggers', 'leaderboards'])
      expectInvalid(await server.call('GET', `/admin/v1/${list}?${query}`), path)
  })

  test('405: nothing of it can be changed', async () => {
    const server = await serve(configurationGame)
    for (const path of ['metrics', 'metrics/words', 'points/xp/levels', 'leaderboards/top'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expectProblem(await server.call(method, `/admin/v1/${path}`, { body: {} }), 405)
  })
})
