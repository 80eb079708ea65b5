import { expect, test } from 'vitest'
import { suggest } from '../src/suggest.ts'

test.each([
  ['words-writen', ['words-written', 'pages'], 'words-written'],
  ['wrods', ['pages', 'words'], 'words'],
  ['Words', ['words'], 'words'],
  ['word', ['words', 'world'], 'words'],
  ['novelists', ['novelist'], 'novelist'],
  ['xq', ['xp'], 'xp'],
  ['a', ['b'], null],
  ['points', ['metrics'], null],
  ['', ['a'], null],
  ['anything', [], null],
])('%j among %j is probably %j', (text, candidates, near) => {
  expect(suggest(text, candidates)).toBe(near)
})
