/// <reference lib="dom" preserve="true" />

import type { UserAchievementWithStats } from '../../src/shapes/achievements.ts'
import { type BadgeGroup, hasNow, isSecret, toBadgeProgress, toGroups } from './badges/groups.ts'
import { type Asked, define, LaurelsElement, LOADING_LABELS, type LoadingLabels, type Take } from './parts/element.ts'
import { type Formats, isolated, type Label } from './parts/formats.ts'
import { bar, h, hidden, icon, nameText, picture } from './parts/markup.ts'

/** The calls that `<laurels-badges>` makes on a client of `laurels/client`. */
export interface BadgesClient {
  readonly users: {
    achievements(
      id: string,
      request: { readonly includeIncomplete?: boolean },
      options: Asked,
    ): Promise<readonly UserAchievementWithStats[]>
  }
}

/**
 * `<laurels-badges user-id="18">`: a user's achievements as a wall of badges, with the progress of badges that the user
 * does not have. `show="earned"` leaves these out; `images="off"` shows initials in place of pictures.
 */
export class BadgesElement extends LaurelsElement<readonly UserAchievementWithStats[], BadgesClient, BadgesLabels> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id', 'show', 'images']

  protected readonly defaults: BadgesLabels = BADGES_LABELS
  protected readonly styles: string = BADGES_STYLES
  protected readonly needs: readonly string[] = ['user-id']
  protected readonly asks: readonly string[] = ['user-id', 'show']

  protected async load(client: BadgesClient, signal: AbortSignal): Promise<Take> {
    const includeIncomplete = !this.#isEarnedOnly
    const achievements = await client.users.achievements(this.userId, { includeIncomplete }, { signal })
    return () => this.show(achievements)
  }

  protected view(achievements: readonly UserAchievementWithStats[]): readonly (Node | null)[] {
    const { texts, formats } = this
    const view = { texts, formats }
    const isWithoutPictures = this.getAttribute('images') === 'off'
    const groups = toGroups(achievements).filter(({ shown }) => !this.#isEarnedOnly || hasNow(shown))
    if (groups.length === 0) return [h('p', { class: 'muted', part: 'nothing' }, formats.label(texts.empty))]
    const cards = groups.map((group) => card(group, { ...view, isWithoutPictures }))
    return [h('ul', { class: 'wall', role: 'list', part: 'list', 'aria-label': formats.label(texts.badges) }, ...cards)]
  }

  get #isEarnedOnly(): boolean {
    return this.getAttribute('show') === 'earned'
  }
}

interface BadgesView {
  readonly texts: BadgesLabels
  readonly formats: Formats
  /** Initials in place of pictures. */
  readonly isWithoutPictures: boolean
}

const LOCK =
  'M12 2a5 5 0 0 1 5 5v3h.5c.8 0 1.5.7 1.5 1.5v8c0 .8-.7 1.5-1.5 1.5h-11c-.8 0-1.5-.7-1.5-1.5v-8c0-.8.7-1.5 1.5-1.5H7V7a5 5 0 0 1 5-5zm0 2.2A2.8 2.8 0 0 0 9.2 7v3h5.6V7A2.8 2.8 0 0 0 12 4.2z'

/** One badge of the wall. */
function card(group: BadgeGroup, view: BadgesView): HTMLElement {
  const { shown } = group
  const { texts, formats } = view
  const { description } = shown
  const state = `badge ${stateOf(shown)}`
  const text = h(
    'div',
    { class: 'text' },
    h('p', { class: 'name', part: 'name' }, nameText(shown.name)),
    description === null ? null : h('p', { class: 'description muted', title: description }, description),
    tiers(group, view),
    progress(group, view),
    h('p', { class: 'facts muted', part: 'facts' }, when(shown, view), rarity(shown, texts, formats)),
  )
  return h('li', { class: state, part: state }, medal(shown, view), text)
}

function stateOf(shown: UserAchievementWithStats): 'earned' | 'secret' | 'expired' | 'missing' {
  if (hasNow(shown)) return 'earned'
  if (isSecret(shown)) return 'secret'
  return shown.expiredAt === undefined ? 'missing' : 'expired'
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

function when({ achievedAt, expiredAt }: UserAchievementWithStats, { texts, formats }: BadgesView): HTMLElement {
  if (expiredAt !== undefined) {
    return h('time', { datetime: expiredAt }, formats.label(texts.expired, { date: formats.instant(expiredAt) }))
  }
  if (achievedAt === null) return h('span', { class: 'sr' }, formats.label(texts.notEarned))
  return h('time', { datetime: achievedAt }, formats.label(texts.earned, { date: formats.instant(achievedAt) }))
}

/** How many users have it. Not shown if none has. */
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
  const row = h('span', { class: 'dots', 'aria-hidden': 'true' }, ...dots)
  const line = h(
    'p',
    { class: 'tiers', part: 'tiers' },
    row,
    hidden(formats.label(texts.tiers, { count: earned, max: count })),
  )
  if (next === null || next === shown) return line
  line.append(h('span', { class: 'muted' }, formats.label(texts.nextTier, { name: isolated(next.name) })))
  return line
}

const MOST_DOTS = 10

function progress({ next }: BadgeGroup, { texts, formats }: BadgesView): HTMLElement | null {
  const done = next === null ? null : toBadgeProgress(next)
  if (next === null || done === null) return null
  const { value, max } = done
  const text = formats.label(texts.progress, { count: value, max })
  const name = formats.label(texts.progressName, { name: isolated(next.name) })
  const words = h('span', { class: 'muted', 'aria-hidden': 'true' }, text)
  return h('div', { class: 'progress' }, bar({ value, max, name, text }), words)
}

/** The texts of `<laurels-badges>`. Names in braces are replaced by values. */
export interface BadgesLabels extends LoadingLabels {
  /** The name of the list. */
  readonly badges: Label
  readonly empty: Label
  /** `{date}` */
  readonly earned: Label
  readonly notEarned: Label
  /** `{date}` */
  readonly expired: Label
  /** The text that screen readers read in place of the picture of a secret achievement. */
  readonly secret: Label
  /** `{percent}` of all users have it. */
  readonly rarity: Label
  /** The number of completions, from the second one on: `{count}`. */
  readonly times: Label
  /** `{count}` of `{max}` */
  readonly progress: Label
  /** The name of a bar: progress to `{name}`. */
  readonly progressName: Label
  /** `{count}` of `{max}` tiers. */
  readonly tiers: Label
  /** The text for the next tier: `{name}`. */
  readonly nextTier: Label
}

const BADGES_LABELS: BadgesLabels = {
  ...LOADING_LABELS,
  badges: 'Badges',
  empty: 'There are no badges yet.',
  earned: 'Earned {date}',
  notEarned: 'Not earned yet',
  expired: 'Expired {date}',
  secret: 'Secret',
  rarity: '{percent} have it',
  times: { one: 'Earned {count} time', other: 'Earned {count} times' },
  progress: '{count} of {max}',
  progressName: 'Progress to {name}',
  tiers: { one: '{count} of {max} tiers', other: '{count} of {max} tiers' },
  nextTier: 'Next: {name}',
}

const BADGES_STYLES = `
.wall { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 10.5rem), 1fr)); gap: .75rem; }
.badge { display: flex; flex-direction: column; align-items: center; gap: .625rem; text-align: center; padding: 1rem .75rem .875rem;
  border-radius: calc(var(--_radius) * .8); background: var(--_surface); min-inline-size: 0; }
.badge.missing, .badge.expired, .badge.secret { background: none; box-shadow: inset 0 0 0 1px var(--_border); }
.medal { position: relative; flex: none; --picture: 3.75rem; font-size: 1.25rem; }
.earned .picture { color: var(--_accent); background: color-mix(in srgb, var(--_accent) 14%, var(--_background)); box-shadow: inset 0 0 0 2px var(--_accent); }
.missing .picture img, .expired .picture img { filter: grayscale(1); opacity: .55; }
.secret .picture { font-size: 1.125rem; }
.times { position: absolute; inset-block-end: -.25rem; inset-inline-end: -.5rem; font-size: .75rem; font-weight: 700; line-height: 1.35;
  color: var(--_on-accent); background: var(--_accent); border: 2px solid var(--_surface); border-radius: 1rem; padding-inline: .375rem; }
.text { display: flex; flex-direction: column; gap: .25rem; inline-size: 100%; min-inline-size: 0; flex: 1; }
.name { font-weight: 650; line-height: 1.3; }
.name, .description { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.description { font-size: .8125rem; line-height: 1.4; -webkit-line-clamp: 3; }
.facts { display: flex; flex-wrap: wrap; justify-content: center; gap: 0 .625rem; font-size: .75rem; margin-block-start: auto; padding-block-start: .25rem; }
.tiers { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: .125rem .5rem; font-size: .75rem; }
.tiers .muted, .progress .muted { font-size: .75rem; }
.dots { display: inline-flex; gap: .25rem; }
.dot { inline-size: .5625rem; block-size: .5625rem; border-radius: 50%; box-shadow: inset 0 0 0 1.5px var(--_muted); }
.dot.full { background: var(--_accent); box-shadow: none; }
.progress { display: grid; gap: .25rem; margin-block-start: .25rem; }
.progress progress { block-size: .375rem; }
@container (max-width: 24rem) {
  .wall { grid-template-columns: minmax(0, 1fr); gap: .5rem; }
  .badge { flex-direction: row; align-items: flex-start; text-align: start; gap: .875rem; padding: .75rem; }
  .medal { --picture: 3rem; font-size: 1rem; }
  .facts, .tiers { justify-content: flex-start; }
}
@media (forced-colors: active) { .dot { forced-color-adjust: none; --_accent: Highlight; --_muted: CanvasText; } }
`

declare global {
  interface HTMLElementTagNameMap {
    'laurels-badges': BadgesElement
  }
}

define('laurels-badges', BadgesElement)
