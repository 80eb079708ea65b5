/*
 * Runs the Worker in workerd, as `wrangler dev` does: `npm run edge`. Objects are kept in the folder `edge-data`.
 *
 * PORT  where it listens; 0 takes any free port. Default: 8787
 */
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { rolldown } from 'rolldown'

const bundle = await rolldown({
  input: fileURLToPath(new URL('worker.js', import.meta.url)),
  platform: 'node',
  external: [/^node:/, /^cloudflare:/],
})
const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
const worker = new Miniflare({
  modules: true,
  script: output[0].code,
  port: Number(process.env.PORT || 8787),
  compatibilityDate: '2026-04-01',
  compatibilityFlags: ['nodejs_compat'],
  durableObjects: { GAME: { className: 'Game', useSQLite: true } },
  durableObjectsPersist: 'edge-data',
})
const url: URL = await worker.ready
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => worker.dispose())
process.stdout.write(`The reading club is at ${url.origin}/library, and each other path is a club of its own.\n`)
