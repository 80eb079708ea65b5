import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './pages.ts'

/** The longest sentence that the check accepts. Aim for 25 words. */
const MOST_WORDS = 35

/** Words and openings that make a sentence slow to read. `CONTRIBUTING.md` has the rules behind them. */
const BANNED: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['told', /\btold\b/i],
  ['anew', /\banew\b/i],
  ['whoever', /\bwhoever\b/i],
  ['whichever', /\bwhichever\b/i],
  ['nobody', /\bnobody\b/i],
  ['for ever', /\bfor ever\b/i],
  ['of which', /\bof which\b/i],
  ['of whom', /\bof whom\b/i],
  ['is to be', /\b(?:is|are) to be\b/i],
  ['thereof', /\bthereof\b/i],
  // Not in headings, and not in questions, which have no full stop.
  ['Of …', /^Of\b.*[.:;]$/],
  ['Nor …', /^Nor\b.*[.:;]$/],
  ['Whether …', /^Whether\b.*[.:;]$/],
  ['What is …', /^What is\b.*[.:;]$/],
]

/** Telegraphic or odd wordings of comments and documents. They say who does what, and when: "Returns null if …". */
const BANNED_ODD: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['null: …', /(?:^(?:Null|True|False|Absent)|\b(?:null|undefined|absent)): /],
  ['where for if', /\bwhere (?:an?|there|none|nothing|one|no)\b/],
  ['as it is', /\bas (?:it|they) (?:now )?(?:is|are|was|were)\b/i],
  ['any more', /\bany more\b/i],
  ['goes on', /\b(?:goes|go|went|gone|going) on\b/i],
  ['stands', /\b(?:stands|stood)\b/i],
  ['brings', /\b(?:brings|brought)\b/i],
  ['became of', /\bbec[ao]mes? of\b/i],
  ['those of', /\bthose of\b/i],
  ['What …', /^What\b.*[.:;]$/],
  ['Those …', /^Those\b.*[.:;]$/],
  ['One that …', /^One (?:that|who|whose)\b/],
  ['Who …', /^(?:Who|Whom|Whose)\b.*[.:;]$/],
  ['Where …', /^Where\b.*[.:;]$/],
  ['To be …', /^To be\b/],
]

/** A paragraph, a list item or a table cell, with the number of its first line. */
interface Passage {
  readonly line: number
  readonly text: string
  readonly isComment?: boolean
}

export interface Fault {
  readonly path: string
  readonly line: number
  /** The name of the banned pattern, or `long`. */
  readonly what: string
  readonly sentence: string
}

const ofLine = (line: string): readonly string[] => {
  if (/^\s*\|/.test(line)) return /^[\s|:-]+$/.test(line) ? [] : line.replaceAll('\\|', '/').split('|')
  return [line.replace(/^\s*(?:#+|[-*>]|\d+\.)\s+/, '')]
}

const begins = (line: string): boolean => /^\s*(?:$|#|[-*>]\s|\d+\.\s|\||:::|<)/.test(line)

/** The prose of a document in Markdown, without its code, its links' addresses and its markup. */
export function passagesOf(markdown: string): readonly Passage[] {
  const passages: { line: number; text: string }[] = []
  let isCode = false
  let isOpen = false
  for (const [index, line] of markdown.split('\n').entries()) {
    if (line.trimStart().startsWith('```')) {
      isCode = !isCode
      isOpen = false
      continue
    }
    if (isCode) continue
    const last = passages.at(-1)
    if (isOpen && !begins(line) && last !== undefined) last.text += ` ${line.trim()}`
    else for (const text of ofLine(line)) if (text.trim() !== '') passages.push({ line: index + 1, text: text.trim() })
    isOpen = line.trim() !== '' && !/^\s*[#|<]/.test(line)
  }
  return passages
}

/** Comments of a TypeScript file. A block of comment lines is one passage. */
export function commentsOf(code: string): readonly Passage[] {
  const passages: { line: number; text: string; isComment: true }[] = []
  let isBlock = false
  let isOpen = false
  for (const [index, line] of code.split('\n').entries()) {
    const start = /^\s*\/\*\*?(?<text>.*)$/.exec(line)?.groups?.text
    const inside = isBlock ? line.replace(/^\s*\*?/, '') : (start ?? /^\s*\/\/(?<text>.*)$/.exec(line)?.groups?.text)
    if (start !== undefined) isBlock = true
    const text = (inside ?? '').replace(/\*\/.*$/, '').trim()
    if (line.includes('*/')) isBlock = false
    const last = passages.at(-1)
    if (inside === undefined || text === '' || text.startsWith('biome-ignore')) isOpen = false
    else if (isOpen && start === undefined && last !== undefined && !text.startsWith('- ')) last.text += ` ${text}`
    else passages.push({ line: index + 1, text: text.replace(/^- /, ''), isComment: true })
    if (inside !== undefined && text !== '') isOpen = true
  }
  return passages
}

/** Texts of four words or more in the strings of a TypeScript file: messages, help, labels. An expression counts as one word. */
export function textsOf(code: string): readonly Passage[] {
  return code.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\/?\*|\/\/)/.test(line)) return []
    const strings = [...line.matchAll(/'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`/g)]
    return strings
      .map(([, single, double, template]) => (single ?? double ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, 'Code'))
      .filter((text) => /^[^<>{}=]*$/.test(text) && wordsOf(text) >= 4 && /[a-z]{3}/.test(text))
      .map((text) => ({ line: index + 1, text }))
  })
}

/** Code counts as one word, a link as its text. */
const plain = (text: string): string =>
  text
    .replace(/!?\[(?<label>[^\]]*)\]\([^)]*\)/g, '$<label>')
    .replace(/`[^`]*`/g, 'Code')
    .replace(/\*\*|[*_]{1,2}(?=\w)|(?<=\w)[*_]{1,2}/g, '')

const wordsOf = (sentence: string): number => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length

/** A sentence ends at a full stop; a colon or a semicolon does not end one. */
const wholeSentencesOf = (passage: string): readonly string[] =>
  plain(passage)
    .split(/(?<=[.!?…][")]?)\s+(?=["(]?[A-Z0-9])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')

export function lengthsOf(passages: readonly Passage[]): readonly number[] {
  return passages.flatMap(({ text }) => wholeSentencesOf(text).map(wordsOf)).filter((words) => words > 3)
}

export function faultsOf(path: string, passages: readonly Passage[]): readonly Fault[] {
  return passages.flatMap(({ line, text, isComment = false }) =>
    wholeSentencesOf(text).flatMap((sentence) => [
      ...(isComment || path.endsWith('.md') || path.endsWith('.txt') ? [...BANNED, ...BANNED_ODD] : BANNED)
        .filter(([, pattern]) => pattern.test(sentence))
        .map(([what]) => ({ path, line, what, sentence })),
      ...(wordsOf(sentence) > MOST_WORDS ? [{ path, line, what: 'long', sentence }] : []),
    ]),
  )
}

export function filesIn(folder: string, extension: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => extension.test(name) && !/(?:^|[\\/])(?:node_modules|dist)[\\/]/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort()
}

export const proseOf = (path: string): readonly Passage[] => {
  const text = readFileSync(join(root, path), 'utf8')
  if (path.endsWith('.sql')) return commentsOf(text.replaceAll(/^(\s*)--/gm, '$1//'))
  return path.endsWith('.ts') || path.endsWith('.tsx') ? [...commentsOf(text), ...textsOf(text)] : passagesOf(text)
}

const isCommentLine = (line: string): boolean => /^\s*(?:\/?\*|\/\/|--)/.test(line)

/** Every word of the code of these files, without their comments, and the names of the files. */
export function wordsOfCode(paths: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>()
  for (const path of paths) {
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    const code = lines.filter((line) => !isCommentLine(line)).map((line) => line.replace(/\s\/\/ .*$/, ''))
    for (const [word] of code.join('\n').matchAll(/[A-Za-z_$][\w$]*/g)) words.add(word)
    words.add(path.replace(/^.*\//, '').replace(/\..*$/, ''))
  }
  return words
}

/** The names in backticks in the comments of a file: `Name`, `name.part` or `name(…)`, each with its line. */
export function namesOf(
  path: string,
  passages: readonly Passage[],
): readonly { path: string; line: number; name: string }[] {
  return passages
    .filter(({ isComment = false }) => isComment)
    .flatMap(({ line, text }) =>
      [...text.matchAll(/`([A-Za-z_$][\w$.]*)(?:\([^`]*\))?`/g)].map(([, name = '']) => ({ path, line, name })),
    )
}
