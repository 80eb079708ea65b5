/// <reference lib="dom" preserve="true" />
import type { ChallengeReward } from '../../../src/shapes/challenges.ts'
import { type Formats, isolated, type Label } from './formats.ts'
import { h } from './markup.ts'

/** The texts of the gifts of a quest or a reward. */
export interface GiftLabels {
  /** The name of a list of rewards. */
  readonly reward: Label
  /** `{count}` points of the system `{system}`. */
  readonly points: Label
  /** `{name}` */
  readonly achievement: Label
  /** `{count}` */
  readonly freezes: Label
  /** `{name}`, the multiplier as `{factor}`, for `{count}` days. */
  readonly boost: Label
}

export const GIFT_LABELS: GiftLabels = {
  reward: 'Reward',
  points: '+{count} {system}',
  achievement: '{name}',
  freezes: { one: '{count} freeze', other: '{count} freezes' },
  boost: { one: '{name}: ×{factor} for {count} day', other: '{name}: ×{factor} for {count} days' },
}

interface GiftsView {
  readonly texts: GiftLabels
  readonly formats: Formats
}

/** A reward as a list of short texts, or `null` if there is none. */
export function gifts(reward: ChallengeReward, { texts, formats }: GiftsView): HTMLElement | null {
  const { points = [], achievementName, freezes, boost } = reward
  const all = [
    ...points.map(({ name, points: count }) => formats.label(texts.points, { count, system: isolated(name) })),
    ...(achievementName === undefined ? [] : [formats.label(texts.achievement, { name: isolated(achievementName) })]),
    ...(freezes === undefined ? [] : [formats.label(texts.freezes, { count: freezes })]),
    ...(boost === undefined
      ? []
      : [formats.label(texts.boost, { name: isolated(boost.name), factor: boost.multiplier, count: boost.days })]),
  ]
  if (all.length === 0) return null
  const name = formats.label(texts.reward)
  return h(
    'ul',
    { class: 'rewards', role: 'list', part: 'rewards', 'aria-label': name },
    ...all.map((each) => h('li', { part: 'reward' }, each)),
  )
}

export const GIFT_STYLES = `
.rewards { display: flex; flex-wrap: wrap; gap: .25rem .375rem; }
.rewards li {
  font-size: .75rem; font-weight: 650; line-height: 1.35; padding: .125rem .5rem; border-radius: 1rem; color: var(--_accent);
  background: color-mix(in srgb, var(--_accent) 10%, var(--_background));
}
`
