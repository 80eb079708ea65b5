import type { ComponentChildren, JSX } from 'preact'

export function Button(props: JSX.IntrinsicElements['button']): JSX.Element {
  return <button type="button" {...props} />
}

export function Reload({ reload, what }: { readonly reload: () => void; readonly what: string }): JSX.Element {
  return (
    <Button class="small" aria-label={`Reload the ${what}`} onClick={reload}>
      Reload
    </Button>
  )
}

type InputProps = JSX.IntrinsicElements['input'] & { readonly change: (value: string) => void }

/** An input without the browser's suggestions. */
export function Input({ change, ...props }: InputProps): JSX.Element {
  return <input autoComplete="off" {...props} onInput={({ currentTarget }) => change(currentTarget.value)} />
}

interface SelectProps {
  readonly value: string
  readonly change: (key: string) => void
  readonly choices: readonly { readonly key: string; readonly name: string }[]
}

export function Select({ value, change, choices }: SelectProps): JSX.Element {
  return (
    <select value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
      {choices.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface FormProps {
  readonly class: string
  readonly submit: () => void
  readonly children: ComponentChildren
}

export function Form({ submit, ...props }: FormProps): JSX.Element {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    />
  )
}

interface FieldProps {
  readonly name: string
  readonly hint?: string
  /** Shows the name beside the input instead of above it. */
  readonly isInline?: boolean
  /** An input, a select or a textarea. */
  readonly children: ComponentChildren
}

export function Field({ name, hint, isInline = false, children }: FieldProps): JSX.Element {
  return (
    // The input is among the children.
    // biome-ignore lint/a11y/noLabelWithoutControl: see above
    <label class={isInline ? 'row' : 'field'}>
      <span class={isInline ? 'muted' : undefined}>{name}</span>
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
    <label class="row">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.currentTarget.checked)} />
      <span>{name}</span>
    </label>
  )
}
