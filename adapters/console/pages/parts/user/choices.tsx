import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route } from '../../api.ts'
import type { UserLeaderboard, UserPreferences } from '../../types.ts'
import { Check, Select, useText } from '../controls.tsx'
import { Confirm } from '../dialog.tsx'
import { Card, Facts, Loaded } from '../page.tsx'
import { ExplainForm } from './explanation.tsx'
import { type ActionProps, useOfUser, usePageUser } from './page-user.ts'

type Choice = UserPreferences['leaderboards']

const CHOICES: readonly { readonly key: Choice; readonly name: string }[] = [
  { key: 'shown', name: 'shown' },
  { key: 'anonymous', name: 'shown without the name' },
  { key: 'hidden', name: 'hidden' },
]

const nameOf = (choice: Choice): string => CHOICES.find(({ key }) => key === choice)?.name ?? choice

function usePreferences() {
  return useOfUser((id, signal) => call<UserPreferences>('GET', route`v1/users/${id}/preferences`, { signal }))
}

/** The choices that belong to the user, and the people who may change them. */
export function ChoicesCard(): JSX.Element {
  return (
    <Card title="The user's choices">
      <Loaded answer={usePreferences()} what="the choices">
        {({ leaderboards, gamification }) => (
          <div class="stack tight">
            <Facts
              facts={[
                ['Leaderboards', gamification === 'off' ? 'hidden, because the game is off' : nameOf(leaderboards)],
                ['Game', gamification === 'off' ? 'turned off: no messages about the user' : 'on'],
              ]}
            />
            <p class="muted">
              The user may change them in your app. Support may with write access to the console, and the log says who
              did.
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  )
}

/** Changes the choices at the request of the user. */
export function ChangeChoices({ close }: ActionProps): JSX.Element {
  return (
    <Loaded answer={usePreferences()} what="the choices">
      {(preferences) => <Change preferences={preferences} close={close} />}
    </Loaded>
  )
}

interface ChangeProps {
  readonly preferences: UserPreferences
  readonly close: () => void
}

function Change({ preferences, close }: ChangeProps): JSX.Element {
  const { user, changed } = usePageUser()
  const choice = useText(preferences.leaderboards)
  const [isOn, setIsOn] = useState(preferences.gamification === 'on')
  const gamification = isOn ? 'on' : 'off'
  const update = {
    ...(choice.value === preferences.leaderboards ? {} : { leaderboards: choice.value }),
    ...(gamification === preferences.gamification ? {} : { gamification }),
  }
  const run = async (): Promise<string> => {
    await call('PATCH', route`v1/users/${user.id}/preferences`, { body: update })
    changed()
    return 'The choices are changed.'
  }
  const isReady = Object.keys(update).length > 0
  return (
    <Confirm title="Change the user's choices" verb="Change the choices" isReady={isReady} run={run} close={close}>
      <p>These are the user's own choices. Change them only if the user asked for it.</p>
      <Select label="On leaderboards" {...choice} choices={CHOICES} />
      <Check name="Takes part in the game" checked={isOn} change={setIsOn} />
    </Confirm>
  )
}

/** Explains why the user is on a leaderboard, or not. */
export function WhyThere({ places }: { readonly places: readonly UserLeaderboard[] }): JSX.Element | null {
  const [key, setKey] = useState(places[0]?.key)
  const chosen = places.find((place) => place.key === key)
  if (chosen === undefined) return null
  return (
    <ExplainForm
      name="Explain"
      title={chosen.name}
      query={{ leaderboard: chosen.key }}
      words={['Others see a rank of the user', 'Others see no rank of the user']}
    >
      <Select value={chosen.key} change={setKey} choices={places} />
    </ExplainForm>
  )
}
