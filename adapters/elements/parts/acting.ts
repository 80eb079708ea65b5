/// <reference lib="dom" preserve="true" />
import { type Asked, LaurelsElement, type LoadingLabels, type Take } from './element.ts'

/** The texts of elements whose buttons change something. */
export interface ActingLabels extends LoadingLabels {
  readonly saving: string
  readonly notDone: string
}

/** The call that tells who `me` is. */
export interface OwnClient {
  readonly users: { get(id: string, options: Asked): Promise<{ readonly id: string }> }
}

/**
 * An element whose buttons make calls. Each act dispatches `laurels-act`. If there is a client, the act is sent once and
 * never aborted, everything is loaded again, and `laurels-acted` follows.
 */
export abstract class ActingElement<
  Data,
  Client extends OwnClient,
  Texts extends ActingLabels,
  Act,
> extends LaurelsElement<Data, Client, Texts> {
  /** The act that the API has not answered. */
  #acting: { readonly act: Act; readonly answer: Promise<unknown> | null } | null = null
  /** True if the newest act failed. */
  #hasFailed = false
  #done: Act | null = null

  protected abstract send(client: Client, act: Act, user: string): Promise<unknown>
  protected abstract read(client: Client, signal: AbortSignal): Promise<Take>

  /** True while an act is under way. */
  protected get isActing(): boolean {
    return this.#acting !== null
  }

  /** The act that the newest answer follows, or `null` if it follows none. */
  protected get done(): Act | null {
    return this.#done
  }

  protected act(act: Act): void {
    if (this.#acting !== null) return
    this.#dispatch('laurels-act', act)
    if (this.client === null && !this.hasAttribute('base-url')) return
    this.#acting = { act, answer: null }
    void this.refresh().then(() => {
      // The request could not be made, for example without `user-id`.
      if (this.#acting?.answer === null) this.#acting = null
    })
  }

  protected async load(client: Client, signal: AbortSignal): Promise<Take> {
    const act = this.#acting?.act ?? null
    if (this.#acting !== null && act !== null) {
      // A newer request waits for the same act.
      this.#acting = { act, answer: this.#acting.answer ?? this.#send(client, act, signal) }
      await this.#acting.answer
    }
    const take = await this.read(client, signal)
    return () => {
      this.#hasFailed = false
      this.#done = act
      take()
      if (act !== null) this.#dispatch('laurels-acted', act)
    }
  }

  protected override get texts(): Texts {
    const texts = super.texts
    if (this.#acting !== null) return { ...texts, loading: texts.saving }
    return this.#hasFailed ? { ...texts, failed: texts.notDone } : texts
  }

  async #send(client: Client, act: Act, signal: AbortSignal): Promise<void> {
    try {
      await this.send(client, act, this.userId === 'me' ? (await client.users.get('me', { signal })).id : this.userId)
    } catch (error) {
      this.#hasFailed = true
      throw error
    } finally {
      this.#acting = null
    }
  }

  #dispatch(name: 'laurels-act' | 'laurels-acted', detail: Act): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}
