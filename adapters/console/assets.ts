import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GamificationError } from '../../src/errors.ts'
import type { HttpResponse } from '../../src/http/exchange.ts'
import { FOREVER } from './headers.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** One file of the built pages, as it is sent. */
export interface Asset {
  readonly type: string
  readonly bytes: Bytes
  /** What is sent to who takes it compressed. */
  readonly brotli: Bytes | null
  readonly gzip: Bytes | null
}

/** All that the pages consist of, read once: no path of a request ever reaches the file system. */
export interface Assets {
  /** By their names. */
  readonly files: ReadonlyMap<string, Asset>
  /** index.html, for a document below `base`. */
  index(base: string): string
}

const TYPES: { readonly [extension: string]: string } = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
}

/** Only what has a hash in its name: whoever has it has what it will always be. */
const NAME = /^[\w-]+-[\w-]{8}\.(?<extension>\w+)$/
const BASE = /<base href="[^"]*" ?\/?>/

/** Beside this module in the package; from sources, where `npm run build` leaves them. */
const PLACES: readonly URL[] = [
  new URL('./assets/', import.meta.url),
  new URL('../../dist/adapters/console/assets/', import.meta.url),
]

/** Reads the built pages. Throws where there are none. */
export function readAssets(given: string | undefined): Assets {
  const places = given === undefined ? PLACES.map((place) => fileURLToPath(place)) : [given]
  const directory = places.find((place) => existsSync(join(place, 'index.html')))
  if (directory === undefined) throw missing(places[0] ?? '')
  const [before, after, ...more] = readFileSync(join(directory, 'index.html'), 'utf8').split(BASE)
  if (before === undefined || after === undefined || more.length > 0) throw missing(directory)
  return {
    files: readFiles(directory),
    index: (base) => `${before}<base href="${escapeHtml(base)}" />${after}`,
  }
}

function readFiles(directory: string): ReadonlyMap<string, Asset> {
  const names = readdirSync(directory)
  const read = (name: string): Bytes | null => (names.includes(name) ? readFileSync(join(directory, name)) : null)
  return new Map(
    names.flatMap((name): [string, Asset][] => {
      const type = TYPES[NAME.exec(name)?.groups?.extension ?? '']
      const bytes = type === undefined ? null : read(name)
      if (type === undefined || bytes === null) return []
      return [[name, { type, bytes, brotli: read(`${name}.br`), gzip: read(`${name}.gz`) }]]
    }),
  )
}

function missing(place: string): GamificationError {
  return new GamificationError(
    'internal',
    `The pages of the console are not at ${place}. In a checkout of laurels make them: npm run build. A bundler has to leave laurels as a package of its own (external).`,
  )
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** The file as whoever asks takes it: `accepted` is the header Accept-Encoding. */
export function toAssetResponse({ type, bytes, brotli, gzip }: Asset, accepted: string | undefined): HttpResponse {
  const headers = { 'content-type': type, vary: 'Accept-Encoding', ...FOREVER }
  if (brotli !== null && takes(accepted, 'br')) {
    return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: brotli }
  }
  if (gzip !== null && takes(accepted, 'gzip')) {
    return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzip }
  }
  return { status: 200, headers, body: bytes }
}

function takes(accepted: string | undefined, coding: string): boolean {
  return (accepted ?? '').split(',').some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}
