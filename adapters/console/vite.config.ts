import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Beside each file what is sent to who takes it compressed, so that nothing is compressed while the server runs. */
const COMPRESSED: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle: ({ dir = '' }) => {
    const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name))
    for (const file of files.filter((name) => /\.(?:js|css|svg)$/.test(name) && statSync(name).isFile())) {
      const bytes = readFileSync(file)
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
    }
  },
}

// What a test builds is what is shipped: without the paths of sources, which JSX has for development.
if (process.env.NODE_ENV === 'test') process.env.NODE_ENV = 'production'

/** The pages of the console, built ahead: `npm run build` leaves them beside the server's side in `dist`. */
export default defineConfig({
  root: here('./pages'),
  // Below whatever path the console is mounted at: index.html has a <base>.
  base: './',
  publicDir: false,
  plugins: [COMPRESSED],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: process.env.LAURELS_CONSOLE_OUT ?? here('../../dist/console'),
    emptyOutDir: true,
    // One folder: every name in it but index.html has a hash.
    assetsDir: '.',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
  server: { proxy: { '/api': process.env.LAURELS_CONSOLE ?? 'http://127.0.0.1:3000' } },
})
