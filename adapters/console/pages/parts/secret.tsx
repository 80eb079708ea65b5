import type { JSX } from 'preact'
import { Copy } from './copy.tsx'

interface SecretProps {
  /** What it is: `The key of ada`. */
  readonly title: string
  readonly secret: string
  readonly close: () => void
}

/** What is shown this once, until whoever reads it says that it is kept. */
export function Secret({ title, secret, close }: SecretProps): JSX.Element {
  return (
    <section class="secret" aria-label={title}>
      <p role="status">
        <strong>{title}</strong> Keep it now: it is never shown again.
      </p>
      <p>
        <code class="secret-text">{secret}</code>
      </p>
      <div class="row">
        <Copy text={secret} name="Copy" />
        <button type="button" onClick={close}>
          I have kept it
        </button>
      </div>
    </section>
  )
}
