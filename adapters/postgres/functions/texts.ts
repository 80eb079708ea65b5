import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8')

/**
 * The texts of the functions, in the order in which they can be created. The build (`build/main.ts`) puts the texts
 * themselves here, because a host that bundles laurels has no files beside its bundle.
 */
export const TEXTS: readonly string[] = [read('load'), read('ranks'), read('blocks'), read('save')]
