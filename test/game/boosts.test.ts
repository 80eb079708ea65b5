import { describe, expect, test } from 'vitest'
import { compileGame, parseGame } from '../../src/game/compile.ts'
import { defineGame } from '../../src/game/define-game.ts'
import { boostId } from '../../src/game/ids.ts'
import { readDefinition } from '../../src/game/read-definition.ts'
import { readStoredGame, storedGameText } from '../../src/game/stored-game.ts'

const base = { metrics: {}, userAttributes: ['plan'] }
const withBoost = (boost: unknown): unknown => ({ ...base, points: { xp: { name: 'XP', boosts: { b: boost } } } })
const good = { name: 'B', start: '2026-03-14', multiplier: 2 }

function mistakeIn(definition: unknown): string {
  try {
    readDefinition(definition)
  } catch (error) {
    return error instanceof Error ? error.message.replace('The game has a mistake: ', '') : ''
  }
  return ''
}

describe('A boost in a definition', () => {
  test.each([
    [{ multiplier: 1 }, 'multiplier: must be a number above 0 and below 100, and not 1, not 1'],
    [{ multiplier: 0 }, 'multiplier: must be a number above 0 and below 100, and not 1, not 0'],
    [{ multiplier: 100 }, 'multiplier: must be a number above 0 and below 100, and not 1, not 100'],
    [{ start: '2026-02-29' }, "start: must be a date as YYYY-MM-DD, not '2026-02-29'"],
    [{ end: '2026-03-13' }, 'end: must not be before start, which is 2026-03-14'],
    [{ rounding: 'near' }, "rounding: must be 'down', 'up' or 'nearest', not 'near'"],
    [{ userAttributes: { paln: 'pro' } }, "userAttributes.paln: unknown user attribute 'paln'; did you mean 'plan'?"],
    [{ name: '' }, "name: must be a string of 1 to 255 characters, not ''"],
  ])('with %j has a mistake', (part, message) => {
    expect(mistakeIn(withBoost({ ...good, ...part }))).toBe(`points.xp.boosts.b.${message}`)
  })

  test('on one date alone is right, and a 101st of one system is not', () => {
    expect(mistakeIn(withBoost({ ...good, end: '2026-03-14' }))).toBe('')
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`b${index}`, good]))
    expect(mistakeIn({ ...base, points: { xp: { name: 'XP', boosts: many } } })).toBe(
      'points.xp.boosts: has 101 boosts; keep at most 100',
    )
  })

  test('has an id that follows from its system and its key', () => {
    expect(boostId('xp', 'double-weekend')).toBe('68275d67-b5e6-5d83-8625-9fcfa5bf4e87')
    const { rules } = defineGame({ metrics: {}, points: { xp: { name: 'XP', boosts: { b: good } } } })
    expect(rules.points.get('xp')?.boosts.map(({ id, created }) => [id, created])).toEqual([[boostId('xp', 'b'), 0]])
  })

  test('does not compile with an attribute that is not there', () => {
    const define = (): unknown =>
      defineGame({
        metrics: {},
        userAttributes: ['plan'],
        // @ts-expect-error there is no such user attribute
        points: { xp: { name: 'XP', boosts: { b: { ...good, userAttributes: { paln: 'pro' } } } } },
      })
    expect(define).toThrow("unknown user attribute 'paln'")
  })

  test('makes another game, but the order of several does not', () => {
    const of = (boosts: { readonly [key: string]: typeof good }): string =>
      defineGame({ metrics: {}, points: { xp: { name: 'XP', boosts } } }).fingerprint
    const other = { ...good, multiplier: 3 }
    expect(of({ a: good, b: other })).toBe(of({ b: other, a: good }))
    expect(of({ a: good })).not.toBe(of({ a: other }))
  })

  test('leaves games without any as they were stored before there could be boosts', () => {
    const { fingerprint, definition } = defineGame({
      metrics: { words: { name: 'Words' } },
      points: { xp: { name: 'XP' } },
    })
    expect(fingerprint).toBe('07e7a4d2226df6a72954484fd14de14f5ba800576fe21eedefe0557e661b107d')
    expect('boosts' in (definition.points.xp ?? {})).toBe(false)
  })
})

describe('A boost that was given to all', () => {
  const given = {
    id: 'g',
    created: 5,
    name: 'G',
    start: '2026-01-01',
    multiplier: 3,
    rounding: 'up',
    userAttributes: {},
  } as const
  const { definition } = defineGame({ metrics: {}, points: { xp: { name: 'XP', boosts: { b: good } } } })

  test('stands beside the definition of a stored game, and comes after what is planned', () => {
    const plain = readStoredGame(definition)
    const text = storedGameText({ ...plain, boosts: { xp: [given] } })
    const parsed = parseGame(text)
    expect(parsed.definition).toEqual(definition)
    expect(parsed.rules.points.get('xp')?.boosts.map(({ name }) => name)).toEqual(['B', 'G'])
    const parts = readStoredGame(JSON.parse(text))
    expect(storedGameText({ ...parts, boosts: {} })).toBe(JSON.stringify(definition))
  })

  test('is nothing that a definition may say, and waits where its system is gone', () => {
    expect(mistakeIn({ ...definition, givenBoosts: {} })).toContain("unknown property 'givenBoosts'")
    expect(compileGame(readDefinition({ metrics: {} }), { xp: [given] }).points.size).toBe(0)
  })
})
