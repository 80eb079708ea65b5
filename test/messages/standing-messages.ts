import { expect } from 'vitest'
import { revokedMessageId } from '../../src/game/ids.ts'
import type { GamificationMessage, MessageType, RevocableType } from '../../src/index.ts'

const REVOCABLE: readonly RevocableType[] = [
  'achievement.completed',
  'streak.started',
  'streak.extended',
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
  'points.level_changed',
]
/** What is made again of the logs. */
export const STANDING: readonly MessageType[] = ['user.created', ...REVOCABLE]
/** The same, and what takes it back. */
export const LIVE: readonly MessageType[] = [...STANDING, ...REVOCABLE.map((type) => `${type}.revoked` as const)]

/** What is told and not taken back, as texts that say what it is. */
export function standing(handed: readonly GamificationMessage[]): readonly string[] {
  const told = new Map<string, string>()
  const byRevoked = new Map<string, string>()
  for (const { id, type, userId } of handed) {
    const original = byRevoked.get(id)
    if (type.endsWith('.revoked')) {
      expect(original).toBeDefined()
      told.delete(original ?? '')
      continue
    }
    told.set(id, `${userId} ${type} ${id}`)
    byRevoked.set(revokedMessageId(id), id)
  }
  return [...told.values()].sort()
}
