import type { ApproveEventResponse, DefinedGame } from '../../src/index.ts'
import { toLine } from './text.ts'
import { toPointsLine } from './void-text.ts'

export function toApproveText(answer: ApproveEventResponse, { rules }: DefinedGame): string {
  const { eventId, userId, approvalId, alreadyApproved, total, points, achievements, currentStreak } = answer
  if (alreadyApproved)
    return `the event ${toLine(eventId)} of ${toLine(userId)} was approved already: nothing changed\n`
  const metric = [...rules.metrics.values()].find(({ id }) => id === answer.metricId)
  const lines = [
    `approved the event ${eventId} of ${userId} by ${approvalId}`,
    `${metric?.key ?? 'the total'}: ${total}`,
    ...Object.values(points).map(toPointsLine),
    ...(rules.streak === null ? [] : [`streak: ${currentStreak.length}`]),
    ...achievements.map(({ key }) => `achievement completed: ${key}`),
  ]
  return lines.map((line) => `${toLine(line)}\n`).join('')
}
