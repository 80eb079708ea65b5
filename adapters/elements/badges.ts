/// <reference lib="dom" preserve="true" />

import type { UserAchievementWithStats } from '../../src/api/achievements/types.ts'
import { BADGES_LABELS, BADGES_STYLES, type BadgesLabels, card, hasNow, toGroups } from './badges/card.ts'
import { define, LaurelsElement, type Take } from './parts/element.ts'
import { h } from './parts/frame.ts'

export type { BadgesLabels } from './badges/card.ts'

interface Asked {
  readonly signal: AbortSignal
}

/** What `<laurels-badges>` asks of a client of `laurels/client`. */
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
 * `<laurels-badges user-id="18">`: a user's achievements as a wall of badges, with how far those are that the user does not have.
 * `show="earned"` leaves these out, `images="off"` shows initials in place of pictures.
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

declare global {
  interface HTMLElementTagNameMap {
    'laurels-badges': BadgesElement
  }
}

define('laurels-badges', BadgesElement)
