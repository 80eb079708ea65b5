import { LOADING_LABELS, type LoadingLabels } from '../parts/element.ts'
import type { Label } from '../parts/formats.ts'

/** The texts of `<laurels-leaderboard>`. Names in braces are replaced by values. */
export interface LeaderboardLabels extends LoadingLabels {
  readonly rank: Label
  readonly name: Label
  readonly change: Label
  /** The heading above streak lengths. Other leaderboards have the name of the metric or of the points system. */
  readonly streak: Label
  /** For a user without a name: `{id}`. */
  readonly unnamed: Label
  /** The text beside the highlighted user's name; may be empty. */
  readonly you: Label
  /** `{count}` places since the ranks were last shown. */
  readonly up: Label
  readonly down: Label
  readonly same: Label
  /** The text for users who were not there before. */
  readonly entered: Label
  readonly empty: Label
  /** The text for a group that is too small to show places. */
  readonly few: Label
  /** For a user whose place is shown without the name. */
  readonly anonymous: Label
  /** The text for the user of `user-id`, if that user's own choice leaves the user off the leaderboard. */
  readonly hidden: Label
  /** `{dates}` */
  readonly finished: Label
  readonly previous: Label
  readonly next: Label
  readonly pages: Label
  /** `{from}` and `{to}` */
  readonly places: Label
}

export const LEADERBOARD_LABELS: LeaderboardLabels = {
  ...LOADING_LABELS,
  rank: 'Rank',
  name: 'Name',
  change: 'Change',
  streak: 'Streak',
  unnamed: 'User {id}',
  you: 'You',
  up: { one: 'up {count} place', other: 'up {count} places' },
  down: { one: 'down {count} place', other: 'down {count} places' },
  same: 'unchanged',
  entered: 'new',
  empty: 'No users yet.',
  few: 'There are too few users to show their places.',
  anonymous: 'Anonymous',
  hidden: 'You are hidden on this leaderboard.',
  finished: '{dates} · finished',
  previous: 'Previous',
  next: 'Next',
  pages: 'Pages',
  places: 'Places {from} to {to}',
}

export const LEADERBOARD_STYLES = `
table { inline-size: 100%; border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; }
caption { text-align: start; font-weight: 700; font-size: 1.0625rem; padding-block-end: .625rem; }
caption .muted { display: block; font-weight: 400; }
th, td { padding: .5rem .625rem; text-align: start; vertical-align: middle; }
thead th { font-size: .75rem; font-weight: 600; color: var(--_muted); padding-block: .25rem .375rem; border-block-end: 1px solid var(--_border); white-space: nowrap; }
tbody tr + tr > * { border-block-start: 1px solid var(--_border); }
tbody th { font-weight: 550; inline-size: 100%; max-inline-size: 0; }
.who { display: flex; align-items: center; gap: .5rem; min-inline-size: 0; }
.who bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0; }
.value, thead .value { text-align: end; }
.value { white-space: nowrap; font-weight: 600; }
thead .value { font-weight: 600; max-inline-size: 9rem; overflow: hidden; text-overflow: ellipsis; }
.rank { white-space: nowrap; }
.rank span { display: inline-grid; place-items: center; min-inline-size: 1.75rem; block-size: 1.75rem; border-radius: 1rem; padding-inline: .375rem; color: var(--_muted); font-weight: 650; font-size: .875rem; }
.rank .first { color: #5a3d00; background: #ffd75e; }
.rank .second { color: #353d47; background: #d3dae2; }
.rank .third { color: #5c2c0c; background: #f0b48a; }
.change { white-space: nowrap; font-size: .8125rem; font-weight: 600; color: var(--_muted); text-align: end; }
.change .up { color: var(--_accent); }
.change .down { color: var(--_lost); }
.change > span { vertical-align: middle; }
.change span { display: inline-flex; align-items: center; gap: .125rem; }
.change .icon { inline-size: 1em; block-size: 1em; }
.mine > * { background: color-mix(in srgb, var(--_accent) 11%, var(--_background)); }
.mine > :first-child { border-start-start-radius: .5rem; border-end-start-radius: .5rem; box-shadow: inset 3px 0 0 var(--_accent); }
.mine > :first-child:dir(rtl) { box-shadow: inset -3px 0 0 var(--_accent); }
.mine > :last-child { border-start-end-radius: .5rem; border-end-end-radius: .5rem; }
.you { flex: none; font-size: .75rem; font-weight: 650; color: var(--_on-accent); background: var(--_accent); border-radius: 1rem; padding: .0625rem .5rem; }
.pages { display: flex; align-items: center; justify-content: space-between; gap: .75rem; margin-block-start: .875rem; }
table + .hidden { margin-block-start: .875rem; }
.none { padding: 1.25rem; text-align: center; color: var(--_muted); }
@container (max-width: 24rem) {
  th, td { padding-inline: .25rem; }
  thead .change, thead .rank { font-size: 0; }
  thead .value { max-inline-size: 6rem; }
  tbody :is(.value, th) { font-size: .9375rem; }
  .who { flex-wrap: wrap; gap: 0 .5rem; }
  .who bdi { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .pages .muted { display: none; }
}
`
