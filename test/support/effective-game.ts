import type { GameDefinition } from '../../src/game/definition.ts'

/*
 * Random games may have parts that could never do anything, which `defineGame` refuses. Here they become parts that can.
 */

type Achievements = NonNullable<GameDefinition['achievements']>
type System = NonNullable<GameDefinition['points']>[string]
type Trigger = NonNullable<System['triggers']>[number]

/** The same game with an effect in every part: none by a missing streak, none that only a locked part would pay. */
export function withEffects<Definition extends GameDefinition>(definition: Definition): Definition {
  const { achievements, points, streak } = definition
  const hasStreak = streak !== undefined
  return {
    ...definition,
    ...(achievements === undefined ? {} : { achievements: effectiveAchievements(achievements, hasStreak) }),
    ...(points === undefined ? {} : { points: mapValues(points, (system) => effectiveSystem(system, hasStreak)) }),
  }
}

function mapValues<Value>(
  record: { readonly [key: string]: Value },
  map: (value: Value) => Value,
): { [key: string]: Value } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

function effectiveAchievements(achievements: Achievements, hasStreak: boolean): Achievements {
  const parts = new Set(
    Object.values(achievements).flatMap((each) => (each.trigger === 'achievement' ? each.achievements : [])),
  )
  return Object.fromEntries(
    Object.entries(achievements).map(([key, achievement]): [string, Achievements[string]] => {
      const { status: _, ...always } = achievement
      const isPart = [...parts].some((part) => part === key || part.startsWith(`${key}.`))
      const kept = isPart ? always : achievement
      if (kept.trigger !== 'streak' || kept.streak !== undefined || hasStreak) return [key, kept as typeof achievement]
      return [key, { name: kept.name, trigger: 'api' }]
    }),
  )
}

function effectiveSystem(system: System, hasStreak: boolean): System {
  const most = Math.max(0, ...Object.values(system.levels ?? {}).map(({ points }) => points))
  const triggers = system.triggers?.map((trigger) => effectiveTrigger(trigger, hasStreak))
  return {
    ...system,
    ...(triggers === undefined ? {} : { triggers }),
    ...(system.maxPoints === undefined ? {} : { maxPoints: Math.max(most, system.maxPoints) }),
  }
}

function effectiveTrigger(trigger: Trigger, hasStreak: boolean): Trigger {
  const points = trigger.points === 0 ? 1 : trigger.points
  const cap = trigger.cap === undefined ? {} : { cap: { ...trigger.cap, points: Math.max(trigger.cap.points, points) } }
  if (trigger.type !== 'streak' || trigger.streak !== undefined || hasStreak) {
    return { ...trigger, ...cap, points } as Trigger
  }
  const { length: _, streak: __, type: ___, ...rest } = trigger
  return { ...rest, ...cap, points, type: 'user_creation' } as Trigger
}
