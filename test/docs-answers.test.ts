import { expect, test } from 'vitest'
import { pages, readme } from './support/pages.ts'

const textOf = (name: string): string => pages.find((page) => page.name === name)?.text ?? ''

test('The README begins with the commands that show the library', () => {
  for (const command of ['init', 'demo', 'console']) expect(readme.text).toContain(`npx laurels ${command}`)
})

test('The page on installing says how Jest runs ES modules', () => {
  expect(textOf('install')).toContain('--experimental-vm-modules')
})

test('The hosted service is named where it is introduced', () => {
  expect(textOf('coming-from-the-hosted-service').split('\n', 4).join(' ')).toContain('@trophyso/node')
})

test.each(['epoch', 'run', 'drift', 'replay'])('The glossary has the word "%s"', (word) => {
  expect(textOf('how-it-works')).toMatch(new RegExp(`^\\| [^|]*\\b${word}\\b[^|]*\\|`, 'm'))
})

test('The page on reads says the order of achievements', () => {
  expect(textOf('read')).toMatch(/users\.achievements\(id\).*in the order of the game/)
})
