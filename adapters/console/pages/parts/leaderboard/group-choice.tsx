import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { LeaderboardGroup, LeaderboardGroups } from '../../../../../src/engine/answers/wire/leaderboard.ts'
import { call, route } from '../../api.ts'
import { navigate, withQuery } from '../../router.ts'
import { useAnswer } from '../../use-answer.ts'
import { Field } from '../field.tsx'
import { plural } from '../format.ts'
import { Failure } from '../page.tsx'

interface GroupChoiceProps {
  readonly leaderboard: string
  readonly run: string | null
  /** As the API takes it: `plan:pro,region:eu`. */
  readonly chosen: string | null
}

/** Which group of the run is shown; the first one where none was chosen. */
export function GroupChoice({ leaderboard, run, chosen }: GroupChoiceProps): JSX.Element {
  const [after, setAfter] = useState<string | null>(null)
  const [groups, setGroups] = useState<readonly LeaderboardGroup[]>([])
  const { data, error, reload } = useAnswer(
    (signal) =>
      call<LeaderboardGroups>('GET', route`admin/v1/leaderboards/${leaderboard}/groups`, {
        query: { run, limit: 100, after },
        signal,
      }),
    [leaderboard, run, after],
  )
  useEffect(() => {
    setAfter(null)
    setGroups([])
  }, [run])
  useEffect(() => {
    if (data === null) return
    setGroups((known) => [
      ...known.filter((each) => !data.groups.some((group) => toText(group) === toText(each))),
      ...data.groups,
    ])
    const first = data.groups.map(toText).find((text) => text !== null)
    if (chosen === null && first !== undefined && !location.search.includes('user=')) {
      navigate(withQuery({ group: first }), { replace: true })
    }
  }, [data])
  if (error !== null) return <Failure error={error} what="the groups" retry={reload} />
  const next = data?.after ?? null
  return (
    <>
      <Field name="Group">
        <select
          value={chosen ?? ''}
          onChange={(event) =>
            navigate(withQuery({ group: event.currentTarget.value || null, offset: null, user: null }))
          }
        >
          <option value="">Choose…</option>
          {chosen !== null && !groups.some((group) => toText(group) === chosen) && (
            <option value={chosen}>{chosen}</option>
          )}
          {groups.map((group) => (
            <option key={JSON.stringify(group.values)} value={toText(group) ?? ''} disabled={toText(group) === null}>
              {toName(group)}
            </option>
          ))}
        </select>
      </Field>
      {next !== null && (
        <button type="button" onClick={() => setAfter(next)}>
          More groups
        </button>
      )}
    </>
  )
}

/** As the API takes it; null: it has no way to name a value with a comma. */
function toText({ values }: LeaderboardGroup): string | null {
  const pairs = Object.entries(values)
  if (pairs.some(([name, value]) => name.includes(',') || name.includes(':') || value.includes(','))) return null
  return pairs.map(([name, value]) => `${name}:${value}`).join(',')
}

function toName(group: LeaderboardGroup): string {
  const named = Object.entries(group.values).map(([name, value]) => `${name} ${value === '' ? 'not set' : value}`)
  const how = toText(group) === null ? ': jump to a user of it, for its name has a comma' : ''
  return `${named.join(', ')} (${group.users >= 10_000 ? '10,000 users or more' : plural(group.users, 'user')})${how}`
}
