import { readChoice, readOptions } from '../options.ts'
import { wrongCall } from '../text.ts'
import { type Choices, DATABASES, FRAMEWORKS, LANGUAGES, type Language, mistakeOfMetric } from './choices.ts'

export interface InitSettings {
  readonly directory: string
  readonly given: Partial<Pick<Choices, 'database' | 'framework' | 'metric'>>
  readonly language: Language | undefined
  /** Nothing is asked. */
  readonly yes: boolean
}

const OPTIONS = {
  database: { type: 'string' },
  framework: { type: 'string' },
  metric: { type: 'string' },
  language: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** null when help is asked for. */
export function readInitSettings(args: readonly string[]): InitSettings | null {
  const { values, positionals } = readOptions(args, OPTIONS, 1)
  if (values.help === true) return null
  const { metric, yes = false } = values
  const database = readChoice(values.database, 'database', DATABASES)
  const framework = readChoice(values.framework, 'framework', FRAMEWORKS)
  const mistake = metric === undefined ? null : mistakeOfMetric(metric)
  if (mistake !== null) throw wrongCall(`--metric '${metric}' cannot be the key of a metric: ${mistake}`)
  return {
    directory: positionals[0] ?? '.',
    given: {
      ...(database === undefined ? {} : { database }),
      ...(framework === undefined ? {} : { framework }),
      ...(metric === undefined ? {} : { metric }),
    },
    language: readChoice(values.language, 'language', LANGUAGES),
    yes,
  }
}
