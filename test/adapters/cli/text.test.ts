import { expect, test } from 'vitest'
import { toJsonText, toLine, toLines, toLocalText } from '../../../adapters/cli/terminal.ts'

// The control sequence introducer in one character, a right-to-left override, and what ends a line elsewhere.
const ODD = 'a\u0007b\u007fc\u009b2Jd\u202ee\u2066f\u200fg\u2028h'

test('data in a message cannot move the cursor, break the line or turn the direction of what follows', () => {
  expect(toLine(ODD)).toBe('a\\u0007b\\u007fc\\u009b2Jd\\u202ee\\u2066f\\u200fg\\u2028h')
  expect(toLines(`${ODD}\n${ODD}\n    ${ODD}`).split('\n')).toEqual([
    toLine(ODD),
    `  ${toLine(ODD)}`,
    `    ${toLine(ODD)}`,
  ])
  expect(toLine('Zoë 😀 שלום')).toBe('Zoë 😀 שלום')
})

test('nor can data in JSON, which reads as what it is', () => {
  const text = toJsonText({ name: ODD, list: ['Zoë'] })
  expect(text).toBe(
    '{\n  "name": "a\\u0007b\\u007fc\\u009b2Jd\\u202ee\\u2066f\\u200fg\\u2028h",\n  "list": [\n    "Zoë"\n  ]\n}\n',
  )
  expect(JSON.parse(text)).toEqual({ name: ODD, list: ['Zoë'] })
})

test.each([
  ['2026-03-10T12:00:00.000Z', 'Europe/Berlin', '2026-03-10 13:00 (Europe/Berlin)'],
  ['2026-07-10T12:00:00.000Z', 'Europe/Berlin', '2026-07-10 14:00 (Europe/Berlin)'],
  ['2026-03-10T23:30:00.000Z', 'Asia/Kathmandu', '2026-03-11 05:15 (Asia/Kathmandu)'],
  ['2026-03-10T12:00:00.000Z', 'UTC', '2026-03-10 12:00 (UTC)'],
])('The instant %s is told in %s as %s', (instant, zone, text) => {
  expect(toLocalText(instant, zone)).toBe(text)
})
