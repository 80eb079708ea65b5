import type { JSX } from 'preact'
import '../styles/share.css'

interface ShareProps {
  /** 0 to 100. */
  readonly percent: number
}

/** A percentage, with a bar for the eye. */
export function Share({ percent }: ShareProps): JSX.Element {
  const text = `${percent.toLocaleString(undefined, { maximumFractionDigits: 2 })} %`
  return (
    <span class="share">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" class="share-bar">
        <rect width="100" height="8" class="share-all" />
        <rect width={Math.min(100, Math.max(0, percent))} height="8" class="share-part" />
      </svg>
      <span>{text}</span>
    </span>
  )
}
