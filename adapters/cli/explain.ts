import type { DefinedGame, ExplainRequest, Explanation, GamificationApi } from '../../src/index.ts'
import { type CliCommand, defineCommand } from './command.ts'
import { DATABASE, dateOption, orNothing, TENANT, textOption, type Values } from './options.ts'
import { defined, toText, wrongCall } from './terminal.ts'

const OPTIONS = {
  ...DATABASE,
  achievement: textOption('<key>', 'explain this achievement'),
  event: textOption('<id>', 'explain the event with this id'),
  metric: textOption('<key>', 'or: the metric of the event,'),
  key: textOption('<key>', 'and its idempotency key'),
  streak: orNothing(
    dateOption('explain the streak on this local date, such as 2026-03-02; without one, its newest loss', '2026-03-02'),
  ),
  named: textOption('<key>', "the streak with this key in the game's streaks"),
  leaderboard: textOption('<key>', 'explain why the user is on this leaderboard, or not'),
  challenge: textOption('<key>', "explain the user's quests of this challenge"),
  balance: textOption('<key>', "explain the user's balance of this points system"),
  run: dateOption('a date in the run, such as 2026-03-02; without one, the current run', '2026-03-02'),
  tenant: TENANT,
}

export const explainCommand: CliCommand = defineCommand({
  name: 'explain',
  summary: 'explain an achievement, event, streak, place, challenge or balance',
  usage: [
    '<user> --achievement <key> [--db <file|url>] [options]',
    '<user> --event <id> [options]',
    '<user> --metric <key> --key <key> [options]',
    '<user> --streak [<date>] [--named <key>] [options]',
    '<user> --leaderboard <key> [--run <date>] [options]',
    '<user> --challenge <key> [options]',
    '<user> --balance <key> [options]',
  ],
  about: `Explains why a user has or lacks an achievement, what an event changed, or what happened to the streak on a date. Also explains why a user is on a leaderboard or not, why a challenge has these quests, and why a balance has its amount. Changes nothing.`,
  argument: { name: '<user>', help: 'the id of the user' },
  options: OPTIONS,
  run: async ({ argument, values, openTenant }) => {
    const subject = readSubject(values)
    const value = await openTenant(async ({ api }) => {
      if (!('streak' in subject) || subject.streak !== '') return api.explain(argument, subject)
      return api.explain(argument, { ...subject, streak: await newestLoss(api, argument, subject.key) })
    })
    const lines = value.reasons.map(({ sentence }) => `  ${sentence}`)
    return { value, text: toText([`${toQuestion(value.subject)}: ${value.holds ? 'yes' : 'no'}`, ...lines]) }
  },
})

const MOST_PERIODS = 400

/** The first date of the last period that lost a streak, or else of the current one. */
export async function newestLoss(
  api: GamificationApi<DefinedGame>,
  user: string,
  streak: string | undefined,
): Promise<string> {
  const request = { historyPeriods: MOST_PERIODS, ...defined({ streak }) }
  const { streakHistory } = await api.users.streak(user, request)
  const lost = streakHistory.findLast(({ length }, index) => {
    return length === 0 && (streakHistory[index - 1]?.length ?? 0) > 0
  })
  return (lost ?? streakHistory.at(-1))?.periodStart ?? ''
}

function readSubject(values: Values<typeof OPTIONS>): ExplainRequest {
  const { achievement, event, metric, key, streak, named, leaderboard, run, challenge, balance } = values
  const isNamed = metric !== undefined || key !== undefined
  const given = [achievement, event, streak, leaderboard, challenge, balance].filter((value) => value !== undefined)
  if (given.length + Number(isNamed) !== 1 || [achievement, event, leaderboard, challenge, balance].includes('')) {
    throw wrongCall(
      'say what to explain, one thing: give --achievement, --event, --metric with --key, --streak, --leaderboard, --challenge, or --balance',
    )
  }
  if (named !== undefined && streak === undefined) throw wrongCall('--named says which streak: give --streak')
  if (run !== undefined && leaderboard === undefined) throw wrongCall('--run says which run: give --leaderboard')
  if (achievement !== undefined) return { achievement }
  if (challenge !== undefined) return { challenge }
  if (balance !== undefined) return { balance }
  if (leaderboard !== undefined) return { leaderboard, ...defined({ run }) }
  if (event !== undefined) return { event }
  if (streak !== undefined) return { streak, ...defined({ key: named }) }
  if (metric && key) return { event: { metric, idempotencyKey: key } }
  throw wrongCall('an event that is named by its idempotency key takes both: give --metric and --key')
}

function toQuestion(subject: Explanation['subject']): string {
  if ('achievement' in subject) return `has the achievement ${subject.achievement}`
  if ('streak' in subject) {
    return `the streak${subject.key === undefined ? '' : ` ${subject.key}`} went on, ${subject.streak}`
  }
  if ('leaderboard' in subject) return `is seen on the leaderboard ${subject.leaderboard}`
  if ('challenge' in subject) return `has completed the challenge ${subject.challenge}`
  if ('balance' in subject) return `can spend ${subject.balance}`
  const { event } = subject
  return `the event ${typeof event === 'string' ? event : `${event.metric} ${event.idempotencyKey}`} counts`
}
