/// <reference lib="dom" preserve="true" />
import type { PointsLevel, UserPoints } from '../../src/shapes/points.ts'
import { type Asked, define, LaurelsElement, LOADING_LABELS, type LoadingLabels, type Take } from './parts/element.ts'
import { isolated, type Label } from './parts/formats.ts'
import { bar, h, nameText, picture } from './parts/markup.ts'

/** The calls that `<laurels-level>` makes on a client of `laurels/client`. */
export interface LevelClient {
  readonly users: {
    points(id: string, system: string, request: { readonly awards?: number }, options: Asked): Promise<UserPoints>
  }
  readonly points: { levels(system: string, options: Asked): Promise<readonly PointsLevel[]> }
}

/** The texts of `<laurels-level>`. Names in braces are replaced by values. */
export interface LevelLabels extends LoadingLabels {
  /** `{count}` points of the system `{system}`. */
  readonly points: Label
  /** Below every level. */
  readonly noLevel: Label
  /** `{count}` points are missing to `{level}`. */
  readonly toNext: Label
  /** For a system without levels: the most points, `{max}`. */
  readonly ofMost: Label
  readonly highest: Label
  /** The text of the bar: `{count}` of `{max}` points. */
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

/** A user's progress from one level to the next, or to the maximum of points. */
export interface LevelProgress {
  /** Points since the level began. */
  readonly value: number
  readonly max: number
  /** `null` if the maximum of points comes next, and no level. */
  readonly next: PointsLevel | null
  readonly missing: number
}

type Points = Pick<UserPoints, 'total' | 'level' | 'maxPoints'>

/** Returns the progress to the next level, or to the maximum of points. Returns `null` if neither comes next. */
export function toLevelProgress(
  { total, level, maxPoints }: Points,
  levels: readonly PointsLevel[],
): LevelProgress | null {
  const ahead = levels.filter(({ points }) => points > total).sort((one, other) => one.points - other.points)
  const [next] = ahead
  if (next !== undefined) {
    // A user with fewer points than a level requires cannot be on it, so the bar never begins beyond the total.
    const from = Math.min(level?.points ?? 0, total)
    return { value: total - from, max: next.points - from, next, missing: next.points - total }
  }
  if (levels.length > 0 || maxPoints === null || maxPoints <= 0) return null
  return { value: total, max: maxPoints, next: null, missing: maxPoints - total }
}

export const LEVEL_STYLES = `
.head { display: flex; align-items: center; gap: .875rem; --picture: 3.25rem; }
.head .picture { color: var(--_accent); background: color-mix(in srgb, var(--_accent) 12%, var(--_background)); font-size: 1.125rem; }
.now { flex: 1; min-inline-size: 0; display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; }
.level { font-size: 1.375rem; font-weight: 720; line-height: 1.2; letter-spacing: -.015em; }
.total { font-weight: 600; font-variant-numeric: tabular-nums; }
.ahead { margin-block-start: .875rem; display: grid; gap: .5rem; }
progress { block-size: .625rem; }
.head + .muted { margin-block-start: .75rem; }
`

/**
 * `<laurels-level user-id="18" system="xp">`: a user's points and level in one points system, with the progress to the
 * next level. `images="off"` shows initials in place of pictures.
 */
export class LevelElement extends LaurelsElement<UserPoints, LevelClient, LevelLabels> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id', 'system', 'images']

  protected readonly defaults: LevelLabels = LEVEL_LABELS
  protected readonly styles: string = LEVEL_STYLES
  protected readonly needs: readonly string[] = ['user-id', 'system']
  protected readonly asks: readonly string[] = ['user-id', 'system']
  #levels: readonly PointsLevel[] = []

  /**
   * All levels of the system, as `points.levels` returns them. Without them, the element shows no progress to the next
   * level.
   */
  get levels(): readonly PointsLevel[] {
    return this.#levels
  }

  set levels(levels: readonly PointsLevel[] | null) {
    this.#levels = levels ?? []
    this.redraw()
  }

  protected async load(client: LevelClient, signal: AbortSignal): Promise<Take> {
    const system = this.getAttribute('system') ?? ''
    const [points, levels] = await Promise.all([
      client.users.points(this.userId, system, { awards: 0 }, { signal }),
      client.points.levels(system, { signal }),
    ])
    return () => {
      this.#levels = levels
      this.show(points)
    }
  }

  protected view(points: UserPoints): readonly (Node | null)[] {
    const { texts, formats } = this
    const { level, total } = points
    const name = level?.name ?? (this.#levels.length === 0 ? points.name : formats.label(texts.noLevel))
    const system = isolated(points.name)
    const isWithoutPictures = this.getAttribute('images') === 'off'
    const shown = picture(level?.badgeUrl ?? points.badgeUrl, level?.name ?? points.name, isWithoutPictures)
    const now = h(
      'div',
      { class: 'now' },
      h('p', { class: 'level', part: 'level' }, nameText(name)),
      h('p', { class: 'total', part: 'total' }, formats.label(texts.points, { count: total, system })),
    )
    return [h('div', { class: 'head' }, shown, now), this.#ahead(points)]
  }

  #ahead(points: UserPoints): HTMLElement | null {
    const { texts, formats } = this
    const progress = toLevelProgress(points, this.#levels)
    if (progress === null) {
      if (this.#levels.length === 0 || points.level === null) return null
      return h('p', { class: 'muted', part: 'next' }, formats.label(texts.highest))
    }
    const { value, max, next, missing } = progress
    const system = isolated(points.name)
    const level = isolated(next?.name ?? points.name)
    const text = formats.label(texts.progress, { count: points.total, max: next?.points ?? max })
    const toNext = { count: missing, system, level }
    const ahead = next === null ? formats.label(texts.ofMost, { max }) : formats.label(texts.toNext, toNext)
    const name = formats.label(texts.progressName, { level })
    const end = h('p', { class: 'muted', part: 'next' }, ahead)
    return h('div', { class: 'ahead' }, bar({ value, max, name, text }), end)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'laurels-level': LevelElement
  }
}

define('laurels-level', LevelElement)
