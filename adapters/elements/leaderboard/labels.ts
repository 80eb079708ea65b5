import { LOADING_LABELS, type LoadingLabels } from '../parts/element.ts'
import type { Label } from '../parts/label.ts'

/** The texts of `<laurels-leaderboard>`; in braces stands what is put in. */
export interface LeaderboardLabels extends LoadingLabels {
  readonly rank: Label
  readonly name: Label
  readonly change: Label
  /** Above the values of a leaderboard by streaks; others have the name of the metric or of the points. */
  readonly streak: Label
  /** Of a user without a name: `{id}`. */
  readonly unnamed: Label
  /** Beside the name of the user who is highlighted; empty: nothing. */
  readonly you: Label
  /** `{count}` places since the ranks were last shown. */
  readonly up: Label
  readonly down: Label
  readonly same: Label
  /** Who was not there before. */
  readonly entered: Label
  readonly empty: Label
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
  empty: 'Nobody is here yet.',
  finished: '{dates} · finished',
  previous: 'Previous',
  next: 'Next',
  pages: 'Pages',
  places: 'Places {from} to {to}',
}
