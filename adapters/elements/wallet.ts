/// <reference lib="dom" preserve="true" />
import type { PointsBalance, PointsMovement, PointsStatement } from '../../src/shapes/wallets.ts'
import { type Asked, define, LaurelsElement, LOADING_LABELS, type LoadingLabels, type Take } from './parts/element.ts'
import type { Formats, Label } from './parts/formats.ts'
import { h, icon, nameText } from './parts/markup.ts'

/** The calls that `<laurels-wallet>` makes on a client of `laurels/client`. */
export interface WalletClient {
  readonly points: {
    balance(user: string, system: string, options: Asked): Promise<PointsBalance>
    statement(
      user: string,
      request: { readonly system: string; readonly limit: number; readonly before?: string },
      options: Asked,
    ): Promise<PointsStatement>
  }
}

const MOST_ON_A_PAGE = 100
const COINS =
  'M12 3c4.400 0 8 1.600 8 3.600v10.800c0 2-3.600 3.600-8 3.600s-8-1.600-8-3.600V6.600C4 4.600 7.600 3 12 3zm0 2C8.500 5 6.300 6.100 6.300 6.600S8.500 8.200 12 8.200s5.700-1.100 5.700-1.600S15.500 5 12 5zm5.700 4.200c-1.500.7-3.500 1-5.700 1s-4.200-.3-5.700-1V12c0 .5 2.200 1.600 5.700 1.600s5.700-1.100 5.700-1.600zm0 5.400c-1.500.7-3.500 1-5.700 1s-4.200-.3-5.700-1v2.800c0 .5 2.200 1.600 5.700 1.600s5.700-1.100 5.700-1.600z'

/**
 * `<laurels-wallet user-id="18" system="coins" limit="5">`: the points that a user can spend, what is pending or set
 * aside, what expires next, and the newest lines of the statement.
 */
export class WalletElement extends LaurelsElement<PointsBalance, WalletClient, WalletLabels> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id', 'system', 'limit']

  protected readonly defaults: WalletLabels = WALLET_LABELS
  protected readonly styles: string = WALLET_STYLES
  protected readonly needs: readonly string[] = ['user-id', 'system']
  protected readonly asks: readonly string[] = ['user-id', 'system', 'limit']
  #statement: PointsStatement | null = null
  /** How many lines to load: more after the button. */
  #more = 0

  /** The number of lines of the statement: the attribute `limit`, 0 to 100. Default 5. */
  get limit(): number {
    const given = Number(this.getAttribute('limit') ?? 5)
    return Number.isInteger(given) && given >= 0 ? Math.min(given, MOST_ON_A_PAGE) : 5
  }

  set limit(limit: number) {
    this.setAttribute('limit', String(limit))
  }

  /** A page of the statement, as `points.statement` answers it. Without it, the element shows the balance alone. */
  get statement(): PointsStatement | null {
    return this.#statement
  }

  set statement(statement: PointsStatement | null) {
    this.#statement = statement
    this.redraw()
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before !== after && this.asks.includes(name)) this.#more = 0
    super.attributeChangedCallback(name, before, after)
  }

  protected async load({ points }: WalletClient, signal: AbortSignal): Promise<Take> {
    const system = this.getAttribute('system') ?? ''
    const limit = Math.min(this.limit + this.#more, MOST_ON_A_PAGE)
    const [balance, statement] = await Promise.all([
      points.balance(this.userId, system, { signal }),
      this.limit === 0 ? null : points.statement(this.userId, { system, limit }, { signal }),
    ])
    return () => {
      this.#statement = statement
      this.show(balance)
    }
  }

  protected view(data: PointsBalance): readonly (Node | null)[] {
    const { texts, formats } = this
    const view = { texts, formats }
    const count = h('span', { class: 'count' }, formats.number(data.balance))
    const figure = h('p', { class: 'balance', part: 'balance' }, count, ' ', nameText(data.name))
    const coins = h('span', { class: 'coins', 'aria-hidden': 'true' }, icon(COINS))
    const head = h('div', { class: 'head' }, coins, h('div', { class: 'now' }, figure, ...facts(data, view)))
    const statement = this.limit === 0 ? null : this.#statement
    return [head, statement === null ? null : this.#lines(statement)]
  }

  #lines({ movements, next }: PointsStatement): HTMLElement {
    const { texts, formats } = this
    if (movements.length === 0) return h('p', { class: 'muted empty', part: 'nothing' }, formats.label(texts.empty))
    const lines = movements.map((movement) => line(movement, { texts, formats }))
    const list = h('ul', { role: 'list', part: 'statement', 'aria-label': formats.label(texts.statement) }, ...lines)
    const canLoad = (this.client !== null || this.hasAttribute('base-url')) && movements.length < MOST_ON_A_PAGE
    const more = next === null || !canLoad ? null : h('button', { type: 'button', part: 'more', 'data-focus': 'more' })
    more?.append(formats.label(texts.more))
    more?.addEventListener('click', () => {
      this.#more += 20
      void this.refresh()
    })
    return h('div', { class: 'statement' }, list, more)
  }
}

interface WalletView {
  readonly texts: WalletLabels
  readonly formats: Formats
}

/** The facts beside the balance. */
function facts(balance: PointsBalance, { texts, formats }: WalletView): readonly (HTMLElement | null)[] {
  const { pending, pendingLots, held, nextExpiry } = balance
  const [next] = pendingLots
  const fact = (part: string, text: string): HTMLElement => h('p', { class: `muted ${part}`, part }, text)
  return [
    nextExpiry === null
      ? null
      : fact('expiry', formats.label(texts.expiry, { count: nextExpiry.amount, date: formats.day(nextExpiry.date) })),
    next === undefined
      ? null
      : fact('pending', formats.label(texts.pending, { count: pending, date: formats.day(next.available) })),
    held === 0 ? null : fact('held', formats.label(texts.aside, { count: held })),
  ]
}

function line({ kind, date, points, amount, reference }: PointsMovement, { texts, formats }: WalletView): HTMLElement {
  const sign = amount === 0 ? 'none' : amount > 0 ? 'plus' : 'minus'
  const shown = amount === 0 ? formats.number(points) : `${amount > 0 ? '+' : '−'}${formats.number(Math.abs(amount))}`
  const what = formats.label(kind === 'earned' && amount === 0 ? texts.earnedLater : texts[kind])
  const about = reference === undefined ? null : h('span', { class: 'muted', part: 'reference' }, nameText(reference))
  return h(
    'li',
    { class: `movement ${sign}`, part: `movement ${kind}` },
    h('span', { class: 'what' }, what, about),
    h('time', { class: 'muted', datetime: date, part: 'date' }, formats.instant(date)),
    h('span', { class: 'amount', part: 'amount' }, shown),
  )
}

/** The texts of `<laurels-wallet>`. Names in braces are replaced by values. */
export interface WalletLabels extends LoadingLabels {
  /** The name of the list of movements. */
  readonly statement: Label
  readonly empty: Label
  readonly more: Label
  /** `{count}` points expire at the beginning of `{date}`. */
  readonly expiry: Label
  /** `{count}` points are not available yet; the first become available on `{date}`. */
  readonly pending: Label
  /** `{count}` points are set aside by holds. */
  readonly aside: Label
  /** The kinds of movements. `earnedLater`: the points are not available yet. */
  readonly earned: Label
  readonly earnedLater: Label
  readonly available: Label
  readonly spent: Label
  readonly held: Label
  readonly captured: Label
  readonly released: Label
  readonly refunded: Label
  readonly expired: Label
  readonly adjusted: Label
}

const WALLET_LABELS: WalletLabels = {
  ...LOADING_LABELS,
  statement: 'Statement',
  empty: 'Nothing has been earned or spent yet.',
  more: 'Show more',
  expiry: { one: 'Use {count} before {date}', other: 'Use {count} before {date}' },
  pending: { one: '{count} pending, from {date}', other: '{count} pending, from {date}' },
  aside: { one: '{count} set aside', other: '{count} set aside' },
  earned: 'Earned',
  earnedLater: 'Earned, pending',
  available: 'Available now',
  spent: 'Spent',
  held: 'Set aside',
  captured: 'Spent from what was set aside',
  released: 'No longer set aside',
  refunded: 'Refunded',
  expired: 'Expired',
  adjusted: 'Adjusted',
}

const WALLET_STYLES = `
.head { display: flex; align-items: center; gap: .875rem; }
.coins {
  display: grid; place-items: center; flex: none; inline-size: 3.25rem; block-size: 3.25rem; border-radius: 50%; font-size: 1.5rem;
  color: var(--_accent); background: color-mix(in srgb, var(--_accent) 12%, var(--_background));
}
.now { min-inline-size: 0; flex: 1; }
.balance { font-weight: 600; }
.count { font-size: 1.625rem; font-weight: 720; line-height: 1.15; letter-spacing: -.015em; font-variant-numeric: tabular-nums; }
.expiry { color: var(--_warm); font-weight: 600; }
.statement { margin-block-start: 1rem; display: grid; gap: .75rem; justify-items: start; }
ul { inline-size: 100%; }
.movement {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem; align-items: baseline; padding-block: .5rem;
  border-block-start: 1px solid var(--_border);
}
.what { display: flex; flex-wrap: wrap; gap: 0 .5rem; font-weight: 550; }
.what .muted { font-weight: 400; }
.movement time { font-size: .8125rem; grid-area: 2 / 1; }
.amount { grid-area: 1 / 2 / span 2; align-self: center; font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; }
.plus .amount { color: var(--_accent); }
.none .amount { color: var(--_muted); font-weight: 400; }
.empty { margin-block-start: 1rem; }
`

declare global {
  interface HTMLElementTagNameMap {
    'laurels-wallet': WalletElement
  }
}

define('laurels-wallet', WalletElement)
