import type { JSX } from 'preact'

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly choices: readonly { readonly value: Value; readonly name: string }[]
  readonly value: Value
  readonly choose: (value: Value) => void
}

/** A few values side by side, of which one holds. */
export function Choice<Value extends string>({ label, choices, value, choose }: ChoiceProps<Value>): JSX.Element {
  return (
    <fieldset class="choice">
      <legend class="hidden-visually">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => choose(choice.value)}
        >
          {choice.name}
        </button>
      ))}
    </fieldset>
  )
}
