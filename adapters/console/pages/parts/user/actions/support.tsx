import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route } from '../../../api.ts'
import type { AchievementCompletionResponse, AdjustPointsResponse, RevokedAchievement } from '../../../types.ts'
import { Field, Input, Select } from '../../controls.tsx'
import { Confirm } from '../../dialog.tsx'
import { formatChange, formatNumber } from '../../format.ts'
import { type ActionProps, useAbout } from '../about.ts'

interface ReasonProps {
  readonly value: string
  readonly change: (reason: string) => void
}

function Reason({ value, change }: ReasonProps): JSX.Element {
  return (
    <Field name="Reason" hint="Kept in the log. The user is not notified of it.">
      <Input value={value} required maxLength={1_024} change={change} />
    </Field>
  )
}

/** Each dialog has one idempotency key, so that an adjustment sent twice counts once. */
export function AdjustPoints({ close, points: systems }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const [system, setSystem] = useState(systems[0]?.key ?? '')
  const [points, setPoints] = useState('')
  const [reason, setReason] = useState('')
  const [key] = useState(() => `console-${crypto.randomUUID()}`)
  const amount = Number(points)
  const isReady = Number.isSafeInteger(amount) && amount !== 0 && reason.trim() !== ''

  const run = async (): Promise<string> => {
    const body = { userId: user.id, points: amount, reason: reason.trim() }
    const headers = { 'idempotency-key': key }
    const answer = await call<AdjustPointsResponse>('POST', route`admin/v1/points/${system}/adjust`, { body, headers })
    changed()
    const { added, name, total } = answer.points
    return `${formatChange(added)} ${name}. The total is ${formatNumber(total)}.`
  }

  return (
    <Confirm title="Adjust points" verb="Adjust the points" isReady={isReady} run={run} close={close}>
      <p>Boosts and caps do not apply. The total does not fall below 0, and levels and leaderboards follow it.</p>
      <Field name="Points system">
        <Select value={system} change={setSystem} choices={systems} />
      </Field>
      <Field name="Points" hint="A negative number takes points.">
        <Input type="number" step="1" required value={points} change={setPoints} />
      </Field>
      <Reason value={reason} change={setReason} />
    </Confirm>
  )
}

export function GrantAchievement({ close, achievements }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const choices = achievements.filter(({ achievedAt, count }) => achievedAt === null || count !== undefined)
  const [key, setKey] = useState(choices[0]?.key ?? '')
  const [reason, setReason] = useState('')
  const run = async (): Promise<string> => {
    const body = { userId: user.id, reason: reason.trim() }
    const path = route`admin/v1/achievements/${key}/grant`
    const answer = await call<AchievementCompletionResponse>('POST', path, { body })
    changed()
    const paid = Object.values(answer.points).map(({ added, name }) => `${formatChange(added)} ${name}`)
    return [`${answer.achievement.name} is granted.`, ...paid].join(' ')
  }
  const isReady = key !== '' && reason.trim() !== ''
  return (
    <Confirm title="Grant an achievement" verb="Grant it" isReady={isReady} run={run} close={close}>
      <p>The user has the achievement from now on, with what it pays.</p>
      <Field name="Achievement">
        <Select value={key} change={setKey} choices={choices} />
      </Field>
      <Reason value={reason} change={setReason} />
    </Confirm>
  )
}

export function RevokeAchievement({ close, achievements }: ActionProps): JSX.Element {
  const { user, changed } = useAbout()
  const choices = achievements.filter(({ achievedAt }) => achievedAt !== null)
  const [key, setKey] = useState(choices[0]?.key ?? '')
  const [reason, setReason] = useState('')
  const run = async (): Promise<string> => {
    const body = { userId: user.id, reason: reason.trim() }
    const path = route`admin/v1/achievements/${key}/revoke`
    const answer = await call<RevokedAchievement>('POST', path, { body })
    changed()
    return `${answer.achievement.name} is revoked.`
  }
  const isReady = key !== '' && reason.trim() !== ''
  return (
    <Confirm title="Revoke an achievement" verb="Revoke it" isDangerous isReady={isReady} run={run} close={close}>
      <p>
        The user loses the achievement, and only a grant completes it again. Points that it paid stay, and achievements
        that needed it stay.
      </p>
      <Field name="Achievement">
        <Select value={key} change={setKey} choices={choices} />
      </Field>
      <Reason value={reason} change={setReason} />
    </Confirm>
  )
}
