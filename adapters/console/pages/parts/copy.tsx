import type { JSX } from 'preact'
import { notify } from './notices.tsx'

interface CopyProps {
  /** What is copied; default: the address of the page. */
  readonly text?: string
  /** What the button says. */
  readonly name?: string
}

/** Puts a text into the clipboard. */
export function Copy({ text, name = 'Copy link' }: CopyProps): JSX.Element {
  const copy = async (): Promise<void> => {
    // Without https there is no clipboard for pages.
    try {
      await navigator.clipboard.writeText(text ?? location.href)
      notify('Copied.')
    } catch {
      notify('The browser does not let this page copy: take it from the address bar.')
    }
  }
  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {name}
    </button>
  )
}
