import type { JSX } from 'preact'
import { toPath } from '../router.ts'
import { toInitials } from './format.ts'

interface PersonProps {
  readonly id: string
  readonly name: string | null
}

/** A user: initials in place of a picture, name and id, as a link to its page. */
export function Person({ id, name }: PersonProps): JSX.Element {
  const hasName = name !== null && name !== ''
  return (
    <span class="person">
      <Initials name={hasName ? name : id} />
      <span>
        <a href={toPath(['users', id])} dir="auto">
          {hasName ? name : id}
        </a>
        {hasName && <small dir="auto">{id}</small>}
      </span>
    </span>
  )
}

/** In place of a picture, for those are nowhere that is ours. */
export function Initials({ name }: { readonly name: string }): JSX.Element {
  return (
    <span class="initials" aria-hidden="true">
      {toInitials(name)}
    </span>
  )
}
