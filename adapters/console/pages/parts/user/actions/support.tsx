import type { ComponentType, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hasNow } from '../../../../../elements/badges/card.ts'
import { call, route } from '../../../api.ts'
import type { AchievementCompletionResponse, AdjustPointsResponse, RevokedAchievement } from '../../../types.ts'
import { Field, Input, Select } from '../../controls.tsx'
import { Confirm } from '../../dialog.tsx'
import { formatChange, formatNumber } from '../../format.ts'
import { type ActionProps, useAbout } from '../about.ts'

interface ReasonProps {
  readonly value: string
  readonly isOptional?: boolean
  readonly change: (reason: string) => void
}

export function Reason({ value, isOptional = false, change }: ReasonProps): JSX.Element {
  return (
    <Field name="Reason" hint="Kept in the log.">
      <Input value={value} required={!isOptional} maxLength={1_024} change={change} />
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

/** Grants an achievement, or revokes one. */
function correctAchievement(verb: 'grant' | 'revoke'): ComponentType<ActionProps> {
  const isGrant = verb === 'grant'
  const name = isGrant ? 'Grant' : 'Revoke'
  return function CorrectAchievement({ close, achievements }) {
    const { user, changed } = useAbout()
    const choices = achievements.filter((each) =>
      isGrant ? !hasNow(each) || each.count !== undefined : each.achievedAt !== null,
    )
    const [key, setKey] = useState(choices[0]?.key ?? '')
    const [reason, setReason] = useState('')
    const run = async (): Promise<string> => {
      const body = { userId: user.id, reason: reason.trim() }
      const path = route`admin/v1/achievements/${key}/${verb}`
      const answer = await call<RevokedAchievement & Partial<AchievementCompletionResponse>>('POST', path, { body })
      changed()
      const paid = Object.values(answer.points ?? {}).map(({ added, name }) => `${formatChange(added)} ${name}`)
      return [`${answer.achievement.name} is ${isGrant ? 'granted' : 'revoked'}.`, ...paid].join(' ')
    }
    const isReady = key !== '' && reason.trim() !== ''
    const dialog = { title: `${name} an achievement`, verb: `${name} it`, isDangerous: !isGrant, isReady, run, close }
    return (
      <Confirm {...dialog}>
        <p>{isGrant ? GRANTED : REVOKED}</p>
        <Field name="Achievement">
          <Select value={key} change={setKey} choices={choices} />
        </Field>
        <Reason value={reason} change={setReason} />
      </Confirm>
    )
  }
}

const GRANTED = 'The user has the achievement from now on, with what it pays.'
const REVOKED =
  'The user loses the achievement, and only a grant completes it again. Points that it paid stay, and achievements that needed it stay.'

export const GrantAchievement: ComponentType<ActionProps> = correctAchievement('grant')
export const RevokeAchievement: ComponentType<ActionProps> = correctAchievement('revoke')
