import type { ComponentType, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hasNow } from '../../../../../elements/badges/groups.ts'
import { call, route, useIdempotencyKey, useMayWrite } from '../../../api.ts'
import { navigate, toPath } from '../../../router.ts'
import type {
  AchievementCompletionResponse,
  AdjustPointsResponse,
  DeletedUser,
  MergeResponse,
  RevokedAchievement,
  User,
} from '../../../types.ts'
import { UserChoice } from '../../choice.tsx'
import { Button, Check, Input, Select, useText } from '../../controls.tsx'
import { Confirm } from '../../dialog.tsx'
import { countOf, formatChange, formatNumber } from '../../format.ts'
import { ChangeChoices } from '../choices.tsx'
import { type ActionProps, usePageUser } from '../page-user.ts'
import { REASON, SendEvent, toReason } from './events.tsx'
import { GiveFreezes, PauseStreak } from './streaks.tsx'

interface Action {
  readonly name: string
  readonly dialog: ComponentType<ActionProps>
  readonly isDangerous?: boolean
}

/** The actions on a user, with write access only. */
export function UserMenu(props: Omit<ActionProps, 'close'>): JSX.Element | null {
  const mayWrite = useMayWrite()
  const { listed } = usePageUser()
  const [Chosen, setChosen] = useState<ComponentType<ActionProps> | null>(null)
  if (!mayWrite) return null
  const actions = toActions(props, listed?.suspended ?? null)
  return (
    <>
      <Button popovertarget="changes">Change…</Button>
      <ul id="changes" popover="auto" class="menu-items">
        {actions.map(({ name, dialog, isDangerous = false }) => (
          <li key={name}>
            <Button
              class={isDangerous ? 'bad' : undefined}
              onClick={({ currentTarget }) => {
                // Hiding it returns the focus, which the dialog returns in turn.
                currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
                setChosen(() => dialog)
              }}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
      {Chosen !== null && <Chosen {...props} close={() => setChosen(null)} />}
    </>
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
    { name: "Change the user's choices", dialog: ChangeChoices },
    { name: 'Merge into another user', dialog: Merge, isDangerous: true },
    { name: 'Delete the user', dialog: DeleteUser, isDangerous: true },
  ]
}

const GRANTED = 'The user has the achievement from now on, with what it pays.'
const REVOKED =
  'The user loses the achievement, and only a grant completes it again. Points that it paid stay, and achievements that needed it stay.'

/** Completes an achievement as a call does, grants one, or revokes one. A completion has no reason. */
function toAchievementDialog(verb: 'Complete' | 'Grant' | 'Revoke'): ComponentType<ActionProps> {
  const isCompletion = verb === 'Complete'
  const isRevocation = verb === 'Revoke'
  return function AchievementDialog({ close, achievements }) {
    const { user, changed } = usePageUser()
    const choices = achievements.filter((each) => {
      if (isCompletion) return each.trigger === 'api'
      return isRevocation ? each.achievedAt !== null : !hasNow(each) || each.count !== undefined
    })
    const achievement = useText(choices[0]?.key)
    const reason = useText()
    const idempotencyKey = useIdempotencyKey()
    const key = achievement.value
    const chosen = choices.find((each) => each.key === key)
    const hasAlready = isCompletion && chosen !== undefined && hasNow(chosen)
    const run = async (): Promise<string> => {
      const [path, body] = isCompletion
        ? [route`v1/achievements/${key}/complete`, { user: { id: user.id } }]
        : [route`admin/v1/achievements/${key}/${verb.toLowerCase()}`, { userId: user.id, reason: reason.value.trim() }]
      const settings = { body, ...(isCompletion && { idempotencyKey }) }
      const answer = await call<RevokedAchievement & Partial<AchievementCompletionResponse>>('POST', path, settings)
      changed()
      const paid = Object.values(answer.points ?? {}).map(({ added, name }) => `${formatChange(added)} ${name}`)
      return [`${answer.achievement.name} is ${verb.toLowerCase().replace(/e?$/, 'ed')}.`, ...paid].join(' ')
    }
    const isReady = chosen !== undefined && (isCompletion || reason.value.trim() !== '')
    const title = `${verb} an achievement`
    return (
      <Confirm title={title} verb={`${verb} it`} isDangerous={isRevocation} isReady={isReady} run={run} close={close}>
        <p>{isRevocation ? REVOKED : GRANTED}</p>
        <Select label="Achievement" {...achievement} choices={choices} />
        {hasAlready && (
          <p class="muted">The user has it already{chosen.count === undefined ? ': nothing would change' : ''}.</p>
        )}
        {!isCompletion && <Input {...REASON} required {...reason} />}
      </Confirm>
    )
  }
}

const CompleteAchievement = toAchievementDialog('Complete')
const GrantAchievement = toAchievementDialog('Grant')
const RevokeAchievement = toAchievementDialog('Revoke')

export function AdjustPoints({ close, points: systems }: ActionProps): JSX.Element {
  const { user, changed } = usePageUser()
  const system = useText(systems[0]?.key)
  const points = useText()
  const reason = useText()
  const [isFromEarned, setIsFromEarned] = useState(false)
  const idempotencyKey = useIdempotencyKey()
  const isSpendable = systems.find(({ key }) => key === system.value)?.spendable === true
  const amount = Number(points.value)
  const isReady = Number.isSafeInteger(amount) && amount !== 0 && reason.value.trim() !== ''

  const run = async (): Promise<string> => {
    const from = isSpendable && isFromEarned && amount < 0 ? { from: 'earned' } : {}
    const body = { userId: user.id, points: amount, reason: reason.value.trim(), ...from }
    const path = route`admin/v1/points/${system.value}/adjust`
    const answer = await call<AdjustPointsResponse>('POST', path, { body, idempotencyKey })
    changed()
    const { added, name, total, balance } = answer.points
    const rest = balance === undefined ? '' : ` The balance is ${formatNumber(balance)}.`
    return `${formatChange(added)} ${name}. The total is ${formatNumber(total)}.${rest}`
  }

  return (
    <Confirm title="Adjust points" verb="Adjust the points" isReady={isReady} run={run} close={close}>
      <p>
        {isSpendable
          ? 'Boosts and caps do not apply. Points that you take leave the balance, which does not fall below 0, and the total stays.'
          : 'Boosts and caps do not apply. The total does not fall below 0, and levels and leaderboards follow it.'}
      </p>
      <Select label="Points system" {...system} choices={systems} />
      <Input label="Points" hint="A negative number takes points." type="number" step="1" required {...points} />
      {isSpendable && amount < 0 && (
        <Check
          name="Also lower what was earned; the balance may fall below 0"
          checked={isFromEarned}
          change={setIsFromEarned}
        />
      )}
      <Input {...REASON} required {...reason} />
    </Confirm>
  )
}

function Suspend({ close }: ActionProps): JSX.Element {
  const { user, changed } = usePageUser()
  const reason = useText()
  const run = async (): Promise<string> => {
    const body = toReason(reason.value)
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
      <Input {...REASON} {...reason} />
    </Confirm>
  )
}

function Restore({ close }: ActionProps): JSX.Element {
  const { user, changed } = usePageUser()
  const run = async (): Promise<string> => {
    await call('POST', route`admin/v1/users/${user.id}/restore`)
    changed()
    return 'The user is back on leaderboards.'
  }
  return (
    <Confirm title="Restore the user" verb="Restore the user" run={run} close={close}>
      <p>The user is on leaderboards again, with all that was done meanwhile.</p>
    </Confirm>
  )
}

function Merge({ close }: ActionProps): JSX.Element {
  const { user } = usePageUser()
  const [into, setInto] = useState<User | null>(null)
  const isReady = into !== null && into.id !== user.id
  const run = async (): Promise<string> => {
    const body = { into: into?.id }
    const answer = await call<MergeResponse>('POST', route`admin/v1/users/${user.id}/merge`, { body })
    navigate(toPath(['users', answer.into]))
    return `${countOf(answer.entries, 'entry', 'entries')} moved.`
  }
  return (
    <Confirm title="Merge into another user" verb="Merge" isDangerous isReady={isReady} run={run} close={close}>
      <p>
        All that <strong dir="auto">{user.name ?? user.id}</strong> has done moves to the other user, whose progress is
        computed from both. The id <span dir="auto">{user.id}</span> is another name for that user then, and its
        application keys end. That cannot be undone.
      </p>
      <UserChoice name="Id of the user that stays" choose={setInto} />
    </Confirm>
  )
}

function DeleteUser({ close }: ActionProps): JSX.Element {
  const { user } = usePageUser()
  const typed = useText()
  const [isKept, setIsKept] = useState(false)
  const run = async (): Promise<string> => {
    const query = { keep: isKept ? 'anonymous' : 'nothing' }
    const { anonymousId } = await call<DeletedUser>('DELETE', route`admin/v1/users/${user.id}`, { query })
    navigate(toPath(['users']))
    return anonymousId === null
      ? 'The user is deleted.'
      : `The user is deleted; what was done stays under ${anonymousId}.`
  }
  const isReady = typed.value === user.id
  return (
    <Confirm title="Delete the user" verb="Delete for good" isDangerous isReady={isReady} run={run} close={close}>
      <p>This deletes the profile, the log and all results of the user from this database. It cannot be undone.</p>
      <Check name="Keep what was done, without the profile, under a random id" checked={isKept} change={setIsKept} />
      <Input label="Type the id to confirm" hint={user.id} spellcheck={false} {...typed} />
    </Confirm>
  )
}
