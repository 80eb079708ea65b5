/** Builds the site into `dist/html`, from the pages of the repository and the generated reference in `dist/pages`. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { writeDeclarations } from './declarations.ts'
import { writeHttpApis } from './http.ts'
import { pages, root, writePages, writeTexts } from './pages.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

rmSync(join(here, 'dist'), { recursive: true, force: true })
writePages()
cpSync(join(root, 'docs/pictures'), join(pages, 'public/pictures'), { recursive: true })
await writeDeclarations()
writeHttpApis()
writeTexts()
await build(here)
