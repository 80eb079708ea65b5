import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Miniflare, Response } from 'miniflare'
import { type Plugin, rolldown } from 'rolldown'

/** Bundles a Worker as `wrangler deploy` does: packages are in it, and the modules of the runtime are not. */
export async function bundleWorker(entry: URL | string, plugins: readonly Plugin[] = []): Promise<string> {
  const bundle = await rolldown({
    input: typeof entry === 'string' ? entry : fileURLToPath(entry),
    platform: 'node',
    external: [/^node:/, /^cloudflare:/, /^better-sqlite3/],
    resolve: {
      tsconfigFilename: resolve('tsconfig.json'),
      conditionNames: ['workerd', 'worker', 'browser', 'import'],
    },
    plugins: [...plugins],
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return output[0].code
}

interface WorkerOptions {
  readonly script: string
  /** The folder that keeps objects; without it they are lost with the process. */
  readonly folder?: string
  readonly bindings?: Record<string, string>
  /** Gets the URL of each request that the Worker sends. */
  readonly onFetch?: (url: string) => void
}

/** A Worker in workerd, whose export `Game` is the class of the objects in `env.GAME`. */
export function startWorker({ script, folder, bindings = {}, onFetch }: WorkerOptions): Miniflare {
  return new Miniflare({
    modules: true,
    script,
    bindings,
    outboundService: ({ url }: { readonly url: string }) => {
      onFetch?.(url)
      return new Response()
    },
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    durableObjects: { GAME: { className: 'Game', useSQLite: true } },
    // Its warnings are about workerd itself; an error of a Worker comes with the answer.
    handleRuntimeStdio: (output: Readable, errors: Readable) => {
      output.resume()
      errors.resume()
    },
    ...(folder === undefined ? {} : { durableObjectsPersist: folder }),
  })
}
