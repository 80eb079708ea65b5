import type { Explanation } from '../../src/index.ts'
import { toLine } from './text.ts'

/** The question with its answer, then a line for each reason. */
export function toExplainText({ subject, holds, reasons }: Explanation): string {
  const lines = [`${toQuestion(subject)}: ${holds ? 'yes' : 'no'}`, ...reasons.map(({ sentence }) => `  ${sentence}`)]
  return lines.map((line) => `${toLine(line)}\n`).join('')
}

/** What `holds` answers. */
function toQuestion(subject: Explanation['subject']): string {
  if ('achievement' in subject) return `has the achievement ${subject.achievement}`
  if ('streak' in subject) {
    return `the streak${subject.key === undefined ? '' : ` ${subject.key}`} went on, ${subject.streak}`
  }
  const { event } = subject
  return `the event ${typeof event === 'string' ? event : `${event.metric} ${event.idempotencyKey}`} counts`
}
