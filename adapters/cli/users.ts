import type { AdminUsersApi } from '../../src/index.ts'
import { toDamagedText } from './audit.ts'
import { type Answer, type Call, type CliCommand, defineCommand } from './command.ts'
import { EXIT, type ExitCode } from './database.ts'
import { choice, DATABASE, flag, type Options, TENANT, text, whole } from './options.ts'
import { toUsers } from './progress.ts'
import { defined, escapeJson, plural, toLine, toTable, wrongCall } from './text.ts'

const USER_OPTIONS = {
  ...DATABASE,
  tenant: TENANT,
  search: text('<text>', 'list: those with this in their id or name'),
  after: text('<id>', 'list: those after this one'),
  limit: whole('<number>', 'list and events: how many (default: 50)', 50),
  keep: choice(['nothing', 'anonymous'], '<what>', 'delete: nothing (the default), or anonymous, under a random id'),
  yes: flag('delete and merge: without asking'),
  reason: text('<text>', 'suspend: is kept in the log'),
  into: text('<id>', 'merge: the user that goes on'),
  json: flag('print the result as JSON'),
}

type UserCall = Call<typeof USER_OPTIONS>
type UserRun = (users: AdminUsersApi, call: UserCall) => Promise<Answer | ExitCode>

const onUsers =
  (run: UserRun) =>
  (call: UserCall): Promise<Answer | ExitCode> =>
    call.openTenant(async ({ users }) => {
      await call.confirm()
      return run(users, call)
    })

export const users: CliCommand = defineCommand({
  name: 'users',
  usage: ['<command> [id] [--db <file|url>] [options]'],
  about: 'Looks at users, and changes what only an administrator may change.',
  members: {
    list: { summary: 'print a page of the users, in order of id', run: onUsers(listUsers) },
    events: { takes: '<id>', summary: "print the user's log, the newest entry first", run: onUsers(listEvents) },
    export: {
      takes: '<id>',
      summary: 'print everything that is kept of the user, as lines of JSON',
      run: onUsers(exportUser),
    },
    delete: { takes: '<id>', summary: 'delete the user for good', final: 'deletes the user', run: onUsers(deleteUser) },
    suspend: { takes: '<id>', summary: 'leave the user out of leaderboards', run: onUsers(suspendUser) },
    restore: { takes: '<id>', summary: 'let the user back in', run: onUsers(restoreUser) },
    merge: {
      takes: '<id>',
      summary: 'make one user of two: from then on the id is another name for --into',
      final: 'gives another user all of',
      run: async (call) => {
        if (!call.values.into) throw wrongCall('say whom the user is merged into: --into <id>')
        return onUsers(mergeUsers)(call)
      },
    },
  },
  missing: (member) => `say which user to ${member}: give the id`,
  options: USER_OPTIONS,
})

async function listUsers(api: AdminUsersApi, { values: { limit, search, after } }: UserCall): Promise<Answer> {
  const page = await api.list({ limit, ...defined({ search, after }) })
  const rows = page.users.map(({ id, name, created, suspended }) => {
    return [id, name ?? '', created, suspended === null ? '' : 'suspended']
  })
  const table = rows.length === 0 ? 'no users here\n' : toTable(['id', 'name', 'created', ''], rows)
  return { value: page, text: `${table}${toDamagedText(page.damaged)}${toMore(page.after)}` }
}

function toMore(after: string | null): string {
  return after === null ? '' : `more: --after ${JSON.stringify(toLine(after))}\n`
}

async function exportUser(api: AdminUsersApi, { argument, environment }: UserCall): Promise<ExitCode> {
  for await (const line of api.export(argument)) environment.output.out(escapeJson(line))
  return EXIT.ok
}

async function listEvents(api: AdminUsersApi, { argument, values: { limit } }: UserCall): Promise<Answer> {
  const { entries } = await api.events(argument, { limit })
  const rows = entries.map(({ at, kind, metric, value, achievement, voidedBy, held, id }) => {
    const what = metric === undefined ? (achievement ?? '') : `${metric} ${value}`
    return [at, kind, what, held === true ? 'held' : voidedBy === undefined ? '' : 'void', id]
  })
  return { value: entries, text: toTable(['at', 'kind', '', '', 'id'], rows) }
}

async function deleteUser(api: AdminUsersApi, { argument, values: { keep } }: UserCall): Promise<Answer> {
  const deleted = await api.delete(argument, defined({ keep }))
  const rest = deleted.anonymousId === null ? '' : `; what was done stays under ${deleted.anonymousId}`
  return { value: deleted, text: `deleted ${toLine(argument)}${rest}\n` }
}

async function suspendUser(api: AdminUsersApi, { argument, values: { reason } }: UserCall): Promise<Answer> {
  const value = await api.suspend(argument, defined({ reason }))
  return { value, text: `${toLine(argument)} is left out of leaderboards since ${value.suspended?.since}\n` }
}

async function restoreUser(api: AdminUsersApi, { argument }: UserCall): Promise<Answer> {
  return { value: await api.restore(argument), text: `${toLine(argument)} is not suspended\n` }
}

async function mergeUsers(api: AdminUsersApi, { argument, values: { into = '' } }: UserCall): Promise<Answer> {
  const value = await api.merge({ from: argument, into })
  const text = value.merged
    ? `${toLine(value.from)} is another name for ${toLine(value.into)}: ${plural(value.entries, 'entry', 'entries')} moved\n`
    : `${toLine(argument)} and ${toLine(into)} are one user already\n`
  return { value, text }
}

const TENANT_OPTIONS = {
  ...DATABASE,
  after: text('<id>', 'list: those after this one'),
  limit: whole('<number>', 'list: how many (default: 100)', 100),
  yes: flag('delete: without asking'),
  json: flag('print the result as JSON'),
}

type TenantCall = Call<typeof TENANT_OPTIONS>

export const tenants: CliCommand = defineCommand({
  name: 'tenants',
  usage: ['<command> [id] [--db <file|url>] [options]'],
  about: 'Looks at tenants and deletes them. An interrupted deletion goes on when the same command is run again.',
  members: {
    list: { summary: 'print a page of the tenants that have users, in order of id', run: listTenants },
    export: {
      takes: '<id>',
      summary: 'print everything that is kept of the tenant, as lines of JSON',
      run: (call) => exportLines(call, call.argument),
    },
    delete: {
      takes: '<id>',
      summary: 'delete the tenant for good, user by user',
      final: 'deletes the tenant',
      run: deleteTenant,
    },
  },
  missing: (member) => `say which tenant to ${member}: give the id`,
  options: TENANT_OPTIONS,
  exits: { 130: 'interrupted' },
})

function listTenants({ values: { limit, after }, open }: TenantCall): Promise<Answer> {
  return open(async ({ gamification }) => {
    const page = await gamification.tenants.list({ limit, ...defined({ after }) })
    const rows = page.tenants.map(({ id, users: count }) => [id, count])
    const text = rows.length === 0 ? 'no tenants here\n' : `${toTable(['id', 'users'], rows)}${toMore(page.after)}`
    return { value: page, text }
  })
}

function deleteTenant({ argument, open, confirm, environment, screen }: TenantCall): Promise<Answer | ExitCode> {
  return open(async ({ gamification }): Promise<Answer | ExitCode> => {
    await confirm()
    const signal = environment.interruption()
    let done = 0
    const onProgress = (progress: { readonly users: number }): void => {
      done = progress.users
      screen.show({ done, counts: () => [toUsers(done)], fraction: null })
    }
    try {
      const deleted = await gamification.tenants.delete(argument, { onProgress, signal })
      return { value: deleted, text: `deleted ${toLine(argument)}: ${plural(deleted.users, 'user')}\n` }
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error
      screen.line(`Interrupted after ${toUsers(done)}: the same command goes on with those that are left.`)
      return EXIT.interrupted
    }
  })
}

export const exportCommand: CliCommand = defineCommand({
  name: 'export',
  usage: ['[--db <file|url>] > <file>'],
  about: `Prints everything that is kept as lines of JSON: the games, and the log of every user of every tenant. Derived rows are not there: the import replays the logs. Keys are not there either. Changes nothing, and may run while others write.`,
  options: DATABASE,
  notes: `One user: laurels users export <id>. One tenant: laurels tenants export <id>.

A user with a damaged row is left out and named; the others are printed, and the exit code is 2.`,
  exits: { 2: 'a user is damaged, the call is wrong, or the storage failed', 130: 'interrupted' },
  run: (call) => exportLines(call, null),
})

/** Prints the lines of a tenant, or of all. */
function exportLines<O extends Options>(
  { environment, screen, open }: Call<O>,
  tenant: string | null,
): Promise<ExitCode> {
  const signal = environment.interruption()
  return open(async ({ gamification, users: total }): Promise<ExitCode> => {
    const onProgress = ({ users: done }: { readonly users: number }): void => {
      const fraction = tenant !== null || total === 0 ? null : Math.min(1, done / total)
      screen.show({ done, counts: () => [toUsers(done)], fraction })
    }
    const options = { onProgress, signal }
    try {
      const lines = tenant === null ? gamification.export(options) : gamification.tenants.export(tenant, options)
      for await (const line of lines) environment.output.out(escapeJson(line))
      return EXIT.ok
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error
      screen.line('Interrupted: what was printed has no end, and cannot be imported whole.')
      return EXIT.interrupted
    }
  })
}
