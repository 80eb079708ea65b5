import { toInstantText } from '../engine/answers/user.ts'
import { type Entry, type EventRecorded, isHeld } from '../rules/entry.ts'
import type { Folded } from '../rules/fold.ts'
import { type Achievement, matches } from '../rules/game.ts'
import type { AchievementFact } from './facts.ts'
import { differencesOf } from './rules.ts'

/** The events of a metric achievement's metric that do not count for it. */
export interface EventCounts {
  see(folded: Folded): void
  facts(): readonly AchievementFact[]
}

/** Of an achievement of another kind there are none. */
export function countEvents(achievement: Achievement): EventCounts {
  if (achievement.trigger !== 'metric') return { see: () => undefined, facts: () => [] }
  const { metric, id, eventAttributes } = achievement
  let voided = 0
  let held = 0
  let early = 0
  let others = 0
  let newest: (Entry & EventRecorded) | null = null

  function see({ entry, step }: Folded): void {
    if (entry.kind !== 'eventRecorded' || entry.metric !== metric) return
    if (entry.voidedBy !== undefined) {
      if (isHeld(entry)) held += 1
      else voided += 1
      return
    }
    const isCounted = step.changes.some((change) => change.type === 'tallyChanged' && change.rule === id)
    if (eventAttributes.length === 0 || isCounted) return
    if (matches(eventAttributes, entry.attributes)) {
      early += 1
      return
    }
    others += 1
    newest = entry
  }

  return {
    see,
    facts: () => [
      ...(newest === null ? [] : [toNotMatching(newest, others)]),
      ...(early === 0 ? [] : [{ type: 'events_before_rule', metric, count: early } as const]),
      ...(held === 0 ? [] : [{ type: 'events_held', metric, count: held } as const]),
      ...(voided === 0 ? [] : [{ type: 'events_voided', metric, count: voided } as const]),
    ],
  }

  function toNotMatching({ id: eventId, at, attributes }: Entry & EventRecorded, count: number): AchievementFact {
    const differences = differencesOf(eventAttributes, attributes)
    return { type: 'events_not_matching', metric, count, newest: { eventId, at: toInstantText(at), differences } }
  }
}
