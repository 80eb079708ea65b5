import type { DefinedGame, PointsChange, VoidEventResponse } from '../../src/index.ts'
import { toLine } from './text.ts'

export function toVoidText(answer: VoidEventResponse, { rules }: DefinedGame): string {
  const { eventId, userId, voidId, alreadyVoided, total, points, revokedAchievements, currentStreak } = answer
  if (alreadyVoided) return `the event ${toLine(eventId)} of ${toLine(userId)} was void already: nothing changed\n`
  const metric = [...rules.metrics.values()].find(({ id }) => id === answer.metricId)
  const lines = [
    `voided the event ${eventId} of ${userId} by ${voidId}`,
    `${metric?.key ?? 'the total'}: ${total}`,
    ...Object.values(points).map(toPointsLine),
    ...(rules.streak === null ? [] : [`streak: ${currentStreak.length}`]),
    ...revokedAchievements.map(({ key }) => `achievement taken back: ${key}`),
  ]
  return lines.map((line) => `${toLine(line)}\n`).join('')
}

export function toPointsLine({ key, added, total, level }: PointsChange): string {
  const now = level === undefined ? '' : `, ${level === null ? 'below every level' : `level ${level.key}`}`
  return `${key}: ${total} (${added > 0 ? '+' : ''}${added})${now}`
}
