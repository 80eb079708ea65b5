import type { z } from 'zod'
import { GamificationError, type Issue } from '../errors.ts'
import { checkConsistency } from './consistency.ts'
import { checkEffects } from './effects.ts'
import { copyJson } from './json.ts'
import { createMistakes, type Mistakes } from './mistakes.ts'
import { checkReferences } from './references.ts'
import { definitionSchema } from './schema.ts'
import type { StoredDefinition } from './stored.ts'
import { unknownProperty } from './suggest.ts'
import { checkTiers } from './tiers.ts'

const MOST_SHOWN = 50

/**
 * Reads what a host wrote, or what was stored; the answer is frozen through and through. Throws one `invalid_game` that
 * lists every mistake.
 */
export function readDefinition(input: unknown): StoredDefinition {
  const mistakes = createMistakes()
  const json = copyJson(input, mistakes)
  checkTiers(json, mistakes)
  const parsed = definitionSchema.safeParse(json)
  for (const issue of parsed.error?.issues ?? []) explainIssue(issue, mistakes)
  checkReferences(json, mistakes)
  checkConsistency(json, mistakes)
  checkEffects(json, mistakes)
  if (parsed.success && mistakes.issues.length === 0) return deepFreeze(parsed.data)
  throw new GamificationError('invalid_game', summarize(mistakes.issues), { issues: mistakes.issues })
}

function explainIssue(issue: z.core.$ZodIssue, mistakes: Mistakes): void {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code !== 'unrecognized_keys') {
    mistakes.add(path, issue.message)
    return
  }
  const properties = issue.message.split(' ')
  for (const key of issue.keys) {
    mistakes.add([...path, key], unknownProperty(key, properties))
  }
}

function summarize(issues: readonly Issue[]): string {
  const lines = issues.map(({ path, message }) => `${path === '' ? 'the definition' : `${path}:`} ${message}`)
  if (lines.length === 1) return `The game has a mistake: ${lines[0]}`
  const more = lines.length > MOST_SHOWN ? [`and ${lines.length - MOST_SHOWN} more, see \`issues\``] : []
  const shown = [...lines.slice(0, MOST_SHOWN), ...more].map((line) => `- ${line}`)
  return `The game has ${lines.length} mistakes:\n${shown.join('\n')}`
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part)
    Object.freeze(value)
  }
  return value
}
