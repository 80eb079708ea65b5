import type { JSX } from 'preact'
import { call, route, useMayWrite } from '../api.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Select } from '../parts/controls.tsx'
import { type AskingProps, Confirm, DialogOpener } from '../parts/dialog.tsx'
import { formatNumber } from '../parts/format.ts'
import { ConsolePage, Empty, Loaded } from '../parts/page.tsx'
import { ShowUser, UserLink } from '../parts/person.tsx'
import { type Column, Pager, Table, TableCard, usePages } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { navigate, type PageOf, withQuery } from '../router.ts'
import type { Redemption, Reward } from '../types.ts'
import { useGet } from '../use-answer.ts'

/** The rewards of the game, and their redemptions, which support fulfils or cancels. */
export function RewardsPage({ query }: PageOf): JSX.Element {
  const answer = useGet<readonly Reward[]>('v1/rewards')
  return (
    <ConsolePage title="Rewards">
      <Loaded answer={answer} what="the rewards">
        {(rewards) => (
          <div class="stack">
            <section class="card" aria-label="All rewards">
              <Table
                caption="Rewards, in the order of the game"
                columns={REWARD_COLUMNS}
                rows={rewards}
                most={50}
                empty={<Empty title="The game has no rewards">Its definition has them under “rewards”.</Empty>}
              />
            </section>
            <Redemptions rewards={rewards} query={query} reload={answer.reload} />
          </div>
        )}
      </Loaded>
    </ConsolePage>
  )
}

const REWARD_COLUMNS: readonly Column<Reward>[] = [
  {
    name: 'Reward',
    isHeader: true,
    cell: ({ key, name, status }) => (
      <>
        <span dir="auto">{name}</span>
        <small class="below mono">{key}</small>
        {status === 'inactive' && <Badge tone="bad">inactive</Badge>}
      </>
    ),
  },
  { name: 'Price', kind: 'number', cell: ({ amount, system }) => `${formatNumber(amount)} ${system}` },
  { name: 'Left', kind: 'number', cell: ({ left }) => (left === null ? 'no limit' : formatNumber(left)) },
  {
    name: 'For each user',
    kind: 'number',
    cell: ({ perUser }) => (perUser === null ? 'no limit' : formatNumber(perUser)),
  },
]

const PER_PAGE = 50

const STATUSES = [
  { key: '', name: 'All' },
  { key: 'open', name: 'Open' },
  { key: 'fulfilled', name: 'Fulfilled' },
  { key: 'cancelled', name: 'Cancelled' },
]

const TONES: Record<Redemption['status'], Tone> = { open: 'warn', fulfilled: 'good', cancelled: 'quiet' }

interface RedemptionsProps {
  readonly rewards: readonly Reward[]
  readonly query: URLSearchParams
  /** Loads the rewards again: a cancelled redemption returns to the stock. */
  readonly reload: () => void
}

function Redemptions({ rewards, query, reload }: RedemptionsProps): JSX.Element {
  const mayWrite = useMayWrite()
  const user = query.get('user')
  const reward = query.get('reward')
  const status = query.get('status')
  const filters = { userId: user, reward, status }
  const pages = usePages<string>([filters])
  const answer = useGet<readonly Redemption[]>('v1/rewards/redemptions', {
    ...filters,
    after: pages.cursor,
    limit: PER_PAGE,
  })
  const last = answer.data?.length === PER_PAGE ? answer.data.at(-1) : undefined
  const nameOf = (key: string): string => rewards.find((each) => each.key === key)?.name ?? key
  const done = (): void => {
    answer.reload()
    reload()
  }
  const columns: readonly Column<Redemption>[] = [
    { name: 'When', cell: ({ redeemedAt }) => <Time at={redeemedAt} /> },
    { name: 'User', isHeader: true, cell: ({ userId }) => <UserLink id={userId} /> },
    { name: 'Reward', cell: (each) => <span dir="auto">{nameOf(each.reward)}</span> },
    { name: 'Price', kind: 'number', cell: ({ amount, system }) => `${formatNumber(amount)} ${system}` },
    { name: 'Status', kind: 'fit', cell: (each) => <Badge tone={TONES[each.status]}>{each.status}</Badge> },
  ]
  const actions: Column<Redemption> = {
    name: 'Actions',
    kind: 'fit',
    isNameHidden: true,
    cell: (redemption) =>
      redemption.status === 'open' && (
        <span class="row end">
          {(['fulfil', 'cancel'] as const).map((action) => (
            <DialogOpener
              key={action}
              class="small"
              aria-label={`${WORDS[action].name}: ${nameOf(redemption.reward)} of ${redemption.userId}`}
              dialog={(close) => <Change redemption={redemption} action={action} done={done} close={close} />}
            >
              {WORDS[action].name}
            </DialogOpener>
          ))}
        </span>
      ),
  }
  const choose = (name: string) => (value: string) => navigate(withQuery({ [name]: value }))
  return (
    <TableCard
      title="Redemptions"
      answer={answer}
      what="the redemptions"
      caption="Redemptions, the newest first"
      above={
        <div class="card-body row choices">
          <Select label="Status" value={status ?? ''} change={choose('status')} choices={STATUSES} />
          <Select
            label="Reward"
            value={reward ?? ''}
            change={choose('reward')}
            choices={[{ key: '', name: 'All' }, ...rewards]}
          />
          <ShowUser name="User" chosen={user} back="All users" />
        </div>
      }
      columns={mayWrite ? [...columns, actions] : columns}
      rowsOf={(redemptions) => redemptions}
      empty={<Empty title="There are no such redemptions" />}
      pager={<Pager pages={pages} next={last?.id} />}
    />
  )
}

const WORDS = {
  fulfil: {
    name: 'Fulfil',
    title: 'Fulfil the redemption',
    text: 'Say that the user has the reward. A fulfilled redemption can no longer be cancelled.',
    done: 'The redemption is fulfilled.',
  },
  cancel: {
    name: 'Cancel',
    title: 'Cancel the redemption',
    text: 'The user gets the points back and keeps gifts, and the reward returns to the stock.',
    done: 'The redemption is cancelled.',
  },
} as const

interface ChangeProps extends AskingProps {
  readonly redemption: Redemption
  readonly action: keyof typeof WORDS
}

function Change({ redemption: { id }, action, done, close }: ChangeProps): JSX.Element {
  const { title, text, name, ...words } = WORDS[action]
  const run = async (): Promise<string> => {
    await call('POST', `${route`admin/v1/rewards/redemptions/${id}`}/${action}`)
    done()
    return words.done
  }
  // "Cancel" alone would be the button that closes the dialog.
  const verb = `${name} it`
  return (
    <Confirm title={title} verb={verb} isDangerous={action === 'cancel'} run={run} close={close}>
      <p>{text}</p>
    </Confirm>
  )
}
