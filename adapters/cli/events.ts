import type {
  ApproveEventResponse,
  DefinedGame,
  EventsOf,
  GamificationApi,
  PointsChange,
  VoidEventResponse,
  VoidEventsResponse,
  VoidRequest,
} from '../../src/index.ts'
import { type Answer, type CliCommand, defineCommand } from './command.ts'
import { readInstant } from './import-files.ts'
import { DATABASE, flagOption, TENANT, textOption, type Values, whole } from './options.ts'
import { defined, EXIT, plural, toTable, toText, wrongCall } from './terminal.ts'

const NAMED = {
  user: textOption('<id>', 'or: the user of the event,'),
  metric: textOption('<key>', 'its metric,'),
  key: textOption('<key>', 'and its idempotency key'),
}

const VOID_OPTIONS = {
  ...DATABASE,
  event: textOption('<id>', 'the id of the event'),
  ...NAMED,
  by: textOption(
    '<key id>',
    'or: all events that this API key wrote; delete the key first (laurels keys list [--user <id>] shows its id)',
  ),
  from: textOption('<time>', 'or: all events of --user from this instant on'),
  to: textOption('<time>', 'and before this one, as 2026-03-10T12:00:00Z'),
  tenant: TENANT,
  reason: textOption('<text>', 'why; the log keeps it'),
  revoke: flagOption('take back achievements that the user would not have without the event'),
}

type VoidValues = Values<typeof VOID_OPTIONS>

export const voidCommand: CliCommand = defineCommand({
  name: 'void',
  summary: 'undo events',
  usage: [
    '[--db <file|url>] --event <id> [options]',
    '[--db <file|url>] --user <id> --metric <key> --key <key>',
    '[--db <file|url>] --by <key id>',
    '[--db <file|url>] --user <id> --from <time> --to <time>',
  ],
  about: `Undoes an event, all events that one API key wrote, or all of a user in a time. It stays in the log, with its idempotency key used. The user's totals, points, level, streak and places become those without it. An event that is void already stays so.`,
  options: VOID_OPTIONS,
  exits: {
    0: 'the event is void, or the events are',
    1: 'those of some users stay',
    2: 'the call is wrong or the storage failed; what is void by then stays so',
  },
  run: async ({ values, openTenant }) => {
    const others = ', or --by, or --user, --from and --to'
    const event = readSeveral(values) ?? readEvent(values.event, values, '--event', others)
    const options = { revoke: values.revoke, ...defined({ reason: values.reason }) }
    return openTenant(async ({ api, game }): Promise<Answer> => {
      if (typeof event !== 'string' && ('by' in event || 'between' in event)) return voidSeveral(api, event, options)
      const value = await api.events.void(event, options)
      return { value, text: toVoidText(value, game) }
    })
  },
})

/** Returns `null` if none of the options for several events is there. */
function readSeveral({ by, user, from, to, event, metric, key }: VoidValues): EventsOf | null {
  if (by === undefined && from === undefined && to === undefined) return null
  if ([event, metric, key].some((each) => each !== undefined))
    throw wrongCall('name one event or several: --event, --metric and --key do not go with --by, --from and --to')
  if (by === undefined) {
    if (!user) throw wrongCall('--from and --to want --user, whose events they are')
    return { user, between: { from: readTime('from', from), to: readTime('to', to) } }
  }
  if (by !== '' && user === undefined && from === undefined && to === undefined) return { by }
  throw wrongCall('--by is the id of an API key, and goes with none of --user, --from and --to')
}

function readTime(name: string, given: string | undefined): Date {
  const instant = readInstant(given)
  if (instant === null) throw wrongCall(`--${name} must be an instant, as 2026-03-10T12:00:00Z`)
  return instant
}

type EventSubject = string | { readonly user: string; readonly metric: string; readonly idempotencyKey: string }

/** `how` and `others` are parts of the error message: how to give the id, and other ways to select events. */
function readEvent(id: string | undefined, named: Values<typeof NAMED>, how: string, others = ''): EventSubject {
  const { user, metric, key: idempotencyKey } = named
  const isNamed = user !== undefined || metric !== undefined || idempotencyKey !== undefined
  if (id && !isNamed) return id
  if (id === undefined && user && metric && idempotencyKey) return { user, metric, idempotencyKey }
  throw wrongCall(`say which event: give ${how}, or --user, --metric and --key${others}`)
}

async function voidSeveral(api: GamificationApi<DefinedGame>, events: EventsOf, request: VoidRequest): Promise<Answer> {
  const users: VoidEventsResponse['users'][number][] = []
  for (;;) {
    const { issues, hasMore, voided, users: more } = await api.events.void(events, request)
    users.push(...more)
    // After a call that voided nothing, the next one would get the same users.
    if (hasMore && voided > 0) continue
    const total = users.reduce((sum, user) => sum + user.voided, 0)
    const isNothing = total === 0 && issues.length === 0
    const done = `voided ${plural(total, 'event')} of ${plural(users.length, 'user')}`
    const lines = [
      isNothing ? 'there are no such events that count: nothing changed' : done,
      ...issues.map(({ userId, message }) => `the events of ${userId} stay: ${message}`),
    ]
    const value = { voided: total, users, issues, hasMore }
    return { value, text: toText(lines), code: issues.length === 0 ? EXIT.ok : EXIT.found }
  }
}

function toVoidText(answer: VoidEventResponse, game: DefinedGame): string {
  const { eventId, userId, voidId, alreadyVoided, revokedAchievements } = answer
  if (alreadyVoided) return toText([`the event ${eventId} of ${userId} was void already: nothing changed`])
  return toText([
    `voided the event ${eventId} of ${userId} by ${voidId}`,
    ...toStandLines(answer, game),
    ...revokedAchievements.map(({ key }) => `achievement taken back: ${key}`),
  ])
}

function toStandLines(
  { metricId, total, points, currentStreak }: VoidEventResponse | ApproveEventResponse,
  { rules }: DefinedGame,
): readonly string[] {
  const metric = [...rules.metrics.values()].find(({ id }) => id === metricId)
  return [
    `${metric?.key ?? 'the total'}: ${total}`,
    ...Object.values(points).map(toPointsLine),
    ...(rules.streak === null ? [] : [`streak: ${currentStreak.length}`]),
  ]
}

function toPointsLine({ key, added, total, level }: PointsChange): string {
  const now = level === undefined ? '' : `, ${level === null ? 'below every level' : `level ${level.key}`}`
  return `${key}: ${total} (${added > 0 ? '+' : ''}${added})${now}`
}

export const held: CliCommand = defineCommand({
  name: 'held',
  summary: 'list events that limits hold back',
  about: `Lists the events that limits of their metrics hold back, in order of user, then of when they happened. laurels approve has one count, laurels void drops one.`,
  options: {
    ...DATABASE,
    user: textOption('<id>', 'only events of this user'),
    after: textOption('<id>', 'only events after the event with this id'),
    limit: whole('<n>', 'how many, 1 to 100 (default: 100)', undefined),
    tenant: TENANT,
  },
  exits: { 0: 'they are listed' },
  run: ({ values: { user, after, limit }, openTenant }) =>
    openTenant(async ({ api: { events } }): Promise<Answer> => {
      const value = await events.held(defined({ user, after, limit }))
      const header = ['event', 'user', 'metric', 'value', 'date', 'recorded']
      const rows = value.map(({ eventId, userId, metric, value: sent, date, recordedAt }) => {
        // As sent, not rounded.
        return [eventId, userId, metric, String(sent), date, recordedAt]
      })
      return { value, text: toTable(header, rows, 'no events are held back\n') }
    }),
})

export const approve: CliCommand = defineCommand({
  name: 'approve',
  summary: 'let a held event count',
  usage: ['[--db <file|url>] <id> [options]', '[--db <file|url>] --user <id> --metric <key> --key <key>'],
  about: `Has an event count that a limit of its metric holds back: at its own place, as if it had not been held. laurels held lists those that wait.`,
  argument: { name: '[id]', help: 'the id of the event' },
  options: { ...DATABASE, ...NAMED, tenant: TENANT },
  exits: { 0: 'the event counts', 2: 'the call is wrong, the event is not held, or the storage failed' },
  run: async ({ argument, values, openTenant }) => {
    const event = readEvent(argument || undefined, values, 'its id')
    return openTenant(async ({ api: { events }, game }): Promise<Answer> => {
      const value = await events.approve(event)
      return { value, text: toApproveText(value, game) }
    })
  },
})

function toApproveText(answer: ApproveEventResponse, game: DefinedGame): string {
  const { eventId, userId, approvalId, alreadyApproved, achievements } = answer
  if (alreadyApproved) return toText([`the event ${eventId} of ${userId} was approved already: nothing changed`])
  return toText([
    `approved the event ${eventId} of ${userId} by ${approvalId}`,
    ...toStandLines(answer, game),
    ...achievements.map(({ key }) => `achievement completed: ${key}`),
  ])
}
