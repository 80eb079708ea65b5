import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { initialsOf } from '../../../elements/parts/markup.ts'
import { navigate, toPath, withQuery } from '../router.ts'
import { Button, Form, Input } from './controls.tsx'

/** A user with initials, name and id, as a link to its page. */
export function Person({ id, name }: { readonly id: string; readonly name: string | null }): JSX.Element {
  const hasName = name !== null && name !== ''
  return (
    <span class="row">
      <Initials name={hasName ? name : id} />
      <span>
        <PageLink to={['users', id]}>{hasName ? name : id}</PageLink>
        {hasName && (
          <small class="below" dir="auto">
            {id}
          </small>
        )}
      </span>
    </span>
  )
}

export function UserLink({ id }: { readonly id: string }): JSX.Element {
  return <PageLink to={['users', id]}>{id}</PageLink>
}

/** A link whose text is a name that a user or an author gave. `to`: segments of the address. */
export function PageLink({ to, children }: { to: readonly string[]; children: ComponentChildren }): JSX.Element {
  return (
    <a href={toPath(to)} dir="auto">
      {children}
    </a>
  )
}

/** Initials in place of a picture: the console loads no pictures of users. */
export function Initials({ name }: { readonly name: string }): JSX.Element {
  return (
    <span class="initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}

interface ShowUserProps {
  /** The name of the field. */
  readonly name: string
  /** The id that is shown. `null` if there is none. */
  readonly chosen: string | null
  /** The text of the button that leads back to all users. */
  readonly back: string
}

/** Asks for a user's id, which the address keeps as `user`. */
export function ShowUser({ name, chosen, back }: ShowUserProps): JSX.Element {
  const [id, setId] = useState(chosen ?? '')
  const show = (user: string | null): void => navigate(withQuery({ user, offset: null }))
  return (
    <Form class="row choices" submit={() => show(id.trim() === '' ? null : id.trim())}>
      <Input label={name} value={id} placeholder="Id of the user" change={setId} />
      <button type="submit">Show</button>
      {chosen !== null && (
        <Button
          onClick={() => {
            setId('')
            show(null)
          }}
        >
          {back}
        </Button>
      )}
    </Form>
  )
}
