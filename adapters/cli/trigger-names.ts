import type { StoredTrigger } from '../../src/game/stored.ts'
import type { DefinedGame } from '../../src/index.ts'

/** What a person calls a trigger, by its id: its key, else what it looks at, as the first game says that has it. */
export function nameTriggers(games: readonly DefinedGame[]): (system: string, trigger: string) => string {
  const names = new Map<string, string>()
  for (const { definition, rules } of games) {
    for (const [key, system] of rules.points) {
      // In the same order, in which they were compiled.
      const stored = definition.points[key]?.triggers ?? []
      for (const [index, { id }] of system.triggers.entries()) {
        const trigger = stored[index]
        if (trigger !== undefined && !names.has(id)) names.set(id, trigger.key ?? describe(trigger))
      }
    }
  }
  return (system, trigger) => `${system}: ${names.get(trigger) ?? trigger}`
}

function describe(trigger: StoredTrigger): string {
  const filters = [
    ...Object.entries(trigger.type === 'metric' ? trigger.eventAttributes : {}),
    ...Object.entries(trigger.userAttributes),
  ]
  return [subjectOf(trigger), ...filters.map(([attribute, value]) => `${attribute}=${value}`)].join(', ')
}

function subjectOf(trigger: StoredTrigger): string {
  switch (trigger.type) {
    case 'metric':
      return `each ${trigger.threshold} of ${trigger.metric}`
    case 'achievement':
      return `achievement ${trigger.achievement}`
    case 'streak':
      return `streak${trigger.streak === undefined ? '' : ` ${trigger.streak}`} of ${trigger.length}`
    case 'user_creation':
      return 'user creation'
    case 'time':
      return 'hours' in trigger.every ? `every ${trigger.every.hours} hours` : `every ${trigger.every.days} days`
  }
}
