// The example has every option of a game: one that is added to the definition is missing here until the example uses it.

import { describe, expect, test } from 'vitest'
import { game } from '../../examples/everything/game.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { hasOption, optionsOfDefinition, writtenDefinition } from './game-options.ts'
import { propertiesOfSchema } from './schema-options.ts'

const GAME = 'examples/everything/game.ts'

type Path = readonly (string | number)[]

/** The places at which a definition says `true`. */
function flagsOf(part: unknown, path: Path = []): readonly Path[] {
  if (part === true) return [path]
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, below]) => flagsOf(below, [...path, name]))
}

/** A copy with another value there, or `undefined` without the property. */
function changedAt(part: object, [name = '', ...rest]: Path, value: unknown): object {
  const properties = Object.entries(part).flatMap(([key, below]) => {
    if (key !== name) return [[key, below]]
    if (rest.length > 0) return [[key, changedAt(below, rest, value)]]
    return value === undefined ? [] : [[key, value]]
  })
  return Array.isArray(part) ? properties.map(([, below]) => below) : Object.fromEntries(properties)
}

function fingerprint(definition: object): string {
  return defineGame(definition as Parameters<typeof defineGame>[0]).fingerprint
}

describe('examples/everything', () => {
  const options = optionsOfDefinition()
  const written = writtenDefinition(GAME) as object

  test('has every option that a definition can have', () => {
    expect(options.length).toBeGreaterThan(150)
    // A streak is daily or weekly: the example has `days` on a named one. Days off are another spelling of `on`.
    expect(options.filter((option) => !hasOption(written, option))).toEqual([
      'streak.days',
      'streak.daysOff',
      'streaks.*.daysOff',
    ])
  })

  test('is checked by a schema that knows no others', () => {
    const known = propertiesOfSchema(written, options)
    expect(known.length).toBeGreaterThan(100)
    // Known only to say that it is for the game's `streak` alone.
    expect(known.filter((property) => !options.includes(property))).toEqual(['streaks.*.customization'])
  })

  test('is looked at as it is written', () => {
    expect(fingerprint(written)).toBe(game.fingerprint)
  })

  // Without `spendable`, the other options of a wallet are mistakes.
  const flags = flagsOf(written).filter((path) => path.at(-1) !== 'spendable')

  test.each(flags.map((path) => [path.join('.'), path] as const))(
    'is the same game without %s as with its default',
    (name, path) => {
      const ofDefault = name === 'emails.achievements'
      expect(fingerprint(changedAt(written, path, undefined))).toBe(fingerprint(changedAt(written, path, ofDefault)))
      expect(fingerprint(changedAt(written, path, !ofDefault))).not.toBe(
        fingerprint(changedAt(written, path, ofDefault)),
      )
    },
  )
})
