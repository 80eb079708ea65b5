import { quote, suggest } from '../../src/game/suggest.ts'
import { wrongCall } from './text.ts'

/** Before the name of an event attribute. */
export const ATTRIBUTE = 'attributes.'

const OF_EVENTS = ['metric', 'userId', 'value'] as const
const OF_COMPLETIONS = ['achievement', 'userId', 'occurredAt'] as const
const NAMES = ['metric', 'achievement', 'userId', 'value', 'occurredAt', 'idempotencyKey', 'tz'] as const

/** The columns' names. Throws one `invalid_request` that says everything that is wrong with them. */
export function readHeader(fields: readonly string[], attributes: readonly string[]): readonly string[] {
  const columns = fields.map((field) => field.trim())
  const isOfCompletions = columns.includes('achievement')
  const required = [
    ...(isOfCompletions ? OF_COMPLETIONS : []),
    ...(isOfCompletions && !columns.includes('metric') ? [] : OF_EVENTS),
  ]
  const known = [...NAMES, ...attributes.map((name) => ATTRIBUTE + name)]
  const unknown = columns.filter((column) => !known.includes(column))
  const mistakes = [
    ...unknown.map((column) => describeUnknown(column, known, attributes)),
    ...[...new Set(required)]
      .filter((name) => !columns.includes(name))
      .map((name) => `the column ${quote(name)} is missing`),
    ...new Set(columns.filter((column, index) => columns.indexOf(column) !== index).map(describeDouble)),
  ]
  if (mistakes.length === 0) return columns
  throw wrongCall(`the first line must name the columns: ${mistakes.join('; ')}. There are: ${known.join(', ')}`)
}

function describeUnknown(column: string, known: readonly string[], attributes: readonly string[]): string {
  if (column.startsWith(ATTRIBUTE)) return describeAttribute(column, attributes)
  const near = suggest(column, known)
  return `unknown column ${quote(column)}${near === null ? '' : `, did you mean ${quote(near)}?`}`
}

/** Compared without what all of them begin with, which would make any two of them alike. */
function describeAttribute(column: string, attributes: readonly string[]): string {
  const name = column.slice(ATTRIBUTE.length)
  const near = suggest(name, attributes)
  const help =
    near === null
      ? `: the game has no event attribute ${quote(name)}, add it to its eventAttributes`
      : `, did you mean ${quote(ATTRIBUTE + near)}?`
  return `unknown column ${quote(column)}${help}`
}

function describeDouble(column: string): string {
  return `the column ${quote(column)} is there twice`
}
