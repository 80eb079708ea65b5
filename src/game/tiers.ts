import { quote } from '../suggest.ts'
import { entriesOf, type Json, type Mistakes, type Path, propertyOf } from './json.ts'

/** The achievement key of a tier, such as `writer.bronze`. */
export function tierKey(achievement: string, tier: string): string {
  return `${achievement}.${tier}`
}

const LONGEST_KEY = 255

/** The keys of all achievements. A tier has the key of the whole and its own beside it, or `null` if it is no tier. */
export function achievementKeys(game: Json): ReadonlyMap<string, readonly [whole: string, tier: string] | null> {
  const keys = new Map<string, readonly [string, string] | null>()
  for (const [key, achievement] of entriesOf(propertyOf(game, 'achievements'))) {
    const tiers = propertyOf(achievement, 'tiers')
    if (tiers === undefined) keys.set(key, null)
    else for (const [tier] of entriesOf(tiers)) keys.set(tierKey(key, tier), [key, tier])
  }
  return keys
}

/** Runs before the mistakes of the shape are added, since only the first mistake of a place is kept. */
export function checkTiers(game: Json, mistakes: Mistakes): void {
  const achievements = entriesOf(propertyOf(game, 'achievements'))
  const whole = new Set(achievements.filter(([, each]) => !hasTiers(each)).map(([key]) => key))
  for (const [key, achievement] of achievements) {
    const path = ['achievements', key]
    const metric = propertyOf(achievement, 'metric')
    const falls = propertyOf(propertyOf(propertyOf(game, 'metrics'), String(metric)), 'aggregation') === 'min'
    if (hasTiers(achievement)) checkTiered(achievement, { key, path, others: whole, falls }, mistakes)
    checkRepeat(achievement, path, mistakes)
  }
}

function hasTiers(achievement: Json): boolean {
  return propertyOf(achievement, 'tiers') !== undefined
}

interface TieredPart {
  readonly key: string
  readonly path: Path
  readonly others: ReadonlySet<string>
  readonly falls: boolean
}

/** Triggers without a value that could rise from tier to tier. */
const UNTIERED: ReadonlySet<string> = new Set(['api', 'achievement', 'criteria', 'anniversary'])

function checkTiered(achievement: Json, { key, path, others, falls }: TieredPart, mistakes: Mistakes): void {
  const trigger = propertyOf(achievement, 'trigger')
  if (typeof trigger === 'string' && UNTIERED.has(trigger)) {
    const message = `is not for the trigger ${quote(trigger)}; tiers are of the triggers 'metric' and 'streak': remove it`
    mistakes.add([...path, 'tiers'], message)
    return
  }
  const measure = trigger === 'streak' ? 'length' : 'value'
  for (const property of ['value', 'length']) {
    if (propertyOf(achievement, property) === undefined) continue
    mistakes.add([...path, property], `does not go with tiers, because each tier has its own ${measure}; remove it`)
  }
  const tiers = entriesOf(propertyOf(achievement, 'tiers'))
  if (tiers.length === 0)
    mistakes.add([...path, 'tiers'], `is empty; name at least one tier, or give ${measure} instead`)
  let previous: { readonly key: string; readonly amount: number } | null = null
  for (const [tier, own] of tiers) {
    const at = [...path, 'tiers', tier]
    const full = tierKey(key, tier)
    if ([...full].length > LONGEST_KEY) mistakes.add(at, `makes the key ${quote(full)} longer than 255 characters`)
    if (others.has(full)) mistakes.add(at, `has the key ${quote(full)}, which another achievement has; rename one`)
    const amount = propertyOf(own, measure)
    if (typeof amount !== 'number') continue
    if (previous !== null && (falls ? amount >= previous.amount : amount <= previous.amount)) {
      const rises = `must be ${falls ? 'less' : 'more'} than ${previous.amount}, which ${quote(previous.key)} before it has`
      mistakes.add(
        [...at, measure],
        `${rises}: tiers ${falls ? 'fall' : 'rise'} in the order in which they are written`,
      )
    }
    previous = { key: tier, amount }
  }
}

function checkRepeat(achievement: Json, path: Path, mistakes: Mistakes): void {
  const repeat = propertyOf(achievement, 'repeat')
  if (repeat === undefined || repeat === false) return
  const at = [...path, 'repeat']
  if (hasTiers(achievement)) mistakes.add(at, 'does not go with tiers; remove one of the two')
  else if (propertyOf(achievement, 'trigger') === 'achievement') {
    mistakes.add(at, "is not for the trigger 'achievement': a composite is completed once; remove it")
  } else if (propertyOf(achievement, 'trigger') === 'criteria') {
    mistakes.add(at, "is not for the trigger 'criteria': what is met stays met; remove it")
  } else if (propertyOf(achievement, 'trigger') === 'anniversary') {
    mistakes.add(at, "is not for the trigger 'anniversary': there is one achievement for each anniversary; remove it")
  } else if (propertyOf(achievement, 'within') !== undefined) {
    mistakes.add(at, 'does not go with `within`; remove one of the two')
  }
  const value = propertyOf(achievement, 'value')
  if (propertyOf(achievement, 'trigger') !== 'metric' || typeof value !== 'number' || value > 0) return
  mistakes.add(
    [...path, 'value'],
    `must be above 0 if the achievement repeats, because every multiple of it completes it`,
  )
}
