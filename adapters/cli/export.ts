import { isGamificationError } from '../../src/errors.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { ONLY_DATABASE } from './options.ts'
import { EXIT, type ExitCode, escapeJson } from './terminal.ts'
import { runWalk } from './walk.ts'

export const exportCommand: CliCommand = defineCommand({
  name: 'export',
  summary: 'export all data as lines of JSON',
  usage: ['[--db <file|url>] > <file>'],
  about: `Prints everything that is kept as lines of JSON: the games, and the log of every user of every tenant. Derived rows are not there: the import replays the logs. Keys are not there either. Changes nothing, and may run while others write.`,
  options: ONLY_DATABASE,
  notes: `One user: laurels users export <id>. One tenant: laurels tenants export <id>.

A user with a damaged row is left out and named; the others are printed, and the exit code is 2.`,
  exits: { 2: 'a user is damaged, the call is wrong, or the storage failed', 130: 'interrupted' },
  run: (call) => exportLines(call, null),
})

export function exportLines(call: CommandCall, tenant: string | null): Promise<Answer | ExitCode> {
  return runWalk(call, ({ gamification, users }) => ({
    total: tenant === null ? users : 0,
    nextStep: 'The printed export is incomplete, and cannot be imported as a whole.',
    work: async (options) => {
      const lines = tenant === null ? gamification.export(options) : gamification.tenants.export(tenant, options)
      try {
        for await (const line of lines) call.environment.output.out(escapeJson(line))
        return null
      } catch (error) {
        // It was printed to its end, without the users that the error names.
        if (isGamificationError(error) && error.code === 'user_damaged') return error
        throw error
      }
    },
    answer: (damaged) => {
      if (damaged !== null) throw damaged
      return EXIT.ok
    },
  }))
}
