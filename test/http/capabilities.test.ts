// Returns true if a client may do something, by the game's `clients` and the key's rights.

import { describe, expect, test } from 'vitest'
import type { Action, Clients } from '../../src/api/endpoint.ts'
import { findDenied, toDenialMessage } from '../../src/http/capabilities.ts'

const clients: NonNullable<Clients> = {
  events: new Map([
    ['steps', { min: 0, max: 20_000, attributes: new Set(['mood']) }],
    ['weight', { min: -5, max: 5, attributes: new Set() }],
    ['a:b', { min: 0, max: null, attributes: new Set() }],
  ]),
  achievements: new Set(['tour']),
  challenges: new Set(['sprint']),
  redeem: new Set(['mug']),
  attributes: new Set(['theme']),
  profile: new Set(['name', 'notifications']),
}
const nothing: NonNullable<Clients> = {
  events: new Map(),
  achievements: new Set(),
  challenges: new Set(),
  redeem: new Set(),
  attributes: new Set(),
  profile: new Set(),
}

const READ: Action = { type: 'read' }
const event = (metric: string, value: number): Action => ({ type: 'event', metric, value })
const complete = (achievement: string): Action => ({ type: 'achievement', achievement })
const takePart = (challenge: string): Action => ({ type: 'challenge', challenge })
const redeem = (reward: string): Action => ({ type: 'reward', reward })
const attribute = (name: string): Action => ({ type: 'attribute', attribute: name })
const withAttribute = (metric: string, name: string): Action => ({ type: 'eventAttribute', metric, attribute: name })
const NAME: Action = { type: 'field', field: 'name' }
const EMAIL: Action = { type: 'field', field: 'email' }
const STREAK: Action = { type: 'field', field: 'streak' }
const HIDE: Action = { type: 'choice', choice: 'leaderboards' }
const USER: Action = { type: 'user' }
const OTHER: Action = { type: 'other' }

const mayByGame = (action: Action): boolean => findDenied(clients, null, [action]) === null
const mayByKey = (can: readonly string[], action: Action): boolean => findDenied(null, can, [action]) === null

describe('Where the game says nothing of clients', () => {
  test('a key without `can` may do everything', () => {
    for (const action of [READ, event('steps', 9e14), complete('tour'), attribute('plan'), EMAIL, USER, OTHER]) {
      expect(findDenied(null, null, [action])).toBeNull()
    }
  })

  test('but say when an event happened: that is for admin keys', () => {
    const denied = findDenied(null, null, [{ type: 'occurredAt' }])
    expect(denied).toEqual({ action: { type: 'occurredAt' }, by: 'rights' })
    expect(denied && toDenialMessage('An application key', denied, null)).toBe(
      'An application key may not say when an event happened (`occurredAt`): use an admin key.',
    )
  })
})

describe('A client of a game with `clients`', () => {
  test.each([
    ['may read', READ],
    ['may send a metric that is named, from its smallest value', event('steps', 0)],
    ['to its largest', event('steps', 20_000)],
    ['may take away where the game says so', event('weight', -5)],
    ['may send any value where there is no largest', event('a:b', 1e15)],
    ['may send an event with an attribute that is named', withAttribute('steps', 'mood')],
    ['may complete an achievement that is named', complete('tour')],
    ['may take part in a challenge that is named', takePart('sprint')],
    ['may redeem a reward that is named', redeem('mug')],
    ['may set an attribute that is named', attribute('theme')],
    ['may set a field that is named', NAME],
    ['may update its user with nothing', USER],
    ["may set a choice that is its user's own", HIDE],
  ])('%s', (_, action) => {
    expect(mayByGame(action)).toBe(true)
  })

  test.each([
    ['may not send more than the largest value', event('steps', 20_000.5)],
    ['may not take away unless the game says so', event('steps', -1)],
    ['may not send less than the smallest value', event('weight', -5.01)],
    ['may not send another metric', event('words', 1)],
    ['may not send an event with another attribute', withAttribute('steps', 'theme')],
    ['may not send that attribute with another metric', withAttribute('weight', 'mood')],
    ['may not complete another achievement', complete('win')],
    ['may not take part in another challenge', takePart('daily')],
    ['may not redeem another reward', redeem('car')],
    ['may not set another attribute', attribute('plan')],
    ['may not set another field', EMAIL],
    ['may not set preferences of another kind', STREAK],
    ['may not do what a route does not say', OTHER],
  ])('%s', (_, action) => {
    expect(mayByGame(action)).toBe(false)
  })

  test('may do nothing but read where the game lets it do nothing', () => {
    expect(findDenied(nothing, null, [READ])).toBeNull()
    for (const action of [event('steps', 1), complete('tour'), attribute('theme'), NAME, USER, OTHER]) {
      expect(findDenied(nothing, null, [action])).toEqual({ action, by: 'clients' })
    }
  })

  test('may do a call only if it may do all that it does: the first that it may not is named', () => {
    const actions = [event('steps', 5), NAME, attribute('plan'), EMAIL]
    expect(findDenied(clients, null, actions)).toEqual({ action: attribute('plan'), by: 'clients' })
  })
})

describe('A key that can little', () => {
  test.each([
    [['read'], READ, true],
    [['read'], USER, false],
    [['read'], NAME, false],
    [['events'], event('steps', 1), true],
    [['events:steps'], event('steps', 1), true],
    [['events:steps'], event('step', 1), false],
    [['events:steps'], event('words', 1), false],
    [['attributes'], withAttribute('steps', 'mood'), false],
    [['events:words'], withAttribute('steps', 'mood'), false],
    [['events:a:b'], event('a:b', 1), true],
    [['events:a'], event('a:b', 1), false],
    [['achievements:tour'], complete('tour'), true],
    [['achievements:tour'], complete('win'), false],
    [['achievements:steps'], event('steps', 1), false],
    [['redeem'], redeem('mug'), true],
    [['redeem:mug'], redeem('mug'), true],
    [['redeem:mug'], redeem('car'), false],
    [['attributes:theme'], attribute('theme'), true],
    [['attributes:theme'], attribute('plan'), false],
    [['attributes:theme'], USER, true],
    [['attributes'], NAME, false],
    [['profile'], NAME, true],
    [['profile'], attribute('theme'), false],
    [['profile'], HIDE, true],
    [['read', 'attributes'], HIDE, false],
    [['read', 'profile', 'attributes', 'events', 'achievements'], OTHER, false],
  ])('for %j: %j is %j', (can, action, allowed) => {
    expect(mayByKey(can, action)).toBe(allowed)
  })

  test('is for nothing where it cannot be read, not even in part', () => {
    for (const can of [[], ['everything'], ['read', 'admin'], ['events:'], ['READ'], ['profile:name'], ['']]) {
      expect(mayByKey(can, READ)).toBe(false)
      expect(mayByKey(can, event('steps', 1))).toBe(false)
    }
  })

  test('narrows what the game lets clients do, and never widens it', () => {
    const able = ['events:words', 'events:steps', 'profile']
    expect(findDenied(clients, able, [event('words', 1)])?.by).toBe('clients')
    expect(findDenied(clients, able, [event('steps', 1)])).toBeNull()
    expect(findDenied(clients, able, [event('weight', 1)])?.by).toBe('key')
    expect(findDenied(clients, able, [EMAIL])?.by).toBe('clients')
  })
})

describe('A denial', () => {
  test.each([
    [event('words', 1), 'send events of "words"'],
    [event('steps', 99_999), 'send a value of 99999 in an event of "steps"'],
    [complete('win'), 'complete the achievement "win"'],
    [EMAIL, 'set the field email of its user'],
    [redeem('car'), 'redeem the reward "car"'],
    [attribute('plan'), 'set the attribute "plan" of its user'],
    [OTHER, 'do this'],
  ])('by the game of %j names what was sent', (action, told) => {
    const text = toDenialMessage('A session', { action, by: 'clients' }, clients)
    expect(text).toBe(`A session may not ${told}: the game's \`clients\` do not let it.`)
  })

  test('of an attribute of an event says what would let it', () => {
    const text = toDenialMessage('A session', { action: withAttribute('steps', 'source'), by: 'clients' }, clients)
    expect(text).toBe(
      'A session may not send the attribute "source" in an event of "steps": the game\'s `clients` do not let it. List it in `clients.events.steps.attributes`.',
    )
  })

  test('by a key says so, and tells nothing of the game', () => {
    const denial = { action: event('steps', 99_999), by: 'key' } as const
    const text = toDenialMessage('An application key', denial, clients)
    expect(text).toBe('An application key may not send events of "steps": its key was made for less (`can`).')
    expect(toDenialMessage('An application key', { action: READ, by: 'key' }, clients)).toContain('may not read:')
    expect(toDenialMessage('An application key', { action: USER, by: 'key' }, clients)).toContain(
      'create or update its user',
    )
  })
})
