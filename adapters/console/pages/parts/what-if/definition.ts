import type { CurrentGameResponse } from '../../../../../src/api/operate/types.ts'
import type { WhatIfNames } from './report.tsx'

/** The definition that a text is, or why it is none. */
export type ReadDefinition =
  | { readonly definition: { readonly [name: string]: unknown }; readonly problem: null }
  | { readonly definition: null; readonly problem: string }

/** Reads JSON; whether it is a game says the server. */
export function readDefinition(text: string): ReadDefinition {
  if (text.trim() === '') return { definition: null, problem: 'Paste a definition, or choose a file.' }
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return { definition: value, problem: null }
    return { definition: null, problem: 'The definition must be a JSON object, as { "metrics": … }.' }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { definition: null, problem: `This is not JSON: ${why}` }
  }
}

export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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
