/// <reference lib="dom" preserve="true" />
import type { ActingLabels } from '../parts/acting.ts'
import { LOADING_LABELS } from '../parts/element.ts'
import type { Label } from '../parts/formats.ts'
import { GIFT_LABELS, GIFT_STYLES, type GiftLabels } from '../parts/gifts.ts'

/** The texts of `<laurels-rewards>`. Names in braces are replaced by values. */
export interface RewardsLabels extends ActingLabels, GiftLabels {
  /** The name of the list. */
  readonly rewards: Label
  readonly empty: Label
  /** `{count}` points of the system `{system}`. */
  readonly price: Label
  /** `{count}` are left of the stock. */
  readonly left: Label
  /** None is left of the stock. */
  readonly gone: Label
  /** The user has redeemed it `{count}` times. */
  readonly taken: Label
  /** `{count}` points of `{system}` are missing to the price. */
  readonly missing: Label
  /** The name of a bar: progress to `{name}`. */
  readonly progressName: Label
  /** The buttons. `confirm` and `cancel` follow on `redeem`; `{price}` is the price. */
  readonly redeem: Label
  readonly confirm: Label
  readonly cancel: Label
  /** The name of a button for screen readers: `{button}`, and `{name}` of the reward. */
  readonly buttonName: Label
  /** The text that screen readers announce: `{name}` is redeemed. */
  readonly redeemed: Label
}

export const REWARDS_LABELS: RewardsLabels = {
  ...LOADING_LABELS,
  ...GIFT_LABELS,
  rewards: 'Rewards',
  empty: 'There are no rewards now.',
  price: '{count} {system}',
  left: { one: '{count} left', other: '{count} left' },
  gone: 'None left',
  taken: { one: 'You have it', other: 'You have {count}' },
  missing: '{count} {system} missing',
  progressName: 'Progress to {name}',
  redeem: 'Redeem',
  confirm: 'Spend {price}',
  cancel: 'Cancel',
  buttonName: '{button}: {name}',
  saving: 'Saving…',
  redeemed: 'Redeemed: {name}',
  notDone: 'This did not work. Nothing was spent twice.',
}

export const REWARDS_STYLES: string = `${GIFT_STYLES}
ul { display: grid; gap: .5rem; }
[part=list] { grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); }
.reward {
  display: flex; flex-direction: column; justify-content: space-between; gap: .75rem; padding: .875rem; min-inline-size: 0;
  border-radius: calc(var(--_radius) * .8); box-shadow: inset 0 0 0 1px var(--_border);
}
.reward.gone, .reward.owned { background: var(--_surface); box-shadow: none; }
.text { display: grid; gap: .3125rem; min-inline-size: 0; }
.name { font-weight: 650; line-height: 1.35; }
.gone .name { color: var(--_muted); }
.text .muted { font-size: .8125rem; line-height: 1.4; }
.price { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; font-weight: 650; font-variant-numeric: tabular-nums; }
.price .muted { font-weight: 400; }
.progress { display: grid; gap: .25rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
.main { color: var(--_on-accent); background: var(--_accent); border-color: transparent; }
.main:hover { border-color: var(--_color); }
.main[aria-disabled=true] { color: var(--_muted); background: var(--_surface); }
@media (forced-colors: active) { .reward { border: 1px solid CanvasText; } }
`
