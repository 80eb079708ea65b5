import type { JSX } from 'preact'
import { Field } from '../../field.tsx'

interface StreakChoiceProps {
  readonly streaks: readonly { readonly key: string; readonly name: string }[]
  /** Empty: the game's `streak`. */
  readonly value: string
  readonly choose: (key: string) => void
}

/** Not there where the game has no named streaks. */
export function StreakChoice({ streaks, value, choose }: StreakChoiceProps): JSX.Element | null {
  if (streaks.length === 0) return null
  return (
    <Field name="Streak">
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">The streak</option>
        {streaks.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}
