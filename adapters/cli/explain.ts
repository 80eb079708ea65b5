import type { ExplainRequest, Explanation } from '../../src/index.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { DATABASE, flag, text, type Values } from './options.ts'
import { defined, toText, wrongCall } from './text.ts'

const OPTIONS = {
  ...DATABASE,
  achievement: text('<key>', 'explain this achievement'),
  event: text('<id>', 'explain the event with this id'),
  metric: text('<key>', 'or: the metric of the event,'),
  key: text('<key>', 'and with which idempotency key it was sent'),
  streak: text('<date>', 'explain the streak on this local date, such as 2026-03-02'),
  named: text('<key>', "of the streak with this key in the game's streaks"),
  tenant: text('<id>', 'the tenant of the user, in a game that has tenants'),
  json: flag('print the reasons as JSON'),
}

export const explain: CliCommand = defineCommand({
  name: 'explain',
  summary: 'print why a user has something, or has not',
  usage: [
    '<user> --achievement <key> [--db <file|url>] [options]',
    '<user> --event <id> [options]',
    '<user> --metric <key> --key <key> [options]',
    '<user> --streak <date> [--named <key>] [options]',
  ],
  about: `Prints why a user has an achievement or not, what an event did and what it did not count for, or what became of the streak on a date. Changes nothing.`,
  argument: { name: '<user>', help: 'the id of the user', missing: 'the user is missing: give an id' },
  options: OPTIONS,
  run: async ({ argument, values, openTenant }) => {
    const subject = readSubject(values)
    const value = await openTenant((api) => api.explain(argument, subject))
    return { value, text: toExplainText(value) }
  },
})

/** Throws `invalid_request` unless exactly one thing is to be explained. */
function readSubject({ achievement, event, metric, key, streak, named }: Values<typeof OPTIONS>): ExplainRequest {
  const isNamed = metric !== undefined || key !== undefined
  const given = [achievement, event, streak].filter((value) => value !== undefined)
  if (given.length + Number(isNamed) !== 1 || given[0] === '') {
    throw wrongCall('say what to explain, one thing: give --achievement, --event, --metric with --key, or --streak')
  }
  if (named !== undefined && streak === undefined)
    throw wrongCall('--named says which streak: give --streak with a date')
  if (achievement !== undefined) return { achievement }
  if (event !== undefined) return { event }
  if (streak !== undefined) return { streak: readDate(streak), ...defined({ key: named }) }
  if (metric && key) return { event: { metric, idempotencyKey: key } }
  throw wrongCall('an event that is named by its idempotency key takes both: give --metric and --key')
}

function readDate(streak: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(streak)) return streak
  throw wrongCall(`--streak must be a date such as 2026-03-02, not '${streak}'`)
}

/** The question with its answer, then a line for each reason. */
function toExplainText({ subject, holds, reasons }: Explanation): string {
  return toText([`${toQuestion(subject)}: ${holds ? 'yes' : 'no'}`, ...reasons.map(({ sentence }) => `  ${sentence}`)])
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
