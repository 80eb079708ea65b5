/// <reference lib="dom" preserve="true" />
import type { UserChallenge } from '../../src/shapes/challenges.ts'
import { CHALLENGES_LABELS, CHALLENGES_STYLES, type ChallengesLabels } from './challenges/labels.ts'
import { type ChallengeAct, challengeCard, isShown } from './challenges/view.ts'
import { type Asked, define, LaurelsElement, type Take } from './parts/element.ts'
import { h } from './parts/markup.ts'

export type { ChallengesLabels } from './challenges/labels.ts'
export type { ChallengeAct } from './challenges/view.ts'

/** The calls that `<laurels-challenges>` makes on a client of `laurels/client`. */
export interface ChallengesClient {
  readonly users: {
    challenges(id: string, options: Asked): Promise<readonly UserChallenge[]>
    get(id: string, options: Asked): Promise<{ readonly id: string }>
  }
  readonly challenges: {
    enrol(challenge: string, request: { readonly user: string }): Promise<unknown>
    claim(challenge: string, request: { readonly user: string; readonly quest?: string }): Promise<unknown>
    reroll(challenge: string, request: { readonly user: string; readonly quest: string }): Promise<unknown>
  }
}

/** How often the time that is left is drawn. */
const MINUTE_MS = 60_000

/**
 * `<laurels-challenges user-id="18" challenge="daily">`: a user's quests with their progress, rewards and the time that
 * is left, and buttons to join, claim and swap. Each button dispatches `laurels-act`. If there is a client, it acts, and
 * dispatches `laurels-acted`. When
 * a window ends, the element loads the next one.
 */
export class ChallengesElement extends LaurelsElement<readonly UserChallenge[], ChallengesClient, ChallengesLabels> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id', 'challenge', 'actions']

  protected readonly defaults: ChallengesLabels = CHALLENGES_LABELS
  protected readonly styles: string = CHALLENGES_STYLES
  protected readonly needs: readonly string[] = ['user-id']
  protected readonly asks: readonly string[] = ['user-id']
  /** The act that the API has not answered. */
  #acting: { readonly act: ChallengeAct; readonly answer: Promise<unknown> | null } | null = null
  /** True if the newest act failed. */
  #failed = false
  /** The act that the newest answer follows. */
  #done: ChallengeAct['act'] | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  override disconnectedCallback(): void {
    clearTimeout(this.#timer)
    super.disconnectedCallback()
  }

  protected async load(client: ChallengesClient, signal: AbortSignal): Promise<Take> {
    const act = this.#acting?.act ?? null
    if (this.#acting !== null && act !== null) {
      // A newer request waits for the same act, which is never aborted.
      this.#acting = { act, answer: this.#acting.answer ?? this.#send(client, act, signal) }
      await this.#acting.answer
    }
    const challenges = await client.users.challenges(this.userId, { signal })
    return () => {
      this.#failed = false
      this.#done = act?.act ?? null
      this.show(challenges)
      if (act !== null) this.#dispatch('laurels-acted', act)
    }
  }

  protected view(data: readonly UserChallenge[]): readonly (Node | null)[] {
    const { texts, formats } = this
    const shown = this.#shown(data)
    if (shown.length === 0) return [h('p', { class: 'muted', part: 'nothing' }, formats.label(texts.empty))]
    const act = this.getAttribute('actions') === 'off' ? null : (chosen: ChallengeAct) => this.#act(chosen)
    const view = { texts, formats, act, isBusy: this.#acting !== null, now: Date.now() }
    return [h('div', { class: 'all' }, ...shown.map((challenge) => challengeCard(challenge, view)))]
  }

  protected override drawn(): void {
    clearTimeout(this.#timer)
    const now = Date.now()
    const ends = this.#shown(this.data ?? []).flatMap(({ endsAt }) => (endsAt === null ? [] : [Date.parse(endsAt)]))
    if (ends.length === 0) return
    // After the end of a window, a request shows the next one, unless the clock of the server is behind.
    const delays = ends.map((end) => (end > now ? Math.min(end - now, MINUTE_MS) : MINUTE_MS))
    this.#timer = setTimeout(() => this.#passTime(ends), Math.min(...delays))
  }

  protected override summary(): string {
    return this.#done === null ? '' : this.formats.label(this.texts[`${this.#done}Done`])
  }

  protected override get texts(): ChallengesLabels {
    const texts = super.texts
    if (this.#acting !== null) return { ...texts, loading: texts.saving }
    return this.#failed ? { ...texts, failed: texts.notDone } : texts
  }

  #shown(data: readonly UserChallenge[]): readonly UserChallenge[] {
    const only = this.getAttribute('challenge')
    return data.filter((each) => (only === null || each.key === only) && isShown(each))
  }

  #passTime(ends: readonly number[]): void {
    if (ends.some((end) => end <= Date.now())) this.ask()
    this.redraw()
  }

  #act(act: ChallengeAct): void {
    if (this.#acting !== null) return
    this.#dispatch('laurels-act', act)
    if (this.client === null && !this.hasAttribute('base-url')) return
    this.#acting = { act, answer: null }
    void this.refresh().then(() => {
      // The request could not be made, for example without `user-id`.
      if (this.#acting?.answer === null) this.#acting = null
    })
  }

  #dispatch(name: 'laurels-act' | 'laurels-acted', act: ChallengeAct): void {
    this.dispatchEvent(new CustomEvent(name, { detail: act, bubbles: true, composed: true }))
  }

  async #send(client: ChallengesClient, { act, challenge, quest }: ChallengeAct, signal: AbortSignal): Promise<void> {
    try {
      const user = this.userId === 'me' ? (await client.users.get('me', { signal })).id : this.userId
      const request = quest === '' ? { user } : { user, quest }
      await (act === 'reroll'
        ? client.challenges.reroll(challenge, { user, quest })
        : client.challenges[act](challenge, request))
    } catch (error) {
      this.#failed = true
      throw error
    } finally {
      this.#acting = null
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'laurels-challenges': ChallengesElement
  }
}

define('laurels-challenges', ChallengesElement)
