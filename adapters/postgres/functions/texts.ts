import { readFileSync } from 'node:fs'

const read = (name: string): string => readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8')

/**
 * The texts of the functions. The build (`build/main.ts`) puts the texts themselves here, because a host that bundles
 * laurels has no files beside its bundle.
 */
export const TEXTS: { readonly load: string; readonly save: string } = { load: read('load'), save: read('save') }
