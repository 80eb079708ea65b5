// @heavy: It drives a browser.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtPages } from '../support/console.ts'

describe('The pages of the console, built', () => {
  test('are at most 150 KB in all, as they are sent', async () => {
    const folder = await builtPages()
    const names = readdirSync(folder)
    const sum = names.reduce((total, name) => total + statSync(join(folder, name)).size, 0)
    expect(sum).toBeGreaterThan(10_000)
    expect(sum).toBeLessThan(150_000)
  })

  test('have no script, style or picture in the document itself, and name no other site', async () => {
    const html = readFileSync(join(await builtPages(), 'index.html'), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]* src=)/)
    expect(html).not.toMatch(/<style| style=| on\w+=|https?:/)
  })
})
