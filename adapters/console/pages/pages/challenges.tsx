import type { JSX } from 'preact'
import { Badge, Share, StatusBadge } from '../parts/badge.tsx'
import { countOf, formatDate, formatNumber, formatPercent } from '../parts/format.ts'
import { Card, ConsolePage, Empty, Facts, Figures, Loaded, NoSuch } from '../parts/page.tsx'
import { PageLink } from '../parts/person.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { toLocalDate } from '../parts/time.tsx'
import type { PageOf } from '../router.ts'
import type { Challenge, ChallengeQuest, CurrentGameResponse } from '../types.ts'
import { useWithGame } from '../use-answer.ts'

/** Every challenge of the game, with how many users take part and complete it. */
export function ChallengesPage(): JSX.Element {
  const answer = useChallenges()
  return (
    <ConsolePage title="Challenges">
      <Loaded answer={answer} what="the challenges">
        {({ all, game }) => (
          <section class="card" aria-label="All challenges">
            <Table
              caption="Challenges, in the order of the game"
              columns={columnsOf(game)}
              rows={all}
              most={50}
              empty={<Empty title="The game has no challenges">Its definition has them under “challenges”.</Empty>}
            />
          </section>
        )}
      </Loaded>
    </ConsolePage>
  )
}

function useChallenges() {
  return useWithGame<readonly Challenge[]>('v1/challenges')
}

function columnsOf({ sentences }: CurrentGameResponse): readonly Column<Challenge>[] {
  return [
    {
      name: 'Challenge',
      isHeader: true,
      cell: (challenge) => (
        <>
          <PageLink to={['challenges', challenge.key]}>{challenge.name}</PageLink>
          <Tags challenge={challenge} />
        </>
      ),
    },
    { name: 'Window', cell: toWindowText },
    {
      name: 'Quests',
      cell: ({ key, pick, quests }) =>
        pick === null
          ? sentences.challenges[key]?.['']
          : `${formatNumber(pick)} of ${countOf(quests.length, 'quest')} for each user`,
    },
    { name: 'Users', kind: 'number', cell: ({ participants }) => formatNumber(participants) },
    { name: 'Completed', kind: 'number', cell: ({ completed }) => formatNumber(completed) },
    {
      name: 'Conversion',
      kind: 'number',
      cell: (challenge) => {
        const percent = conversionOf(challenge)
        return percent === null ? '–' : <Share percent={percent} />
      },
    },
  ]
}

/** The percentage of the users for whom something has counted, or `null` if there is none. */
function conversionOf({ participants, completed }: Challenge): number | null {
  return participants === 0 ? null : (100 * completed) / participants
}

const EACH = { day: 'Each day', week: 'Each week', month: 'Each month' }

/** `Each day, from 1 Jun 2026 to 30 Jun 2026`. The dates are the users' own. */
function toWindowText({ every, start, end, withinDays }: Challenge): string {
  const parts = [
    ...(every === null ? [] : [EACH[every]]),
    ...(withinDays === null ? [] : [`${countOf(withinDays, 'day')} from the enrolment`]),
    ...(start === null ? [] : [`from ${formatDate(start)}`]),
    ...(end === null ? [] : [`to ${formatDate(end)}`]),
  ]
  const text = parts.length === 0 ? 'one window without an end' : parts.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Marks challenges that have not begun or are over, in UTC, and those that ask something of users. */
function Tags({ challenge: { start, end, enrols, claimDays } }: { readonly challenge: Challenge }): JSX.Element {
  const today = toLocalDate(new Date(), null)
  const status = start !== null && today < start ? 'scheduled' : end !== null && today > end ? 'finished' : 'active'
  return (
    <span class="row tags">
      {status !== 'active' && <StatusBadge status={status} />}
      {enrols && <Badge>by enrolment</Badge>}
      {claimDays !== null && <Badge>reward to be claimed</Badge>}
    </span>
  )
}

/** One challenge: its window, its quests, and how many complete it. */
export function OneChallengePage({ id }: PageOf): JSX.Element {
  const answer = useChallenges()
  const challenge = answer.data?.all.find(({ key }) => key === id)
  return (
    <ConsolePage title={challenge?.name ?? id} below={challenge && <Tags challenge={challenge} />}>
      <Loaded answer={answer} what="the challenge">
        {({ game }) =>
          challenge === undefined ? (
            <NoSuch what="challenge" id={id} />
          ) : (
            <div class="stack">
              <Reached challenge={challenge} />
              <Rules challenge={challenge} />
              <Quests challenge={challenge} game={game} />
            </div>
          )
        }
      </Loaded>
    </ConsolePage>
  )
}

function Reached({ challenge }: { readonly challenge: Challenge }): JSX.Element {
  const { participants, completed } = challenge
  const percent = conversionOf(challenge)
  return (
    <Figures
      figures={[
        {
          name: 'Users',
          value: formatNumber(participants),
          note: 'something has counted for them',
          id: 'participants',
        },
        { name: 'Completed', value: formatNumber(completed), note: 'a window, or a quest of one', id: 'completed' },
        { name: 'Conversion', value: percent === null ? '–' : formatPercent(percent), id: 'conversion' },
      ]}
    />
  )
}

function Rules({ challenge }: { readonly challenge: Challenge }): JSX.Element {
  const { key, description, badgeUrl, enrols, claimDays, pick, rerolls } = challenge
  return (
    <Card title="How it works">
      <Facts
        facts={[
          ['Key', <code key="key">{key}</code>],
          ['Description', description],
          ['Badge', badgeUrl && <code key="url">{badgeUrl}</code>],
          ['Window', toWindowText(challenge)],
          ['Takes part', enrols ? 'who enrolled' : 'everybody'],
          ['Quests', pick === null ? null : `${formatNumber(pick)} in each window`],
          ['Replacements', pick === null ? null : `at most ${formatNumber(rerolls)} in each window`],
          ['Reward', claimDays === null ? 'at once' : `after a claim, at most ${countOf(claimDays, 'day')} later`],
        ]}
      />
    </Card>
  )
}

interface QuestsProps {
  readonly challenge: Challenge
  readonly game: CurrentGameResponse
}

function Quests({ challenge: { key, pick, quests }, game }: QuestsProps): JSX.Element {
  const sentences = game.sentences.challenges[key] ?? {}
  if (pick === null) {
    return (
      <Card title="What for">
        <p class="lead">{sentences['']}</p>
      </Card>
    )
  }
  const columns: readonly Column<ChallengeQuest>[] = [
    {
      name: 'Quest',
      isHeader: true,
      cell: ({ key, name }) => (
        <>
          <span dir="auto">{name}</span>
          <small class="below mono">{key}</small>
        </>
      ),
    },
    { name: 'What for', cell: ({ key }) => sentences[key] },
  ]
  return (
    <Card title="Quests of the pool" padded={false}>
      <Table caption="The quests, in the order of the game" columns={columns} rows={quests} />
    </Card>
  )
}
