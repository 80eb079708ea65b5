import type { Environment } from '../environment.ts'
import { unknownWord } from '../text.ts'
import { type Choices, DATABASES, FRAMEWORKS, mistakeOfMetric } from './choices.ts'
import type { Project } from './project.ts'

type Answers = Pick<Choices, 'database' | 'framework' | 'metric'>

/** What is taken where nothing is said: what the project has already. */
export function defaultsFor({ packages }: Project): Answers {
  return {
    database: packages.has('pg') ? 'postgres' : 'sqlite',
    framework: FRAMEWORKS.find((name) => packages.has(name)) ?? 'none',
    metric: 'words',
  }
}

/** Nobody who types nonsense is asked for ever. */
const MOST_TRIES = 5

/** Asks for what was not given. null: whoever was asked has gone. */
export async function askFor(
  given: Partial<Answers>,
  defaults: Answers,
  environment: Environment,
): Promise<Answers | null> {
  const database = given.database ?? (await choose('Which database', DATABASES, defaults.database, environment))
  if (database === null) return null
  const framework = given.framework ?? (await choose('Which framework', FRAMEWORKS, defaults.framework, environment))
  if (framework === null) return null
  const question = `What do users do? A word, such as words, lessons or workouts [${defaults.metric}] `
  const metric = given.metric ?? (await ask(question, (answer) => readMetric(answer || defaults.metric), environment))
  return metric === null ? null : { database, framework, metric }
}

function choose<Name extends string>(
  what: string,
  names: readonly Name[],
  otherwise: Name,
  environment: Environment,
): Promise<Name | null> {
  const read = (answer: string): Read<Name> => {
    const value = names.find((name) => name === (answer.toLowerCase() || otherwise))
    return value === undefined ? { mistake: unknownWord('answer', answer, names) } : { value }
  }
  return ask(`${what}? ${names.join(', ')} [${otherwise}] `, read, environment)
}

type Read<T> = { readonly value: T } | { readonly mistake: string }

async function ask<T>(
  question: string,
  read: (answer: string) => Read<T>,
  { ask: put, output }: Environment,
): Promise<T | null> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await put(question)
    if (answer === null) return null
    const found = read(answer.trim())
    if ('value' in found) return found.value
    output.err(`${found.mistake}\n`)
  }
  return null
}

function readMetric(answer: string): Read<string> {
  const mistake = mistakeOfMetric(answer)
  return mistake === null ? { value: answer } : { mistake: `'${answer}' cannot be the key of a metric: ${mistake}` }
}
