// The engine's pure part, spoken to in the words of the model.

import type { EntryBody } from '../../../src/rules/entry.ts'
import { openStreakLog } from '../../support/streak-log.ts'
import { toGame } from './histories.ts'
import type { Game } from './life.ts'
import type { Player } from './play.ts'
import type { Placed } from './user.ts'

export function createPure(game: Game): Player {
  const log = openStreakLog(toGame(game))
  return {
    call: ({ at, entry }, now, isBack) => {
      const tz = 'tz' in entry ? { tz: entry.tz } : {}
      const occurredAt = isBack ? { occurredAt: at } : {}
      const id = entry.do === 'pause' ? { id: entry.id } : {}
      return log.ask({ at: now, body: bodyOf(entry), ...id, ...tz, ...occurredAt }) === 'accepted'
    },
    read: (now, periods) => log.read(now, periods),
  }
}

function bodyOf(entry: Placed['entry']): EntryBody {
  switch (entry.do) {
    case 'event': {
      const { metric, value } = entry
      return { kind: 'eventRecorded', metric, value, attributes: new Map(), idempotencyKey: null }
    }
    case 'move':
      return { kind: 'userUpserted' }
    case 'prefer': {
      const metrics = new Map(entry.rule.metrics.map(({ key, threshold }) => [key, threshold ?? null]))
      const streak = { evaluationMode: entry.rule.mode, metrics }
      return { kind: 'preferencesChanged', notifications: new Map(), streak }
    }
    case 'turn':
      return { kind: 'preferencesChanged', notifications: new Map(), streak: { enabled: entry.isOn } }
    case 'grant':
      return { kind: 'freezesGranted', count: 1 }
    case 'pause':
      return { kind: 'pauseCreated', start: entry.start, end: entry.end }
    case 'unpause':
      return { kind: 'pauseDeleted', pause: entry.id }
    case 'restore':
      return { kind: 'streakRestored' }
  }
}
