import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route, useIdempotencyKey, useMayWrite } from '../../api.ts'
import type { AchievementProgress, ChallengeReward, ChallengeWindow, UserChallenge, UserQuest } from '../../types.ts'
import { Badge } from '../badge.tsx'
import { Select } from '../controls.tsx'
import { Confirm, DialogOpener } from '../dialog.tsx'
import { countOf, formatDate, formatNumber } from '../format.ts'
import { Card, Facts } from '../page.tsx'
import { PageLink } from '../person.tsx'
import { type Column, Table } from '../table.tsx'
import { Time } from '../time.tsx'
import { ExplainForm } from './explanation.tsx'
import { usePageUser } from './page-user.ts'

/** A quest of the current window, or an earlier one whose reward waits. `quest` is null if there is no window now. */
interface Row {
  readonly challenge: UserChallenge
  readonly window: ChallengeWindow | null
  readonly quest: UserQuest | null
}

function rowsOf(challenge: UserChallenge): readonly Row[] {
  const { window, quests, waiting } = challenge
  const current = quests.map((quest): Row => ({ challenge, window, quest }))
  return [
    ...(window === null ? [{ challenge, window, quest: null }] : current),
    ...waiting.map((quest): Row => ({ challenge, window: quest.window, quest })),
  ]
}

/** The user's challenges: the quests of the current windows, and the rewards that wait. */
export function ChallengesCard({ challenges }: { readonly challenges: readonly UserChallenge[] }): JSX.Element {
  const mayWrite = useMayWrite()
  const [key, setKey] = useState(challenges[0]?.key)
  const chosen = challenges.find((challenge) => challenge.key === key)
  return (
    <Card title="Challenges" padded={false}>
      <Table
        caption="The user's quests, in the order of the game"
        columns={mayWrite ? [...COLUMNS, ACTIONS_COLUMN] : COLUMNS}
        rows={challenges.flatMap(rowsOf)}
        most={25}
      />
      <div class="pager">
        {chosen !== undefined && (
          <ExplainForm
            name="Explain"
            title={chosen.name}
            query={{ challenge: chosen.key }}
            words={['Every quest is completed', 'Not every quest is completed']}
          >
            <Select value={chosen.key} change={setKey} choices={challenges} />
          </ExplainForm>
        )}
      </div>
    </Card>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Challenge',
    isHeader: true,
    cell: ({ challenge: { key, name }, quest, window }) => (
      <>
        <PageLink to={['challenges', key]}>{name}</PageLink>
        {quest !== null && quest.key !== '' && (
          <small class="below" dir="auto">
            {quest.name}
          </small>
        )}
        {window !== null && <small class="below">{toDates(window)}</small>}
      </>
    ),
  },
  { name: 'Progress', cell: (row) => <Progress {...row} /> },
]

/** The dates of a window, which are the user's own. */
function toDates({ start, end }: ChallengeWindow): string {
  if (end === null) return start === null ? 'without an end' : `since ${formatDate(start)}`
  if (start === null) return `until ${formatDate(end)}`
  return start === end ? formatDate(start) : `${formatDate(start)} – ${formatDate(end)}`
}

function Progress({ challenge: { key, canEnrol }, quest }: Row): JSX.Element {
  const { user } = usePageUser()
  if (quest === null) return <span class="muted">{canEnrol ? 'not enrolled' : 'not now'}</span>
  const { progress, completedAt, claimed, claimUntil } = quest
  return (
    <span class="row" data-quest={`${key}/${quest.key}`}>
      {progress !== undefined && (
        <span class="share">
          <meter max="1" value={progress.ratio} aria-hidden="true" />
          <span>{toReached(progress)}</span>
        </span>
      )}
      {completedAt !== null && (
        <>
          <Badge tone="good">completed</Badge>
          {claimUntil !== null && <Badge tone="warn">{`reward waits until ${formatDate(claimUntil)}`}</Badge>}
          {!claimed && claimUntil === null && <Badge tone="bad">reward was not claimed</Badge>}
          <Time class="muted" at={completedAt} zone={user.tz} />
        </>
      )}
    </span>
  )
}

/** `50 of 50 and 1 of 2`: how far each of the criteria is. */
function toReached({ criteria = [] }: AchievementProgress): string {
  return criteria.map(({ current, target }) => `${formatNumber(current ?? 0)} of ${formatNumber(target)}`).join(' and ')
}

type Action = 'enrol' | 'abandon' | 'claim' | 'reroll'

interface Words {
  /** The text of the button. */
  readonly name: string
  readonly title: (challenge: string) => string
  readonly text: string
  readonly done: string
}

const WORDS: Record<Action, Words> = {
  enrol: {
    name: 'Enrol',
    title: (challenge) => `Enrol the user in ${challenge}`,
    text: 'The user takes part from now on.',
    done: 'The user is enrolled.',
  },
  abandon: {
    name: 'End the enrolment',
    title: (challenge) => `End the enrolment in ${challenge}`,
    text: 'Completed quests stay. All else that the running window has counted is lost.',
    done: 'The enrolment is ended.',
  },
  claim: {
    name: 'Claim',
    title: (challenge) => `Claim the reward of ${challenge}`,
    text: 'The user gets the reward now, as by a claim in your app.',
    done: 'The user has the reward.',
  },
  reroll: {
    name: 'Replace',
    title: (challenge) => `Replace a quest of ${challenge}`,
    text: 'Another quest of the pool takes its place. It is one of the replacements that the user has in this window.',
    done: 'The quest is replaced.',
  },
}

/** The actions on a quest. The first quest of the window also has the actions on the challenge. */
function actionsOn({ challenge, window, quest }: Row): readonly Action[] {
  const { canEnrol, enrolledAt, replaceable, quests } = challenge
  if (quest === null) return canEnrol ? ['enrol'] : []
  const isCurrent = window === challenge.window
  const isFirst = isCurrent && quest === quests[0]
  return [
    ...(quest.claimUntil === null ? [] : ['claim' as const]),
    ...(isCurrent && replaceable.includes(quest.key) ? ['reroll' as const] : []),
    ...(isFirst && enrolledAt !== null ? ['abandon' as const] : []),
  ]
}

/** `30 XP, 1 freeze` */
function toRewardText({ points = [], achievementName, freezes, boost }: ChallengeReward): string {
  const parts = [
    ...points.map(({ name, points }) => `${formatNumber(points)} ${name}`),
    ...(achievementName === undefined ? [] : [achievementName]),
    ...(freezes === undefined ? [] : [countOf(freezes, 'freeze')]),
    ...(boost === undefined ? [] : [`${boost.name}: ×${formatNumber(boost.multiplier)}`]),
  ]
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

const ACTIONS_COLUMN: Column<Row> = {
  name: 'Actions',
  kind: 'fit',
  isNameHidden: true,
  cell: (row) => (
    <span class="row end">
      {actionsOn(row).map((action) => (
        <DialogOpener
          key={action}
          class="small"
          aria-label={`${WORDS[action].name}: ${[row.challenge.name, row.quest?.key || []].flat().join(', ')}`}
          dialog={(close) => <Change {...row} action={action} close={close} />}
        >
          {WORDS[action].name}
        </DialogOpener>
      ))}
    </span>
  ),
}

interface ChangeProps extends Row {
  readonly action: Action
  readonly close: () => void
}

function Change({ challenge: { key, name }, quest, action, close }: ChangeProps): JSX.Element {
  const { user, changed } = usePageUser()
  const idempotencyKey = useIdempotencyKey()
  const { name: verb, title, text, done } = WORDS[action]
  const isOfQuest = (action === 'claim' || action === 'reroll') && quest !== null && quest.key !== ''
  const run = async (): Promise<string> => {
    const body = { user: user.id, ...(isOfQuest && { quest: quest.key }) }
    const settings = { body, ...(action === 'reroll' && { idempotencyKey }) }
    await call('POST', `${route`v1/challenges/${key}`}/${action}`, settings)
    changed()
    return done
  }
  return (
    <Confirm title={title(name)} verb={verb} isDangerous={action === 'abandon'} run={run} close={close}>
      {quest !== null && action !== 'abandon' && (
        <Facts
          facts={[
            ['Quest', <span dir="auto">{quest.name}</span>],
            ['Reward', <span dir="auto">{toRewardText(quest.reward)}</span>],
          ]}
        />
      )}
      <p>{text}</p>
    </Confirm>
  )
}
