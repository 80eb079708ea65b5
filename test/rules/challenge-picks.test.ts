// Which quests of a pool a window has.

import { expect, test } from 'vitest'
import { defineGame } from '../../src/game/define-game.ts'
import { parseDate } from '../../src/rules/calendar.ts'
import { pickQuests, questHash } from '../../src/rules/challenge.ts'
import { hashOf } from '../model/challenges/quests.ts'
import { createRandom } from '../support/zones.ts'

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function ruleOf(keys: readonly string[], rest: object = {}) {
  const pool = keys.map((key) => [key, { name: key, of: [{ events: 'pages', count: 1 }] }])
  const daily = { name: 'Daily', every: 'day', pick: 3, pool: Object.fromEntries(pool), ...rest }
  const game = { metrics: { pages: { name: 'Pages' } }, challenges: { daily } }
  return defineGame(game as never).rules.challenges.get('daily')!
}

const DAY_1 = parseDate('2026-06-01') ?? 0
const users = Array.from({ length: 500 }, (_, user) => `user-${user}`)

test('a quest that is added to the pool changes at most one quest of each user', () => {
  const [smaller, larger] = [ruleOf(KEYS.slice(0, 7)), ruleOf(KEYS)]
  const changes = users.map((user) => {
    const before = pickQuests(smaller, user, DAY_1)
    const after = pickQuests(larger, user, DAY_1)
    return after.filter((key) => !before.includes(key)).length
  })
  expect(new Set(changes)).toEqual(new Set([0, 1]))
})

test('the order of the pool in the game does not matter', () => {
  const [forwards, backwards] = [ruleOf(KEYS), ruleOf([...KEYS].reverse())]
  for (const user of users) expect(pickQuests(backwards, user, DAY_1)).toEqual(pickQuests(forwards, user, DAY_1))
})

test('the next window has other quests for most users, and other users have others', () => {
  const rule = ruleOf(KEYS)
  const [today, tomorrow] = [DAY_1, DAY_1 + 1].map((date) => users.map((user) => pickQuests(rule, user, date).join()))
  // There are 336 ordered picks of 3 out of 8, so of 500 users one or two have the same ones by chance.
  expect(users.filter((_, index) => today?.[index] === tomorrow?.[index]).length).toBeLessThan(10)
  expect(new Set(today).size).toBeGreaterThan(200)
})

test('with `same: everyone` all users have the same quests', () => {
  const rule = ruleOf(KEYS, { same: 'everyone' })
  expect(new Set(users.map((user) => pickQuests(rule, user, DAY_1).join())).size).toBe(1)
})

test('the hash is the one that a second implementation makes of the description', () => {
  const random = createRandom(20_260_601)
  const text = () =>
    Array.from({ length: 1 + Math.floor(random() * 12) }, () => 'aB7-é"\\ 語'[Math.floor(random() * 9)]).join('')
  const names = Array.from({ length: 2_000 }, () => [text(), text(), '2026-06-01', text()] as const)
  expect(names.map((each) => questHash(...each))).toEqual(names.map((each) => hashOf(...each)))
})
