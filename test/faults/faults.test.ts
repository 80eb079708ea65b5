import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Fault } from './fault.ts'
import { faults } from './faults.ts'
import { findMistakes } from './mistakes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('Every planted fault names a text that is there once and tests that are there', () => {
  expect(findMistakes(root, faults)).toEqual([])
})

describe('The list of faults is refused', () => {
  const sound: Fault = {
    name: 'Nothing is added.',
    file: 'src/rules/total.ts',
    find: 'export function add(',
    replace: 'function add(',
    tests: ['rules/total'],
  }
  const mistakesOf = (wrong: Partial<Fault>) => findMistakes(root, [{ ...sound, ...wrong }])

  test('where a text is not there', () => {
    expect(mistakesOf({ find: 'nowhere to be found' })).toEqual([
      '1 Nothing is added.: its text is 0 times in src/rules/total.ts.',
    ])
  })

  test('where a text is there more than once', () => {
    expect(mistakesOf({ find: 'a' })).toEqual([
      expect.stringMatching(/^1 Nothing is added\.: its text is [1-9]\d+ times in src\/rules\/total\.ts\.$/),
    ])
  })

  test('where a file of tests has moved, or a file at all', () => {
    expect(mistakesOf({ tests: ['rules/total', 'rules/moved > adds'] })).toEqual([
      '1 Nothing is added.: there is no test/rules/moved.test.ts.',
    ])
    expect(mistakesOf({ file: 'src/rules/moved.ts' })).toEqual([
      '1 Nothing is added.: its text is 0 times in src/rules/moved.ts.',
    ])
  })

  test('where a test is called something else, and not where its name stands in the cases of a suite', () => {
    expect(mistakesOf({ tests: ['rules/total > is called in no such way'] })).toEqual([
      '1 Nothing is added.: no test of test/rules/total.test.ts is called "is called in no such way".',
    ])
    expect(mistakesOf({ tests: ['adapters/storage > ids are kept and told apart byte by byte'] })).toEqual([])
  })

  test('where two have one name, or one changes nothing or names no test', () => {
    expect(findMistakes(root, [sound, sound])).toEqual(['2 Nothing is added.: is there twice.'])
    expect(mistakesOf({ replace: sound.find })).toEqual(['1 Nothing is added.: it changes nothing.'])
    expect(mistakesOf({ tests: [] })).toEqual(['1 Nothing is added.: no test is named.'])
  })
})
