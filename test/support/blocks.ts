import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A program of a page, under the name in its first line. */
interface Block {
  readonly file: string
  readonly code: string
  /** The output that the page shows below it, or `null` if it shows none. */
  readonly output: string | null
}

const BLOCK = /^```ts\n(?<code>\/\/ (?<file>[\w.-]+\.ts)\n[\s\S]*?)^```\n(?:\n```text\n(?<output>[\s\S]*?)^```\n)?/gm

/** The programs of a page in `docs`. Each names its file. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${page}`, import.meta.url)), 'utf8')
  const blocks = [...text.matchAll(BLOCK)].map(({ groups }) => {
    const { code = '', file = '', output = null } = groups ?? {}
    return { code, file, output }
  })
  const fences = text.match(/^```\w+$/gm)?.filter((fence) => fence !== '```text') ?? []
  if (fences.length !== blocks.length) throw new Error(`${page} has a block that is no program with a name`)
  return blocks
}
