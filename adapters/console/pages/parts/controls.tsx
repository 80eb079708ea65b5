import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

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

interface Labelled {
  /** The name of the field. Without one it is labelled otherwise. */
  readonly label?: string
  readonly hint?: string
}

type InputProps = JSX.IntrinsicElements['input'] & Labelled & { readonly change: (value: string) => void }

/** An input without the browser's suggestions. */
export function Input({ change, label, hint, ...props }: InputProps): JSX.Element {
  const input = <input autoComplete="off" {...props} onInput={({ currentTarget }) => change(currentTarget.value)} />
  return label === undefined ? input : <Field name={label} hint={hint} children={input} />
}

/** The text of an input, and what changes it. */
export function useText(start = ''): { readonly value: string; readonly change: (value: string) => void } {
  const [value, change] = useState(start)
  return { value, change }
}

interface SelectProps extends Labelled {
  readonly value: string
  readonly change: (key: string) => void
  readonly choices: readonly { readonly key: string; readonly name: string }[]
}

export function Select({ value, change, choices, label, hint }: SelectProps): JSX.Element {
  const select = (
    <select value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
      {choices.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  )
  return label === undefined ? select : <Field name={label} hint={hint} children={select} />
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
  readonly hint?: string | undefined
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

interface ChecksProps {
  readonly choices: SelectProps['choices']
  /** The keys of the checked items. */
  readonly chosen: readonly string[]
  readonly choose: (chosen: readonly string[]) => void
}

/** A checkbox for each choice. */
export function Checks({ choices, chosen, choose }: ChecksProps): JSX.Element {
  const boxes = choices.map(({ key, name }) => {
    const change = (checked: boolean): void =>
      choose(checked ? [...chosen, key] : chosen.filter((other) => other !== key))
    return <Check key={key} name={name} checked={chosen.includes(key)} change={change} />
  })
  return <>{boxes}</>
}
