import { expect, test } from 'vitest'
import type { GameDefinition } from '../../src/index.ts'
import { type Engine, onEachStorage } from '../support/engine.ts'

interface Board {
  readonly start: string
  readonly end?: string
  readonly startTime?: string
  readonly endTime?: string
}

const BOARDS: { readonly [key: string]: Board } = {
  evening: { start: '2026-03-01', end: '2026-03-31', startTime: '17:00', endTime: '18:00' },
  after: { start: '2026-03-01', startTime: '17:00' },
  before: { start: '2026-03-01', end: '2026-03-31', endTime: '09:30' },
  night: { start: '2026-03-05', end: '2026-03-20', startTime: '22:00', endTime: '06:00' },
  whole: { start: '2026-03-01', end: '2026-03-31' },
}

const game: GameDefinition = {
  metrics: { words: { name: 'Words written' } },
  leaderboards: Object.fromEntries(
    Object.entries(BOARDS).map(([key, board]) => [
      key,
      { name: key, rankBy: 'metric' as const, metric: 'words', maxParticipants: null, ...board },
    ]),
  ),
}

interface Local {
  readonly date: string
  /** `HH:MM` */
  readonly time: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What a clock and a calendar on the wall show. */
function localOf(zone: string, instant: number): Local {
  let format = formats.get(zone)
  if (format === undefined) {
    const two = '2-digit'
    const day = { year: 'numeric', month: two, day: two } as const
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...day, hour: two, minute: two, hourCycle: 'h23' })
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  const get = (type: string): string => parts.get(type as 'year') ?? ''
  return { date: `${get('year')}-${get('month')}-${get('day')}`, time: `${get('hour')}:${get('minute')}` }
}

/** Whether an entry of this local date and time counts on the board. */
function counts({ start, end = '9999-12-31', startTime = '00:00', endTime = '24:00' }: Board, local: Local): boolean {
  if (local.date < start || local.date > end) return false
  if (startTime <= endTime) return startTime <= local.time && local.time < endTime
  return local.time >= startTime || local.time < endTime
}

const ann = (tz: string) => ({ id: 'ann', tz })

onEachStorage('a leaderboard with a daily window', (open) => {
  const write = async (engine: Engine, at: string, value: number, tz = 'UTC', occurredAt?: string) => {
    engine.at(at)
    const late = occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }
    return engine.metrics.event('words', { user: ann(tz), value, ...late })
  }
  const valueOn = async (engine: Engine, board: string) => (await engine.users.leaderboard('ann', board)).value

  test('counts from the start, and no longer at the end, on every day', async () => {
    const engine = await open(game)
    await write(engine, '2026-03-02T16:59:59.999Z', 1)
    await write(engine, '2026-03-02T17:00:00.000Z', 10)
    await write(engine, '2026-03-04T12:00:00.000Z', 100)
    await write(engine, '2026-03-04T17:59:59.999Z', 1000)
    await write(engine, '2026-03-04T18:00:00.000Z', 10_000)
    expect(await valueOn(engine, 'evening')).toBe(1010)
    expect(await valueOn(engine, 'after')).toBe(11_010)
    expect(await valueOn(engine, 'before')).toBe(null)
    expect(await valueOn(engine, 'whole')).toBe(11_111)
  })

  test('an event outside the window is on no board of the answer', async () => {
    const engine = await open(game)
    const noon = await write(engine, '2026-03-04T12:00:00.000Z', 1)
    expect(Object.keys(noon.leaderboards)).toEqual(['whole'])
    const evening = await write(engine, '2026-03-04T17:30:00.000Z', 1)
    expect(Object.keys(evening.leaderboards).sort()).toEqual(['after', 'evening', 'whole'])
  })

  test('shows the window in its answers', async () => {
    const engine = await open(game)
    const list = JSON.parse(JSON.stringify(await engine.leaderboards.all()))
    const windows = list.map(({ key, startTime, endTime }: Record<string, unknown>) => [key, startTime, endTime])
    expect(windows).toEqual([
      ['evening', '17:00', '18:00'],
      ['after', '17:00', null],
      ['before', null, '09:30'],
      ['night', '22:00', '06:00'],
      ['whole', null, null],
    ])
  })
})

test('the plain filter counts what is at or after the start and before the end', () => {
  const at = (date: string, time: string): Local => ({ date, time })
  const { evening, after, before, night } = BOARDS as Record<'evening' | 'after' | 'before' | 'night', Board>
  expect(counts(evening, at('2026-03-04', '17:00'))).toBe(true)
  expect(counts(evening, at('2026-03-04', '18:00'))).toBe(false)
  expect(counts(evening, at('2026-04-01', '17:30'))).toBe(false)
  expect(counts(after, at('2026-09-04', '23:59'))).toBe(true)
  expect(counts(before, at('2026-03-04', '09:30'))).toBe(false)
  expect(counts(night, at('2026-03-05', '05:59'))).toBe(true)
  expect(counts(night, at('2026-03-21', '00:00'))).toBe(false)
  expect(counts(night, at('2026-03-20', '22:00'))).toBe(true)
  expect(localOf('Asia/Kathmandu', Date.UTC(2026, 2, 4, 18, 15))).toEqual(at('2026-03-05', '00:00'))
})
