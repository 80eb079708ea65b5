import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { User } from '../../../../src/engine/answers/wire/user.ts'
import { ApiError, call, route } from '../api.ts'
import { useAnswer } from '../use-answer.ts'
import { Field } from './field.tsx'
import { useDebounced } from './use-debounced.ts'

interface UserChoiceProps {
  /** null: there is no user with what stands in the field. */
  readonly choose: (user: User | null) => void
}

/** Asks for the id of a user, and says who it is: a change is only made for somebody who is there. */
export function UserChoice({ choose }: UserChoiceProps): JSX.Element {
  const [id, setId] = useState('')
  const wanted = useDebounced(id.trim(), 250)
  const { data, error, isLoading } = useAnswer(
    async (signal) => (wanted === '' ? null : call<User>('GET', route`v1/users/${wanted}`, { signal })),
    [wanted],
  )
  const found = wanted === id.trim() && error === null && data?.id === wanted ? data : null
  useEffect(() => choose(found), [found])
  return (
    <div class="stack tight">
      <Field name="Id of the user">
        <input value={id} onInput={(event) => setId(event.currentTarget.value)} autocomplete="off" required />
      </Field>
      <p class="muted" role="status">
        {wanted === '' ? '' : found !== null ? `This is ${found.name ?? found.id}.` : toText(error, isLoading)}
      </p>
    </div>
  )
}

function toText(error: unknown, isLoading: boolean): string {
  if (isLoading) return 'Looking…'
  if (error instanceof ApiError && error.status === 404) return 'There is no user with this id.'
  return error instanceof Error ? error.message : ''
}
