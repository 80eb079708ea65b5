import type { ComponentType, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { hasNow } from '../../../../../elements/badges/card.ts'
import { call, route, useMayWrite } from '../../../api.ts'
import { navigate, toPath } from '../../../router.ts'
import type { AchievementCompletionResponse, DeletedUser, MergeResponse, User } from '../../../types.ts'
import { UserChoice } from '../../choice.tsx'
import { Button, Check, Field, Input, Select } from '../../controls.tsx'
import { Confirm } from '../../dialog.tsx'
import { formatChange, plural } from '../../format.ts'
import { type ActionProps, useAbout } from '../about.ts'
import { GiveFreezes, PauseStreak, SendEvent } from './events.tsx'
import { AdjustPoints, GrantAchievement, Reason, RevokeAchievement } from './support.tsx'

/** Only achievements with the trigger `api` are completed by a call. */
function CompleteAchievement({ close, achievements }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const choices = achievements.filter(({ trigger }) => trigger === 'api')
  const [key, setKey] = useState(choices[0]?.key ?? '')
  const chosen = choices.find((achievement) => achievement.key === key)
  const has = chosen !== undefined && hasNow(chosen)

  const run = async (): Promise<string> => {
    // Each key completes a repeating achievement once more.
    const headers = chosen?.count === undefined ? {} : { 'idempotency-key': crypto.randomUUID() }
    const body = { user: { id: user.id } }
    const answer = await call<AchievementCompletionResponse>('POST', route`v1/achievements/${key}/complete`, {
      body,
      headers,
    })
    changed()
    const paid = Object.values(answer.points).map(({ added, name }) => `${formatChange(added)} ${name}`)
    return [`${answer.achievement.name} is completed.`, ...paid].join(' ')
  }

  return (
    <Confirm title="Complete an achievement" verb="Complete it" isReady={chosen !== undefined} run={run} close={close}>
      <p>The user has the achievement from now on, with what it pays.</p>
      <Field name="Achievement">
        <Select value={key} change={setKey} choices={choices} />
      </Field>
      {has && (
        <p class="muted">The user has it already{chosen?.count === undefined ? ': nothing would change' : ''}.</p>
      )}
    </Confirm>
  )
}

function DeleteUser({ close }: ActionProps): JSX.Element {
  const { user } = useAbout()
  const [typed, setTyped] = useState('')
  const [isKept, setIsKept] = useState(false)
  const run = async (): Promise<string> => {
    const query = { keep: isKept ? 'anonymous' : 'nothing' }
    const { anonymousId } = await call<DeletedUser>('DELETE', route`admin/v1/users/${user.id}`, { query })
    navigate(toPath(['users']))
    return anonymousId === null
      ? 'The user is deleted.'
      : `The user is deleted; what was done stays under ${anonymousId}.`
  }
  return (
    <Confirm
      title="Delete the user"
      verb="Delete for good"
      isDangerous
      isReady={typed === user.id}
      run={run}
      close={close}
    >
      <p>This deletes the profile, the log and all results of the user from this database. It cannot be undone.</p>
      <Check name="Keep what was done, without the profile, under a random id" checked={isKept} change={setIsKept} />
      <Field name="Type the id to confirm" hint={user.id}>
        <Input value={typed} spellcheck={false} change={setTyped} />
      </Field>
    </Confirm>
  )
}

export function Merge({ close }: ActionProps): JSX.Element {
  const { user } = useAbout()
  const [into, setInto] = useState<User | null>(null)
  const isReady = into !== null && into.id !== user.id

  const run = async (): Promise<string> => {
    const answer = await call<MergeResponse>('POST', route`admin/v1/users/${user.id}/merge`, {
      body: { into: into?.id },
    })
    navigate(toPath(['users', answer.into]))
    return `${plural(answer.entries, 'entry', 'entries')} moved.`
  }

  return (
    <Confirm title="Merge into another user" verb="Merge" isDangerous isReady={isReady} run={run} close={close}>
      <p>
        All that <strong dir="auto">{user.name ?? user.id}</strong> has done moves to the other user, whose progress is
        computed from both. The id <span dir="auto">{user.id}</span> is another name for that user then. That cannot be
        undone.
      </p>
      <UserChoice name="Id of the user that goes on" choose={setInto} />
    </Confirm>
  )
}

export function Suspend({ close }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const [reason, setReason] = useState('')
  const run = async (): Promise<string> => {
    const body = reason.trim() === '' ? {} : { reason: reason.trim() }
    await call('POST', route`admin/v1/users/${user.id}/suspend`, { body })
    changed()
    return 'The user is suspended from leaderboards.'
  }
  return (
    <Confirm title="Suspend the user" verb="Suspend the user" isDangerous run={run} close={close}>
      <p>
        The user disappears from all leaderboards, and those below move up. All else goes on as before; restoring puts
        the user back where it would be.
      </p>
      <Reason value={reason} isOptional change={setReason} />
    </Confirm>
  )
}

export function Restore({ close }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const run = async (): Promise<string> => {
    await call('POST', route`admin/v1/users/${user.id}/restore`, { body: {} })
    changed()
    return 'The user is back on leaderboards.'
  }
  return (
    <Confirm title="Restore the user" verb="Restore the user" run={run} close={close}>
      <p>The user is on leaderboards again, with all that was done meanwhile.</p>
    </Confirm>
  )
}

interface Action {
  readonly name: string
  readonly dialog: ComponentType<ActionProps>
  readonly isDangerous?: boolean
}

/** The actions on a user, with write access only. */
export function UserMenu(props: Omit<ActionProps, 'close'>): JSX.Element | null {
  const mayWrite = useMayWrite()
  const { listed } = useAbout()
  const [isOpen, setIsOpen] = useState(false)
  const [Chosen, setChosen] = useState<ComponentType<ActionProps> | null>(null)
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) setIsOpen(false)
    }
    const closeByKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setIsOpen(false)
      button.current?.focus()
    }
    document.addEventListener('keydown', closeByKey)
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('keydown', closeByKey)
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen])

  if (!mayWrite) return null
  const actions = toActions(props, listed?.suspended ?? null)
  return (
    <div class="menu" ref={menu}>
      <button type="button" aria-expanded={isOpen} ref={button} onClick={() => setIsOpen(!isOpen)}>
        Change…
      </button>
      {isOpen && (
        <ul class="menu-items">
          {actions.map(({ name, dialog, isDangerous = false }) => (
            <li key={name}>
              <Button
                class={isDangerous ? 'bad' : undefined}
                onClick={() => {
                  // The focus returns here when the dialog is closed.
                  button.current?.focus()
                  setIsOpen(false)
                  setChosen(() => dialog)
                }}
              >
                {name}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {Chosen !== null && <Chosen {...props} close={() => setChosen(null)} />}
    </div>
  )
}

function toActions({ achievements, points }: Omit<ActionProps, 'close'>, suspended: object | null): readonly Action[] {
  const hasApi = achievements.some(({ trigger }) => trigger === 'api')
  const hasAny = achievements.some(({ achievedAt }) => achievedAt !== null)
  return [
    { name: 'Send an event', dialog: SendEvent },
    { name: 'Give freezes', dialog: GiveFreezes },
    { name: 'Pause the streak', dialog: PauseStreak },
    ...(hasApi ? [{ name: 'Complete an achievement', dialog: CompleteAchievement }] : []),
    ...(achievements.length > 0 ? [{ name: 'Grant an achievement', dialog: GrantAchievement }] : []),
    ...(hasAny ? [{ name: 'Revoke an achievement', dialog: RevokeAchievement }] : []),
    ...(points.length > 0 ? [{ name: 'Adjust points', dialog: AdjustPoints }] : []),
    suspended === null
      ? { name: 'Suspend from leaderboards', dialog: Suspend }
      : { name: 'Restore to leaderboards', dialog: Restore },
    { name: 'Merge into another user', dialog: Merge, isDangerous: true },
    { name: 'Delete the user', dialog: DeleteUser, isDangerous: true },
  ]
}
