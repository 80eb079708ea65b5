import type { SubscriptionStatus, SubscriptionsApi } from '../../src/index.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { WEBHOOK_KEY_HELP, webhookOptions } from './database.ts'
import { DATABASE, flagOption, listOption, whole } from './options.ts'
import { type Cell, defined, EXIT, type ExitCode, plural, toMore, toTable, wrongCall } from './terminal.ts'

const SUBSCRIPTION_OPTIONS = {
  ...DATABASE,
  ids: listOption('<list>', 'retry: ids of messages, separated by commas (default: all)'),
  limit: whole('<number>', 'dead: how many (default: 50)', 50),
  before: whole('<number>', 'dead: the next page, from the answer before it', undefined),
}

const onSubscriptions =
  (run: (api: SubscriptionsApi, call: CommandCall<typeof SUBSCRIPTION_OPTIONS>) => Promise<Answer>) =>
  (call: CommandCall<typeof SUBSCRIPTION_OPTIONS>): Promise<Answer> =>
    call.open(({ gamification }) => run(gamification.subscriptions, call))

export const subscriptions: CliCommand = defineCommand({
  name: 'subscriptions',
  summary: 'list subscriptions and their dead letters',
  about: 'Handlers of your backend that take messages, each under a name.',
  members: {
    list: {
      summary: 'print the subscriptions and their progress',
      run: onSubscriptions(async (api) => {
        const value = await api.list()
        const header = ['name', 'status', 'behind', 'put aside', 'types', 'failed']
        return { value, text: toTable(header, value.map(toSubscriptionRow), 'no subscriptions\n') }
      }),
    },
    dead: {
      takes: '<name>',
      summary: 'print the messages that failed for good, newest first',
      run: onSubscriptions(async (api, { argument, values }) => {
        const { limit, before } = values
        const value = await api.deadLetters(argument, { limit, ...defined({ before }) })
        const rows = value.deadLetters.map(({ message, attempts, lastError, isRetried }) => {
          const { at, type, userId, id } = message
          return [at, type, userId ?? '', String(attempts), isRetried ? 'waits' : '', lastError ?? '', id]
        })
        const table = toTable(['at', 'type', 'user', 'attempts', '', 'error', 'id'], rows, 'nothing was put aside\n')
        return { value, text: table + toMore('before', value.next) }
      }),
    },
    retry: {
      takes: '<name>',
      summary: 'deliver messages that failed for good again',
      run: onSubscriptions(async (api, { argument, values: { ids } }) => {
        const value = await api.retry(argument, defined({ ids }))
        return { value, text: `${plural(value.retried, 'message')} will be handed over again\n` }
      }),
    },
  },
  options: SUBSCRIPTION_OPTIONS,
})

function toSubscriptionRow(status: SubscriptionStatus): readonly Cell[] {
  const { name, types, behind, deadLetters, attempts, nextAttemptAt, lastError, isActive } = status
  const failure = lastError === null ? '' : `${plural(attempts, 'time')}, next ${nextAttemptAt}: ${lastError}`
  return [name, isActive ? 'active' : 'idle', behind, deadLetters, types.join(', '), failure]
}

export const work: CliCommand = defineCommand({
  name: 'work',
  summary: 'publish due messages and send webhooks',
  about: `Publishes messages that time causes, such as a lost streak, and sends messages to webhooks, until it is interrupted. Any number of processes may do so at once; a backend that calls gamification.work() needs none. Handlers of subscriptions are code of your backend, and run only there.`,
  options: {
    ...DATABASE,
    once: flagOption('do what is due now, print the counts, and end'),
    poll: whole('<ms>', 'milliseconds between two looks for due work (default: 1,000)', undefined, [10, 60_000]),
    'allow-internal': flagOption('allow all webhooks addresses of this machine and its network'),
    json: flagOption('with --once: print the result as JSON'),
  },
  notes: WEBHOOK_KEY_HELP,
  exits: { 0: 'done or interrupted' },
  run: async ({ values, environment, open }) => {
    const { once, poll, json, 'allow-internal': allowInternal } = values
    if (json && !once) throw wrongCall('--json is for --once: leave it out')
    if (once && poll !== undefined) throw wrongCall('--poll is not for --once: leave it out')
    return open(
      async ({ gamification }): Promise<Answer | ExitCode> => {
        if (once) {
          const value = await gamification.workOnce()
          const { published, merged, delivered, failed } = value
          return { value, text: `published ${published}, merged ${merged}, delivered ${delivered}, failed ${failed}\n` }
        }
        const signal = environment.interruption()
        environment.output.err('Working until it is interrupted.\n')
        await gamification.work({ signal, pollMs: poll ?? 1_000 })
        return EXIT.ok
      },
      { webhooks: { ...webhookOptions(environment), allowInternal } },
    )
  },
})
