import { toDateText } from '../../src/rules/calendar.ts'
import type { Change } from '../../src/rules/change.ts'
import { type TimeChange, timeBrings } from '../../src/rules/due.ts'
import type { Game } from '../../src/rules/game.ts'
import type { Notice } from '../../src/rules/notice.ts'
import type { UserState } from '../../src/rules/state.ts'

/**
 * The changes and messages of time from the newest entry until an instant, each in a line: the instant, and a few
 * words.
 */
export function brought(game: Game, state: UserState, until: string): readonly string[] {
  return toLines(timeBrings(game, state, state.at, Date.parse(until)))
}

export function toLines(changes: readonly TimeChange[]): readonly string[] {
  return changes.flatMap(({ at, change }) => {
    const words = toWords(change)
    return words === null ? [] : [`${toMinutes(at)} ${words}`]
  })
}

/** `2026-03-09T12:00Z`, with seconds only if there are any. */
export function toMinutes(at: number): string {
  return new Date(at).toISOString().replace(/(:00)?\.000Z$/, 'Z')
}

function toWords(change: Change | Notice): string | null {
  const which = 'key' in change && change.key !== undefined ? ` of ${change.key}` : ''
  switch (change.type) {
    case 'streakLost':
      return `streak${which} of ${change.length} lost`
    case 'streakFrozen':
      return `freeze${which} consumed, ${change.freezes.count} left`
    case 'freezesEarned':
      return `freezes${which} earned: ${change.count}, now ${change.freezes.count}`
    case 'pointsAwarded':
      return `${change.system} ${change.awarded > 0 ? '+' : ''}${change.awarded}, now ${change.total}`
    case 'levelChanged':
      return `${change.system} on level ${change.level ?? 'none'}`
    case 'timersChanged':
      return null
    case 'streakReminderDue':
      return `reminder ${change.reminder}${which} for ${toDateText(change.date)}, which ends ${toMinutes(change.ends)}`
    case 'recapDue':
      return `recap of ${toDateText(change.start)} to ${toDateText(change.end)}`
    case 'reactivationDue':
      return `reactivation ${change.messageNumber} after ${change.daysSinceLastActive} days`
    case 'achievementEmailDue':
      return `email about ${change.achievement}, time ${change.count}`
    case 'boostStarted':
    case 'boostFinished':
      return `${change.type} ${change.boost.name}`
    default:
      return change.type
  }
}
