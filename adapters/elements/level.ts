/// <reference lib="dom" preserve="true" />
import type { PointsLevel, UserPoints } from '../../src/api/points/types.ts'
import { LEVEL_LABELS, type LevelLabels } from './level/labels.ts'
import { toLevelProgress } from './level/progress.ts'
import { LEVEL_STYLES } from './level/styles.ts'
import { bar } from './parts/bar.ts'
import { h, named } from './parts/dom.ts'
import { define, LaurelsElement, type Take } from './parts/element.ts'
import { isolated } from './parts/label.ts'
import { picture } from './parts/picture.ts'

export type { LevelLabels } from './level/labels.ts'

interface Asked {
  readonly signal: AbortSignal
}

/** What `<laurels-level>` asks of a client of `laurels/client`. */
export interface LevelClient {
  readonly users: {
    points(id: string, system: string, request: { readonly awards?: number }, options: Asked): Promise<UserPoints>
  }
  readonly points: { levels(system: string, options: Asked): Promise<readonly PointsLevel[]> }
}

/**
 * `<laurels-level user-id="18" system="xp">`: a user's points and level in one points system, and how far it is to the next.
 * `images="off"` shows initials in place of pictures.
 */
export class LevelElement extends LaurelsElement<UserPoints, LevelClient, LevelLabels> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id', 'system', 'images']

  protected readonly defaults: LevelLabels = LEVEL_LABELS
  protected readonly styles: string = LEVEL_STYLES
  protected readonly needs: readonly string[] = ['user-id', 'system']
  protected readonly asks: readonly string[] = ['user-id', 'system']
  #levels: readonly PointsLevel[] = []

  /** All levels of the system, as `points.levels` answers them. Without them it is not known how far the next one is. */
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
    const head = h(
      'div',
      { class: 'head' },
      picture(level?.badgeUrl ?? points.badgeUrl, level?.name ?? points.name, this.getAttribute('images') === 'off'),
      h(
        'div',
        { class: 'now' },
        h('p', { class: 'level', part: 'level' }, named(name)),
        h('p', { class: 'total', part: 'total' }, formats.label(texts.points, { count: total, system })),
      ),
    )
    return [head, this.#ahead(points)]
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
    const ahead =
      next === null
        ? formats.label(texts.ofMost, { max })
        : formats.label(texts.toNext, { count: missing, system, level })
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
