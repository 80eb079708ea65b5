import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface CardProps {
  readonly title: string
  /** Beside the heading. */
  readonly actions?: ComponentChildren
  /** false: what is in it reaches its edges, as a table does. */
  readonly padded?: boolean
  readonly children: ComponentChildren
}

/** What belongs together, under a heading. */
export function Card({ title, actions, padded = true, children }: CardProps): JSX.Element {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {padded ? <div class="card-body">{children}</div> : children}
    </section>
  )
}
