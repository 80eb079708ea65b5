import type { ComponentChildren, JSX } from 'preact'

interface EmptyProps {
  readonly title: string
  /** What brings something here. */
  readonly children?: ComponentChildren
}

/** That there is nothing, and what to do about it. */
export function Empty({ title, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children !== undefined && <div>{children}</div>}
    </div>
  )
}
