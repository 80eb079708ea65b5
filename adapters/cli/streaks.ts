import type { DefinedGame, GamificationApi } from '../../src/index.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { DATABASE, dateOption, TENANT, textOption, whole } from './options.ts'
import { defined, type ExitCode, plural, toLine, wrongCall } from './terminal.ts'

const OPTIONS = {
  ...DATABASE,
  tenant: TENANT,
  named: textOption('<key>', "freeze and restore: the streak with this key in the game's streaks"),
  count: whole('<number>', 'freeze: how many (default: 1)', 1, [1, 100]),
  from: dateOption('pause: the first local date of the pause', '2026-03-02'),
  to: dateOption('pause: the last local date of the pause', '2026-03-09'),
}

type StreakCall = CommandCall<typeof OPTIONS>
type Api = GamificationApi<DefinedGame>

const onTenant =
  (run: (api: Api['admin']['streaks'], call: StreakCall) => Promise<Answer>) =>
  (call: StreakCall): Promise<Answer | ExitCode> =>
    call.openTenant(({ api }) => run(api.admin.streaks, call))

/** Throws the reason of the first item that was refused. */
function requireDone({ issues }: { readonly issues: readonly { readonly message: string }[] }): void {
  const [issue] = issues
  if (issue !== undefined) throw wrongCall(issue.message)
}

export const streaks: CliCommand = defineCommand({
  name: 'streaks',
  summary: "give freezes, pause, and restore a user's streak",
  about: 'Corrects the streak of a user by hand, as support does. The log of the user keeps each of them.',
  members: {
    freeze: {
      takes: '<user>',
      summary: 'give the user streak freezes, as many as --count says',
      run: onTenant(async (api, { argument, values: { count, named } }) => {
        const freezes = Array.from({ length: count }, () => ({ userId: argument }))
        const value = await api.freezes.create({ freezes, ...defined({ streak: named }) })
        requireDone(value)
        return { value, text: `gave ${toLine(argument)} ${plural(count, 'freeze', 'freezes')}\n` }
      }),
    },
    pause: {
      takes: '<user>',
      summary: "pause all of the user's streaks, --from and --to included",
      needs: { from: 'say on which local date the pause begins', to: 'say on which local date it ends' },
      run: onTenant(async (api, { argument, values: { from = '', to = '' } }) => {
        const value = await api.pauses.create({ pauses: [{ userId: argument, start: from, end: to }] })
        requireDone(value)
        const [made] = value.created
        return { value, text: `paused the streaks of ${toLine(argument)}, ${from} to ${to}: pause ${made?.id}\n` }
      }),
    },
    resume: {
      takes: '<pause>',
      summary: 'end a pause, by its id; what has passed of it stays',
      run: onTenant(async (api, { argument }) => {
        const value = await api.pauses.delete([argument])
        requireDone(value)
        return { value, text: `ended the pause ${toLine(argument)}\n` }
      }),
    },
    restore: {
      takes: '<user>',
      summary: 'bring the streak back to the length it had when the user last lost it',
      run: onTenant(async (api, { argument, values: { named } }) => {
        const value = await api.restore({ users: [{ id: argument }], ...defined({ streak: named }) })
        requireDone(value)
        return { value, text: `restored the streak of ${toLine(argument)}\n` }
      }),
    },
  },
  options: OPTIONS,
})
