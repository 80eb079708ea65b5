import { expect, test } from 'vitest'
import type { GameDefinition, GamificationMessage, MessageType } from '../../src/index.ts'
import { add, type Engine, onEachStorage } from '../support/engine.ts'

// Emails go by what the user did, and keep the instant that they got.

const GAME: GameDefinition = {
  metrics: { words: { name: 'Words' } },
  achievements: { writer: { name: 'Writer', trigger: 'metric', metric: 'words', value: 100 } },
  streak: { frequency: 'daily', metrics: { words: {} }, freezes: { initial: 0, max: 5 }, reminders: [] },
  emails: { recap: 'weekly', reactivation: [3] },
}
const EMAILS: readonly MessageType[] = ['emails.achievement_due', 'emails.reactivation_due', 'emails.recap_due']

async function listen(engine: Engine): Promise<GamificationMessage[]> {
  const handed: GamificationMessage[] = []
  await engine.subscribe('mailer', { types: EMAILS }, (messages) => {
    handed.push(...messages)
  })
  return handed
}

/** Works every half an hour until an instant, as a server does: what was handed over. */
async function workUntil(engine: Engine, handed: GamificationMessage[], from: string, until: string) {
  for (let at = Date.parse(from); at <= Date.parse(until); at += 1_800_000) {
    engine.at(new Date(at).toISOString())
    await engine.workOnce()
  }
  return handed.splice(0).map(({ type, at }) => `${type} ${at.slice(0, 16)}`)
}

onEachStorage('Emails', (open) => {
  test('are put off by what the user did, and not by what the host did to the user', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await add(engine, 'words', 1, { user: { id: 'ann', tz: 'UTC' } })
    for (const day of ['11', '12', '13']) {
      engine.at(`2026-03-${day}T07:00:00.000Z`)
      await engine.users.update('ann', { attributes: {}, name: `Ann ${day}` })
      await engine.admin.streaks.freezes.create({ freezes: [{ userId: 'ann' }] })
    }
    expect(await workUntil(engine, handed, '2026-03-13T08:00:00Z', '2026-03-13T08:10:00Z')).toEqual([
      'emails.reactivation_due 2026-03-13T08:00',
    ])

    engine.at('2026-03-14T12:00:00.000Z')
    const own = engine.forRequest(performance.now(), { isClient: true })
    await own.users.update('ann', { name: 'Anna' })
    expect(await workUntil(engine, handed, '2026-03-16T07:30:00Z', '2026-03-16T08:10:00Z')).toEqual([
      'emails.recap_due 2026-03-16T08:00',
    ])
    expect(await workUntil(engine, handed, '2026-03-17T07:30:00Z', '2026-03-17T08:10:00Z')).toEqual([
      'emails.reactivation_due 2026-03-17T08:00',
    ])
    await add(engine, 'words', 1, { occurredAt: new Date('2026-03-10T11:00:00.000Z') })
    expect(await engine.verify()).toMatchObject({ drift: [] })
  })

  test('do not come to who is unsubscribed, and come without an address', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    const email = 'ann@example.com'
    await add(engine, 'words', 100, { user: { id: 'ann', tz: 'UTC', email, subscribedToEmails: false } })
    await add(engine, 'words', 100, { user: { id: 'bob', tz: 'UTC' } })
    engine.at('2026-03-10T17:10:00.000Z')
    await engine.workOnce()
    expect(handed).toMatchObject([{ type: 'emails.achievement_due', userId: 'bob', data: { user: { email: null } } }])
  })

  test('come once, though a late event with another zone would have put them off', async () => {
    const engine = await open(GAME)
    const handed = await listen(engine)
    await add(engine, 'words', 100)
    expect(await workUntil(engine, handed, '2026-03-10T21:00:00Z', '2026-03-10T21:00:00Z')).toEqual([
      'emails.achievement_due 2026-03-10T21:00',
    ])
    const user = { id: 'ann', tz: 'Pacific/Honolulu' }
    await add(engine, 'words', 1, { user, occurredAt: new Date('2026-03-10T11:00:00.000Z') })
    expect(await workUntil(engine, handed, '2026-03-11T03:00:00Z', '2026-03-11T03:30:00Z')).toEqual([])
  })

  test('recap the later date only if the user moves to an earlier one', async () => {
    const engine = await open({ ...GAME, emails: { recap: 'daily', reactivation: [] } })
    const handed = await listen(engine)
    await add(engine, 'words', 1, { user: { id: 'ann', tz: 'Pacific/Kiritimati' } })
    await add(engine, 'words', 1, { user: { id: 'ann', tz: 'Etc/GMT+12' } })
    expect(await workUntil(engine, handed, '2026-03-11T17:30:00Z', '2026-03-12T20:00:00Z')).toEqual([
      'emails.recap_due 2026-03-11T18:00',
    ])
  })

  test('come for each of three dates, the third of which a move brought before the first was due', async () => {
    const engine = await open({ ...GAME, emails: { recap: 'daily', reactivation: [] } })
    const handed = await listen(engine)
    await add(engine, 'words', 1, { user: { id: 'ann', tz: 'Etc/GMT+12' } })
    engine.at('2026-03-11T08:00:00.000Z')
    await add(engine, 'words', 1, { user: { id: 'ann', tz: 'Pacific/Kiritimati' } })
    engine.at('2026-03-11T10:30:00.000Z')
    await add(engine, 'words', 1)
    expect(await workUntil(engine, handed, '2026-03-11T17:00:00Z', '2026-03-12T18:00:00Z')).toEqual([
      'emails.recap_due 2026-03-11T18:00',
      'emails.recap_due 2026-03-11T20:00',
      'emails.recap_due 2026-03-12T18:00',
    ])
  })
})
