import { describe, expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { useAllPlaces, useEngines } from '../support/places.ts'
import { createWorld, DAILY, EMAILS, EVENING, NOON, PLAIN, write } from './newer-notices-world.ts'

// What a newer game announces reaches users who have done nothing since, from its registration on.

describe.each(useAllPlaces())('What a newer game announces, on $name', ({ make }) => {
  const start = useEngines(NOON)
  const create = (definition: GameDefinition) => createWorld(start, make(), definition)

  test('emails that it brings are told to who has done nothing since, and none of before it', async () => {
    const world = await create(PLAIN)
    await write(world.engine)
    // At eight that morning the first of reactivation would have been due.
    await world.sweepUntil('2026-03-11T10:00:00Z')
    const next = await world.deploy({ ...PLAIN, emails: { ...EMAILS, achievements: true } })
    await world.sweepUntil('2026-03-16T08:00:00Z', next)
    expect(world.told).toEqual([
      'ann emails.streak_reminder_due 2026-03-11T19:00',
      'ann streak.lost 2026-03-11T23:00',
      'ann emails.reactivation_due 2026-03-13T07:00',
      'ann emails.reactivation_due 2026-03-15T07:00',
      'ann emails.recap_due 2026-03-16T07:00',
    ])
    expect(await next.verify()).toMatchObject({ drift: [] })
  })

  test('reminders that it brings, at other hours, and not any more', async () => {
    const world = await create(PLAIN)
    await world.engine.workOnce()
    await write(world.engine)
    const evening = await world.deploy({ ...PLAIN, streak: { ...DAILY, reminders: [EVENING] } })
    await world.sweepUntil('2026-03-11T20:00:00Z', evening)
    expect(world.told.splice(0)).toEqual(['ann emails.streak_reminder_due 2026-03-11T19:00'])
    await write(evening)
    await world.sweepUntil('2026-03-12T12:00:00Z', evening)
    const late = await world.deploy({
      ...PLAIN,
      streak: { ...DAILY, reminders: [{ ...EVENING, before: { hours: 2 } }] },
    })
    await world.sweepUntil('2026-03-12T22:00:00Z', late)
    expect(world.told.splice(0)).toEqual(['ann emails.streak_reminder_due 2026-03-12T21:00'])
    await write(late)
    await world.sweepUntil('2026-03-13T12:00:00Z', late)
    const silent = await world.deploy({ ...PLAIN, metrics: { words: { name: 'Words written' } } })
    await world.sweepUntil('2026-03-15T12:00:00Z', silent)
    expect(world.told).toEqual(['ann streak.lost 2026-03-13T23:00'])
    expect(await silent.verify()).toMatchObject({ drift: [] })
  })
})
