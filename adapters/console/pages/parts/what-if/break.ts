import type { ApplyPolicy } from './policies.tsx'

/** An application of a game that was not finished: how to go on with the users that are left. */
export interface Break {
  readonly definition: { readonly [name: string]: unknown }
  readonly policy: ApplyPolicy
  /** The user after whom it goes on; null: from the first. */
  readonly after: { readonly tenant: string; readonly user: string } | null
}

const NAME = 'laurels-console-apply'

/** What this tab was about to apply, should it have been left or reloaded in the middle. */
export function readBreak(): Break | null {
  try {
    const text = sessionStorage.getItem(NAME)
    return text === null ? null : (JSON.parse(text) as Break)
  } catch {
    return null
  }
}

export function keepBreak(kept: Break | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(NAME)
    else sessionStorage.setItem(NAME, JSON.stringify(kept))
  } catch {
    // Without storage an application that is left begins anew, which does no harm.
  }
}
