import type { WorkReport } from '../../src/index.ts'
import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { toJsonText, wrongCall } from './text.ts'
import { WEBHOOK_KEY, WEBHOOK_KEY_HELP, webhookOptions } from './webhook-key.ts'

const help = `Usage: laurels work [--once] [--db <file|url>]

Tells what time alone brings, as a streak that was lost, and sends what happens
to webhooks, until it is interrupted. Any number of processes may do so at once;
a backend that calls gamification.work() needs none. Handlers of subscriptions
are code of your backend, and run there alone.

  --once            do what is due now, print how much that was, and end
  --poll <ms>       how often it looks for what is due (default: 1,000)
  --allow-internal  every webhook may lead to this machine and its network
  --db <file|url>   the SQLite database, or the URL of a Postgres database
                    (default: the variable DATABASE_URL)
  --schema <name>   the schema in Postgres (default: laurels)
  --json            with --once: print the result as JSON
  -h, --help        print this

${WEBHOOK_KEY_HELP}

Exit codes: 0 done or interrupted, 2 the call is wrong or the storage failed.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  once: { type: 'boolean' },
  poll: { type: 'string' },
  'allow-internal': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

interface WorkSettings {
  readonly database: ChosenDatabase
  readonly once: boolean
  readonly pollMs: number
  readonly allowInternal: boolean
  readonly json: boolean
}

export const workCommand: CliCommand = {
  name: 'work',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return runWork(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): WorkSettings | null {
  const { values } = readOptions(args, OPTIONS, 0)
  if (values.help === true) return null
  const once = values.once === true
  if (values.json === true && !once) throw wrongCall('--json is for --once: leave it out')
  if (once && values.poll !== undefined) throw wrongCall('--poll is not for --once: leave it out')
  return {
    database: readDatabase(values, environment),
    once,
    pollMs: readPoll(values.poll),
    allowInternal: values['allow-internal'] === true,
    json: values.json === true,
  }
}

function readPoll(given: string | undefined): number {
  if (given === undefined) return 1_000
  const ms = Number(given)
  if (/^\d+$/.test(given) && ms >= 10 && ms <= 60_000) return ms
  throw wrongCall(`--poll must be 10 to 60,000 milliseconds, not '${given}'`)
}

async function runWork(
  { database, once, pollMs, allowInternal, json }: WorkSettings,
  environment: Environment,
): Promise<ExitCode> {
  const { output, interruption, variable } = environment
  const webhooks = { ...webhookOptions(variable(WEBHOOK_KEY)), allowInternal }
  await withStoredGame(
    database,
    environment,
    createScreen(environment),
    async ({ gamification }) => {
      if (once) {
        const report = await gamification.workOnce()
        output.out(json ? toJsonText(report) : toText(report))
        return
      }
      const signal = interruption()
      output.err('Working until it is interrupted.\n')
      await gamification.work({ signal, pollMs })
    },
    webhooks,
  )
  return EXIT.ok
}

function toText({ told, merged, delivered, failed }: WorkReport): string {
  return `told ${told}, merged ${merged}, delivered ${delivered}, failed ${failed}\n`
}
