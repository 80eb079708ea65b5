/// <reference lib="dom" preserve="true" />
import type { UserPreferences } from '../../src/shapes/users.ts'
import { type Asked, define, LaurelsElement, LOADING_LABELS, type LoadingLabels, type Take } from './parts/element.ts'
import type { Label } from './parts/formats.ts'
import { h } from './parts/markup.ts'

/** The user's own choices, as the API answers them. Other preferences may be beside them. */
export type Choices = Pick<UserPreferences, 'leaderboards' | 'gamification'>

/** The calls that `<laurels-choices>` makes on a client of `laurels/client`. */
export interface ChoicesClient {
  readonly users: {
    getPreferences(id: string, options: Asked): Promise<Choices>
    updatePreferences(id: string, update: Partial<Choices>, options: Asked): Promise<Choices>
  }
}

const NAMES = ['board', 'name', 'game'] as const
type Name = (typeof NAMES)[number]

/** Which switches are on. */
function toChecked({ leaderboards, gamification }: Choices): { readonly [On in Name]: boolean } {
  const isInGame = gamification !== 'off'
  const isShown = isInGame && leaderboards !== 'hidden'
  return { game: isInGame, board: isShown, name: isShown && leaderboards !== 'anonymous' }
}

/** The change that a switch makes. A user who comes back to leaderboards has a name there. */
function toUpdate(name: Name, isOn: boolean): Partial<Choices> {
  if (name === 'game') return { gamification: isOn ? 'on' : 'off' }
  return { leaderboards: isOn ? 'shown' : name === 'name' ? 'anonymous' : 'hidden' }
}

interface SwitchView {
  readonly isOn: boolean
  readonly isDisabled: boolean
  readonly text: string
  readonly about: string
}

interface Switch {
  readonly row: HTMLElement
  draw(view: SwitchView): void
}

/** A switch that stays while it is drawn again, so that it keeps the focus, and screen readers do not repeat it. */
function createSwitch(name: Name, changed: (isOn: boolean) => void): Switch {
  const [id, aboutId] = [`switch-${name}`, `about-${name}`]
  const label = h('label', { for: id, part: 'label' })
  const about = h('p', { id: aboutId, class: 'muted', part: 'about' })
  const described = { 'aria-describedby': aboutId, 'data-focus': name, part: 'switch' }
  const input = h('input', { id, type: 'checkbox', role: 'switch', ...described })
  input.addEventListener('change', () => changed(input.checked))
  return {
    row: h('div', { class: 'choice', part: `choice ${name}` }, label, about, input),
    draw: ({ isOn, isDisabled, text, about: words }) => {
      label.textContent = text
      about.textContent = words
      input.checked = isOn
      input.disabled = isDisabled
    },
  }
}

/**
 * `<laurels-choices user-id="18">`: switches with which a user hides on leaderboards, hides the own name there, or turns
 * the game off. Each change dispatches `laurels-choose`, and is saved if there is a client.
 */
export class ChoicesElement extends LaurelsElement<Choices, ChoicesClient, ChoicesLabels> {
  static readonly observedAttributes: readonly string[] = ['lang', 'base-url', 'user-id']

  protected readonly defaults: ChoicesLabels = CHOICES_LABELS
  protected readonly styles: string = CHOICES_STYLES
  protected readonly needs: readonly string[] = ['user-id']
  protected readonly asks: readonly string[] = ['user-id']
  /** The changes that the API has not answered, or `null` if there are none. */
  #wanted: Partial<Choices> | null = null
  #state: 'still' | 'saving' | 'saved' = 'still'
  #switches: { readonly [Of in Name]: Switch } | null = null
  #group: HTMLElement | null = null

  override get client(): ChoicesClient | null {
    return super.client
  }

  override set client(client: ChoicesClient | null) {
    // The change was one of the user of the earlier client.
    this.#wanted = null
    super.client = client
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before !== after && this.asks.includes(name)) this.#wanted = null
    super.attributeChangedCallback(name, before, after)
  }

  protected async load(client: ChoicesClient, signal: AbortSignal): Promise<Take> {
    const wanted = this.#wanted
    if (wanted === null) {
      const choices = await client.users.getPreferences(this.userId, { signal })
      return () => this.show(choices)
    }
    const choices = await client.users.updatePreferences(this.userId, wanted, { signal })
    return () => {
      if (this.#wanted === wanted) this.#wanted = null
      this.#state = 'saved'
      this.show(choices)
    }
  }

  protected view(data: Choices): readonly (Node | null)[] {
    const { texts, formats } = this
    const isOn = toChecked(this.#state === 'saving' ? { ...data, ...this.#wanted } : data)
    const isDisabled = { board: !isOn.game, name: !isOn.board, game: false }
    const make = (name: Name): Switch => createSwitch(name, (isChecked) => this.#choose(toUpdate(name, isChecked)))
    this.#switches ??= { board: make('board'), name: make('name'), game: make('game') }
    this.#group ??= h('div', { role: 'group' }, ...NAMES.map((name) => this.#switches?.[name].row ?? null))
    this.#group.setAttribute('aria-label', formats.label(texts.choices))
    for (const name of NAMES) {
      const [text, about] = [formats.label(texts[name]), formats.label(texts[`${name}About`])]
      this.#switches[name].draw({ isOn: isOn[name], isDisabled: isDisabled[name], text, about })
    }
    return [this.#group]
  }

  protected override summary(): string {
    return this.#state === 'saved' ? this.texts.saved : ''
  }

  protected override get texts(): ChoicesLabels {
    const texts = super.texts
    return this.#wanted === null ? texts : { ...texts, loading: texts.saving, failed: texts.notSaved }
  }

  #choose(update: Partial<Choices>): void {
    this.dispatchEvent(new CustomEvent('laurels-choose', { detail: update, bubbles: true, composed: true }))
    if (this.client !== null || this.hasAttribute('base-url')) {
      this.#wanted = { ...this.#wanted, ...update }
      if (this.#state !== 'saving') void this.#save()
    }
    this.redraw()
  }

  /** Sends one change at a time, so that the newest one is the last to arrive. */
  async #save(): Promise<void> {
    let sent: Partial<Choices> | null = null
    while (this.#wanted !== null && this.#wanted !== sent) {
      this.#state = 'saving'
      sent = this.#wanted
      await this.refresh()
    }
    // After a failure the switches show what is saved.
    if (this.#wanted !== null) this.#state = 'still'
    this.redraw()
  }
}

/** The texts of `<laurels-choices>`. */
export interface ChoicesLabels extends LoadingLabels {
  /** The name of the group of switches. */
  readonly choices: Label
  readonly board: Label
  readonly boardAbout: Label
  readonly name: Label
  readonly nameAbout: Label
  readonly game: Label
  readonly gameAbout: Label
  readonly saving: string
  readonly saved: string
  readonly notSaved: string
}

const CHOICES_LABELS: ChoicesLabels = {
  ...LOADING_LABELS,
  choices: 'Your choices',
  board: 'Show me on leaderboards',
  boardAbout: 'If this is off, others do not see your place. Your progress still counts.',
  name: 'Show my name there',
  nameAbout: 'If this is off, others see your place without your name.',
  game: 'Take part in the game',
  gameAbout:
    'If this is off, you are on no leaderboard and get no messages. Your progress still counts if you come back.',
  saving: 'Saving…',
  saved: 'Saved.',
  notSaved: 'Your choice could not be saved.',
}

const CHOICES_STYLES = `
.choice { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .125rem 1rem; align-items: center; position: relative; padding-block: .75rem; }
.choice + .choice { border-block-start: 1px solid var(--_border); }
.choice:first-child { padding-block-start: 0; }
.choice:last-child { padding-block-end: 0; }
label { font-weight: 600; cursor: pointer; }
label::before { content: ''; position: absolute; inset: 0; }
input {
  appearance: none; position: relative; flex: none; grid-area: 1 / 2 / span 2; margin: 0; inline-size: 2.75rem; block-size: 1.5rem; cursor: pointer;
  border: 1px solid var(--_muted); border-radius: 1rem; background: var(--_surface);
}
input::before {
  content: ''; position: absolute; inset-block: .1875rem; inset-inline-start: .1875rem; aspect-ratio: 1; border-radius: 50%; background: var(--_muted);
}
input:checked { background: var(--_accent); border-color: var(--_accent); }
input:checked::before { inset-inline: auto .1875rem; background: var(--_on-accent); }
.choice:has(:disabled) label { color: var(--_muted); cursor: default; }
input:disabled { opacity: .5; cursor: default; }
@media (prefers-reduced-motion: no-preference) { input { transition: background .15s, border-color .15s; } }
@media (forced-colors: active) {
  input { forced-color-adjust: none; --_accent: Highlight; --_on-accent: HighlightText; --_muted: CanvasText; --_surface: Canvas; }
  input:disabled { --_muted: GrayText; opacity: 1; }
}
`

declare global {
  interface HTMLElementTagNameMap {
    'laurels-choices': ChoicesElement
  }
}

define('laurels-choices', ChoicesElement)
