import type { DefinedGame, GamificationApi } from '../../src/index.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import { choice, DATABASE, TENANT, textOption, whole } from './options.ts'
import { defined, type ExitCode, toLine, toMore, toTable } from './terminal.ts'

const OPTIONS = {
  ...DATABASE,
  tenant: TENANT,
  user: textOption('<id>', 'redemptions: only those of this user'),
  reward: textOption('<key>', 'redemptions: only those of this reward'),
  status: choice(['open', 'fulfilled', 'cancelled'], '<status>', 'redemptions: open, fulfilled or cancelled ones only'),
  after: textOption('<id>', 'redemptions: only older than this one'),
  limit: whole('<number>', 'redemptions: how many (default: 50)', 50, [1, 100]),
}

type RewardsCall = CommandCall<typeof OPTIONS>
type Api = GamificationApi<DefinedGame>

const onTenant =
  (run: (api: Api['rewards'], call: RewardsCall) => Promise<Answer>) =>
  (call: RewardsCall): Promise<Answer | ExitCode> =>
    call.openTenant(({ api }) => run(api.rewards, call))

export const rewards: CliCommand = defineCommand({
  name: 'rewards',
  summary: 'list rewards and redemptions, fulfil and cancel them',
  about: 'Lists what users can buy and have bought, and settles it, as support does.',
  members: {
    list: {
      summary: 'print the rewards of the game, with what is left',
      run: onTenant(async (api) => {
        const value = await api.list()
        const rows = value.map(({ key, amount, system, left, status }) => [key, amount, system, left ?? '', status])
        return { value, text: toTable(['reward', 'price', '', 'left', ''], rows, 'the game has no rewards\n') }
      }),
    },
    redemptions: {
      summary: 'print a page of redemptions, the newest first',
      run: onTenant(async (api, { values: { user, reward, status, after, limit } }) => {
        const value = await api.redemptions({ limit, ...defined({ user, reward, status, after }) })
        const rows = value.map(({ redeemedAt, userId, reward, status, id }) => [redeemedAt, userId, reward, status, id])
        const table = toTable(['at', 'user', 'reward', 'status', 'id'], rows, 'no redemptions here\n')
        return { value, text: `${table}${toMore('after', value.length < limit ? null : (value.at(-1)?.id ?? null))}` }
      }),
    },
    fulfil: {
      takes: '<redemption>',
      summary: 'say that the user has the reward, by the id of the redemption',
      run: onTenant(async (api, { argument }) => {
        const value = await api.fulfil(argument)
        return { value, text: `fulfilled ${toLine(argument)}\n` }
      }),
    },
    cancel: {
      takes: '<redemption>',
      summary: 'cancel a redemption: the points and the stock return',
      run: onTenant(async (api, { argument }) => {
        const value = await api.cancel(argument)
        return { value, text: `cancelled ${toLine(argument)}\n` }
      }),
    },
  },
  options: OPTIONS,
})
