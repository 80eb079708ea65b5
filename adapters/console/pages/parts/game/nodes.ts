import type {
  CurrentGameResponse,
  GameSentences,
  StoredAchievement,
  StoredCriterion,
  StoredDefinition,
  StoredEvery,
  StoredGameSummary,
  StoredLeaderboard,
  StoredTrigger,
} from '../../types.ts'
import { formatChange, formatNumber, plural } from '../format.ts'

/** The key of the game's `streak`. */
const MAIN_STREAK = 'streak'

const alone = { page: null, within: null, from: [] } as const

/** Causes other than metrics, if the game uses them. */
function sourceNodes({ achievements, points }: StoredDefinition): readonly GameNode[] {
  const triggers = Object.values(points).flatMap((system) => system.triggers)
  const sources = [
    ['api', 'Completed via API', Object.values(achievements).some(({ trigger }) => trigger === 'api')],
    ['user_creation', 'A new user', triggers.some(({ type }) => type === 'user_creation')],
    ['time', 'Time', triggers.some(({ type }) => type === 'time')],
  ] as const
  return sources
    .filter(([, , isUsed]) => isUsed)
    .map(([key, name]) => ({ ...alone, id: `source:${key}`, kind: 'source', name, note: '', sentence: '' }))
}

function metricNodes({ metrics }: StoredDefinition): readonly GameNode[] {
  return Object.entries(metrics).map(([key, { name, status, aggregation = 'sum', unit, limits = [] }]) => ({
    ...alone,
    id: `metric:${key}`,
    kind: 'metric',
    name,
    note: [status === 'active' ? '' : status, aggregation === 'sum' ? '' : aggregation, unit ?? '']
      .filter((text) => text !== '')
      .join(', '),
    sentence: limits
      .map(({ value, per, then }) => {
        const consequence = then === 'hold' ? 'held back' : 'refused'
        return `What exceeds ${formatNumber(value)} in ${plural(per.days, 'day')} is ${consequence}.`
      })
      .join(' '),
  }))
}

function streakNodes({ streak, streaks = {} }: StoredDefinition, sentences: GameSentences): readonly GameNode[] {
  const all = [...(streak === undefined ? [] : [[MAIN_STREAK, streak] as const]), ...Object.entries(streaks)]
  return all.map(([key, { frequency, metrics }]) => ({
    ...alone,
    id: `streak:${key}`,
    kind: 'streak',
    name: key === MAIN_STREAK ? 'Streak' : key,
    note: frequency,
    sentence: sentences.streaks[key] ?? '',
    from: Object.keys(metrics).map((metric) => `metric:${metric}`),
  }))
}

function achievementNodes({ achievements }: StoredDefinition, sentences: GameSentences): readonly GameNode[] {
  return Object.entries(achievements).map(([key, achievement]) => ({
    id: `achievement:${key}`,
    kind: 'achievement',
    name: achievement.name,
    note: noteOf(achievement),
    sentence: sentences.achievements[key] ?? '',
    page: ['achievements', key],
    within: null,
    from: causesOf(achievement),
  }))
}

function noteOf(achievement: StoredAchievement): string {
  if (achievement.status !== 'active') return achievement.status
  switch (achievement.trigger) {
    case 'metric':
      return formatNumber(achievement.value)
    case 'streak':
      return plural(achievement.length, 'period')
    case 'achievement':
      return `all ${achievement.achievements.length}`
    case 'criteria':
      return `${achievement.atLeast ?? achievement.of.length} of ${achievement.of.length}`
    case 'api':
      return ''
    default:
      return achievement satisfies never
  }
}

function causesOf(achievement: StoredAchievement): readonly string[] {
  switch (achievement.trigger) {
    case 'metric':
      return [`metric:${achievement.metric}`]
    case 'streak':
      return [`streak:${achievement.streak ?? MAIN_STREAK}`]
    case 'achievement':
      return achievement.achievements.map((key) => `achievement:${key}`)
    case 'api':
      return ['source:api']
    case 'criteria':
      return [...new Set(achievement.of.flatMap(causesOfCriterion))]
    default:
      return achievement satisfies never
  }
}

function causesOfCriterion(criterion: StoredCriterion): readonly string[] {
  if ('metric' in criterion) return [`metric:${criterion.metric}`]
  if ('events' in criterion) return [`metric:${criterion.events}`]
  if ('streak' in criterion) return [`streak:${criterion.streak}`]
  if ('achievement' in criterion) return [`achievement:${criterion.achievement}`]
  return []
}

function leaderboardNodes({ leaderboards }: StoredDefinition, sentences: GameSentences): readonly GameNode[] {
  return Object.entries(leaderboards).map(([key, leaderboard]) => ({
    id: `leaderboard:${key}`,
    kind: 'leaderboard',
    name: leaderboard.name,
    note: leaderboard.rankBy === 'streak' || leaderboard.run === undefined ? '' : runOf(leaderboard.run),
    sentence: sentences.leaderboards[key] ?? '',
    page: ['leaderboards', key],
    within: null,
    from: [rankedBy(leaderboard)],
  }))
}

function runOf({ unit, interval }: { readonly unit: string; readonly interval: number }): string {
  return interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`
}

function rankedBy(leaderboard: StoredLeaderboard): string {
  switch (leaderboard.rankBy) {
    case 'metric':
      return `metric:${leaderboard.metric}`
    case 'points':
      return `points:${leaderboard.system}`
    case 'streak':
      return `streak:${leaderboard.streak ?? MAIN_STREAK}`
    default:
      return leaderboard satisfies never
  }
}

/** Each points system with its triggers and levels, the lowest first. */
function pointsNodes(definition: StoredDefinition, sentences: GameSentences): readonly GameNode[] {
  return Object.entries(definition.points).flatMap(([key, system]) => {
    const id = `points:${key}`
    // Sentences and triggers have the same order.
    const texts = Object.values(sentences.points[key] ?? {})
    const triggers = system.triggers.map(
      (trigger, index): GameNode => ({
        id: `trigger:${key}:${index}`,
        kind: 'trigger',
        name: subjectOf(definition, trigger),
        note: trigger.status === 'active' ? formatChange(trigger.points) : trigger.status,
        sentence: texts.length === system.triggers.length ? (texts[index] ?? '') : '',
        page: null,
        within: id,
        from: [causeOf(trigger)],
      }),
    )
    const levels = Object.entries(system.levels)
      .sort(([, left], [, right]) => left.points - right.points)
      .map(
        ([level, { name, points, description = '' }]): GameNode => ({
          id: `level:${key}:${level}`,
          kind: 'level',
          name,
          note: `from ${formatNumber(points)}`,
          sentence: description,
          page: null,
          within: id,
          from: [id],
        }),
      )
    const whole: GameNode = {
      id,
      kind: 'points',
      name: system.name,
      note: system.maxPoints === undefined ? '' : `at most ${formatNumber(system.maxPoints)}`,
      sentence: system.description ?? '',
      page: null,
      within: null,
      from: triggers.map((trigger) => trigger.id),
    }
    return [whole, ...triggers, ...levels]
  })
}

function subjectOf(definition: StoredDefinition, trigger: StoredTrigger): string {
  switch (trigger.type) {
    case 'metric': {
      const name = definition.metrics[trigger.metric]?.name ?? trigger.metric
      return `each ${formatNumber(trigger.threshold)} of ${name}`
    }
    case 'achievement':
      return definition.achievements[trigger.achievement]?.name ?? trigger.achievement
    case 'streak':
      return `streak of ${formatNumber(trigger.length)}`
    case 'user_creation':
      return 'a new user'
    case 'time':
      return toText(trigger.every)
    default:
      return trigger satisfies never
  }
}

function toText(every: StoredEvery): string {
  return 'hours' in every ? `every ${plural(every.hours, 'hour')}` : `every ${plural(every.days, 'day')}`
}

function causeOf(trigger: StoredTrigger): string {
  switch (trigger.type) {
    case 'metric':
      return `metric:${trigger.metric}`
    case 'achievement':
      return `achievement:${trigger.achievement}`
    case 'streak':
      return `streak:${trigger.streak ?? MAIN_STREAK}`
    case 'user_creation':
      return 'source:user_creation'
    case 'time':
      return 'source:time'
    default:
      return trigger satisfies never
  }
}

export type NodeKind = 'source' | 'metric' | 'streak' | 'achievement' | 'points' | 'trigger' | 'level' | 'leaderboard'

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
  /** Segments of the address of its page. `null`: it has none. */
  readonly page: readonly string[] | null
  /** Ids of its causes. */
  readonly from: readonly string[]
  /** The id of the points system around it. `null`: none. */
  readonly within: string | null
}

/** The game as a graph of parts, causes first. */
export interface GameGraph {
  readonly nodes: readonly GameNode[]
  readonly byId: ReadonlyMap<string, GameNode>
  /** Ids of the effects of each part. */
  readonly to: ReadonlyMap<string, readonly string[]>
}

export function toGraph(game: CurrentGameResponse): GameGraph {
  const definition: StoredDefinition = definitionOf(game)
  const nodes = [
    ...sourceNodes(definition),
    ...metricNodes(definition),
    ...streakNodes(definition, game.sentences),
    ...achievementNodes(definition, game.sentences),
    ...pointsNodes(definition, game.sentences),
    ...leaderboardNodes(definition, game.sentences),
  ]
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const to = new Map<string, string[]>()
  for (const { id, from } of nodes) {
    for (const cause of from) to.set(cause, [...(to.get(cause) ?? []), id])
  }
  return { nodes, byId, to }
}

/** A part with its direct and indirect causes and effects. */
export function relatedTo(graph: GameGraph, id: string): ReadonlySet<string> {
  const related = new Set([id])
  for (const next of [(each: string) => graph.byId.get(each)?.from ?? [], (each: string) => graph.to.get(each) ?? []]) {
    const waiting = [id]
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      for (const other of next(each)) {
        if (related.has(other)) continue
        related.add(other)
        waiting.push(other)
      }
    }
  }
  return related
}

/** Stored definitions have every default filled in. */
export function definitionOf({ definition }: StoredGameSummary): StoredDefinition {
  return definition as unknown as StoredDefinition
}

/** The key before the dot: a tier's key is that of its achievement, a dot, and its own. */
export function wholeOf(key: string): string {
  const dot = key.indexOf('.')
  return dot === -1 ? key : key.slice(0, dot)
}

/** The tiers beside an achievement that is a tier, the lowest first. Empty: it is no tier. */
export function tiersOf(
  { achievements }: StoredDefinition,
  key: string,
): readonly (readonly [key: string, achievement: StoredAchievement])[] {
  return key.includes('.') ? Object.entries(achievements).filter(([other]) => wholeOf(other) === wholeOf(key)) : []
}
