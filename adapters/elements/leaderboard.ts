/// <reference lib="dom" preserve="true" />

import type { LeaderboardWithRankings } from '../../src/shapes/leaderboards.ts'
import { LEADERBOARD_LABELS, LEADERBOARD_STYLES, type LeaderboardLabels } from './leaderboard/labels.ts'
import {
  beginAt,
  type PageRequest,
  type PageStart,
  pageButtons,
  type ShownPage,
  toPage,
  toPageRequest,
  turn,
} from './leaderboard/paging.ts'
import { isSameRun, type KnownRanks, remember, table } from './leaderboard/table.ts'
import { type Asked, define, isUnknownUser, LaurelsElement, type Take } from './parts/element.ts'
import { h } from './parts/markup.ts'

export type { LeaderboardLabels } from './leaderboard/labels.ts'

/** The calls that `<laurels-leaderboard>` makes on a client of `laurels/client`. */
export interface LeaderboardClient {
  readonly users: {
    /** Returns the id of the user of `user-id="me"`, to find the user's row. */
    get(id: string, options: Asked): Promise<{ readonly id: string }>
    /** Tells whether the user of `user-id` is hidden, if the first page does not have the user. */
    leaderboard(
      id: string,
      leaderboard: string,
      request: { readonly numEvents: number; readonly run?: string },
      options: Asked,
    ): Promise<{ readonly hidden?: true }>
  }
  readonly leaderboards: {
    get(
      leaderboard: string,
      request: PageRequest & { readonly run?: string; readonly userAttributes?: string },
      options: Asked,
    ): Promise<LeaderboardWithRankings>
  }
}

const MOST_ON_A_PAGE = 999

/**
 * `<laurels-leaderboard leaderboard="weekly" user-id="18" limit="10" around>`: the places of a leaderboard, with pages
 * if it has a client. The row of `highlight`, or else of `user-id`, is highlighted; with `around` it begins at that
 * user's place.
 */
export class LeaderboardElement extends LaurelsElement<LeaderboardWithRankings, LeaderboardClient, LeaderboardLabels> {
  static readonly observedAttributes: readonly string[] = [
    ...['lang', 'base-url', 'leaderboard', 'user-id', 'highlight', 'limit', 'run', 'group', 'around'],
  ]

  protected readonly defaults: LeaderboardLabels = LEADERBOARD_LABELS
  protected readonly styles: string = LEADERBOARD_STYLES
  protected readonly needs: readonly string[] = ['leaderboard']
  protected readonly asks: readonly string[] = ['leaderboard', 'user-id', 'limit', 'run', 'group', 'around']
  /** `null` if a client has not answered yet. */
  #page: ShownPage | null = null
  /** The start of the next answer, or `null` if the attributes decide. */
  #walk: PageStart | null = null
  #known: KnownRanks = new Map()
  /** The id of the user `me`, or `null` if it is not known. */
  #me: string | null = null
  /** True if the user's own choice leaves the user off the leaderboard. */
  #isHidden = false
  #earlier: LeaderboardWithRankings | null = null

  /** The id of the user whose row is highlighted: the attribute `highlight`, or else `user-id`. */
  get highlight(): string | null {
    const userId = this.getAttribute('highlight') ?? this.userId
    return userId === 'me' ? this.#me : userId || null
  }

  set highlight(userId: string | null) {
    if (userId === null) this.removeAttribute('highlight')
    else this.setAttribute('highlight', userId)
  }

  /** The number of places on a page: the attribute `limit`, 1 to 999. Default 10. */
  get limit(): number {
    const given = Number(this.getAttribute('limit') ?? 10)
    return Number.isInteger(given) && given > 0 ? Math.min(given, MOST_ON_A_PAGE) : 10
  }

  set limit(limit: number) {
    this.setAttribute('limit', String(limit))
  }

  /**
   * An earlier answer; its ranks are compared with the shown ones. Default: the answer that the element showed before.
   */
  get earlier(): LeaderboardWithRankings | null {
    return this.#earlier
  }

  set earlier(earlier: LeaderboardWithRankings | null) {
    this.#earlier = earlier
    this.redraw()
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // Another leaderboard begins with its first page.
    if (before !== after && this.asks.includes(name)) this.#walk = null
    super.attributeChangedCallback(name, before, after)
  }

  /** Shows the previous page, if there is one. */
  async previous(): Promise<void> {
    if (this.#page?.hasPrevious === true) await this.#turn(-this.limit)
  }

  /** Shows the next page, if there is one. */
  async next(): Promise<void> {
    if (this.#page?.hasNext === true) await this.#turn(this.limit)
  }

  protected async load(client: LeaderboardClient, signal: AbortSignal): Promise<Take> {
    const { limit } = this
    const me = this.userId === 'me' ? await this.#askWhoIsMe(client, signal) : null
    const around = this.hasAttribute('around') ? (me ?? this.getAttribute('user-id')) : null
    const run = this.getAttribute('run')
    const group = this.getAttribute('group')
    const read = async (walk: PageStart): Promise<ShownPage> => {
      const request = {
        ...toPageRequest(walk, limit),
        ...(run ? { run } : {}),
        ...(group ? { userAttributes: group } : {}),
      }
      const answer = await client.leaderboards.get(this.getAttribute('leaderboard') ?? '', request, { signal })
      return toPage(walk, answer, limit)
    }
    const found = await read(this.#walk ?? beginAt(around, limit))
    // A user without a rank has no neighbours.
    const isNowhere = this.#walk === null && around !== null && found.data.rankings.length === 0
    const page = isNowhere ? await read(beginAt(null, limit)) : found
    const user = me ?? this.getAttribute('user-id')
    const isThere = page.data.rankings.some(({ userId }) => userId === user)
    const isHidden = this.#walk === null ? !isThere && (await this.#askIfHidden(client, user, signal)) : this.#isHidden
    return () => {
      this.#me = me
      this.#isHidden = isHidden
      this.#walk = page.walk
      this.show(page.data, page)
    }
  }

  protected override show(data: LeaderboardWithRankings | null, page: ShownPage | null = null): void {
    const before = this.data
    if (before === null || data === null || !isSameRun(before, data)) this.#known = new Map()
    else this.#known = remember(this.#known, before)
    this.#page = page
    super.show(data)
  }

  protected view(data: LeaderboardWithRankings): readonly (Node | null)[] {
    const { texts, formats, highlight } = this
    const page = this.#page
    const known = this.#earlier === null ? this.#known : remember(new Map(), this.#earlier)
    const turns = pageButtons({
      ...{ texts, formats, places: this.#places() },
      previous: page?.hasPrevious === true ? () => void this.previous() : null,
      next: page?.hasNext === true ? () => void this.next() : null,
    })
    const isHidden = page !== null && this.#isHidden
    const note = isHidden ? h('p', { class: 'muted hidden', part: 'hidden' }, formats.label(texts.hidden)) : null
    return [table(data, { texts, formats, highlight, known }), note, turns]
  }

  protected override summary(): string {
    return this.#page === null ? '' : this.#places()
  }

  async #askWhoIsMe(client: LeaderboardClient, signal: AbortSignal): Promise<string | null> {
    try {
      return (await client.users.get('me', { signal })).id
    } catch (error) {
      if (isUnknownUser(error)) return null
      throw error
    }
  }

  async #askIfHidden(client: LeaderboardClient, user: string | null, signal: AbortSignal): Promise<boolean> {
    if (!user) return false
    const run = this.getAttribute('run')
    const request = { numEvents: 0, ...(run ? { run } : {}) }
    try {
      const place = await client.users.leaderboard(user, this.getAttribute('leaderboard') ?? '', request, { signal })
      return place.hidden === true
    } catch {
      // The caller may not read this user, or there is no such user. The places stay.
      return false
    }
  }

  #places(): string {
    const rankings = this.data?.rankings ?? []
    const [from, to] = [rankings[0]?.rank, rankings.at(-1)?.rank]
    return from === undefined || to === undefined ? '' : this.formats.label(this.texts.places, { from, to })
  }

  /** Counted from the page that is shown: one that could not be loaded is tried again, not passed over. */
  async #turn(by: number): Promise<void> {
    if (this.#page === null) return
    this.#walk = turn(this.#page.walk, by)
    await this.refresh()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'laurels-leaderboard': LeaderboardElement
  }
}

define('laurels-leaderboard', LeaderboardElement)
