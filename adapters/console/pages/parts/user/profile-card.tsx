import type { JSX } from 'preact'
import type { UserPreferences } from '../../../../../src/api/users/types.ts'
import { call, route } from '../../api.ts'
import { Card, Facts, Loaded } from '../page.tsx'
import { Time } from '../person.tsx'
import { useAbout, useOfUser } from './about.ts'

export function ProfileCard(): JSX.Element {
  const { user, listed } = useAbout()
  const { email, tz, attributes, control, created, updated, deviceTokens, subscribedToEmails } = user
  const suspended = listed?.suspended ?? null
  return (
    <Card title="Profile">
      <Facts
        facts={[
          ['Id', <span dir="auto">{user.id}</span>],
          ['Name', user.name === null ? null : <span dir="auto">{user.name}</span>],
          ['Email', email === null ? null : <span dir="auto">{email}</span>],
          ['Emails', email === null ? null : subscribedToEmails ? 'subscribed' : 'not subscribed'],
          ['Devices', deviceTokens === null ? null : String(deviceTokens.length)],
          ['Zone', tz ?? <span class="muted">UTC, as none was said</span>],
          ['Experiment', control ? 'in the control group' : null],
          [
            'Suspended',
            suspended === null ? null : (
              <>
                since <Time at={suspended.since} zone={tz} />
                {suspended.reason !== null && <span dir="auto">: {suspended.reason}</span>}
              </>
            ),
          ],
          ...Object.entries(attributes).map(([name, value]) => [name, <span dir="auto">{value}</span>] as const),
          ['Created', <Time at={created} zone={tz} />],
          ['Updated', <Time at={updated} zone={tz} />],
        ]}
      />
    </Card>
  )
}

/** What the user wants to be told of, and a streak of its own, where the game lets users choose. */
export function PreferencesCard(): JSX.Element {
  const answer = useOfUser((id, signal) => call<UserPreferences>('GET', route`v1/users/${id}/preferences`, { signal }))
  return (
    <Card title="Preferences">
      <Loaded answer={answer} what="the preferences">
        {({ notifications, streak }) => {
          const set = Object.entries(notifications)
          if (set.length === 0 && streak === undefined) return <p class="muted">No preferences set.</p>
          return (
            <Facts
              facts={[
                ...set.map(
                  ([type, channels]) =>
                    [type.replaceAll('_', ' '), channels.length === 0 ? 'off' : channels.join(', ')] as const,
                ),
                ['Streak', streak?.enabled === undefined ? null : streak.enabled ? 'on' : 'off'],
                ['Streak needs', streak?.evaluationMode === undefined ? null : toNeeds(streak.evaluationMode)],
                [
                  'Streak metrics',
                  streak?.metrics
                    ?.map(({ key, threshold }) => `${key} ${threshold === 0 ? '> 0' : `≥ ${threshold}`}`)
                    .join(', '),
                ],
              ]}
            />
          )
        }}
      </Loaded>
    </Card>
  )
}

function toNeeds(mode: 'OR' | 'AND'): string {
  return mode === 'OR' ? 'one of its metrics' : 'all of its metrics'
}
