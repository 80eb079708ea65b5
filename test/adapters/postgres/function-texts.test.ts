import { expect, test } from 'vitest'
import { TEXTS } from '../../../adapters/postgres/functions/texts.ts'

test('The functions repeat no number of the code: those of two digits are limits that they alone know', () => {
  const code = TEXTS.join('\n').replaceAll(/--.*$/gm, '')
  const numbers = [...code.matchAll(/(?<!\w)\d[\de]+\b/g)].map(([number]) => number)
  expect(numbers).toEqual(['1000', '200', '100'])
})
