import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** Pages whose blocks have a test of their own, for they need more than a project that has installed the package. */
export const TRIED_ELSEWHERE: readonly string[] = ['transactions-and-orms']

interface Block {
  readonly language: string
  readonly text: string
}

/** A block in TypeScript, which is compiled and run. */
interface Program {
  /** The path that its first line names, for other blocks to import, without `.ts`. */
  readonly file: string
  readonly code: string
  /** The output that the page shows below it, or `null` if it shows none. */
  readonly output: string | null
}

export interface Page {
  /** Its path in the package. */
  readonly path: string
  /** The last part of it, without `.md`. */
  readonly name: string
  readonly title: string
  readonly text: string
  readonly blocks: readonly Block[]
  readonly programs: readonly Program[]
}

const BLOCK = /^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm
const PROGRAM = /^```ts\n(?<code>[\s\S]*?)^```\n(?:\n```(?:text|json)\n(?<output>[\s\S]*?)^```\n)?/gm

function toPage(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8')
  return {
    path,
    name: path.replace(/^docs\//, '').replace(/\.md$/, ''),
    title: /^# (?<title>.+)$/m.exec(text)?.groups?.title ?? '',
    text,
    blocks: [...text.matchAll(BLOCK)].map(({ groups }) => ({
      language: groups?.language ?? '',
      text: groups?.text ?? '',
    })),
    programs: [...text.matchAll(PROGRAM)].map(({ groups }, index) => {
      const { code = '', output = null } = groups ?? {}
      const file = /^\/\/ (?<name>[\w./[\]-]+)\.ts\n/.exec(code)?.groups?.name ?? `block-${index + 1}`
      return { file, code, output }
    }),
  }
}

export const readme: Page = toPage('README.md')
export const index: Page = toPage('docs/README.md')
/** The instructions for coding agents that use the package. */
export const skill: Page = toPage('docs/skills/laurels/SKILL.md')
/** One for each task. */
export const pages: readonly Page[] = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .map((name) => toPage(`docs/${name}`))

/** The texts of a page's blocks in one language. */
export function textsOf({ blocks }: Page, language: string): readonly string[] {
  return blocks.flatMap((block) => (block.language === language ? [block.text] : []))
}

export function pageOf(name: string): Page {
  const found = pages.find((page) => page.name === name)
  if (found === undefined) throw new Error(`There is no page ${name}`)
  return found
}
