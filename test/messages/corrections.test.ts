import { expect, test } from 'vitest'
import { defineGame, type GameDefinition, type GamificationMessage, type MessageType } from '../../src/index.ts'
import { add, type Engine, onEachStorage } from '../support/engine.ts'

// A replay that changes what a published message says revokes that message and publishes another one.

const STREAK_TYPES: readonly MessageType[] = [
  'streak.started',
  'streak.started.revoked',
  'streak.extended',
  'streak.extended.revoked',
  'streak.lost',
  'streak.lost.revoked',
]
const LEVEL_TYPES: readonly MessageType[] = ['points.level_changed', 'points.level_changed.revoked']

const DAILY: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  streak: { frequency: 'daily', metrics: { words: {} } },
}
const LEVELS: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ type: 'metric', metric: 'words', threshold: 1, points: 1 }],
      levels: { bronze: { name: 'Bronze', points: 10 }, silver: { name: 'Silver', points: 20 } },
    },
  },
}

async function listen(engine: Engine, name: string, types: readonly MessageType[], from: 'now' | 'start' = 'now') {
  const handed: GamificationMessage[] = []
  await engine.subscribe(name, { types, ...(from === 'start' ? { from } : {}) }, (messages) => {
    handed.push(...messages)
  })
  return handed
}

/** A message in a line: its type, its date, and the length or the levels that it says. */
function toLine({ type, at, data }: GamificationMessage): string {
  const day = at.slice(8, 10)
  if ('streak' in data) return `${day} ${type} ${data.streak.length}`
  if ('newLevel' in data)
    return `${day} ${type} ${data.previousLevel?.key ?? 'none'} to ${data.newLevel?.key ?? 'none'}`
  return `${day} ${type} ${'length' in data ? data.length : ''}`
}

/** Hands over what waits, and empties the list. */
async function nextLines(engine: Engine, handed: GamificationMessage[]): Promise<readonly string[]> {
  await engine.workOnce()
  return handed.splice(0).map(toLine)
}

/** The data of messages that were published and not revoked, in order of instant. */
function inForce(handed: readonly GamificationMessage[]): readonly unknown[] {
  const published: GamificationMessage[] = []
  for (const message of handed) {
    if (!message.type.endsWith('.revoked')) {
      published.push(message)
      continue
    }
    const index = published.findIndex(
      ({ type, data }) => `${type}.revoked` === message.type && JSON.stringify(data) === JSON.stringify(message.data),
    )
    expect(index, `${message.type} revokes what was published`).toBeGreaterThanOrEqual(0)
    published.splice(index, 1)
  }
  return published
    .sort((left, right) => (left.at < right.at ? -1 : 1))
    .map(({ id, type, at, data }) => ({ id, type, at, data }))
}

const writeOn = async (engine: Engine, day: string): Promise<string> => {
  engine.at(`2026-03-${day}T12:00:00.000Z`)
  return (await add(engine, 'words', 1)).eventId
}

onEachStorage('A late event', (open) => {
  test('corrects the lengths of the streak after it, and a void revokes the corrected ones', async () => {
    const engine = await open(DAILY)
    const handed = await listen(engine, 'all', STREAK_TYPES)
    await writeOn(engine, '12')
    await writeOn(engine, '14')
    const last = await writeOn(engine, '15')
    expect(await nextLines(engine, handed)).toEqual([
      '12 streak.started 1',
      '14 streak.lost 1',
      '14 streak.started 1',
      '15 streak.extended 2',
    ])

    await add(engine, 'words', 1, { occurredAt: new Date('2026-03-13T12:00:00.000Z') })
    expect(await nextLines(engine, handed)).toEqual([
      '15 streak.lost.revoked 1',
      '15 streak.started.revoked 1',
      '15 streak.extended.revoked 2',
      '13 streak.extended 2',
      '14 streak.extended 3',
      '15 streak.extended 4',
    ])

    await engine.events.void(last)
    expect(await nextLines(engine, handed)).toEqual(['15 streak.extended.revoked 4'])
  })

  test('from before a live subscription publishes no messages of time from before it', async () => {
    const engine = await open(DAILY)
    engine.at('2026-03-10T12:00:00.000Z')
    const live = await listen(engine, 'live', STREAK_TYPES)
    await writeOn(engine, '10')
    expect(await nextLines(engine, live)).toEqual(['10 streak.started 1'])
    await add(engine, 'words', 1, { occurredAt: new Date('2026-03-05T12:00:00.000Z') })
    expect(await nextLines(engine, live)).toEqual([
      '10 streak.started.revoked 1',
      '05 streak.started 1',
      '10 streak.started 1',
    ])

    const later = await listen(engine, 'later', STREAK_TYPES, 'start')
    expect(await nextLines(engine, later)).toEqual(['05 streak.started 1', '07 streak.lost 1', '10 streak.started 1'])
  })

  test('leaves a live subscription and one from the start with the same messages', async () => {
    const engine = await open({ ...DAILY, ...LEVELS })
    const types = [...STREAK_TYPES, ...LEVEL_TYPES]
    const live = await listen(engine, 'live', types)
    const first = await writeOn(engine, '12')
    for (const day of ['14', '15', '16', '19']) await writeOn(engine, day)
    await engine.workOnce()
    for (const day of ['13', '18', '11', '17']) {
      await add(engine, 'words', 9, { occurredAt: new Date(`2026-03-${day}T12:00:00.000Z`) })
      await engine.workOnce()
    }
    await engine.events.void(first)
    engine.at('2026-03-30T12:00:00.000Z')
    await engine.workOnce()

    const later = await listen(engine, 'later', types, 'start')
    await engine.workOnce()
    expect(inForce(live)).toEqual(inForce(later))
    expect(inForce(later).length).toBe(12)
  })
})

onEachStorage('A late event after a game that replaced the earlier ones', (open) => {
  test('revokes what a recomputed game had published, and publishes it as it is now', async () => {
    const writerAt = (value: number): GameDefinition => ({
      metrics: { words: { name: 'Words' } },
      achievements: { writer: { name: 'Writer', trigger: 'metric', metric: 'words', value } },
    })
    const types = ['achievement.completed', 'achievement.completed.revoked'] as const
    const first = await open(writerAt(100))
    await listen(first, 'all', types)
    await add(first, 'words', 50)
    await first.workOnce()
    await first.apply(defineGame(writerAt(40)), { policy: 'recompute' })
    const engine = await first.redefine(writerAt(40))
    engine.at('2026-03-10T13:00:00.000Z')
    const handed = await listen(engine, 'all', types)
    await engine.workOnce()
    expect(handed.map(({ type }) => type)).toEqual(['achievement.completed'])
    // It is the first event of the user now, whose day of creation the message says.
    const occurredAt = new Date('2026-03-09T12:00:00.000Z')
    await engine.metrics.event('words', { user: { id: 'ann' }, value: 4, occurredAt })
    await engine.workOnce()
    expect(handed.slice(1).map(({ type }) => type)).toEqual(['achievement.completed.revoked', 'achievement.completed'])
    expect(inForce(handed)).toMatchObject([{ data: { user: { created: occurredAt.toISOString() } } }])
  })
})
