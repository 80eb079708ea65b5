import type { DefinedGame, GamificationApi } from '../../src/index.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { DATABASE, TENANT, textOption, whole } from './options.ts'
import { defined, type ExitCode, toLine, toMore, toTable } from './terminal.ts'

const OPTIONS = {
  ...DATABASE,
  tenant: TENANT,
  system: textOption('<key>', 'statement: the points system'),
  before: textOption('<cursor>', 'statement: only movements before this cursor'),
  limit: whole('<number>', 'statement: how many (default: 20)', 20, [1, 100]),
  amount: whole('<points>', 'refund: how many (default: all that is left)', undefined, [1, Number.MAX_SAFE_INTEGER]),
  key: textOption('<key>', 'refund: an idempotency key, which counts once'),
}

type PointsCall = CommandCall<typeof OPTIONS>
type Api = GamificationApi<DefinedGame>

const onTenant =
  (run: (api: Api['points'], call: PointsCall) => Promise<Answer>) =>
  (call: PointsCall): Promise<Answer | ExitCode> =>
    call.openTenant(({ api }) => run(api.points, call))

export const points: CliCommand = defineCommand({
  name: 'points',
  summary: 'print balances and statements, and refund what was spent',
  about: 'Looks into the wallet of a user, and gives spent points back, as support does.',
  members: {
    balance: {
      takes: '<user>',
      summary: 'print what the user can spend, for each points system',
      run: onTenant(async (api, { argument }) => {
        const value = await api.balances(argument)
        const rows = value.map(({ system, balance, pending, held, nextExpiry }) => {
          const expiry = nextExpiry === null ? '' : `${nextExpiry.amount} on ${nextExpiry.date}`
          return [system, balance, pending, held, expiry]
        })
        const header = ['points', 'balance', 'pending', 'held', 'expires next']
        return { value, text: toTable(header, rows, 'the game has no points to spend\n') }
      }),
    },
    statement: {
      takes: '<user>',
      summary: 'print what came and went in a --system, the newest movement first',
      needs: { system: 'say which' },
      run: onTenant(async (api, { argument, values: { system = '', before, limit } }) => {
        const value = await api.statement(argument, { system, limit, ...defined({ before }) })
        const rows = value.movements.map(({ date, kind, points, balance, reference, spendId, holdId }) => {
          return [date, kind, points, balance, reference ?? '', spendId ?? holdId ?? '']
        })
        const table = toTable(['at', 'kind', 'points', 'balance', 'reference', 'id'], rows, 'no movements here\n')
        return { value, text: `${table}${toMore('before', value.next)}` }
      }),
    },
    refund: {
      takes: '<spend>',
      summary: 'give a spend back, or --amount of it, by its id',
      run: onTenant(async (api, { argument, values: { amount, key } }) => {
        const value = await api.refund(argument, defined({ amount, idempotencyKey: key }))
        const { userId, refunded, system, balance } = value
        return { value, text: `gave ${toLine(userId)} back ${refunded} of ${system}, and the balance is ${balance}\n` }
      }),
    },
  },
  options: OPTIONS,
})
