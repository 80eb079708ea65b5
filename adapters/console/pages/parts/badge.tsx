import type { ComponentChildren, JSX } from 'preact'

export type Tone = 'good' | 'bad' | 'warn' | 'ice' | 'quiet'

interface BadgeProps {
  readonly tone?: Tone
  readonly children: ComponentChildren
}

/** A state in a word: `active`, `void`. */
export function Badge({ tone = 'quiet', children }: BadgeProps): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>
}
