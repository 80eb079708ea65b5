import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { navigate, withQuery } from '../router.ts'
import { Field } from './field.tsx'

interface ShowUserProps {
  /** What the field is called. */
  readonly name: string
  /** The id that is shown; null: nobody's. */
  readonly chosen: string | null
  /** What the button says that leads back to everybody. */
  readonly back: string
  /** What else the address asks for that does not hold for another user. */
  readonly resets?: readonly string[]
}

/** Asks for a user's id, which the address keeps as `user`. */
export function ShowUser({ name, chosen, back, resets = [] }: ShowUserProps): JSX.Element {
  const [id, setId] = useState(chosen ?? '')
  const show = (user: string | null): void => {
    navigate(withQuery({ user, ...Object.fromEntries(resets.map((other) => [other, null])) }))
  }
  return (
    <form
      class="row choices"
      onSubmit={(event) => {
        event.preventDefault()
        show(id.trim() === '' ? null : id.trim())
      }}
    >
      <Field name={name}>
        <input
          value={id}
          placeholder="Id of the user"
          autocomplete="off"
          onInput={(event) => setId(event.currentTarget.value)}
        />
      </Field>
      <button type="submit">Show</button>
      {chosen !== null && (
        <button
          type="button"
          onClick={() => {
            setId('')
            show(null)
          }}
        >
          {back}
        </button>
      )}
    </form>
  )
}
