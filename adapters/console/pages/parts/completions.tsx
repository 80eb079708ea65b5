import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AchievementCompletion, AchievementCompletions } from '../../../../src/api/achievements/types.ts'
import type { User } from '../../../../src/api/users/types.ts'
import type { StoredDefinition } from '../../../../src/game/stored.ts'
import { call, route } from '../api.ts'
import { useAnswer } from '../use-answer.ts'
import { UserChoice } from './choice.tsx'
import { Confirm } from './dialog.tsx'
import { formatNumber } from './format.ts'
import { wholeOf } from './game/definition.ts'
import { Card, Empty, Loaded } from './page.tsx'
import { Badge, Person, Time, type Tone } from './person.tsx'
import { type Column, Pager, Table, usePages } from './table.tsx'

interface CompletionsProps {
  readonly achievement: string
  readonly repeats: boolean
}

const USER_AND_TIME: readonly Column<AchievementCompletion>[] = [
  { name: 'User', isHeader: true, cell: ({ userId, name }) => <Person id={userId} name={name} /> },
  { name: 'When', cell: ({ achievedAt }) => <Time at={achievedAt} /> },
]

const COUNT: Column<AchievementCompletion> = {
  name: 'How often',
  kind: 'number',
  cell: ({ count }) => formatNumber(count),
}

/** Who has an achievement, the newest first, page by page. */
export function Completions({ achievement, repeats }: CompletionsProps): JSX.Element {
  const pages = usePages<string>([achievement])
  const answer = useAnswer(
    (signal) =>
      call<AchievementCompletions>('GET', route`admin/v1/achievements/${achievement}/completions`, {
        query: { limit: 50, after: pages.cursor },
        signal,
      }),
    [achievement, pages.cursor],
  )
  return (
    <Card title="Who has it" padded={false}>
      <Loaded answer={answer} what="who has it">
        {({ completions, after }) =>
          completions.length === 0 && pages.number === 1 ? (
            <Empty title="Nobody has it yet" />
          ) : (
            <>
              <Table
                caption="Completions, the newest first"
                columns={repeats ? [...USER_AND_TIME, COUNT] : USER_AND_TIME}
                rows={completions}
                keyOf={({ userId }) => userId}
              />
              <Pager pages={pages} next={after} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

interface CompleteForProps {
  readonly achievement: string
  readonly name: string
  /** Whether it can be completed again. */
  readonly repeats: boolean
  readonly done: () => void
  readonly close: () => void
}

/** Asks for whom an achievement is completed, and says what that does. */
export function CompleteFor({ achievement, name, repeats, done, close }: CompleteForProps): JSX.Element {
  const [user, setUser] = useState<User | null>(null)
  const [key] = useState(() => `console-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`)
  const complete = async (): Promise<string> => {
    await call('POST', route`v1/achievements/${achievement}/complete`, {
      body: { user: { id: user?.id } },
      // Sent again after an answer was lost, it is the same completion.
      headers: { 'idempotency-key': key },
    })
    done()
    return `${user?.name ?? user?.id} has ${name}.`
  }
  return (
    <Confirm
      title={`Complete ${name} for a user`}
      verb="Complete it"
      isReady={user !== null}
      run={complete}
      close={close}
    >
      <UserChoice choose={setUser} />
      <p>
        The user gets <strong>{name}</strong> now, with the points that it pays.{' '}
        {repeats ? 'Who has it already has it once more.' : 'For who has it already nothing changes.'} It cannot be
        taken back here.
      </p>
    </Confirm>
  )
}

interface AchievementTagsProps {
  readonly definition: StoredDefinition
  readonly achievement: string
}

/** Whether an achievement is a tier, repeats, is secret, or is not active; nothing where it is none of that. */
export function AchievementTags({ definition, achievement }: AchievementTagsProps): JSX.Element | null {
  const found = definition.achievements[achievement]
  if (found === undefined) return null
  const { secret, status } = found
  const repeat = found.trigger === 'achievement' ? undefined : found.repeat
  const tags: readonly (readonly [Tone, string] | null)[] = [
    wholeOf(achievement) === achievement ? null : ['quiet', `tier of ${wholeOf(achievement)}`],
    secret === undefined ? null : ['warn', secret === true ? 'secret' : `secret, shown as ${secret.name}`],
    repeat === undefined
      ? null
      : ['ice', repeat === true ? 'repeats' : `repeats, at most ${formatNumber(repeat.max)} times`],
    status === 'active' ? null : ['bad', status],
  ]
  const shown = tags.filter((tag) => tag !== null)
  if (shown.length === 0) return null
  return (
    <span class="row tags">
      {shown.map(([tone, text]) => (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ))}
    </span>
  )
}
