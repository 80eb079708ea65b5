/** The pages of the repository as pages of the site: the text stays, and links lead to pages of the site. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** What VitePress reads. */
export const pages = fileURLToPath(new URL('dist/pages', import.meta.url))

const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '')
const IN_REPOSITORY = new RegExp(`^${REPOSITORY}/(?:blob|raw|tree)/main/`)
const PICTURE =
  /<picture>[\s\S]*?srcset="(?<dark>[^"]+)"[\s\S]*?alt="(?<alt>[^"]+)" src="(?<light>[^"]+)"[\s\S]*?<\/picture>/g

const markdownOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => posix.join(folder, name))

/** Where each page of the repository is on the site. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['README.md', 'index.md'],
  ['docs/README.md', 'pages.md'],
  ['ARCHITECTURE.md', 'architecture.md'],
  ['CONTRIBUTING.md', 'contributing.md'],
  ['CHANGELOG.md', 'changelog.md'],
  ...[...markdownOf('docs'), ...markdownOf('docs/internals')].map((path) => [path, path.replace('docs/', '')] as const),
])

export function writePages(): void {
  for (const [path, place] of PLACES) write(place, toSite(path, readFileSync(join(root, path), 'utf8')))
}

/** For models: the list of pages, and the text of all of them in its order. */
export function writeTexts(): void {
  const list = readFileSync(join(root, 'docs/llms.txt'), 'utf8')
  write('public/llms.txt', list)
  write('public/llms-full.txt', toFullText(list))
}

/** The pages that the list in `docs/llms.txt` names, each below its path. */
export function toFullText(list: string): string {
  const paths = [...list.matchAll(/\]\((?<path>[^):]+\.md)\)/g)].map(({ groups }) =>
    posix.join('docs', groups?.path ?? ''),
  )
  return paths.map((path) => `<!-- ${path} -->\n\n${readFileSync(join(root, path), 'utf8').trim()}\n`).join('\n')
}

/** Writes a page, by its path on the site. */
export function write(place: string, text: string): void {
  const file = join(pages, place)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function toSite(from: string, text: string): string {
  return text
    .replace(/(?<=\]\()[^)\s]+(?=\))/g, (link) => toSiteLink(from, link))
    .replace(PICTURE, (_, dark, alt, light) =>
      // The reader's choice on the site counts, and not only the setting of the system.
      Object.entries({ light, dark })
        .map(([mode, link]) => `<img class="only-${mode}" alt="${alt}" src="${toSiteLink(from, link)}">`)
        .join('\n'),
    )
}

function toSiteLink(from: string, link: string): string {
  const [target = '', anchor] = link.split('#')
  const isInRepository = IN_REPOSITORY.test(target)
  if (target === '' || (/^https?:/.test(target) && !isInRepository)) return link

  const path = isInRepository ? target.replace(IN_REPOSITORY, '') : posix.join(posix.dirname(from), target)
  if (path.startsWith('docs/pictures/')) return path.replace('docs', '')
  const place = PLACES.get(path)
  if (place === undefined) return `${REPOSITORY}/blob/main/${path}`
  return anchor === undefined ? `/${place}` : `/${place}#${anchor}`
}
