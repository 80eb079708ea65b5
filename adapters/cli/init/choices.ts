export const DATABASES = ['sqlite', 'postgres'] as const
export const FRAMEWORKS = ['express', 'fastify', 'hono', 'next', 'none'] as const
export const LANGUAGES = ['ts', 'js'] as const

export type DatabaseName = (typeof DATABASES)[number]
export type Framework = (typeof FRAMEWORKS)[number]
export type Language = (typeof LANGUAGES)[number]

/** What the files are to be for. */
export interface Choices {
  readonly database: DatabaseName
  readonly framework: Framework
  /** The key of the metric. */
  readonly metric: string
  readonly language: Language
}

const MOST_CHARACTERS = 40

/** What is wrong with the key of the metric; null: nothing. It becomes part of a path and of other keys. */
export function mistakeOfMetric(metric: string): string | null {
  if (metric === '') return 'it is empty'
  if (metric.length > MOST_CHARACTERS) return `it is longer than ${MOST_CHARACTERS} characters`
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(metric)) return null
  return 'it must be of a-z, 0-9 and single hyphens, and begin with a letter'
}
