import type { ComponentChildren, JSX } from 'preact'
import { formatPercent } from './format.ts'

/** Colours by the meaning of a state. */
const TONES = { good: 'accent', bad: 'danger', warn: 'gold', ice: 'ice' }
export type Tone = keyof typeof TONES | 'quiet'

/** A state in a word: `active`, `void`. */
export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ComponentChildren }): JSX.Element {
  const colour = tone === 'quiet' ? null : TONES[tone]
  const style = colour === null ? {} : { color: `var(--${colour})`, background: `var(--${colour}-soft)` }
  return (
    <span class="badge" style={style}>
      {children}
    </span>
  )
}

/** A percentage from 0 to 100, with a bar. */
export function Share({ percent }: { readonly percent: number }): JSX.Element {
  return (
    <span class="share">
      <meter max="100" value={percent} aria-hidden="true" />
      <span>{formatPercent(percent)}</span>
    </span>
  )
}

export function StatusBadge({ status }: { readonly status: 'scheduled' | 'active' | 'finished' }): JSX.Element {
  return <Badge tone={status === 'active' ? 'good' : status === 'scheduled' ? 'ice' : 'quiet'}>{status}</Badge>
}
