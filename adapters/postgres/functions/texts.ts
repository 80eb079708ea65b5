import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8')

/**
 * The texts of the functions. `embed.mjs` puts them in the place of each call of `read` when the package is built: the
 * bundle of a host has no files beside it.
 */
export const TEXTS: { readonly load: string; readonly save: string } = { load: read('load'), save: read('save') }
