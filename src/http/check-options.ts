import { GamificationError } from '../errors.ts'
import { checkOptions, describeGiven, hasMethods, invalidOption } from '../options.ts'

/** Refuses what cannot be served, and options that nobody reads; `own` are those of the binding. */
export function checkServing(gamification: unknown, options: unknown, own: readonly string[]): void {
  if (!hasMethods(gamification, ['authenticate', 'tenant'])) {
    const message = `An API was given ${describeGiven(gamification)}: give it what createGamification({ … }) returns.`
    throw new GamificationError('invalid_request', message)
  }
  checkOptions('options', options, ['bodyLimit', 'cors', ...own])
  const { bodyLimit, cors } = options as { readonly [name: string]: unknown }
  if (bodyLimit !== undefined && !(typeof bodyLimit === 'number' && bodyLimit >= 0)) {
    throw invalidOption('bodyLimit', 'a number of bytes', bodyLimit)
  }
  if (cors !== undefined) checkCors(cors)
}

function checkCors(cors: unknown): void {
  checkOptions('option cors', cors, ['origins'])
  const { origins } = cors as { readonly origins?: unknown }
  if (origins === '*' || (Array.isArray(origins) && origins.every((origin) => typeof origin === 'string'))) return
  throw invalidOption('cors.origins', "a list of origins as ['https://app.example.com'], or '*'", origins)
}
