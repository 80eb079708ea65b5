import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AchievementWithStats } from '../../../../src/api/achievements/types.ts'
import type { CurrentGameResponse } from '../../../../src/api/operate/types.ts'
import type { StoredAchievement } from '../../../../src/game/stored.ts'
import { call, useMayWrite } from '../api.ts'
import { AchievementTags, CompleteFor, Completions } from '../parts/completions.tsx'
import { formatNumber } from '../parts/format.ts'
import { definitionOf, tiersOf } from '../parts/game/definition.ts'
import { Card, Empty, Facts, Loaded, Page } from '../parts/page.tsx'
import { Share } from '../parts/person.tsx'
import { Table } from '../parts/table.tsx'
import { type PageOf, toPath } from '../router.ts'
import { useAnswer } from '../use-answer.ts'
import '../styles/more.css'

/** One achievement: its rule in words, its tiers, and who has it. */
export function Achievement({ id }: PageOf): JSX.Element {
  const mayWrite = useMayWrite()
  const [isAsking, setIsAsking] = useState(false)
  const [round, setRound] = useState(0)
  const answer = useAnswer(
    async (signal) => {
      const [achievements, game] = await Promise.all([
        call<readonly AchievementWithStats[]>('GET', 'v1/achievements', { signal }),
        call<CurrentGameResponse>('GET', 'admin/v1/game', { signal }),
      ])
      return { stats: achievements.find(({ key }) => key === id) ?? null, game }
    },
    [id],
  )
  const found = answer.data === null ? undefined : achievementOf(answer.data.game, id)
  const isByCall = found?.trigger === 'api' && found.status === 'active'
  return (
    <Page
      title={found?.name ?? id}
      actions={
        isByCall &&
        mayWrite && (
          <button type="button" class="primary" onClick={() => setIsAsking(true)}>
            Complete it for a user…
          </button>
        )
      }
    >
      {isByCall && isAsking && (
        <CompleteFor
          achievement={id}
          name={found.name}
          repeats={found.repeat !== undefined}
          done={() => {
            answer.reload()
            setRound(round + 1)
          }}
          close={() => setIsAsking(false)}
        />
      )}
      <Loaded answer={answer} what="the achievement">
        {({ stats, game }) => {
          if (found === undefined) return <Unknown id={id} />
          return (
            <div class="stack">
              <Rule id={id} achievement={found} stats={stats} game={game} />
              <Tiers id={id} game={game} />
              <Completions key={round} achievement={id} repeats={found.trigger !== 'achievement' && !!found.repeat} />
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}

function achievementOf(game: CurrentGameResponse, id: string): StoredAchievement | undefined {
  const { achievements } = definitionOf(game)
  return Object.hasOwn(achievements, id) ? achievements[id] : undefined
}

function Unknown({ id }: { readonly id: string }): JSX.Element {
  return (
    <Empty title={`The game has no achievement with the key ${id}`}>
      <a href={toPath(['achievements'])}>All achievements</a>
    </Empty>
  )
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
      <div class="stack tight">
        <p class="lead">{game.sentences.achievements[id] ?? '–'}</p>
        <AchievementTags definition={definitionOf(game)} achievement={id} />
        <Facts
          facts={[
            ['Key', <code key="key">{id}</code>],
            ['Description', achievement.description ?? null],
            ['Badge', achievement.badgeUrl === undefined ? null : <code key="url">{achievement.badgeUrl}</code>],
            ['Users who have it', stats === null ? null : formatNumber(stats.completions)],
            ['Rarity', stats === null ? null : <Share key="rarity" percent={stats.rarity} />],
          ]}
        />
      </div>
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
        keyOf={([key]) => key}
      />
    </Card>
  )
}
