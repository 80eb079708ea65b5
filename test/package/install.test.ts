import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

interface Entry {
  readonly resolved?: string
  readonly integrity?: string
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const read = (name: string): string => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8')

const manifest: { readonly allowScripts: Readonly<Record<string, boolean>> } = JSON.parse(read('package.json'))
const lock: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(read('package-lock.json'))
const entries = Object.entries(lock.packages).filter(([path]) => path !== '')
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('npm ci', () => {
  // npm 11 warns of each that is not decided on.
  test('finds every install script allowed or forbidden', () => {
    const scripts = entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path))
    expect([...new Set(scripts)].sort()).toEqual(Object.keys(manifest.allowScripts).sort())
  })

  // npm can lose dependencies of other platforms when it changes the file.
  test('finds what is optional for every platform', () => {
    const known = new Set(entries.map(([path]) => nameOf(path)))
    const optional = entries.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies))
    expect(optional.length).toBeGreaterThan(20)
    expect(optional.filter((name) => !known.has(name))).toEqual([])
  })

  test('may ask any registry, and knows what it has to get', () => {
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
    // npm may not know the hashes of packages for another platform.
    expect(entries.filter(([, { integrity, optional }]) => integrity === undefined && !optional)).toEqual([])
  })
})
