import { LOADING_LABELS, type LoadingLabels } from '../parts/element.ts'
import type { Label } from '../parts/label.ts'

/** The texts of `<laurels-badges>`; in braces stands what is put in. */
export interface BadgesLabels extends LoadingLabels {
  /** Of the list. */
  readonly badges: Label
  readonly empty: Label
  /** `{date}` */
  readonly earned: Label
  readonly notEarned: Label
  /** Read in place of the picture of a secret. */
  readonly secret: Label
  /** `{percent}` of all users have it. */
  readonly rarity: Label
  /** How often it was completed, from the second time on: `{count}`. */
  readonly times: Label
  /** `{count}` of `{max}` */
  readonly progress: Label
  /** Of a bar: progress to `{name}`. */
  readonly progressName: Label
  /** `{count}` of `{max}` tiers. */
  readonly tiers: Label
  /** What comes after the tier that is shown: `{name}`. */
  readonly nextTier: Label
}

export const BADGES_LABELS: BadgesLabels = {
  ...LOADING_LABELS,
  badges: 'Badges',
  empty: 'There are no badges yet.',
  earned: 'Earned {date}',
  notEarned: 'Not earned yet',
  secret: 'Secret',
  rarity: '{percent} have it',
  times: { one: 'Earned {count} time', other: 'Earned {count} times' },
  progress: '{count} of {max}',
  progressName: 'Progress to {name}',
  tiers: { one: '{count} of {max} tiers', other: '{count} of {max} tiers' },
  nextTier: 'Next: {name}',
}
