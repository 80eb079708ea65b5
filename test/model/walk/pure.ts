// The engine's pure part, spoken to in the words of the model.

import type { EntryBody } from '../../../src/rules/entry.ts'
import { openStreakLog } from '../../support/streak-log.ts'
import { type Games, toGame } from './histories.ts'
import type { Player } from './play.ts'
import type { Placed } from './user.ts'

export function createPure(games: Games): Player {
  const log = openStreakLog(toGame(games))
  return {
    call: ({ at, entry }, now, isBack) => {
      const tz = 'tz' in entry ? { tz: entry.tz } : {}
      const occurredAt = isBack ? { occurredAt: at } : {}
      const id = entry.do === 'pause' ? { id: entry.id } : {}
      return log.ask({ at: now, body: bodyOf(entry, games), ...id, ...tz, ...occurredAt }) === 'accepted'
    },
    read: (now, periods) => {
      const own = log.read(now, periods)
      return games.gym === null ? own : { ...own, gym: log.read(now, periods, 'gym') }
    },
  }
}

function bodyOf(entry: Placed['entry'], { gym }: Games): EntryBody {
  const which = 'isOfGym' in entry && entry.isOfGym === true && gym !== null ? { streakKey: 'gym' } : {}
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
      return { kind: 'freezesGranted', count: 1, ...which }
    case 'pause':
      return { kind: 'pauseCreated', start: entry.start, end: entry.end }
    case 'unpause':
      return { kind: 'pauseDeleted', pause: entry.id }
    case 'restore':
      return { kind: 'streakRestored', ...which }
    case 'reset':
      return { kind: 'streakReset', ...which }
  }
}
