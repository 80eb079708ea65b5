import { challengeMetric } from '../rules/challenge.ts'
import { hint, quote } from '../suggest.ts'
import { CRITERIA, levelName, OWN_STREAK } from './criteria.ts'
import { type Json, type Mistakes, partsAt, propertyOf } from './json.ts'
import { achievementKeys } from './tiers.ts'

type Kind =
  | 'metric'
  | 'event metric'
  | 'named streak'
  | 'level'
  | 'achievement'
  | 'points system'
  | 'challenge'
  | 'reward'
  | 'event attribute'
  | 'user attribute'

const HOMES: Record<Kind, string> = {
  metric: 'metrics',
  'event metric': 'metrics',
  challenge: 'challenges',
  reward: 'rewards',
  'named streak': 'streaks',
  achievement: 'achievements',
  'points system': 'points',
  level: 'the levels of a points system',
  'event attribute': 'eventAttributes',
  'user attribute': 'userAttributes',
}

/** A place within a part (`partsAt`), the kind of part that it refers to, and a text that refers to another kind. */
type Reference = readonly [partPath: string, kind: Kind, except?: string]

const FILTERS: readonly Reference[] = [
  ['eventAttributes.{}', 'event attribute'],
  ['userAttributes.{}', 'user attribute'],
]

const REFERENCES: readonly (readonly [part: string, references: readonly Reference[]])[] = [
  ['metrics.*', [['of', 'event attribute']]],
  [
    'achievements.*',
    [['metric', 'metric'], ['streak', 'named streak'], ['achievements.[]', 'achievement'], ...FILTERS],
  ],
  ...CRITERIA.map((place): readonly [string, readonly Reference[]] => [
    place,
    [
      ['metric', 'metric'],
      ['events', 'metric'],
      ['streak', 'named streak', OWN_STREAK],
      ['level', 'level'],
      ['points', 'points system'],
      ['achievement', 'achievement'],
      ...FILTERS,
    ],
  ]),
  ['rewards.*', [['cost.{}', 'points system']]],
  ...['challenges.*.reward', 'challenges.*.pool.*.reward', 'rewards.*.gives'].map(
    (place): readonly [string, readonly Reference[]] => [
      place,
      [
        ['points.{}', 'points system'],
        ['achievement', 'achievement'],
        ['boost.system', 'points system'],
      ],
    ],
  ),
  [
    'points.*.triggers.[]',
    [['metric', 'metric'], ['streak', 'named streak'], ['achievement', 'achievement'], ...FILTERS],
  ],
  ['points.*.boosts.*', FILTERS],
  ['streak', [['metrics.{}', 'metric']]],
  ['streaks.*', [['metrics.{}', 'metric']]],
  [
    'leaderboards.*',
    [
      ['metric', 'metric'],
      ['streak', 'named streak'],
      ['system', 'points system'],
      ['breakdown.[]', 'user attribute'],
    ],
  ],
  [
    'clients',
    [
      ['events.{}', 'event metric'],
      ['events.*.attributes.[]', 'event attribute'],
      ['challenges.[]', 'challenge'],
      ['redeem.[]', 'reward'],
      ['attributes.[]', 'user attribute'],
    ],
  ],
]

const MOST_SUGGESTED = 50

/**
 * Checks that a definition refers only to its own parts. It reads the raw data, so that these mistakes are reported
 * together with mistakes of the shape; parts with the wrong shape are skipped.
 */
export function checkReferences(game: Json, mistakes: Mistakes): void {
  const known = knownIn(game)
  for (const [part, references] of REFERENCES) {
    for (const owner of partsAt(game, part)) {
      for (const [partPath, kind, except] of references) {
        for (const { value, path } of partsAt(owner.value, partPath, owner.path)) {
          if (typeof value !== 'string' || value === except || known[kind].has(value)) continue
          const add = `add it to ${HOMES[kind]}`
          // A suggestion for each of very many mistakes would take too much time.
          const help = mistakes.count < MOST_SUGGESTED ? hint(value, [...known[kind]], add) : `; ${add}`
          mistakes.add(path, `unknown ${kind === 'event metric' ? 'metric' : kind} ${quote(value)}${help}`)
        }
      }
    }
  }
  checkCompleted(game, mistakes)
}

function knownIn(game: Json): Record<Kind, ReadonlySet<string>> {
  const textsAt = (partPath: string): ReadonlySet<string> =>
    new Set(partsAt(game, partPath).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])))
  const metrics = textsAt('metrics.{}')
  const challenges = textsAt('challenges.{}')
  const levels = partsAt(game, 'points.*.levels.{}').map(({ path }) => levelName(String(path[1]), String(path[3])))
  return {
    metric: new Set([...metrics, ...[...challenges].map(challengeMetric)]),
    'event metric': metrics,
    'named streak': textsAt('streaks.{}'),
    achievement: new Set(achievementKeys(game).keys()),
    'points system': textsAt('points.{}'),
    level: new Set(levels),
    challenge: challenges,
    reward: textsAt('rewards.{}'),
    'event attribute': textsAt('eventAttributes.[]'),
    'user attribute': textsAt('userAttributes.[]'),
  }
}

/** Clients complete only achievements that the host could complete. */
function checkCompleted(game: Json, mistakes: Mistakes): void {
  const achievements = propertyOf(game, 'achievements')
  const triggers = new Map(
    [...achievementKeys(game)].map(([key, tier]) => [
      key,
      propertyOf(propertyOf(achievements, tier?.[0] ?? key), 'trigger'),
    ]),
  )
  const completed = [...triggers].filter(([, trigger]) => trigger === 'api').map(([key]) => key)
  for (const { value: key, path } of partsAt(game, 'clients.achievements.[]')) {
    if (typeof key !== 'string' || triggers.get(key) === 'api') continue
    const what = triggers.has(key) ? `${quote(key)} is completed by the rules` : `unknown achievement ${quote(key)}`
    const help = hint(key, completed, "clients complete only those with the trigger 'api': remove it")
    mistakes.add(path, `${what}${help}`)
  }
}
