import type { CurrentGameResponse } from '../../../../../src/api/operate/types.ts'
import { isRecord } from './read-definition.ts'
import type { WhatIfNames } from './report.tsx'

/** Names of the other game where it has them, else of the game in force, else the keys. */
export function namesOf(game: CurrentGameResponse | null, next: unknown): WhatIfNames {
  const find = (part: string, key: string): string | null =>
    nameIn(next, part, key) ?? nameIn(game?.definition, part, key)
  return {
    achievement: (key) => find('achievements', key) ?? key,
    system: (key) => find('points', key) ?? key,
    leaderboard: (key) => find('leaderboards', key) ?? key,
    trigger: (system, id) => game?.sentences.points[system]?.[id] ?? `a new trigger (${id})`,
  }
}

/** The name of something, or of the tier that its key ends with. */
function nameIn(definition: unknown, part: string, key: string): string | null {
  const all = isRecord(definition) && Object.hasOwn(definition, part) ? definition[part] : null
  if (!isRecord(all)) return null
  if (Object.hasOwn(all, key)) return nameOf(all[key])
  const dot = key.indexOf('.')
  if (dot === -1 || !Object.hasOwn(all, key.slice(0, dot))) return null
  const whole = all[key.slice(0, dot)]
  const tiers = isRecord(whole) ? whole.tiers : null
  const tier = key.slice(dot + 1)
  return isRecord(tiers) && Object.hasOwn(tiers, tier) ? (nameOf(tiers[tier]) ?? `${nameOf(whole)} ${tier}`) : null
}

function nameOf(value: unknown): string | null {
  return isRecord(value) && typeof value.name === 'string' ? value.name : null
}
