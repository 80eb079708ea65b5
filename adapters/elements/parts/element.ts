/// <reference lib="dom" preserve="true" />
import { type Formats, formatsOf } from './formats.ts'
import { createFrame, type Frame, failure, langOf, waiting } from './frame.ts'
import { h } from './markup.ts'

/** How long an element waits for something to show before it warns. Frameworks set properties after they hydrate a page. */
const WARN_AFTER_MS = 3_000

/** Clients by the attribute `base-url`, shared by all elements of a page. */
const clients = new Map<string, Promise<unknown>>()

/** A client that sends the cookies of the page. Its code is loaded when the first element asks for it. */
function clientOf(baseUrl: string): Promise<unknown> {
  const known = clients.get(baseUrl)
  if (known !== undefined) return known
  const client = import('../../client/calls.ts').then(({ createCalls }) => createCalls({ baseUrl }))
  clients.set(baseUrl, client)
  // The button to try again loads the code again.
  client.catch(() => clients.delete(baseUrl))
  return client
}

/** The texts that every element has for loading. */
export interface LoadingLabels {
  readonly loading: string
  readonly failed: string
  readonly retry: string
  /** The text for a user without data. */
  readonly nothing: string
}

export const LOADING_LABELS: LoadingLabels = {
  loading: 'Loading…',
  failed: 'This could not be loaded.',
  retry: 'Try again',
  nothing: 'There is nothing here yet.',
}

/** The detail of the event `laurels-loaded`. */
export interface LoadedDetail<Data> {
  /** `null` if nothing is known of the user yet. */
  readonly data: Data | null
}

/** The detail of the event `laurels-error`. */
export interface ErrorDetail {
  readonly error: unknown
}

/** Options of a call on a client. A newer request aborts the call. */
export interface Asked {
  readonly signal: AbortSignal
}

/** Shows the loaded data, unless a newer request has started. */
export type Take = () => void

/** The classes can be loaded without a DOM; then no element is defined. */
const ElementBase: typeof HTMLElement =
  typeof HTMLElement === 'undefined' ? (class {} as unknown as typeof HTMLElement) : HTMLElement

/**
 * The base class of the elements. An element gets data from `data`, or from a `client` or `base-url` and attributes,
 * and dispatches events about loading. A later request replaces an earlier one.
 */
export abstract class LaurelsElement<Data, Client, Texts extends LoadingLabels> extends ElementBase {
  readonly #loader = createLoader()
  #data: Data | null = null
  #client: Client | null = null
  #labels: Partial<Texts> = {}
  #frame: Frame | null = null
  #state: 'fed' | 'asked' | 'failed' | 'unknown' = 'asked'
  readonly #waiting = new Set<'draw' | 'ask'>()
  #hasWarned = false

  /** Its own texts, in English. */
  protected abstract readonly defaults: Texts
  protected abstract readonly styles: string
  /** Attributes that a request to the client needs. */
  protected abstract readonly needs: readonly string[]
  /** Attributes that change the request to the client. */
  protected abstract readonly asks: readonly string[]
  /** The nodes that show the data. */
  protected abstract view(data: Data): readonly (Node | null)[]
  protected abstract load(client: Client, signal: AbortSignal): Promise<Take>

  /** The answer of the API that the element shows. Setting it cancels a request. */
  get data(): Data | null {
    return this.#data
  }

  set data(data: Data | null) {
    this.#loader.stop()
    this.#state = 'fed'
    this.show(data)
  }

  /** The source of the data: a client of `laurels/client`. Setting it loads. */
  get client(): Client | null {
    return this.#client
  }

  set client(client: Client | null) {
    this.#client = client
    this.#loader.stop()
    this.#state = 'asked'
    this.ask()
  }

  /** Texts that replace the English ones; omitted ones keep their default. */
  get labels(): Partial<Texts> {
    return this.#labels
  }

  set labels(labels: Partial<Texts> | null) {
    this.#labels = labels ?? {}
    this.redraw()
  }

  /**
   * Loads from the client again. Resolves after success and after failure, which the events `laurels-loaded` and
   * `laurels-error` report. Does nothing if there is neither a client nor the attribute `base-url`.
   */
  async refresh(): Promise<void> {
    if (!this.#canAsk) return
    const asked = this.#loader.ask(async (signal) => {
      const missing = this.needs.find((name) => !(name === 'user-id' ? this.userId : this.getAttribute(name)))
      if (missing !== undefined) throw new TypeError(`<${this.localName}> needs the attribute ${missing}.`)
      // The type of an element lists calls of the client; a test checks each of them.
      const client = this.#client ?? ((await clientOf(this.getAttribute('base-url') ?? '')) as Client)
      return this.load(client, signal)
    })
    this.redraw()
    const loaded = await asked
    if (loaded.type === 'superseded') return
    if (loaded.type === 'loaded') {
      this.#state = 'asked'
      loaded.answer()
    } else if (isUnknownUser(loaded.error)) {
      this.#state = 'unknown'
      this.show(null)
    } else {
      this.#state = 'failed'
      this.redraw()
      this.#dispatch<ErrorDetail>('laurels-error', { error: loaded.error })
      return
    }
    this.#dispatch<LoadedDetail<Data>>('laurels-loaded', { data: this.#data })
  }

  connectedCallback(): void {
    this.#frame ??= createFrame(this, this.styles)
    for (const name of Object.keys(this)) {
      if (!(name in Object.getPrototypeOf(this))) continue
      // A property that was set before the element was defined hides the setter.
      const value = Reflect.get(this, name)
      Reflect.deleteProperty(this, name)
      Reflect.set(this, name, value)
    }
    this.redraw()
    if (this.#data === null) this.ask()
    setTimeout(() => this.#warnIfEmpty(), WARN_AFTER_MS)
  }

  disconnectedCallback(): void {
    this.#loader.stop()
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return
    const isAsked = this.asks.includes(name) || (name === 'base-url' && this.#client === null)
    if (isAsked && this.#state !== 'fed') {
      // The earlier request is for another user or other data.
      this.#loader.stop()
      this.#state = 'asked'
      this.show(null)
      this.ask()
    }
    this.redraw()
  }

  /** The attribute `user-id`. With `base-url`, the default is the user of the page's session. */
  protected get userId(): string {
    return this.getAttribute('user-id') ?? (this.#client === null && this.hasAttribute('base-url') ? 'me' : '')
  }

  protected get formats(): Formats {
    return formatsOf(langOf(this))
  }

  protected get texts(): Texts {
    return { ...this.defaults, ...this.#labels }
  }

  /** Shows data, wherever it came from. */
  protected show(data: Data | null): void {
    this.#data = data
    this.redraw()
  }

  /** The text that screen readers announce after a change. */
  protected summary(): string {
    return ''
  }

  /** Called after each drawing. */
  protected drawn(): void {}

  /** Loads from the client, once for all attributes that are set together. */
  protected ask(): void {
    this.#soon('ask', () => {
      if (this.#state !== 'fed') void this.refresh()
    })
  }

  /** Draws the element, once for all properties that are set together. */
  protected redraw(): void {
    this.#soon('draw', () => this.#draw())
  }

  #soon(what: 'draw' | 'ask', then: () => void): void {
    if (this.#waiting.has(what)) return
    this.#waiting.add(what)
    queueMicrotask(() => {
      this.#waiting.delete(what)
      if (this.isConnected) then()
    })
  }

  get #canAsk(): boolean {
    return this.#client !== null || this.hasAttribute('base-url')
  }

  #warnIfEmpty(): void {
    if (this.#hasWarned || !this.isConnected || this.#canAsk || this.#state === 'fed') return
    this.#hasWarned = true
    // biome-ignore lint/suspicious/noConsole: nothing else tells the author of a page why it stays empty.
    console.warn(`<${this.localName}> shows nothing: set its attribute base-url, or its property client or data.`)
  }

  #draw(): void {
    const { isLoading } = this.#loader
    const { texts } = this
    const main = this.#main(isLoading)
    const retry = this.#canAsk ? () => void (isLoading || this.refresh()) : null
    this.#frame?.draw([...main, this.#state === 'failed' ? failure(texts, retry) : null], isLoading)
    this.#frame?.say(isLoading ? texts.loading : this.summary())
    this.drawn()
  }

  #main(isLoading: boolean): readonly (Node | null)[] {
    if (this.#data !== null) {
      try {
        return this.view(this.#data)
      } catch (error) {
        // It is no answer of the API.
        this.#state = 'failed'
        this.#dispatch<ErrorDetail>('laurels-error', { error })
        return []
      }
    }
    if (this.#state === 'unknown') return [h('p', { class: 'muted', part: 'nothing' }, this.texts.nothing)]
    return isLoading && this.#state !== 'failed' ? [waiting()] : []
  }

  #dispatch<Detail>(name: string, detail: Detail): void {
    const event = new CustomEvent<Detail>(name, { detail, bubbles: true, composed: true })
    // When it is drawn.
    queueMicrotask(() => this.dispatchEvent(event))
  }
}

/** Defines an element, unless there is no DOM, or somebody has defined it before. */
export function define(name: string, element: CustomElementConstructor): void {
  if (typeof customElements === 'undefined' || customElements.get(name) !== undefined) return
  customElements.define(name, element)
}

/** A user who has done nothing is unknown to the API; for a page that is no mistake. */
export function isUnknownUser(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'unknown_user'
}

/** The outcome of a request. `superseded`: a newer request has started, or the element no longer needs the answer. */
export type LoadOutcome<Answer> =
  | { readonly type: 'loaded'; readonly answer: Answer }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'superseded' }

export interface Loader {
  readonly isLoading: boolean
  /** Ends the question under way, and asks. Never rejects. */
  ask<Answer>(question: (signal: AbortSignal) => Promise<Answer>): Promise<LoadOutcome<Answer>>
  stop(): void
}

/** Only the newest request counts, in whatever order the answers arrive. */
export function createLoader(): Loader {
  let current: AbortController | null = null
  const stop = (): void => {
    current?.abort()
    current = null
  }
  return {
    get isLoading() {
      return current !== null
    },
    stop,
    ask: async (question) => {
      stop()
      const own = new AbortController()
      current = own
      const outcome = await question(own.signal).then(
        (answer) => ({ type: 'loaded', answer }) as const,
        (error: unknown) => ({ type: 'failed', error }) as const,
      )
      if (current !== own) return { type: 'superseded' }
      current = null
      return outcome
    },
  }
}
