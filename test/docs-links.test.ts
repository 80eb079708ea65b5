import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { toFullText } from '../docs/site/pages.ts'
import manifest from '../package.json' with { type: 'json' }
import { HttpProblem, type ProblemCode, toProblemResponse } from '../src/http/problem.ts'
import { HTTP_STATUSES } from '../src/http-status.ts'
import { index, type Page, pageOf, pages, readme, root, skill, textsOf } from './support/pages.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The one place that says where the project lives. */
const HOME = manifest.repository.url.replace(/^git\+|\.git$/g, '')
const all: readonly Page[] = [readme, index, skill, ...pages]

const OTHERS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/llms.txt']
const internals: readonly string[] = readdirSync(join(root, 'docs/internals')).map((name) => `docs/internals/${name}`)

/** Without what is in blocks, if there are no links. */
const proseOf = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '')

function linksOf(text: string): readonly string[] {
  return [...proseOf(text).matchAll(/\]\((?<target>[^)\s]+)\)/g)].map(({ groups }) => groups?.target ?? '')
}

/** As GitHub and npm make them. */
function anchorsOf(text: string): readonly string[] {
  return [...proseOf(text).matchAll(/^#+ (?<title>.+)$/gm)].map(({ groups }) =>
    (groups?.title ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Pictures are seen where the repository is, and do not weigh on who installs the package. `docs/llms.txt` has the list of pages. */
function isPacked(path: string): boolean {
  if (path === 'docs/README.md') return false
  return (
    (path.startsWith('docs/') && !/^docs\/(?:internals|pictures|site)\//.test(path)) || manifest.files.includes(path)
  )
}

/** The fault of a link, or `null` if there is none. */
function faultOf(from: string, link: string): string | null {
  const [target = '', anchor] = link.split('#')
  if (/^https?:/.test(target)) {
    if (!target.startsWith(HOME)) return null
    const [, path = ''] = /\/(?:blob|raw|tree)\/main\/(.+)$/.exec(target) ?? []
    if (!existsSync(join(root, path))) return 'leads to nothing in the repository'
    return isPacked(path) ? 'is in the package: lead there' : null
  }
  const path = target === '' ? from : posix.join(posix.dirname(from), target)
  if (!existsSync(join(root, path))) return 'leads to no file'
  return anchor === undefined || anchorsOf(read(path)).includes(anchor) ? null : 'leads to no heading'
}

describe('links', () => {
  test.each([...all.map(({ path }) => path), ...OTHERS, ...internals])('of %s lead to files and headings', (path) => {
    const faults = linksOf(read(path)).flatMap((link) => {
      const fault = faultOf(path, link)
      return fault === null ? [] : [`${link} ${fault}`]
    })
    expect(faults).toEqual([])
  })

  test('to files of the sources, in inline code, lead to what is there', () => {
    const lost = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...internals].flatMap((from) =>
      [...proseOf(read(from)).matchAll(/`(?<path>(?:src|adapters|test|docs|examples)\/[\w./-]+)`/g)]
        .map(({ groups }) => groups?.path ?? '')
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${from}: ${path}`),
    )
    expect(lost).toEqual([])
  })

  test('of what is in the package lead to what is in it too', () => {
    const lost = [...all.map(({ path }) => path), 'docs/llms.txt'].flatMap((from) =>
      linksOf(read(from))
        .filter((link) => !/^(?:https?:|#)/.test(link))
        .map((link) => posix.join(posix.dirname(from), link.split('#')[0] ?? ''))
        .filter((path) => !isPacked(path)),
    )
    expect(manifest.files).toContain('docs')
    expect(lost).toEqual([])
  })
})

describe('the lists of pages', () => {
  const names = pages.map(({ name }) => name).sort()
  const titles = new Map(pages.map(({ name, title }) => [name, title]))
  const rows = [...index.text.matchAll(/^\| \[(?<title>.+?)\]\((?<name>[\w-]+)\.md\) \| (?<line>.+) \|$/gm)].map(
    ({ groups }) => ({ ...groups }),
  )
  const lines = [...read('docs/llms.txt').matchAll(/^- \[(?<title>.+?)\]\((?<name>[\w-]+)\.md\): (?<line>.+)$/gm)].map(
    ({ groups }) => ({ ...groups }),
  )

  test('name every page once, by its title', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(names)
    expect(rows.filter(({ name = '', title }) => (titles.get(name) ?? title) !== title)).toEqual([])
  })

  test('are the same for people and for programs', () => {
    expect(lines).toEqual(rows)
  })

  test('are told by the README, each page with a link', () => {
    expect(names.filter((name) => !readme.text.includes(`](docs/${name}.md`))).toEqual([])
  })
})

describe('the pages', () => {
  test('are all in llms-full.txt of the site, in the order of llms.txt', () => {
    const full = toFullText(read('docs/llms.txt'))
    const paths = [...full.matchAll(/^<!-- (?<path>.+) -->$/gm)].map(({ groups }) => groups?.path)
    expect(paths.at(0)).toBe('README.md')
    expect(paths.at(-1)).toBe('CHANGELOG.md')
    expect(paths.filter((path) => path?.startsWith('docs/')).sort()).toEqual(pages.map(({ path }) => path).sort())
    expect(full).toContain(read('docs/agents.md').trim())
  })

  test('are short enough to be read', () => {
    const countWords = (text: string): number => text.split(/\s+/).length
    const most = {
      'README.md': 1_300,
      'docs/skills/laurels/SKILL.md': 1_050,
      'ARCHITECTURE.md': 1_500,
      'CONTRIBUTING.md': 900,
      'CHANGELOG.md': 700,
    }
    const tooLong = [...Object.entries(most), ...internals.map((path) => [path, 800] as const)]
    expect(tooLong.filter(([path, words]) => countWords(read(path)) > words)).toEqual([])
    const wrong = pages.filter(({ text }) => countWords(text) < 350 || countWords(text) > 2_400)
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('show what the first block of the README prints within its first forty lines', () => {
    const output = readme.programs[0]?.output ?? 'no output'
    expect(readme.text.slice(0, readme.text.indexOf(output)).split('\n').length).toBeLessThanOrEqual(40)
  })

  test('have no block that is not tried, but for other languages, and those on elements that test/browser tries', () => {
    const tried = ['csv', 'js', 'json', 'mermaid', 'sh', 'sql', 'text', 'ts']
    const others = all.flatMap(({ name, blocks }) =>
      blocks.filter(({ language }) => !tried.includes(language)).map(({ language }) => `${name}: ${language}`),
    )
    expect(others).toEqual([
      'challenges: html',
      'coming-from-the-hosted-service: tsx',
      'elements: html',
      'elements: css',
      'elements: html',
      'elements: tsx',
      'leaderboards: html',
      'other-languages: dockerfile',
      'other-languages: yaml',
      'other-languages: python',
      'other-languages: go',
      'other-languages: php',
      'other-languages: ruby',
      'other-languages: java',
      'react: tsx',
      'react: tsx',
      'react: html',
      'react: tsx',
      'react: tsx',
      'react: tsx',
      'react: tsx',
      'react: tsx',
      'recipes: tsx',
      'recipes: tsx',
      'running-it: dockerfile',
    ])
    for (const page of all) {
      expect(page.programs.length).toBe(textsOf(page, 'ts').length)
      const shown = page.blocks.filter(
        (block, at) => block.language === 'text' && page.blocks[at - 1]?.language === 'ts',
      )
      const outputs = page.programs.flatMap(({ output }) => output ?? [])
      expect(shown.filter(({ text }) => !outputs.includes(text))).toEqual([])
      const alone = page.blocks.filter(
        (block, at) => block.language === 'text' && !['ts', 'sh'].includes(page.blocks[at - 1]?.language ?? ''),
      )
      expect(alone).toEqual([])
    }
  })

  test('have the files of examples/serve, which a test runs', () => {
    const page = pageOf('other-languages')
    expect(textsOf(page, 'dockerfile')).toEqual([read('examples/serve/Dockerfile')])
    expect(textsOf(page, 'yaml')).toEqual([read('examples/serve/compose.yaml')])
  })

  test('name commands for the shell that there are', () => {
    const KNOWN =
      /^(?:npm (?:init|pkg|install|ci) .+|npx (?:laurels|tsx|tsc)(?: .+)?|psql .+|node (?:dist\/)?quickstart\.[jt]s)$/
    const commands = all.flatMap((page) => textsOf(page, 'sh').flatMap((text) => text.trimEnd().split('\n')))
    expect(commands.filter((line) => !KNOWN.test(line))).toEqual([])

    const scripts = [...readme.text.matchAll(/[`&] ?npm (?:run )?(start|test|example|everything)`/g)].map(
      ([, name]) => name,
    )
    expect(scripts).toEqual(['start', 'everything', 'example', 'test'])
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts))
  })

  test('name every error code and its status, and no other', () => {
    const listed = [...pageOf('errors').text.matchAll(/^\| `(?<code>\w+)` \| (?<status>\d+|–) \|/gm)]
    expect(listed.map(({ groups }) => groups?.code)).toEqual(Object.keys(HTTP_STATUSES))
    const statusOf = (code: string): number | undefined =>
      toProblemResponse(new HttpProblem(code as ProblemCode, ''), { caller: null, statuses: {} })?.status
    const wrong = listed.filter(({ groups }) => `${statusOf(groups?.code ?? '') ?? '–'}` !== groups?.status)
    expect(wrong.map(([line]) => line)).toEqual([])
  })
})
