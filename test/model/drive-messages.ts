import { expect } from 'vitest'
import { revokedMessageId } from '../../src/game/ids.ts'
import type { GamificationMessage, MessageType, RevocableType } from '../../src/index.ts'
import type { Driven } from './drive.ts'
import type { Fact } from './messages.ts'

// Messages of the engine in the words of the model.

const REVOCABLE: readonly RevocableType[] = [
  'achievement.completed',
  'streak.started',
  'streak.extended',
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
  'points.level_changed',
]
const FACTS: readonly MessageType[] = ['user.created', ...REVOCABLE]
const EMAILS: readonly MessageType[] = [
  'emails.achievement_due',
  'emails.recap_due',
  'emails.reactivation_due',
  'emails.streak_reminder_due',
]
const LIVE: readonly MessageType[] = [...FACTS, ...REVOCABLE.map((type) => `${type}.revoked` as const), ...EMAILS]

/** Everything from now on; or the facts, made again from the logs. */
export async function listen({ engine }: Driven, received: GamificationMessage[], from: 'now' | 'start') {
  const types = from === 'now' ? LIVE : FACTS
  await engine.subscribe(from, { types, from }, (messages) => {
    received.push(...messages)
  })
}

/** The messages that were not revoked. A revoking message has the data of the one that it revokes. */
export function inForce(received: readonly GamificationMessage[]): GamificationMessage[] {
  const found = new Map<string, GamificationMessage>()
  const revoked = new Map<string, string>()
  for (const message of received) {
    const original = revoked.get(message.id)
    if (original === undefined) {
      found.set(message.id, message)
      revoked.set(revokedMessageId(message.id), message.id)
      continue
    }
    expect(message.data, message.type).toEqual(found.get(original)?.data)
    found.delete(original)
  }
  expect([...found.values()].filter(({ type }) => type.endsWith('.revoked'))).toEqual([])
  return [...found.values()]
}

/** The facts of one user, in order of their texts. */
export function factsOf(messages: readonly GamificationMessage[], user: string): string[] {
  return toTexts(
    messages
      .filter(({ type, userId }) => userId === user && FACTS.includes(type))
      .map((message) => ({ type: message.type, at: Date.parse(message.at), data: dataOf(message) })),
  )
}

export function emailsOf(messages: readonly GamificationMessage[], user: string): Fact[] {
  return messages
    .filter(({ type, userId }) => userId === user && EMAILS.includes(type))
    .map((message) => ({ type: message.type, at: Date.parse(message.at), data: dataOf(message) }))
}

export function toTexts(facts: readonly Fact[]): string[] {
  return facts
    .map(({ type, at, data }) => {
      const fields = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))
      return `${new Date(at).toISOString()} ${type} ${fields.map(([key, value]) => `${key} ${value}`).join(', ')}`
    })
    .sort()
}

function dataOf({ data }: GamificationMessage): Fact['data'] {
  const key = 'streakKey' in data && data.streakKey !== undefined ? data.streakKey : ''
  if ('achievement' in data) return { key: data.achievement.key, count: data.achievement.count ?? 1 }
  if ('recap' in data) return { start: data.recap.periodStart, end: data.recap.periodEnd }
  if ('reactivation' in data) {
    return { messageNumber: data.reactivation.messageNumber, days: data.reactivation.daysSinceLastActive }
  }
  if ('newLevel' in data) {
    const { points, previousLevel, newLevel } = data
    return { key: points.key, from: previousLevel?.key ?? null, to: newLevel?.key ?? null, total: points.total }
  }
  if ('consumed' in data) return { key, consumed: data.consumed, freezes: data.freezes }
  if ('earned' in data) return { key, earned: data.earned, freezes: data.freezes }
  if ('streak' in data) return { key, length: data.streak.length }
  return 'length' in data ? { key, length: data.length } : {}
}
