import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8')

/**
 * The texts of the functions. When the package is built, `embed.mjs` puts the texts themselves here: the bundle of a host
 * has no files beside it.
 */
export const TEXTS: { readonly load: string; readonly save: string } = { load: read('load'), save: read('save') }
