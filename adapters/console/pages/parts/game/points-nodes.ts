import type { GameSentences } from '../../../../../src/engine/answers/wire/games.ts'
import type { StoredDefinition, StoredEvery, StoredTrigger } from '../../../../../src/game/stored.ts'
import { formatChange, formatNumber, plural } from '../format.ts'
import type { GameNode } from './game-node.ts'
import { MAIN_STREAK } from './nodes.ts'

/** Each points system, what it pays for, and its levels, the lowest first. */
export function pointsNodes(definition: StoredDefinition, sentences: GameSentences): readonly GameNode[] {
  return Object.entries(definition.points).flatMap(([key, system]) => {
    const id = `points:${key}`
    // In the same order, in which they were compiled.
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
