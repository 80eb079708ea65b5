import type { JSX } from 'preact'
import type { Reason } from '../../../../../src/explain/facts.ts'
import { Badge } from '../badge.tsx'
import { formatChange, formatNumber } from '../format.ts'
import type { Names } from './entry-words.ts'

interface OutcomeProps {
  readonly reasons: readonly Reason[]
  readonly names: Names
}

/** What an event led to, in a few words each: the explanation says why, and what it did not count for. */
export function Outcome({ reasons, names }: OutcomeProps): JSX.Element {
  const paid = new Map<string, number>()
  for (const reason of reasons) {
    if (reason.type === 'points_awarded' || reason.type === 'points_by_time') {
      paid.set(reason.rule.system, (paid.get(reason.rule.system) ?? 0) + reason.awarded)
    }
  }
  return (
    <span class="row outcome">
      {reasons.map((reason, index) => {
        switch (reason.type) {
          case 'total_changed':
            return (
              <span key={index} class="muted">
                {formatNumber(reason.before)} → {formatNumber(reason.after)}
              </span>
            )
          case 'achievement_completed':
            return (
              <Badge key={index} tone="warn">
                <span dir="auto">{names.achievements.get(reason.achievement) ?? reason.achievement}</span>
              </Badge>
            )
          case 'streak_started':
          case 'streak_extended':
            return (
              <Badge key={index} tone="ice">
                {reason.key ?? 'streak'} {formatNumber(reason.length)}
              </Badge>
            )
          default:
            return null
        }
      })}
      {[...paid].map(([system, points]) => (
        <Badge key={system} tone="good">
          {formatChange(points)} {system}
        </Badge>
      ))}
    </span>
  )
}
