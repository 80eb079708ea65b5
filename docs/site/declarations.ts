/** The reference of the package's declarations, which typedoc makes. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application, OptionDefaults } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { BROWSER, SERVER } from '../../build/entries.ts'
import { pages, root } from './pages.ts'

/** Tags for the generator of the JSON schemas: the reference leaves them out. */
const SCHEMA_TAGS = ['@open', '@minimum', '@maximum', '@minLength', '@maxLength', '@maxItems', '@pattern'] as const

const TABLES = {
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  indexFormat: 'table',
  tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true, hideDefaults: true },
} satisfies Partial<PluginOptions>

/** A page for each declaration, in a folder for each name under which the package is imported. */
export async function writeDeclarations(): Promise<void> {
  const { cli: _, ...server } = SERVER
  const { browser: __, ...inPages } = BROWSER
  const sources = Object.entries({ ...server, ...inPages })
  const nameOf = new Map(
    sources.map(([entry, source]) => [
      source.replace(/(?:\/index)?\.ts$/, ''),
      `laurels/${entry}`.replace(/\/index$/, ''),
    ]),
  )
  const app = await Application.bootstrapWithPlugins({
    ...TABLES,
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: sources.map(([, source]) => join(root, source)),
    tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)),
    blockTags: [...OptionDefaults.blockTags, ...SCHEMA_TAGS],
    notRenderedTags: [...SCHEMA_TAGS],
    skipErrorChecking: true,
    excludeExternals: true,
    disableSources: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    readme: 'none',
    router: 'member',
    logLevel: 'Warn',
    out: join(pages, 'api'),
  } as object)
  const project = await app.convert()
  if (project === undefined) throw new Error('typedoc could not read the sources')
  project.name = 'The declarations'
  for (const entry of project.children ?? []) entry.name = nameOf.get(entry.name) ?? entry.name
  await app.generateOutputs(project)
}
