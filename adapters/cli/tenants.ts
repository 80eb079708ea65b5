import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { exportLines } from './export.ts'
import { DATABASE, flagOption, textOption, whole } from './options.ts'
import { defined, type ExitCode, toLine, toMore, toTable, toUsers } from './terminal.ts'
import { runWalk } from './walk.ts'

export const tenants: CliCommand = defineCommand({
  name: 'tenants',
  summary: 'list, export and delete tenants',
  about: 'Looks at tenants and deletes them. If a deletion is interrupted, run the same command again to continue it.',
  members: {
    list: {
      summary: 'print a page of the tenants that have users, in order of id',
      run: ({ values: { limit, after }, open }) =>
        open(async ({ gamification }) => {
          const page = await gamification.tenants.list({ limit, ...defined({ after }) })
          const rows = page.tenants.map(({ id, users: count }) => [id, count])
          const table = toTable(['id', 'users'], rows, 'no tenants here\n')
          return { value: page, text: table + toMore('after', page.after) }
        }),
    },
    export: {
      takes: '<id>',
      summary: 'print all data of the tenant, as lines of JSON',
      run: (call) => exportLines(call, call.argument),
    },
    delete: {
      takes: '<id>',
      summary: 'delete the tenant for good, user by user',
      final: 'deletes the tenant',
      run: (call) => deleteTenant(call),
    },
  },
  options: {
    ...DATABASE,
    after: textOption('<id>', 'list: only after this id'),
    limit: whole('<number>', 'list: how many (default: 100)', 100),
    yes: flagOption('delete: do not ask'),
  },
  exits: { 130: 'interrupted' },
})

function deleteTenant(call: CommandCall): Promise<Answer | ExitCode> {
  const { argument } = call
  return runWalk(call, ({ gamification }) => ({
    total: 0,
    nextStep: 'Run the same command again to delete the rest.',
    work: (options) => gamification.tenants.delete(argument, options),
    answer: (value) => ({ value, text: `deleted ${toLine(argument)}: ${toUsers(value.users)}\n` }),
  }))
}
