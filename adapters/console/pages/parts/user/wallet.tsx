import type { JSX } from 'preact'
import { call, route, useIdempotencyKey, useMayWrite } from '../../api.ts'
import { toPath } from '../../router.ts'
import type {
  PendingWalletLot,
  PointsBalance,
  PointsMovement,
  PointsStatement,
  RefundResponse,
  UserPoints,
  WalletHold,
  WalletLot,
} from '../../types.ts'
import { Input, useText } from '../controls.tsx'
import { type AskingProps, Confirm, Dialog, DialogOpener, dialogColumn } from '../dialog.tsx'
import { formatChange, formatDate, formatNumber } from '../format.ts'
import { Card, Empty, Facts, Figures, Loaded } from '../page.tsx'
import { type Column, Pager, Table, TableCard, usePages } from '../table.tsx'
import { Time } from '../time.tsx'
import { AdjustPoints } from './actions/menu.tsx'
import { ExplainNow } from './explanation.tsx'
import { type UserProgress, useOfUser, usePageUser } from './page-user.ts'

/** The balance and the statement of each spendable points system. */
export function Wallets({ progress }: { readonly progress: UserProgress }): JSX.Element {
  const { user } = usePageUser()
  return (
    <div class="stack">
      <p>
        <a href={toPath(['rewards'], { user: user.id })}>Rewards that the user bought</a>
      </p>
      {spendableOf(progress).map((system) => (
        <Wallet key={system.key} system={system} progress={progress} />
      ))}
    </div>
  )
}

export function spendableOf({ points }: UserProgress): readonly UserPoints[] {
  return points.filter(({ spendable }) => spendable === true)
}

interface WalletProps {
  readonly system: UserPoints
  readonly progress: UserProgress
}

function Wallet({ system, progress }: WalletProps): JSX.Element {
  const mayWrite = useMayWrite()
  const { key, name } = system
  const answer = useOfUser(
    (id, signal) => call<PointsBalance>('GET', route`v1/users/${id}/points/${key}/balance`, { signal }),
    [key],
  )
  const adjust = (
    <DialogOpener
      class="small"
      aria-label={`Adjust: ${name}`}
      dialog={(close) => <AdjustPoints {...progress} points={[system]} close={close} />}
    >
      Adjust…
    </DialogOpener>
  )
  const explain = (
    <DialogOpener
      class="small"
      aria-label={`Explain: ${name}`}
      dialog={(close) => <Why system={system} close={close} />}
    >
      Explain
    </DialogOpener>
  )
  return (
    <>
      <Card title={name} actions={[explain, mayWrite && adjust]}>
        <Loaded answer={answer} what="the balance">
          {(balance) => <Balance balance={balance} />}
        </Loaded>
      </Card>
      <Statement system={system} />
    </>
  )
}

/** Explains how the balance came about. */
function Why({ system: { key, name }, close }: { readonly system: UserPoints; readonly close: () => void }) {
  return (
    <Dialog title={`The balance of ${name}`} isForReading close={close}>
      <ExplainNow query={{ balance: key }} words={['The user can spend points', 'The user has nothing to spend']} />
    </Dialog>
  )
}

function Balance({ balance: { nextExpiry, lots, pendingLots, holds, ...sums } }: { balance: PointsBalance }) {
  return (
    <div class="stack">
      <Figures
        figures={[
          { name: 'Balance', value: formatNumber(sums.balance), note: 'can be spent now', id: 'balance' },
          { name: 'Pending', value: formatNumber(sums.pending), note: 'earned, not available yet' },
          { name: 'Held', value: formatNumber(sums.held), note: 'set aside by holds' },
          {
            name: 'Expires next',
            value: nextExpiry === null ? '–' : formatNumber(nextExpiry.amount),
            note: nextExpiry === null ? 'nothing expires' : `on ${formatDate(nextExpiry.date)}`,
          },
        ]}
      />
      <Facts
        facts={[
          ['Earned', formatNumber(sums.total)],
          ['Spent', formatNumber(sums.spent)],
          ['Expired', formatNumber(sums.expired)],
        ]}
      />
      {lots.length > 0 && <Table caption="The parts of the balance" columns={LOT_COLUMNS} rows={lots} most={12} />}
      {pendingLots.length > 0 && (
        <Table caption="Points that are not available yet" columns={PENDING_COLUMNS} rows={pendingLots} most={12} />
      )}
      {holds.length > 0 && <Holds holds={holds} />}
    </div>
  )
}

function toExpiry({ expires }: WalletLot): string {
  return expires === null ? 'never' : formatDate(expires)
}

const LOT_COLUMNS: readonly Column<WalletLot>[] = [
  { name: 'Points', isHeader: true, cell: ({ amount }) => formatNumber(amount) },
  { name: 'Expire on', cell: toExpiry },
]

const PENDING_COLUMNS: readonly Column<PendingWalletLot>[] = [
  { name: 'Pending points', isHeader: true, cell: ({ amount }) => formatNumber(amount) },
  { name: 'Available on', cell: ({ available }) => formatDate(available) },
  { name: 'Expire on', cell: toExpiry },
]

function Holds({ holds }: { readonly holds: readonly WalletHold[] }): JSX.Element {
  const mayWrite = useMayWrite()
  const { user, changed } = usePageUser()
  const columns: readonly Column<WalletHold>[] = [
    { name: 'Held points', isHeader: true, cell: ({ amount }) => formatNumber(amount) },
    { name: 'For', cell: ({ reference }) => reference !== null && <span dir="auto">{reference}</span> },
    { name: 'Until', cell: ({ expiresAt }) => <Time at={expiresAt} zone={user.tz} /> },
  ]
  const release = dialogColumn<WalletHold>(
    'Release',
    'Release',
    ({ amount }) => `Release ${formatNumber(amount)}`,
    (hold, close) => <Release hold={hold} done={changed} close={close} />,
  )
  return <Table caption="Open holds" columns={mayWrite ? [...columns, release] : columns} rows={holds} />
}

function Release({ hold: { id, amount }, done, close }: AskingProps & { readonly hold: WalletHold }): JSX.Element {
  const run = async (): Promise<string> => {
    await call('POST', route`v1/points/holds/${id}/release`)
    done()
    return 'The hold is released.'
  }
  return (
    <Confirm title="Release the hold" verb="Release it" run={run} close={close}>
      <p>The user can spend the {formatNumber(amount)} points again, and your app can no longer capture them.</p>
    </Confirm>
  )
}

const KINDS: Record<PointsMovement['kind'], string> = {
  earned: 'Earned',
  available: 'Became available',
  spent: 'Spent',
  held: 'Held',
  captured: 'Captured from a hold',
  released: 'Hold released',
  refunded: 'Refunded',
  expired: 'Expired',
  adjusted: 'Adjusted by support',
}

const PER_PAGE = 25
const NAMES = { back: 'Newer', next: 'Older' }

/** Every movement of one points system, the newest first. */
function Statement({ system: { key, name } }: { readonly system: UserPoints }): JSX.Element {
  const mayWrite = useMayWrite()
  const { user, changed } = usePageUser()
  const pages = usePages<string>([user.id, key])
  const answer = useOfUser(
    (id, signal) =>
      call<PointsStatement>('GET', route`v1/users/${id}/statement`, {
        query: { system: key, before: pages.cursor, limit: PER_PAGE },
        signal,
      }),
    [key, pages.cursor],
  )
  const columns: readonly Column<PointsMovement>[] = [
    { name: 'When', cell: ({ date }) => <Time at={date} zone={user.tz} /> },
    {
      name: 'What',
      isHeader: true,
      cell: ({ kind, points, reference }) => (
        <>
          {`${KINDS[kind]}: ${formatNumber(points)}`}
          {reference !== undefined && (
            <small class="below" dir="auto">
              {reference}
            </small>
          )}
        </>
      ),
    },
    { name: 'Change', kind: 'number', cell: ({ amount }) => (amount === 0 ? '–' : formatChange(amount)) },
    { name: 'Balance', kind: 'number', cell: ({ balance }) => formatNumber(balance) },
  ]
  const refund = dialogColumn<PointsMovement>(
    'Refund',
    'Refund…',
    ({ kind, points }) => (kind === 'spent' || kind === 'captured' ? `Refund ${formatNumber(points)}` : null),
    (movement, close) => <Refund movement={movement} done={changed} close={close} />,
  )
  return (
    <TableCard
      title={`Statement: ${name}`}
      answer={answer}
      what="the statement"
      caption={`Movements of ${name}, the newest first`}
      columns={mayWrite ? [...columns, refund] : columns}
      rowsOf={({ movements }) => movements}
      empty={<Empty title="Nothing was earned or spent yet" />}
      pager={<Pager pages={pages} next={answer.data?.next} names={NAMES} />}
    />
  )
}

function Refund({
  movement: { spendId = '', points },
  done,
  close,
}: AskingProps & { readonly movement: PointsMovement }): JSX.Element {
  const amount = useText()
  const idempotencyKey = useIdempotencyKey()
  const wanted = Number(amount.value)
  const isAll = amount.value === ''
  const isReady = isAll || (Number.isSafeInteger(wanted) && wanted >= 1 && wanted <= points)
  const run = async (): Promise<string> => {
    const settings = { body: isAll ? {} : { amount: wanted }, idempotencyKey }
    const { refunded, balance } = await call<RefundResponse>(
      'POST',
      route`v1/points/spends/${spendId}/refund`,
      settings,
    )
    done()
    return `${formatNumber(refunded)} refunded. The balance is ${formatNumber(balance)}.`
  }
  return (
    <Confirm title="Refund a spend" verb="Refund" isReady={isReady} run={run} close={close}>
      <p>The points return with the dates on which they expire. Points that have expired since get new time.</p>
      <Input
        label="Points"
        hint={`Empty: all that is left of the ${formatNumber(points)}.`}
        type="number"
        min={1}
        max={points}
        step={1}
        {...amount}
      />
    </Confirm>
  )
}
