import { LOADING_LABELS, type LoadingLabels } from '../parts/element.ts'
import type { Label } from '../parts/label.ts'

/** The texts of `<laurels-level>`; in braces stands what is put in. */
export interface LevelLabels extends LoadingLabels {
  /** `{count}` points of the system `{system}`. */
  readonly points: Label
  /** Below every level. */
  readonly noLevel: Label
  /** `{count}` points are missing to `{level}`. */
  readonly toNext: Label
  /** Of `{max}` points, where there are no levels. */
  readonly ofMost: Label
  readonly highest: Label
  /** Of the bar: from `{count}` points to `{max}`. */
  readonly progress: Label
  readonly progressName: Label
}

export const LEVEL_LABELS: LevelLabels = {
  ...LOADING_LABELS,
  points: '{count} {system}',
  noLevel: 'No level yet',
  toNext: '{count} {system} to {level}',
  ofMost: 'of {max}',
  highest: 'This is the highest level.',
  progress: '{count} of {max}',
  progressName: 'Progress to {level}',
}
