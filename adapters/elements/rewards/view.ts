/// <reference lib="dom" preserve="true" />
import type { Reward } from '../../../src/shapes/rewards.ts'
import { type Formats, isolated, type Label } from '../parts/formats.ts'
import { gifts } from '../parts/gifts.ts'
import { bar, h, nameText } from '../parts/markup.ts'
import type { RewardsLabels } from './labels.ts'

export interface RewardsView {
  readonly texts: RewardsLabels
  readonly formats: Formats
  /** Key of the reward whose button asks once more. */
  readonly chosen: string | null
  readonly isBusy: boolean
  readonly canRedeem: boolean
  /** Asks once more, or with `null` no longer. */
  readonly choose: (reward: string | null) => void
  readonly redeem: (reward: string) => void
}

/** The points that the user can spend, and how often the user has the reward. */
interface Owned {
  readonly balance: number
  readonly taken: number
}

export function rewardCard(reward: Reward, owned: Owned, view: RewardsView): HTMLElement {
  const { texts, formats } = view
  const { name, description, amount, systemName, gives } = reward
  const state = stateOf(reward, owned)
  const price = formats.label(texts.price, { count: amount, system: isolated(systemName) })
  return h(
    'li',
    { class: `reward ${state}`, part: `reward ${state}` },
    h(
      'div',
      { class: 'text' },
      h('p', { class: 'name', part: 'name' }, nameText(name)),
      description === null ? null : h('p', { class: 'muted', part: 'description' }, description),
      gifts(gives, view),
      h('p', { class: 'price', part: 'price' }, price, stock(reward, owned, view)),
      state === 'missing' ? missing(reward, owned, view) : null,
    ),
    state === 'open' && view.canRedeem ? buttons(reward, price, view) : null,
  )
}

function stateOf({ left, perUser, amount }: Reward, { balance, taken }: Owned): 'open' | 'missing' | 'gone' | 'owned' {
  if (perUser !== null && taken >= perUser) return 'owned'
  if (left === 0) return 'gone'
  return balance < amount ? 'missing' : 'open'
}

function stock({ left }: Reward, { taken }: Owned, { texts, formats }: RewardsView): HTMLElement | null {
  const facts = [
    ...(left === null ? [] : [left === 0 ? formats.label(texts.gone) : formats.label(texts.left, { count: left })]),
    ...(taken === 0 ? [] : [formats.label(texts.taken, { count: taken })]),
  ]
  return facts.length === 0 ? null : h('span', { class: 'muted', part: 'stock' }, facts.join(' · '))
}

function missing(
  { amount, systemName, name }: Reward,
  { balance }: Owned,
  { texts, formats }: RewardsView,
): HTMLElement {
  const value = Math.max(0, balance)
  const text = formats.label(texts.missing, { count: amount - balance, system: isolated(systemName) })
  const line = bar({ value, max: amount, name: formats.label(texts.progressName, { name: isolated(name) }), text })
  return h(
    'div',
    { class: 'progress' },
    line,
    h('span', { class: 'muted', part: 'missing', 'aria-hidden': 'true' }, text),
  )
}

function buttons({ key, name }: Reward, price: string, view: RewardsView): HTMLElement {
  const { texts, chosen, choose, redeem } = view
  if (chosen !== key)
    return h(
      'div',
      { class: 'buttons' },
      button('redeem', texts.redeem, () => choose(key)),
    )
  const confirm = button('confirm', texts.confirm, () => redeem(key))
  return h(
    'div',
    { class: 'buttons' },
    confirm,
    button('cancel', texts.cancel, () => choose(null)),
  )

  function button(kind: string, label: Label, pressed: () => void): HTMLButtonElement {
    const text = view.formats.label(label, { price })
    const made = h(
      'button',
      {
        ...{ type: 'button', class: kind === 'cancel' ? null : 'main', part: `button ${kind}` },
        'aria-disabled': view.isBusy ? 'true' : null,
        'aria-label': view.formats.label(texts.buttonName, { button: text, name: isolated(name) }),
        'data-focus': `${kind} ${key}`,
      },
      text,
    )
    made.addEventListener('click', () => {
      if (!view.isBusy) pressed()
    })
    return made
  }
}
