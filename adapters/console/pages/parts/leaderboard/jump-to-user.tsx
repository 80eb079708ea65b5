import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { navigate, withQuery } from '../../router.ts'
import { Field } from '../field.tsx'

interface JumpToUserProps {
  /** Whose place is shown; null: the list from its beginning. */
  readonly chosen: string | null
}

/** Shows the places around a user. */
export function JumpToUser({ chosen }: JumpToUserProps): JSX.Element {
  const [id, setId] = useState(chosen ?? '')
  return (
    <form
      class="row choices"
      onSubmit={(event) => {
        event.preventDefault()
        navigate(withQuery({ user: id.trim() === '' ? null : id.trim(), offset: null }))
      }}
    >
      <Field name="Jump to a user">
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
            navigate(withQuery({ user: null, offset: null }))
          }}
        >
          From the first place
        </button>
      )}
    </form>
  )
}
