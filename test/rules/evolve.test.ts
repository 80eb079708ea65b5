import { afterEach, describe, expect, test } from 'vitest'
import type { Change } from '../../src/rules/change.ts'
import { evolveAll } from '../../src/rules/evolve.ts'
import { dateEntry, decideEntry } from '../../src/rules/fold.ts'
import { emptyState } from '../../src/rules/state.ts'
import { given, rules, type Said, toEntry } from '../support/given.ts'

const AT = '2026-03-10T12:00:00Z'
const NEXT_DAY = '2026-03-11T12:00:00Z'

describe('Changes', () => {
  test('leave the state before them as it was', () => {
    const { state } = given(rules({}), [{ at: AT, value: 5 }])
    const copy = structuredClone(state)
    const after = evolveAll(state, [
      { type: 'metricChanged', metric: 'words', value: 1, total: 6, highest: 6 },
      { type: 'metricChanged', metric: 'words', value: 1, total: 7, highest: 7 },
    ])
    expect(after.totals).toEqual(new Map([['words', { total: 7, highest: 7 }]]))
    expect(state).toEqual(copy)
  })

  test('leave the maps of an earlier change as they were', () => {
    const { streak, freezes, streaks, earlierDays, leaderboards, dateSums, caps, cooldowns, timers, tallies } =
      emptyState(0, 1)
    const totals = new Map([['words', { total: 1, highest: 1 }]])
    const kept = {
      streak,
      freezes,
      streaks,
      earlierDays,
      leaderboards,
      dateSums,
      caps,
      cooldowns,
      timers,
      tallies,
      totals,
    }
    const adopted: Change = { type: 'gameAdopted', epoch: 2, ...kept }
    const after = evolveAll(emptyState(0, 1), [
      { type: 'metricChanged', metric: 'pages', value: 1, total: 1, highest: 1 },
      adopted,
      { type: 'metricChanged', metric: 'words', value: 1, total: 2, highest: 2 },
    ])
    expect(after.totals).toEqual(new Map([['words', { total: 2, highest: 2 }]]))
    expect(totals).toEqual(new Map([['words', { total: 1, highest: 1 }]]))
  })

  test('of new named streaks give the streaks in order of key, whatever their own order', () => {
    const freezes = { count: 1, nextEarned: null }
    const after = evolveAll(
      emptyState(0, 1),
      ['b', 'c', 'a'].map((key) => ({ type: 'freezesGranted', key, count: 1, freezes })),
    )
    expect([...after.streaks.keys()]).toEqual(['a', 'b', 'c'])
  })
})

const NativeMap = globalThis.Map
type Definition = Parameters<typeof rules>[0]

/** How many entries of maps an event of a user copies under a game, and how many it looks up. */
function workOf(definition: Definition, said: readonly Said[]): { readonly copied: number; readonly lookedUp: number } {
  const game = rules(definition)
  const last = said.length - 1
  const at = Date.parse(AT)
  const state = last === 0 ? emptyState(at, 1) : given(game, said.slice(0, last)).state
  const entry = dateEntry(state, toEntry(said[last]!, last))
  let [copied, lookedUp] = [0, 0]
  class CountingMap<K, V> extends NativeMap<K, V> {
    constructor(entries?: Iterable<readonly [K, V]> | null) {
      super(entries)
      if (entries instanceof NativeMap) copied += entries.size
    }

    override has(key: K): boolean {
      lookedUp += 1
      return super.has(key)
    }

    override get(key: K): V | undefined {
      lookedUp += 1
      return super.get(key)
    }
  }
  globalThis.Map = CountingMap as MapConstructor
  decideEntry(new NativeMap([[1, game]]), state, entry)
  globalThis.Map = NativeMap
  return { copied, lookedUp }
}

function entriesCopied(definition: Definition): number {
  return workOf(definition, [{ at: AT }, { at: NEXT_DAY }]).copied
}

function many<Rule>(rule: Rule): { readonly [key: string]: Rule } {
  return Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`rule-${index}`, rule]))
}

describe('An event that moves 200 rules copies what the user has of them once or twice, not 200 times:', () => {
  afterEach(() => {
    globalThis.Map = NativeMap
  })

  test('leaderboards', () => {
    const board = { name: 'Words', rankBy: 'metric', metric: 'words', start: '2026-01-01' } as const
    expect(entriesCopied({ leaderboards: many(board) })).toBe(201)
  })

  test('streaks', () => {
    expect(entriesCopied({ streaks: many({ frequency: 'daily', metrics: { words: {} } }) })).toBe(401)
  })

  test('achievements that repeat', () => {
    const achievement = { name: 'A word', trigger: 'metric', metric: 'words', value: 1, repeat: true } as const
    expect(entriesCopied({ achievements: many(achievement) })).toBe(201)
  })

  test('points systems', () => {
    const trigger = { type: 'metric', metric: 'words', threshold: 1, points: 1 } as const
    expect(entriesCopied({ points: many({ name: 'Points', triggers: [trigger] }) })).toBe(201)
  })

  test('caps and cooldowns', () => {
    const cap = { points: 5, per: 'day' } as const
    const trigger = { type: 'metric', metric: 'words', threshold: 1, points: 1, cap, cooldown: { minutes: 5 } } as const
    const triggers = Array.from({ length: 200 }, (_, index) => ({ ...trigger, key: `trigger-${index}` }))
    expect(entriesCopied({ points: { xp: { name: 'XP', triggers } } })).toBe(802)
  })
})

describe('A chain of composites that one event completes', () => {
  afterEach(() => {
    globalThis.Map = NativeMap
  })

  /** Each needs the one after it, and the last a word. */
  const chain = (length: number): Definition => ({
    achievements: {
      ...Object.fromEntries(
        Array.from({ length }, (_, index) => {
          return [`k${index}`, { name: 'C', trigger: 'achievement', achievements: [`k${index + 1}`] } as const]
        }),
      ),
      [`k${length}`]: { name: 'A word', trigger: 'metric', metric: 'words', value: 1 },
    },
  })

  test('completes from its end on, whatever the order of the definition', () => {
    const { changes } = given(rules(chain(3)), [{ at: AT }])
    const completed = changes.flat().flatMap((each) => (each.type === 'achievementCompleted' ? [each.achievement] : []))
    expect(completed).toEqual(['k3', 'k2', 'k1', 'k0'])
  })

  test('takes twice the work if it is twice as long, not four times', () => {
    const [short, long] = [workOf(chain(200), [{ at: AT }]), workOf(chain(400), [{ at: AT }])]
    expect(long.lookedUp / short.lookedUp).toBeLessThan(2.1)
    expect(long.copied / short.copied).toBeLessThan(2.1)
  })
})
