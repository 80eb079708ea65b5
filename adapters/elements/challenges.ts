/// <reference lib="dom" preserve="true" />
import type { UserChallenge } from '../../src/shapes/challenges.ts'
import { CHALLENGES_LABELS, CHALLENGES_STYLES, type ChallengesLabels } from './challenges/labels.ts'
import { type ChallengeAct, challengeCard, isShown } from './challenges/view.ts'
import { ActingElement, type OwnClient } from './parts/acting.ts'
import { type Asked, define, type Take } from './parts/element.ts'
import { h } from './parts/markup.ts'

export type { ChallengesLabels } from './challenges/labels.ts'
export type { ChallengeAct } from './challenges/view.ts'

/** The calls that `<laurels-challenges>` makes on a client of `laurels/client`. */
export interface ChallengesClient {
  readonly users: OwnClient['users'] & {
    challenges(id: string, options: Asked): Promise<readonly UserChallenge[]>
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
 * is left, and buttons to join, claim and swap. When a window ends, the element loads the next one.
 */
export class ChallengesElement extends ActingElement<
  readonly UserChallenge[],
  ChallengesClient,
  ChallengesLabels,
  ChallengeAct
> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id', 'challenge', 'actions']

  protected readonly defaults: ChallengesLabels = CHALLENGES_LABELS
  protected readonly styles: string = CHALLENGES_STYLES
  protected readonly needs: readonly string[] = ['user-id']
  protected readonly asks: readonly string[] = ['user-id']
  #timer: ReturnType<typeof setTimeout> | undefined

  override disconnectedCallback(): void {
    clearTimeout(this.#timer)
    super.disconnectedCallback()
  }

  protected async read(client: ChallengesClient, signal: AbortSignal): Promise<Take> {
    const challenges = await client.users.challenges(this.userId, { signal })
    return () => this.show(challenges)
  }

  protected send(
    { challenges }: ChallengesClient,
    { act, challenge, quest }: ChallengeAct,
    user: string,
  ): Promise<unknown> {
    if (act === 'reroll') return challenges.reroll(challenge, { user, quest })
    return challenges[act](challenge, quest === '' ? { user } : { user, quest })
  }

  protected view(data: readonly UserChallenge[]): readonly (Node | null)[] {
    const { texts, formats } = this
    const shown = this.#shown(data)
    if (shown.length === 0) return [h('p', { class: 'muted', part: 'nothing' }, formats.label(texts.empty))]
    const act = this.getAttribute('actions') === 'off' ? null : (chosen: ChallengeAct) => this.act(chosen)
    const view = { texts, formats, act, isBusy: this.isActing, now: Date.now() }
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
    return this.done === null ? '' : this.formats.label(this.texts[`${this.done.act}Done`])
  }

  #shown(data: readonly UserChallenge[]): readonly UserChallenge[] {
    const only = this.getAttribute('challenge')
    return data.filter((each) => (only === null || each.key === only) && isShown(each))
  }

  #passTime(ends: readonly number[]): void {
    if (ends.some((end) => end <= Date.now())) this.ask()
    this.redraw()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'laurels-challenges': ChallengesElement
  }
}

define('laurels-challenges', ChallengesElement)
