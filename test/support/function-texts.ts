import { liveFunctions } from '../../adapters/postgres/function-sources/index.ts'

const NAME = /^create or replace function "laurels"\.(\w+)\(/

export function functionOf(text: string): string | null {
  return NAME.exec(text)?.[1] ?? null
}

/** The functions of Postgres by name, as the sources make them, in the form in which a migration has them. */
export function sourcesOfFunctions(): ReadonlyMap<string, string> {
  const texts = liveFunctions('{schema}').map((text) => text.trim().replaceAll('"{schema}".', '"laurels".'))
  return new Map(texts.map((text) => [functionOf(text) ?? text, text]))
}
