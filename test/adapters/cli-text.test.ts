import { expect, test } from 'vitest'
import { toJsonText, toLine, toLines } from '../../adapters/cli/text.ts'

// The control sequence introducer in one character, a right-to-left override, and what ends a line elsewhere.
const ODD = 'a\u0007b\u007fc\u009b2Jd\u202ee\u2066f\u200fg\u2028h'

test('data in a message cannot move the cursor, break the line or turn the direction of what follows', () => {
  expect(toLine(ODD)).toBe('a\\u0007b\\u007fc\\u009b2Jd\\u202ee\\u2066f\\u200fg\\u2028h')
  expect(toLines(`${ODD}\n${ODD}`).split('\n')).toEqual([toLine(ODD), toLine(ODD)])
  expect(toLine('Zoë 😀 שלום')).toBe('Zoë 😀 שלום')
})

test('nor can data in JSON, which reads as what it is', () => {
  const text = toJsonText({ name: ODD, list: ['Zoë'] })
  expect(text).toBe(
    '{\n  "name": "a\\u0007b\\u007fc\\u009b2Jd\\u202ee\\u2066f\\u200fg\\u2028h",\n  "list": [\n    "Zoë"\n  ]\n}\n',
  )
  expect(JSON.parse(text)).toEqual({ name: ODD, list: ['Zoë'] })
})
