import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Compresses each file and removes the original: the server decodes a file for clients that do not accept Brotli. */
const COMPRESSED: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle: ({ dir = '' }) => {
    for (const name of readdirSync(dir).filter((each) => /\.(?:js|css)$/.test(each))) {
      const file = join(dir, name)
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
      rmSync(file)
    }
  },
}

// Vitest sets NODE_ENV. The pages that a test builds must equal the shipped ones, without the source paths of JSX in development.
if (process.env.NODE_ENV === 'test') process.env.NODE_ENV = 'production'

/** Builds the pages of the console. `npm run build` writes them to `dist/console`. */
export default defineConfig({
  root: here('./pages'),
  // index.html has a <base> for the mount point.
  base: './',
  publicDir: false,
  plugins: [COMPRESSED],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: process.env.LAURELS_CONSOLE_OUT ?? here('../../dist/console'),
    emptyOutDir: true,
    // One folder. Every name except index.html has a hash.
    assetsDir: '.',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The elements import the client when they need it, which here is always.
    rolldownOptions: { output: { codeSplitting: false } },
    target: 'es2022',
  },
  server: { proxy: { '/api': process.env.LAURELS_CONSOLE ?? 'http://127.0.0.1:3000' } },
})
