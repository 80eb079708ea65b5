/// <reference lib="dom" preserve="true" />
import type { ActingLabels } from '../parts/acting.ts'
import { LOADING_LABELS } from '../parts/element.ts'
import type { Label } from '../parts/formats.ts'
import { GIFT_LABELS, GIFT_STYLES, type GiftLabels } from '../parts/gifts.ts'

/** The texts of `<laurels-challenges>`. Names in braces are replaced by values. */
export interface ChallengesLabels extends ActingLabels, GiftLabels {
  /** The text if no challenge is open. */
  readonly empty: Label
  /** The time that is left of an open window: `{time}`. */
  readonly left: Label
  /** The time until the next window, after the last quest is completed: `{time}`. */
  readonly next: Label
  readonly over: Label
  /** The state of a quest for screen readers, and that of a challenge without further windows. */
  readonly open: Label
  readonly completed: Label
  /** `{count}` of `{max}`, of a quest with one criterion. */
  readonly progress: Label
  /** `{count}` of `{max}` criteria, of a quest with several. */
  readonly steps: Label
  /** The name of a bar: progress to `{name}`. */
  readonly progressName: Label
  /** `{date}` is the last date on which the reward can be claimed. */
  readonly claimBy: Label
  /** The heading of rewards of earlier windows. */
  readonly waiting: Label
  /** How many quests can be swapped: `{count}`. */
  readonly rerollsLeft: Label
  /** The buttons. */
  readonly enrol: Label
  readonly claim: Label
  readonly reroll: Label
  /** The name of a button for screen readers: `{button}`, and `{name}` of the quest or challenge. */
  readonly buttonName: Label
  /** The text that screen readers announce after a button has worked. */
  readonly enrolDone: Label
  readonly claimDone: Label
  readonly rerollDone: Label
}

export const CHALLENGES_LABELS: ChallengesLabels = {
  ...LOADING_LABELS,
  ...GIFT_LABELS,
  empty: 'There are no challenges now.',
  left: '{time} left',
  next: 'Next in {time}',
  over: 'Over',
  open: 'Not completed yet',
  completed: 'Completed',
  progress: '{count} of {max}',
  steps: { one: '{count} of {max} steps', other: '{count} of {max} steps' },
  progressName: 'Progress to {name}',
  claimBy: 'Claim by {date}',
  waiting: 'Rewards that wait for you',
  rerollsLeft: { one: '{count} swap left', other: '{count} swaps left' },
  enrol: 'Join',
  claim: 'Claim',
  reroll: 'Swap',
  buttonName: '{button}: {name}',
  saving: 'Saving…',
  enrolDone: 'You take part.',
  claimDone: 'Claimed.',
  rerollDone: 'Swapped.',
  notDone: 'This did not work.',
}

export const CHALLENGES_STYLES: string = `${GIFT_STYLES}
.all { display: grid; gap: 1.5rem; }
.challenge { display: grid; gap: .75rem; min-inline-size: 0; }
.challenge + .challenge { border-block-start: 1px solid var(--_border); padding-block-start: 1.25rem; }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; }
.head + .muted { margin-block-start: -.5rem; }
.title { font-size: 1.125rem; font-weight: 700; line-height: 1.3; letter-spacing: -.01em; }
.left { display: inline-flex; align-items: center; gap: .3125rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
.left .icon { font-size: .875rem; }
ul { display: grid; gap: .5rem; }
.quest {
  display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: .375rem .875rem; align-items: center; padding: .75rem .875rem;
  border-radius: calc(var(--_radius) * .8); box-shadow: inset 0 0 0 1px var(--_border);
}
.quest:not(:has(button)) { grid-template-columns: auto minmax(0, 1fr); }
.quest.completed { background: var(--_surface); box-shadow: none; }
.quest.claimable { background: color-mix(in srgb, var(--_accent) 10%, var(--_background)); box-shadow: inset 0 0 0 1px var(--_accent); }
.mark {
  display: grid; place-items: center; position: relative; inline-size: 1.75rem; block-size: 1.75rem; border-radius: 50%; align-self: start;
  box-shadow: inset 0 0 0 2px var(--_border); --picture: 2.5rem; font-size: .875rem;
}
.unnamed .mark { align-self: center; }
.mark.pictured { inline-size: 2.5rem; block-size: 2.5rem; box-shadow: none; }
:is(.completed, .claimable) .mark:not(.pictured), .tick { color: var(--_on-accent); background: var(--_accent); box-shadow: none; }
.tick {
  display: grid; place-items: center; position: absolute; inset-block-end: -.125rem; inset-inline-end: -.25rem; border-radius: 50%; inline-size: 1.125rem;
  block-size: 1.125rem; font-size: .625rem; border: 2px solid var(--_surface); box-sizing: content-box;
}
.missing .picture img { filter: grayscale(1); opacity: .6; }
.text { display: grid; gap: .3125rem; min-inline-size: 0; }
.name { font-weight: 600; line-height: 1.35; }
.completed .name { color: var(--_muted); }
.text .muted { font-size: .8125rem; line-height: 1.4; }
.progress { display: grid; grid-template-columns: minmax(3rem, 1fr) auto; gap: .75rem; align-items: center; }
.progress .muted { font-variant-numeric: tabular-nums; }
.claimable .rewards li { color: var(--_on-accent); background: var(--_accent); }
.completed .rewards li { color: var(--_muted); background: none; padding-inline: 0; }
.main { color: var(--_on-accent); background: var(--_accent); border-color: transparent; }
.main:hover { border-color: var(--_color); }
.main[aria-disabled=true] { color: var(--_muted); background: var(--_surface); }
.swap { display: inline-flex; align-items: center; gap: .375rem; color: var(--_muted); background: none; }
.swap:hover { color: var(--_color); }
.swaps { font-size: .8125rem; text-align: end; margin-block-start: -.25rem; }
.earlier { font-weight: 650; font-size: .875rem; }
@container (min-width: 44rem) {
  .all { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.75rem 2rem; align-items: start; }
  .challenge { align-content: start; }
  .challenge + .challenge { border: 0; padding: 0; }
  .challenge:only-child { grid-column: 1 / -1; }
}
@container (max-width: 22rem) {
  .quest { grid-template-columns: auto minmax(0, 1fr); }
  .quest button { grid-column: 2; justify-self: start; }
  .join button { inline-size: 100%; }
}
@media (forced-colors: active) {
  .quest { border: 1px solid CanvasText; }
  .mark, .tick { forced-color-adjust: none; --_accent: Highlight; --_on-accent: HighlightText; --_border: CanvasText; --_surface: Canvas; }
  .left .icon, .swap .icon { fill: currentColor; }
}
`
