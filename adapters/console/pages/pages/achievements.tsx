import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { call, route, useIdempotencyKey, useMayWrite } from '../api.ts'
import { Badge, Share, type Tone } from '../parts/badge.tsx'
import { UserChoice } from '../parts/choice.tsx'
import { type AskingProps, Confirm, DialogOpener } from '../parts/dialog.tsx'
import { formatNumber } from '../parts/format.ts'
import { definitionOf, tiersOf, wholeOf } from '../parts/game/game-graph.ts'
import { Card, ConsolePage, Empty, Facts, Loaded, NoSuch } from '../parts/page.tsx'
import { PageLink, Person } from '../parts/person.tsx'
import { type Column, Table, TableCard, useList } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { type PageOf, toPath } from '../router.ts'
import type {
  AchievementCompletion,
  AchievementCompletions,
  AchievementWithStats,
  CurrentGameResponse,
  StoredAchievement,
  User,
} from '../types.ts'
import { useWithGame } from '../use-answer.ts'

/** Every active achievement with its rule and rarity. */
export function AchievementsPage(): JSX.Element {
  const answer = useWithGame<readonly AchievementWithStats[]>('v1/achievements')
  return (
    <ConsolePage title="Achievements">
      <Loaded answer={answer} what="the achievements">
        {({ all, game }) => (
          <section class="card" aria-label="All achievements">
            <Table
              caption="Achievements that users can complete, in the order of the game"
              columns={columnsOf(game)}
              rows={all}
              most={50}
              empty={<Empty title="The game has no achievements">Its definition has them under “achievements”.</Empty>}
            />
          </section>
        )}
      </Loaded>
    </ConsolePage>
  )
}

function columnsOf(game: CurrentGameResponse): readonly Column<AchievementWithStats>[] {
  const { sentences } = game
  return [
    {
      name: 'Achievement',
      isHeader: true,
      cell: ({ key, name }) => (
        <>
          <PageLink to={['achievements', key]}>{name}</PageLink>
          <Tags game={game} achievement={key} />
        </>
      ),
    },
    { name: 'What for', cell: ({ key, description }) => sentences.achievements[key] ?? description ?? '' },
    { name: 'Users', kind: 'number', cell: ({ completions }) => formatNumber(completions) },
    { name: 'Rarity', kind: 'number', cell: ({ rarity }) => <Share percent={rarity} /> },
  ]
}

/** One achievement: its rule in words, its tiers, and who has it. */
export function OneAchievementPage({ id }: PageOf): JSX.Element {
  const mayWrite = useMayWrite()
  const [round, setRound] = useState(0)
  const answer = useWithGame<readonly AchievementWithStats[]>('v1/achievements')
  const found = answer.data === null ? undefined : achievementOf(answer.data.game, id)
  const isByCall = found?.trigger === 'api' && found.status === 'active'
  const done = (): void => {
    answer.reload()
    setRound(round + 1)
  }
  const complete = (
    <DialogOpener
      class="primary"
      dialog={(close) => <CompleteFor achievement={id} name={found?.name ?? id} done={done} close={close} />}
    >
      Complete it for a user…
    </DialogOpener>
  )
  return (
    <ConsolePage title={found?.name ?? id} actions={isByCall && mayWrite && complete}>
      <Loaded answer={answer} what="the achievement">
        {({ all, game }) => {
          if (found === undefined) return <NoSuch what="achievement" id={id} />
          const stats = all.find(({ key }) => key === id) ?? null
          return (
            <div class="stack">
              <Rule id={id} achievement={found} stats={stats} game={game} />
              <Tiers id={id} game={game} />
              <Completions key={round} achievement={id} repeats={'repeat' in found && !!found.repeat} />
            </div>
          )
        }}
      </Loaded>
    </ConsolePage>
  )
}

function achievementOf(game: CurrentGameResponse, id: string): StoredAchievement | undefined {
  const { achievements } = definitionOf(game)
  return Object.hasOwn(achievements, id) ? achievements[id] : undefined
}

interface RuleProps {
  readonly id: string
  readonly achievement: StoredAchievement
  readonly stats: AchievementWithStats | null
  readonly game: CurrentGameResponse
}

function Rule({ id, achievement, stats, game }: RuleProps): JSX.Element {
  return (
    <Card title="What for">
      <p class="lead">{game.sentences.achievements[id] ?? '–'}</p>
      <Tags game={game} achievement={id} />
      <Facts
        facts={[
          ['Key', <code key="key">{id}</code>],
          ['Description', achievement.description ?? null],
          ['Badge', achievement.badgeUrl === undefined ? null : <code key="url">{achievement.badgeUrl}</code>],
          ['Users who have it', stats === null ? null : formatNumber(stats.completions)],
          ['Rarity', stats === null ? null : <Share key="rarity" percent={stats.rarity} />],
        ]}
      />
    </Card>
  )
}

function Tiers({ id, game }: Pick<RuleProps, 'id' | 'game'>): JSX.Element | null {
  const tiers = tiersOf(definitionOf(game), id)
  if (tiers.length === 0) return null
  return (
    <Card title="Tiers" padded={false}>
      <Table
        caption="The tiers, in the order of the game"
        columns={[
          {
            name: 'Tier',
            isHeader: true,
            cell: ([key, { name }]) =>
              key === id ? <strong>{name}</strong> : <a href={toPath(['achievements', key])}>{name}</a>,
          },
          { name: 'What for', cell: ([key]) => game.sentences.achievements[key] ?? '' },
        ]}
        rows={tiers}
      />
    </Card>
  )
}

const COMPLETION_COLUMNS: readonly Column<AchievementCompletion>[] = [
  { name: 'User', isHeader: true, cell: ({ userId, name }) => <Person id={userId} name={name} /> },
  { name: 'When', cell: ({ achievedAt }) => <Time at={achievedAt} /> },
  { name: 'How often', kind: 'number', cell: ({ count }) => formatNumber(count) },
]

/** The users who have an achievement, the newest first, page by page. */
function Completions({ achievement, repeats }: { achievement: string; repeats: boolean }): JSX.Element {
  const path = route`admin/v1/achievements/${achievement}/completions`
  const list = useList<AchievementCompletions>(path, 'after', { limit: 50 }, ({ after }) => after)
  return (
    <TableCard
      {...list}
      title="Who has it"
      what="who has it"
      caption="Completions, the newest first"
      columns={repeats ? COMPLETION_COLUMNS : COMPLETION_COLUMNS.slice(0, 2)}
      rowsOf={({ completions }) => completions}
      empty={<Empty title="No user has it yet" />}
    />
  )
}

interface CompleteForProps extends AskingProps {
  readonly achievement: string
  readonly name: string
}

/** Completes the achievement for a user, after asking. */
function CompleteFor({ achievement, name, done, close }: CompleteForProps): JSX.Element {
  const [user, setUser] = useState<User | null>(null)
  const idempotencyKey = useIdempotencyKey()
  const complete = async (): Promise<string> => {
    await call('POST', route`v1/achievements/${achievement}/complete`, {
      body: { user: { id: user?.id } },
      idempotencyKey,
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
        The user gets <strong>{name}</strong> now, with the points that it pays. If the user has it already, it is
        completed once more if it repeats; otherwise nothing changes.
      </p>
    </Confirm>
  )
}

/** Tags of an achievement that is a tier, repeats, is secret, or is not active. Renders nothing for others. */
function Tags({ game, achievement }: { game: CurrentGameResponse; achievement: string }): JSX.Element | null {
  const found = definitionOf(game).achievements[achievement]
  if (found === undefined) return null
  const { secret, status } = found
  const repeat = 'repeat' in found ? found.repeat : undefined
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
