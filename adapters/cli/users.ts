import type { DefinedGame, GamificationApi } from '../../src/index.ts'
import { toDamagedText } from './audit.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand, type Member } from './command.ts'
import { choice, DATABASE, flagOption, parsedOption, TENANT, textOption, whole } from './options.ts'
import { defined, EXIT, type ExitCode, escapeJson, plural, toLine, toMore, toTable, wrongCall } from './terminal.ts'

const POINTS = parsedOption('<system=points>', 'adjust: xp=50 gives 50, and xp=-50 takes 50', (text) => {
  const [, system, amount] = /^(.+)=(-?\d+)$/.exec(text) ?? []
  if (system !== undefined) return { system, amount: Number(amount) }
  throw wrongCall(`--points must be as xp=50 or xp=-50, not '${text}'`)
})

const USER_OPTIONS = {
  ...DATABASE,
  tenant: TENANT,
  search: textOption('<text>', 'list: users with this text in the id or name'),
  after: textOption('<id>', 'list: only after this id'),
  limit: whole('<number>', 'list and events: how many (default: 50)', 50),
  keep: choice(
    ['nothing', 'anonymous'],
    '<what>',
    'delete: nothing (default), or anonymous, which keeps the history under a random id',
  ),
  yes: flagOption('delete and merge: do not ask'),
  reason: textOption('<text>', 'suspend, adjust, grant and revoke: why; the log keeps it'),
  points: POINTS,
  key: textOption('<key>', 'adjust: an idempotency key, which counts once'),
  achievement: textOption('<key>', 'grant and revoke: which'),
  into: textOption('<id>', 'merge: the user that stays'),
  'keep-keys': flagOption('merge: application keys of the old id stay, and open the account; without it they end'),
}

type UserCall = CommandCall<typeof USER_OPTIONS>
type Api = GamificationApi<DefinedGame>

const onTenant =
  (run: (api: Api, call: UserCall) => Promise<Answer | ExitCode>) =>
  (call: UserCall): Promise<Answer | ExitCode> =>
    call.openTenant(({ api }) => run(api, call))

async function adjust({ admin }: Api, { argument: userId, values }: UserCall): Promise<Answer> {
  const { points: { system, amount } = { system: '', amount: 0 }, reason = '', key } = values
  const asked = { userId, points: amount, reason, ...defined({ idempotencyKey: key }) }
  const value = await admin.points.adjust(system, asked)
  const { added, total } = value.points
  return { value, text: `${toLine(userId)} has ${total} of ${system} (${added >= 0 ? '+' : ''}${added})\n` }
}

const decide = (verb: 'grant' | 'revoke', summary: string, done: string): Member<typeof USER_OPTIONS> => ({
  takes: '<id>',
  summary,
  needs: { achievement: 'say which', reason: 'say why' },
  run: onTenant(async ({ admin }, { argument: userId, values: { achievement: key = '', reason = '' } }) => {
    const value = await admin.achievements[verb](key, { userId, reason })
    return { value, text: `${toLine(userId)} ${done} ${toLine(key)}\n` }
  }),
})

export const users: CliCommand = defineCommand({
  name: 'users',
  summary: 'list, export, delete, merge, suspend and correct users',
  about: 'Looks at users, and changes what only an administrator may change.',
  members: {
    list: {
      summary: 'print a page of the users, in order of id',
      run: onTenant(async ({ users: api }, { values: { limit, search, after } }) => {
        const page = await api.list({ limit, ...defined({ search, after }) })
        const rows = page.users.map(({ id, name, created, suspended }) => {
          return [id, name ?? '', created, suspended === null ? '' : 'suspended']
        })
        const table = toTable(['id', 'name', 'created', ''], rows, 'no users here\n')
        return { value: page, text: `${table}${toDamagedText(page.damaged)}${toMore('after', page.after)}` }
      }),
    },
    events: {
      takes: '<id>',
      summary: "print the user's log, the newest entry first",
      run: onTenant(async ({ users: api }, { argument, values: { limit } }) => {
        const { entries } = await api.events(argument, { limit })
        const rows = entries.map(({ at, kind, metric, value, achievement, system, amount, voidedBy, held, id }) => {
          const [subject, number] = metric === undefined ? [achievement ?? system, amount] : [metric, value]
          const what = [subject ?? '', number ?? ''].join(' ').trim()
          return [at, kind, what, held === true ? 'held' : voidedBy === undefined ? '' : 'void', id]
        })
        return { value: entries, text: toTable(['at', 'kind', '', '', 'id'], rows) }
      }),
    },
    export: {
      takes: '<id>',
      summary: 'print all data of the user, as lines of JSON',
      run: onTenant(async ({ users: api }, { argument, environment }) => {
        for await (const line of api.export(argument)) environment.output.out(escapeJson(line))
        return EXIT.ok
      }),
    },
    delete: {
      takes: '<id>',
      summary: 'delete the user for good',
      final: 'deletes the user',
      run: onTenant(async ({ users: api }, { argument, values: { keep } }) => {
        const value = await api.delete(argument, defined({ keep }))
        const rest = value.anonymousId === null ? '' : `; what was done stays under ${value.anonymousId}`
        return { value, text: `deleted ${toLine(argument)}${rest}\n` }
      }),
    },
    suspend: {
      takes: '<id>',
      summary: 'leave the user out of leaderboards',
      run: onTenant(async ({ users: api }, { argument, values: { reason } }) => {
        const value = await api.suspend(argument, defined({ reason }))
        return { value, text: `${toLine(argument)} is left out of leaderboards since ${value.suspended?.since}\n` }
      }),
    },
    restore: {
      takes: '<id>',
      summary: 'end a suspension; a streak comes back with laurels streaks restore',
      run: onTenant(async ({ users: api }, { argument }) => {
        return { value: await api.restore(argument), text: `${toLine(argument)} is not suspended\n` }
      }),
    },
    adjust: {
      takes: '<id>',
      summary: 'give the user --points, or take them, for a --reason',
      needs: { points: 'say which', reason: 'say why' },
      run: onTenant(adjust),
    },
    grant: decide('grant', 'grant the user an --achievement, for a --reason', 'has'),
    revoke: decide(
      'revoke',
      'revoke an --achievement of the user, for a --reason; only a grant completes it again',
      'no longer has',
    ),
    merge: {
      takes: '<id>',
      summary: 'merge the user into --into; the id then names the merged user',
      needs: { into: 'name the user to merge into' },
      final: 'gives another user all of',
      run: onTenant(mergeUsers),
    },
  },
  options: USER_OPTIONS,
})

async function mergeUsers({ users: api }: Api, { argument, values }: UserCall): Promise<Answer> {
  const { into = '', 'keep-keys': keepKeys } = values
  const value = await api.merge({ from: argument, into, keepKeys })
  const text = value.merged
    ? `${toLine(value.from)} is another name for ${toLine(value.into)}: ${plural(value.entries, 'entry', 'entries')} moved\n`
    : `${toLine(argument)} and ${toLine(into)} are one user already\n`
  return { value, text }
}
