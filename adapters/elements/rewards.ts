/// <reference lib="dom" preserve="true" />
import type { Redemption, Reward } from '../../src/shapes/rewards.ts'
import type { PointsBalance } from '../../src/shapes/wallets.ts'
import { ActingElement, type OwnClient } from './parts/acting.ts'
import { type Asked, define, type Take } from './parts/element.ts'
import { h } from './parts/markup.ts'
import { REWARDS_LABELS, REWARDS_STYLES, type RewardsLabels } from './rewards/labels.ts'
import { rewardCard } from './rewards/view.ts'

export type { RewardsLabels } from './rewards/labels.ts'

/** The calls that `<laurels-rewards>` makes on a client of `laurels/client`. */
export interface RewardsClient {
  readonly users: OwnClient['users']
  readonly points: { balances(user: string, options: Asked): Promise<readonly PointsBalance[]> }
  readonly rewards: {
    list(options: Asked): Promise<readonly Reward[]>
    redemptions(request: { readonly user: string }, options: Asked): Promise<readonly Redemption[]>
    redeem(reward: string, request: { readonly user: string }): Promise<unknown>
  }
}

/** The detail of the events `laurels-act` and `laurels-acted` of `<laurels-rewards>`. */
export interface RewardAct {
  readonly act: 'redeem'
  readonly reward: string
}

/**
 * `<laurels-rewards user-id="18">`: the catalogue of rewards, with what the user can afford, what is left, and a button to
 * redeem that asks once more.
 */
export class RewardsElement extends ActingElement<readonly Reward[], RewardsClient, RewardsLabels, RewardAct> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id', 'actions']

  protected readonly defaults: RewardsLabels = REWARDS_LABELS
  protected readonly styles: string = REWARDS_STYLES
  protected readonly needs: readonly string[] = ['user-id']
  protected readonly asks: readonly string[] = ['user-id']
  #balances: readonly PointsBalance[] = []
  #redemptions: readonly Redemption[] = []
  /** Key of the reward whose button was pressed, and not confirmed yet. */
  #chosen: string | null = null

  /** The user's balances, as `points.balances` answers them. */
  get balances(): readonly PointsBalance[] {
    return this.#balances
  }

  set balances(balances: readonly PointsBalance[] | null) {
    this.#balances = balances ?? []
    this.redraw()
  }

  /** The user's redemptions, as `rewards.redemptions` answers them. */
  get redemptions(): readonly Redemption[] {
    return this.#redemptions
  }

  set redemptions(redemptions: readonly Redemption[] | null) {
    this.#redemptions = redemptions ?? []
    this.redraw()
  }

  protected async read(client: RewardsClient, signal: AbortSignal): Promise<Take> {
    const me = this.userId === 'me' ? (await client.users.get('me', { signal })).id : this.userId
    const [rewards, balances, redemptions] = await Promise.all([
      client.rewards.list({ signal }),
      client.points.balances(me, { signal }),
      client.rewards.redemptions({ user: me }, { signal }),
    ])
    return () => {
      this.#balances = balances
      this.#redemptions = redemptions
      this.show(rewards)
    }
  }

  protected send({ rewards }: RewardsClient, { reward }: RewardAct, user: string): Promise<unknown> {
    return rewards.redeem(reward, { user })
  }

  protected view(data: readonly Reward[]): readonly (Node | null)[] {
    const { texts, formats } = this
    const shown = data.filter(({ status }) => status === 'active')
    if (shown.length === 0) return [h('p', { class: 'muted', part: 'nothing' }, formats.label(texts.empty))]
    const view = {
      ...{ texts, formats, chosen: this.#chosen, isBusy: this.isActing },
      canRedeem: this.getAttribute('actions') !== 'off',
      choose: (reward: string | null) => this.#choose(reward),
      redeem: (reward: string) => {
        this.#chosen = null
        this.act({ act: 'redeem', reward })
        this.redraw()
      },
    }
    const cards = shown.map((reward) => {
      const balance = this.#balances.find(({ system }) => system === reward.system)?.balance ?? 0
      const taken = this.#redemptions.filter((each) => each.reward === reward.key && each.status !== 'cancelled')
      return rewardCard(reward, { balance, taken: taken.length }, view)
    })
    return [h('ul', { role: 'list', part: 'list', 'aria-label': formats.label(texts.rewards) }, ...cards)]
  }

  protected override summary(): string {
    const { done } = this
    const name = this.data?.find(({ key }) => key === done?.reward)?.name
    return name === undefined ? '' : this.formats.label(this.texts.redeemed, { name })
  }

  #choose(reward: string | null): void {
    const before = this.#chosen
    this.#chosen = reward
    this.redraw()
    // The button to confirm takes the place of the one that was pressed.
    queueMicrotask(() => {
      const focus = reward === null ? `redeem ${before}` : `confirm ${reward}`
      this.shadowRoot?.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focus)}"]`)?.focus()
    })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'laurels-rewards': RewardsElement
  }
}

define('laurels-rewards', RewardsElement)
