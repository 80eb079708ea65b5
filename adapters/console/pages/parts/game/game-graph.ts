import type {
  CurrentGameResponse,
  StoredAchievement,
  StoredChallenge,
  StoredCriterion,
  StoredDefinition,
  StoredGameSummary,
  StoredQuest,
  StoredReward,
} from '../../types.ts'
import { formatChange, formatNumber } from '../format.ts'

type NodeKind =
  | 'source'
  | 'metric'
  | 'streak'
  | 'challenge'
  | 'achievement'
  | 'points'
  | 'trigger'
  | 'level'
  | 'leaderboard'

/** A part of the game, for the picture and for the list. */
export interface GameNode {
  /** Its kind, a colon, and its key. */
  readonly id: string
  readonly kind: NodeKind
  readonly name: string
  /** Short, beside the name. */
  readonly note: string
  /** The rule in a sentence. May be empty. */
  readonly sentence: string
  /** Segments of the address of its page. `null` if it has none. */
  readonly page: readonly string[] | null
  /** Ids of its causes. */
  readonly from: readonly string[]
  /** The id of the points system that it belongs to. `null` if there is none. */
  readonly within: string | null
}

/** The game as a graph of parts, causes first. */
export interface GameGraph {
  readonly nodes: readonly GameNode[]
  readonly byId: ReadonlyMap<string, GameNode>
  /** Ids of the effects of each part. */
  readonly to: ReadonlyMap<string, readonly string[]>
}

/** The groups of parts, causes before effects. */
export const GROUPS: readonly (readonly [title: string, kinds: readonly NodeKind[]])[] = [
  ['What happens', ['source', 'metric']],
  ['Streaks', ['streak']],
  ['Challenges', ['challenge']],
  ['Achievements', ['achievement']],
  ['Points', ['points', 'trigger', 'level']],
  ['Leaderboards', ['leaderboard']],
]

const SOURCES = { api: 'Completed via API', user_creation: 'A new user', time: 'Time' }
/** The key of the game's `streak`. */
const MAIN_STREAK = 'streak'

export function toGraph(game: CurrentGameResponse): GameGraph {
  const parts = partsOf(game)
  const causes = new Set(parts.flatMap(({ from }) => from))
  const sources = Object.entries(SOURCES).map(([key, name]) => toNode('source', key, name))
  const nodes = [...sources.filter(({ id }) => causes.has(id)), ...parts]
  const effects = nodes.flatMap(({ id, from }) => from.map((cause) => ({ id, cause })))
  const byCause = [...Map.groupBy(effects, ({ cause }) => cause)]
  const to = new Map(byCause.map(([cause, all]) => [cause, all.map(({ id }) => id)]))
  return { nodes, byId: new Map(nodes.map((node) => [node.id, node])), to }
}

function partsOf(game: CurrentGameResponse): readonly GameNode[] {
  const { metrics, streak, streaks = {}, achievements, leaderboards, challenges = {} } = definitionOf(game)
  const { sentences } = game
  return [
    ...Object.entries(metrics).map(([key, { name, status, aggregation, unit }]) =>
      toNode('metric', key, name, {
        note: [statusNote(status), aggregation ?? '', unit ?? ''].filter((text) => text !== '').join(', '),
        sentence: sentences.metrics[key],
      }),
    ),
    ...Object.entries({ ...(streak && { [MAIN_STREAK]: streak }), ...streaks }).map(([key, each]) =>
      toNode('streak', key, key === MAIN_STREAK ? 'Streak' : key, {
        note: each.frequency,
        sentence: sentences.streaks[key],
        from: Object.keys(each.metrics).map(toMetricId),
      }),
    ),
    ...Object.entries(challenges).map(([key, each]) =>
      toNode('challenge', key, each.name, {
        note: each.every === undefined ? '' : `each ${each.every}`,
        sentence: each.pool === undefined ? sentences.challenges[key]?.[''] : namesOf(questsOf(each)),
        page: ['challenges', key],
        from: [...new Set(questsOf(each).flatMap(({ of }) => of.flatMap(causesOfCriterion)))],
      }),
    ),
    ...Object.entries(achievements).map(([key, each]) =>
      toNode('achievement', key, each.name, {
        note: statusNote(each.status),
        sentence: sentences.achievements[key],
        page: ['achievements', key],
        from: [...causesOf(each.trigger, each), ...giversOf(game, ({ achievement }) => achievement === key)],
      }),
    ),
    ...pointsNodes(game),
    ...Object.entries(leaderboards).map(([key, each]) =>
      toNode('leaderboard', key, each.name, {
        sentence: sentences.leaderboards[key],
        page: ['leaderboards', key],
        from: causesOf(each.rankBy, each),
      }),
    ),
  ]
}

type NodeFacts = { readonly [Fact in 'note' | 'sentence' | 'page' | 'from' | 'within']?: GameNode[Fact] | undefined }

function toNode(kind: NodeKind, key: string, name: string, facts: NodeFacts = {}): GameNode {
  const { note = '', sentence = '', page = null, from = [], within = null } = facts
  return { id: `${kind}:${key}`, kind, name, note, sentence, page, from, within }
}

function statusNote(status: string): string {
  return status === 'active' ? '' : status
}

/** Each points system with its triggers, and its levels, the lowest first. */
function pointsNodes(game: CurrentGameResponse): readonly GameNode[] {
  return Object.entries(definitionOf(game).points).flatMap(([key, { name, triggers, levels }]) => {
    const within = `points:${key}`
    // Sentences and triggers have the same order.
    const sentences = Object.values(game.sentences.points[key] ?? {})
    const parts = triggers.map((trigger, index) =>
      toNode('trigger', `${key}:${index}`, sentences[index] ?? trigger.type, {
        note: trigger.status === 'active' ? formatChange(trigger.points) : trigger.status,
        from: causesOf(trigger.type, trigger),
        within,
      }),
    )
    const ordered = Object.entries(levels).sort(([, left], [, right]) => left.points - right.points)
    return [
      toNode('points', key, name, {
        sentence: game.sentences.systems[key],
        from: [...parts.map(({ id }) => id), ...giversOf(game, ({ points = {} }) => Object.hasOwn(points, key))],
      }),
      ...parts,
      ...ordered.map(([level, { name, points, description }]) =>
        toNode('level', `${key}:${level}`, name, {
          note: `from ${formatNumber(points)}`,
          sentence: description,
          from: [within],
          within,
        }),
      ),
    ]
  })
}

/** The quests of the pool, or the challenge itself, which is the quest if it has no pool. */
function questsOf(challenge: StoredChallenge): readonly StoredQuest[] {
  return challenge.pool === undefined ? [challenge] : Object.values(challenge.pool)
}

function namesOf(parts: readonly { readonly name: string }[]): string {
  return parts.map(({ name }) => name).join(', ')
}

/** Ids of the challenges with such a reward. */
function giversOf(game: CurrentGameResponse, gives: (reward: StoredReward) => boolean): readonly string[] {
  return Object.entries(definitionOf(game).challenges ?? {})
    .filter(([, challenge]) => questsOf(challenge).some(({ reward = {} }) => gives(reward)))
    .map(([key]) => `challenge:${key}`)
}

/** The id of a metric, or that of the challenge whose completed windows it counts. */
function toMetricId(metric: string): string {
  return metric.startsWith('challenge:') ? metric : `metric:${metric}`
}

/** Properties of a rule that name its causes. */
interface Rule {
  readonly metric?: string
  readonly streak?: string
  readonly achievement?: string
  readonly achievements?: readonly string[]
  readonly system?: string
  readonly of?: readonly StoredCriterion[]
}

const CAUSES: { readonly [type: string]: (rule: Rule) => readonly string[] } = {
  metric: ({ metric = '' }) => [toMetricId(metric)],
  streak: ({ streak = MAIN_STREAK }) => [`streak:${streak}`],
  achievement: ({ achievement = '', achievements = [achievement] }) => achievements.map((key) => `achievement:${key}`),
  points: ({ system }) => [`points:${system}`],
  criteria: ({ of = [] }) => [...new Set(of.flatMap(causesOfCriterion))],
}

/** Ids of the causes of an achievement, a trigger or a leaderboard. `type`: which kind of cause it has. */
function causesOf(type: string, rule: object): readonly string[] {
  return CAUSES[type]?.(rule) ?? [`source:${type}`]
}

function causesOfCriterion(criterion: StoredCriterion): readonly string[] {
  if ('metric' in criterion) return [toMetricId(criterion.metric)]
  if ('events' in criterion) return [toMetricId(criterion.events)]
  if ('streak' in criterion) return [`streak:${criterion.streak}`]
  if ('achievement' in criterion) return [`achievement:${criterion.achievement}`]
  return []
}

/** A part with its direct and indirect causes and effects. */
export function relatedTo({ byId, to }: GameGraph, id: string): ReadonlySet<string> {
  const related = new Set([id])
  const follow = (from: string, next: (id: string) => readonly string[]): void => {
    for (const other of next(from)) {
      if (related.has(other)) continue
      related.add(other)
      follow(other, next)
    }
  }
  follow(id, (each) => byId.get(each)?.from ?? [])
  follow(id, (each) => to.get(each) ?? [])
  return related
}

/** Stored definitions have every default filled in. */
export function definitionOf({ definition }: StoredGameSummary): StoredDefinition {
  return definition as unknown as StoredDefinition
}

/** The key before the dot. A tier's key is the achievement's key, a dot, and its own. */
export function wholeOf(key: string): string {
  return key.split('.', 1)[0] ?? key
}

/** The tiers beside an achievement that is a tier, the lowest first. Empty if it is no tier. */
export function tiersOf(
  { achievements }: StoredDefinition,
  key: string,
): readonly (readonly [key: string, achievement: StoredAchievement])[] {
  return key.includes('.') ? Object.entries(achievements).filter(([other]) => wholeOf(other) === wholeOf(key)) : []
}
