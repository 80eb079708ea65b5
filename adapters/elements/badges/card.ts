/// <reference lib="dom" preserve="true" />
import type { UserAchievementWithStats } from '../../../src/api/achievements/types.ts'
import { bar } from '../parts/bar.ts'
import { h, hidden, icon, named } from '../parts/dom.ts'
import type { Formats } from '../parts/formats.ts'
import { isolated } from '../parts/label.ts'
import { picture } from '../parts/picture.ts'
import { type BadgeGroup, isSecret } from './groups.ts'
import type { BadgesLabels } from './labels.ts'
import { type Standing, toBadgeProgress } from './progress.ts'

export interface BadgesView {
  readonly texts: BadgesLabels
  readonly formats: Formats
  readonly achievements: readonly UserAchievementWithStats[]
  readonly standing: Standing
  /** Initials in place of pictures. */
  readonly isWithoutPictures: boolean
}

const LOCK =
  'M12 2a5 5 0 0 1 5 5v3h.5c.8 0 1.5.7 1.5 1.5v8c0 .8-.7 1.5-1.5 1.5h-11c-.8 0-1.5-.7-1.5-1.5v-8c0-.8.7-1.5 1.5-1.5H7V7a5 5 0 0 1 5-5zm0 2.2A2.8 2.8 0 0 0 9.2 7v3h5.6V7A2.8 2.8 0 0 0 12 4.2z'

/** One badge of the wall. */
export function card(group: BadgeGroup, view: BadgesView): HTMLElement {
  const { shown } = group
  const { texts, formats } = view
  const isEarned = shown.achievedAt !== null
  const state = isEarned ? 'earned' : isSecret(shown) ? 'secret' : 'missing'
  return h(
    'li',
    { class: `badge ${state}`, part: `badge ${state}` },
    medal(shown, view),
    h(
      'div',
      { class: 'text' },
      h('p', { class: 'name', part: 'name' }, named(shown.name)),
      shown.description === null
        ? null
        : h('p', { class: 'description muted', title: shown.description }, shown.description),
      tiers(group, view),
      progress(group, view),
      h('p', { class: 'facts muted', part: 'facts' }, when(shown, view), rarity(shown, texts, formats)),
    ),
  )
}

function medal(shown: UserAchievementWithStats, { texts, formats, isWithoutPictures }: BadgesView): HTMLElement {
  const frame = h('span', { class: 'medal' })
  if (isSecret(shown)) {
    frame.append(h('span', { class: 'picture' }, icon(LOCK)), hidden(formats.label(texts.secret)))
    return frame
  }
  frame.append(picture(shown.badgeUrl, shown.name, isWithoutPictures))
  const count = shown.count ?? 0
  if (count > 1) {
    const short = h('span', { class: 'times', part: 'count', 'aria-hidden': 'true' }, `×${formats.number(count)}`)
    frame.append(short, hidden(formats.label(texts.times, { count })))
  }
  return frame
}

function when({ achievedAt }: UserAchievementWithStats, { texts, formats }: BadgesView): HTMLElement {
  if (achievedAt === null) return h('span', { class: 'sr' }, formats.label(texts.notEarned))
  return h('time', { datetime: achievedAt }, formats.label(texts.earned, { date: formats.instant(achievedAt) }))
}

/** How many have it; nobody has to be told that nobody does. */
function rarity(
  { rarity, completions }: UserAchievementWithStats,
  texts: BadgesLabels,
  formats: Formats,
): HTMLElement | null {
  if (completions === 0) return null
  return h('span', { part: 'rarity' }, formats.label(texts.rarity, { percent: formats.percent(rarity) }))
}

function tiers({ tiers, next, shown }: BadgeGroup, { texts, formats }: BadgesView): HTMLElement | null {
  if (tiers === null) return null
  const { count, earned } = tiers
  const dots = Array.from({ length: Math.min(count, MOST_DOTS) }, (_, index) =>
    h('span', { class: index < earned ? 'dot full' : 'dot' }),
  )
  const following =
    next === null || next === shown
      ? null
      : h('span', { class: 'muted' }, formats.label(texts.nextTier, { name: isolated(next.name) }))
  return h(
    'p',
    { class: 'tiers', part: 'tiers' },
    h('span', { class: 'dots', 'aria-hidden': 'true' }, ...dots),
    hidden(formats.label(texts.tiers, { count: earned, max: count })),
    following,
  )
}

const MOST_DOTS = 10

function progress({ next }: BadgeGroup, { texts, formats, achievements, standing }: BadgesView): HTMLElement | null {
  const done = next === null ? null : toBadgeProgress(next, achievements, standing)
  if (next === null || done === null) return null
  const { value, max } = done
  const text = formats.label(texts.progress, { count: value, max })
  const name = formats.label(texts.progressName, { name: isolated(next.name) })
  return h(
    'div',
    { class: 'progress' },
    bar({ value, max, name, text }),
    h('span', { class: 'muted', 'aria-hidden': 'true' }, text),
  )
}
