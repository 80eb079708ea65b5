// How much of a query and of a path is read.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { memory } from '../../adapters/memory/index.ts'
import { type Engine, NOON, openOn } from '../support/engine.ts'
import { type Bare, createBare } from './bare.ts'

let engine: Engine
let bare: Bare
let key: string

beforeAll(async () => {
  engine = await openOn(memory(), { now: NOON }, { metrics: { words: { name: 'Words' } } })
  bare = createBare(engine)
  await engine.users.create({ id: 'ann' })
  key = (await engine.adminKeys.create()).key
})
afterAll(() => engine.close())

async function get(path: string): Promise<{ readonly status: number | undefined; readonly error: string | undefined }> {
  const told = await bare.ask({ method: 'GET', path, headers: [['X-API-KEY', key]] })
  return { status: told?.status, error: JSON.parse(told?.body ?? '{}').error }
}

const times = (count: number, text: string): string => Array(count).fill(text).join('&')

test('a query may have 1,000 parameters, and no more', async () => {
  expect(await get(`/v1/users/ann?${times(1_000, 'a=1')}`)).toEqual({ status: 200, error: undefined })
  expect(await get(`/v1/users/ann?${times(1_001, 'a=1')}`)).toEqual({
    status: 400,
    error: 'The query has over 1000 parameters: send fewer at once.',
  })
})

test.each([
  ['commas', `userIds=${','.repeat(100_000)}`],
  ['parameters', times(1_000, 'userIds=ann,ann')],
  ['101 ids', `userIds=${Array(101).fill('ann').join(',')}`],
])('a list of too many items is one mistake: %s', async (_, query) => {
  expect(await get(`/v1/streaks?${query}`)).toEqual({
    status: 422,
    error: 'Invalid query: userIds: must have at most 100 items',
  })
})

test('100 ids are not too many', async () => {
  expect((await get(`/v1/streaks?userIds=${Array(100).fill('ann').join(',')}`)).status).toBe(200)
})

test.each([
  ['/v1/users/ann/metrics/words/event-summary', 422],
  ['/v1/users/ann/metrics/words/event-summary/', 404],
  ['/v1/users/ann/metrics/words/event-summary/x', 404],
  ['/v1/users/ann/metrics/words/event-summary/x/y/z', 404],
  [`/v1/users/ann${'/'.repeat(100_000)}`, 404],
])('a path is known as a whole: %s', async (path, status) => {
  expect((await get(path)).status).toBe(status)
})
