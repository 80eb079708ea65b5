import { type CliCommand, EXIT, type ExitCode } from './command.ts'
import { confirm } from './confirm.ts'
import { type ChosenDatabase, DATABASE_OPTIONS, readDatabase } from './database.ts'
import type { Environment } from './environment.ts'
import { readChoice, readOptions, readWholeNumber } from './options.ts'
import { createScreen } from './screen.ts'
import { withStoredGame } from './stored-game.ts'
import { toJsonText, unknownWord, wrongCall } from './text.ts'
import { WEBHOOK_COMMANDS, type WebhookCommand, type WebhookCommandOptions } from './webhook-commands.ts'
import { WEBHOOK_KEY, WEBHOOK_KEY_HELP, webhookOptions, withoutWebhookKey } from './webhook-key.ts'

const help = `Usage: laurels webhooks <command> [id] [--db <file|url>] [options]

Receivers over HTTP of what happens, in every tenant; laurels work sends to
them.

  list             print which there are
  create           make one, and print its secret
  update <id>      change it: what is left out stays
  delete <id>      delete it for good, with what is on its way to it
  deliveries <id>  print what waits for it, and what became of the rest
  replay <id>      send again what is dead
  rotate <id>      give it another secret, and print that; the old one signs
                   beside it for a while

  --url <url>         create, update: where it is sent
  --types <list>      create, update: types of messages, with commas between
  --name <text>       create, update: for people
  --order <order>     create, update: user, each user's messages in their order
                      (the default), or none
  --secret <text>     create, rotate: the secret itself; else one is made
  --service-signature
                      create, update: sign as the hosted service does, too;
                      --no-service-signature
  --allow-internal    create, update: it may lead to this machine and its
                      network; --no-allow-internal
  --status <status>   update: active or disabled
  --limit <number>    deliveries: how many, up to 100 (default: 50)
  --before <number>   deliveries: those before, as the answer before says
  --state <state>     deliveries: waiting, done or dead; replay: done or dead
  --ids <list>        replay: ids of messages, with commas between
  --overlap <hours>   rotate: how long the old secret signs too (default: 24)
  --yes               delete: without asking
  --db <file|url>     the SQLite database, or the URL of a Postgres database
                      (default: the variable DATABASE_URL)
  --schema <name>     the schema in Postgres (default: laurels)
  --json              print the result as JSON
  -h, --help          print this

${WEBHOOK_KEY_HELP}
A secret is printed on standard output by create and rotate alone, and never
shown again.
`

const OPTIONS = {
  ...DATABASE_OPTIONS,
  url: { type: 'string' },
  types: { type: 'string' },
  name: { type: 'string' },
  order: { type: 'string' },
  secret: { type: 'string' },
  'service-signature': { type: 'boolean' },
  'no-service-signature': { type: 'boolean' },
  'allow-internal': { type: 'boolean' },
  'no-allow-internal': { type: 'boolean' },
  status: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  state: { type: 'string' },
  ids: { type: 'string' },
  overlap: { type: 'string' },
  yes: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof readOptions<typeof OPTIONS>>['values']

interface WebhookSettings extends WebhookCommandOptions {
  readonly command: WebhookCommand
  readonly database: ChosenDatabase
  readonly yes: boolean
  readonly json: boolean
}

export const webhooksCommand: CliCommand = {
  name: 'webhooks',
  help,
  run: async (args, environment) => {
    const settings = readSettings(args, environment)
    if (settings !== null) return runWebhooks(settings, environment)
    environment.output.out(help)
    return EXIT.ok
  },
}

/** null when help is asked for. */
function readSettings(args: readonly string[], environment: Environment): WebhookSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 2)
  if (values.help === true) return null
  const [name, id] = positionals
  const command = findCommand(name)
  const state = readChoice(values.state, 'state', ['waiting', 'done', 'dead']) ?? null
  return {
    command,
    id: readId(command, id),
    webhook: readWebhook(command, values),
    limit: values.limit === undefined ? 50 : readWholeNumber(values.limit, 'limit'),
    before: values.before === undefined ? null : readWholeNumber(values.before, 'before'),
    state,
    replay: {
      ...(values.ids === undefined ? {} : { ids: toList(values.ids) }),
      // What waits is sent anyway: the library says so.
      ...(state === null ? {} : { state: state as 'done' | 'dead' }),
    },
    overlapHours: values.overlap === undefined ? null : readWholeNumber(values.overlap, 'overlap'),
    database: readDatabase(values, environment),
    yes: values.yes === true,
    json: values.json === true,
  }
}

function findCommand(name: string | undefined): WebhookCommand {
  const names = WEBHOOK_COMMANDS.map((command) => command.name)
  if (name === undefined) throw wrongCall(`say what to do: ${names.join(', ')}`)
  const command = WEBHOOK_COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw wrongCall(unknownWord('command', name, names))
  return command
}

function readId({ name, takesId }: WebhookCommand, id: string | undefined): string {
  if (takesId && (id === undefined || id === '')) throw wrongCall(`say which webhook to ${name}: give the id`)
  if (!takesId && id !== undefined) throw wrongCall(`there is an argument too many: '${id}'`)
  return id ?? ''
}

function readWebhook({ name: command }: WebhookCommand, values: Values): WebhookCommandOptions['webhook'] {
  const { url, types, name, secret } = values
  if (command === 'create' && url === undefined)
    throw wrongCall('--url is missing: give the URL that messages are sent to')
  if (command === 'create' && types === undefined) {
    throw wrongCall('--types is missing: give types of messages, as achievement.completed,streak.lost')
  }
  const order = readChoice(values.order, 'order', ['user', 'none'])
  const status = readChoice(values.status, 'status', ['active', 'disabled'])
  const serviceSignature = readSwitch(values['service-signature'], values['no-service-signature'])
  const allowInternal = readSwitch(values['allow-internal'], values['no-allow-internal'])
  return {
    ...(url === undefined ? {} : { url }),
    ...(types === undefined ? {} : { types: toList(types) }),
    ...(name === undefined ? {} : { name: name === '' ? null : name }),
    ...(secret === undefined ? {} : { secret }),
    ...(order === undefined ? {} : { order }),
    ...(status === undefined ? {} : { status }),
    ...(serviceSignature === undefined ? {} : { serviceSignature }),
    ...(allowInternal === undefined ? {} : { allowInternal }),
  }
}

function readSwitch(on: boolean | undefined, off: boolean | undefined): boolean | undefined {
  if (off === true) return false
  return on === true ? true : undefined
}

function toList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

async function runWebhooks(settings: WebhookSettings, environment: Environment): Promise<ExitCode> {
  const { command, database, id, yes, json } = settings
  const { output } = environment
  const webhooks = webhookOptions(environment.variable(WEBHOOK_KEY))
  await withStoredGame(
    database,
    environment,
    createScreen(environment),
    async ({ gamification }) => {
      if (command.final !== undefined) await confirm(environment, yes, command.final, id)
      const { text, value, note } = await command.run(gamification.webhooks, settings)
      output.out(json ? toJsonText(value) : text)
      if (note !== undefined) output.err(`${note}\n`)
    },
    webhooks,
  ).catch((error: unknown) => {
    throw withoutWebhookKey(error)
  })
  return EXIT.ok
}
