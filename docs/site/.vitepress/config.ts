import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig } from 'vitepress'

const pageList = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8')

/** The list of pages in docs/README.md, with its sections in its order. */
const GUIDE: readonly DefaultTheme.SidebarItem[] = pageList
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    text: section.split('\n')[0] ?? '',
    items: [...section.matchAll(/^\| \[(.+?)\]\(([\w-]+)\.md\)/gm)].map(([, text = '', name]) => ({
      text,
      link: `/${name}`,
    })),
  }))

const GENERATED: readonly DefaultTheme.SidebarItem[] = [
  { text: 'Declarations', link: '/api/' },
  { text: 'Application API (HTTP)', link: '/http/application/' },
  { text: 'Admin API (HTTP)', link: '/http/admin/' },
]

const INSIDE: DefaultTheme.SidebarItem = {
  text: 'How it is built',
  items: [
    { text: 'Architecture', link: '/architecture' },
    { text: 'Late events', link: '/internals/late-events' },
    { text: 'Ranks', link: '/internals/ranks' },
    { text: 'Postgres', link: '/internals/postgres-protocol' },
    { text: 'Messages', link: '/internals/messages' },
    { text: 'The SQLite file', link: '/internals/sqlite-file' },
    { text: 'Another database', link: '/internals/another-database' },
    { text: 'Contributing', link: '/contributing' },
    { text: 'Changelog', link: '/changelog' },
  ],
}

export default defineConfig({
  title: 'laurels',
  description: 'A gamification engine inside your Node backend',
  lang: 'en',
  srcDir: 'dist/pages',
  outDir: 'dist/html',
  cacheDir: 'dist/cache',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: ({ renderer }) => {
      const fence = renderer.rules.fence
      renderer.rules.fence = (tokens, at, options, env, self) => {
        const { info = '', content = '' } = tokens[at] ?? {}
        if (info.trim() === 'mermaid') return `<Mermaid code="${encodeURIComponent(content)}" />`
        return fence?.(tokens, at, options, env, self) ?? ''
      }
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      // Written pages come before generated ones.
      options: {
        miniSearch: { searchOptions: { boostDocument: (id: string) => (/\/(?:api|http)\//.test(id) ? 0.3 : 1) } },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/define-a-game' },
      { text: 'Declarations', link: '/api/' },
      { text: 'HTTP', items: GENERATED.slice(1) as DefaultTheme.NavItemWithLink[] },
      { text: 'All pages', link: '/pages' },
    ],
    sidebar: GUIDE.map((group) =>
      group.text === 'Get started'
        ? { ...group, items: [{ text: 'Quick start', link: '/' }, ...(group.items ?? [])] }
        : group.text === 'Reference'
          ? { ...group, items: [...(group.items ?? []), ...GENERATED] }
          : group,
    ).concat(INSIDE),
    socialLinks: [{ icon: 'github', link: 'https://github.com/laurels-dev/laurels' }],
  },
})
