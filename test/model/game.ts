// The game as the model asks it.

import type {
  BoostDefinition,
  EmailsDefinition,
  FreezesDefinition,
  FullAchievement,
  FullGame,
  FullStreak,
  FullSystem,
  FullTrigger,
  Repeat,
} from './full-game.ts'
import type { LimitDefinition } from './types.ts'
import type { Game as LifeGame, Rule } from './walk/life.ts'

/** One tier is an achievement of its own. */
export type Achievement = Exclude<FullAchievement, { tiers: object }>

export interface Boost extends BoostDefinition {
  id: string
  system: string
  created: number // 0: planned in the game
  order: number // of those created at one instant, the later is greater
}

export interface NamedStreak {
  game: LifeGame
  isShared: boolean // uses the freezes of the first
  reminders: { before?: { hours: number } }[] // without hours: at the usual time
}

/** With maps instead of records, so that `constructor` is an ordinary name. */
export interface Game {
  metrics: Map<string, { status?: 'active' | 'archived'; limits?: LimitDefinition[] }>
  eventAttributes: Set<string>
  userAttributes: Set<string>
  achievements: Map<string, Achievement>
  systems: Map<string, FullSystem>
  weekStartsOn: 'monday' | 'sunday'
  streaks: Map<string, NamedStreak> // the game's `streak` is '' and comes first, the others follow by key
  hasNamed: boolean
  customization: boolean
  boosts: Boost[] // planned ones, and those given to all
  emails: EmailsDefinition | null
}

export function gameOf(definition: FullGame, givenToAll: Boost[]): Game {
  const { streak, emails, weekStartsOn = 'monday' } = definition
  const named = Object.entries(definition.streaks ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  const all: [string, Omit<FullStreak, 'freezes'> & { freezes?: FreezesDefinition | 'shared' }][] = [
    ...(streak === undefined ? [] : [['', streak] as [string, FullStreak]]),
    ...named,
  ]
  return {
    metrics: new Map(Object.entries(definition.metrics)),
    eventAttributes: new Set(definition.eventAttributes ?? []),
    userAttributes: new Set(definition.userAttributes ?? []),
    achievements: new Map(Object.entries(definition.achievements ?? {}).flatMap(([key, each]) => tiersOf(key, each))),
    systems: new Map(Object.entries(definition.points ?? {})),
    weekStartsOn,
    streaks: new Map(
      all.map(([key, { frequency, evaluationMode, metrics, freezes, reminders }]) => [
        key,
        {
          game: {
            calendar: { frequency, weekStartsOn },
            rule: ruleOf(
              modeOf(evaluationMode),
              Object.entries(metrics).map(([metric, each]) => ({ key: metric, ...each })),
            ),
            freezes: freezesOf(freezes === 'shared' ? streak?.freezes : freezes),
          },
          isShared: freezes === 'shared',
          reminders: reminders ?? (key === '' && emails !== undefined ? [{}] : []),
        },
      ]),
    ),
    hasNamed: definition.streaks !== undefined,
    customization: streak?.customization === true,
    boosts: [...plannedOf(definition), ...givenToAll],
    emails: emails ?? null,
  }
}

function tiersOf(key: string, achievement: FullAchievement): [string, Achievement][] {
  if (!('tiers' in achievement)) return [[key, achievement]]
  const { name, ...rest } = achievement
  const nameOf = (tier: string): string => `${name} ${tier.slice(0, 1).toUpperCase()}${tier.slice(1)}`
  if (rest.trigger === 'metric') {
    const { tiers, ...family } = rest
    return Object.entries(tiers).map(([tier, each]) => [`${key}.${tier}`, { name: nameOf(tier), ...family, ...each }])
  }
  const { tiers, ...family } = rest
  return Object.entries(tiers).map(([tier, each]) => [`${key}.${tier}`, { name: nameOf(tier), ...family, ...each }])
}

function plannedOf(definition: FullGame): Boost[] {
  return Object.entries(definition.points ?? {}).flatMap(([system, { boosts }]) =>
    Object.entries(boosts ?? {}).map(([id, boost]) => ({ ...boost, id, system, created: 0, order: 0 })),
  )
}

function freezesOf(freezes: FreezesDefinition | undefined): LifeGame['freezes'] {
  if (freezes === undefined) return null
  const { initial = 0, max, autoEarn } = freezes
  return { initial, max, interval: autoEarn?.interval ?? null, amount: autoEarn?.amount ?? 1 }
}

/** A threshold of 0 is any change above 0, as none is. */
export function ruleOf(mode: 'OR' | 'AND', metrics: { key: string; threshold?: number }[]): Rule {
  return { mode, metrics: metrics.map(({ key, threshold }) => (threshold ? { key, threshold } : { key })) }
}

export function modeOf(mode: 'OR' | 'AND' | 'ALL' | undefined): 'OR' | 'AND' {
  return mode === 'AND' || mode === 'ALL' ? 'AND' : 'OR'
}

/** How often an achievement may be completed. */
export function mostOf(achievement: Achievement): number {
  const repeat = repeatOf(achievement)
  if (repeat === null) return 1
  return repeat === true ? Number.POSITIVE_INFINITY : repeat.max
}

export function repeatOf(achievement: Achievement | undefined): Repeat | null {
  return achievement !== undefined && 'repeat' in achievement ? (achievement.repeat ?? null) : null
}

/** The identity of a trigger from one game to the next. */
export function nameOfTrigger(system: string, trigger: FullTrigger, index: number): string {
  return JSON.stringify([system, trigger.key ?? index])
}
