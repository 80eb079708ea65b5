import type { ComponentChildren, JSX } from 'preact'

interface FieldProps {
  readonly name: string
  readonly hint?: string
  /** An input, a select or a textarea. */
  readonly children: ComponentChildren
}

/** An input with its name above it. */
export function Field({ name, hint, children }: FieldProps): JSX.Element {
  return (
    // The input is among the children.
    // biome-ignore lint/a11y/noLabelWithoutControl: see above
    <label class="field">
      <span>{name}</span>
      {children}
      {hint !== undefined && <span class="muted">{hint}</span>}
    </label>
  )
}

interface CheckProps {
  readonly name: string
  readonly checked: boolean
  readonly change: (checked: boolean) => void
}

export function Check({ name, checked, change }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} />
      <span>{name}</span>
    </label>
  )
}
