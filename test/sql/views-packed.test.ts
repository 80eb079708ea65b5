// The views `view_log` and `view_awards` show the packed tables as text.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fromIdHex, KIND_NUMBERS, toIdHex } from '../../src/sql/entry-rows.ts'
import { findEntries, loadLog } from '../../src/sql/log.ts'
import { store } from '../../src/testing/storage/case.ts'
import { ANN, award, NOON, sampleEvent } from '../../src/testing/storage/samples.ts'
import { closeViewsAfterAll, VIEWS_DATABASES, type ViewsDatabase } from '../support/views.ts'

closeViewsAfterAll()

const UUID = '019cae85-ac90-712b-bd48-54d07238d0d7'
/** Ids that hosts may make, and unusual ones: some have as many bytes as a UUID, or look like one. */
const ODD_IDS = [
  '',
  'e-1',
  'exactly sixteen.',
  'fifteen letters',
  UUID.toUpperCase(),
  UUID.replaceAll('-', ''),
  `${UUID} `,
  `{${UUID}}`,
  '00000000-0000-0000-0000-000000000000',
  'Ünïcödé 🏅',
  "it's",
]

describe('An id', () => {
  test('that is a UUID has sixteen bytes', () => {
    expect(toIdHex(UUID)).toBe('019cae85ac90712bbd4854d07238d0d7')
    expect(fromIdHex('019CAE85AC90712BBD4854D07238D0D7')).toBe(UUID)
  })

  test('that is none has its UTF-8 behind seventeen zero bytes', () => {
    expect(toIdHex('e-1')).toBe('0000000000000000000000000000000000652d31')
    expect(toIdHex('é')).toBe('0000000000000000000000000000000000c3a9')
  })

  test.each(ODD_IDS)('is the same again: %s', (id) => {
    expect(fromIdHex(toIdHex(id))).toBe(id)
  })

  test('is no other one', () => {
    expect(new Set(ODD_IDS.map(toIdHex)).size).toBe(ODD_IDS.length)
  })
})

const LOG = `tenant_id, user_id, at, seq, entry_id, kind, epoch, recorded_at, zone, local_date, local_time, profile,
  metric, value, idempotency_key, data, voided_by, by_key`

describe.each(VIEWS_DATABASES)('In %s', (name, open) => {
  let database: ViewsDatabase
  const { ask } = { ask: (text: string) => database.ask(text) }
  beforeEach(async () => {
    database = open()
    await database.storage.migrate()
  })
  afterEach(async () => {
    await database.storage.close()
    await database.close()
  })

  const numberOf = (value: unknown): number => Number(value)
  /** The bytes of a column as digits. */
  const hexOf = (column: string): string => (name === 'SQLite' ? `lower(hex(${column}))` : `encode(${column}, 'hex')`)

  test('the log is shown as text, whatever is packed in it', async () => {
    const voided = sampleEvent(1, { id: UUID, recordedAt: NOON + 60_000, idempotencyKey: 'k-1', voidedBy: 'entry-9' })
    await store(database.storage, ANN, { appended: [{ ...voided, profile: { tz: 'Europe/London' }, by: 'key-1' }] })
    const [row] = await ask(`select ${LOG} from {view_log}`)
    const numbers = ['at', 'seq', 'epoch', 'recorded_at', 'value'].map((column) => [column, numberOf(row?.[column])])
    expect({ ...row, ...Object.fromEntries(numbers) }).toEqual({
      tenant_id: '',
      user_id: 'ann',
      at: NOON + 1,
      seq: 1,
      entry_id: UUID,
      kind: 'eventRecorded',
      epoch: 1,
      recorded_at: NOON + 60_000,
      zone: 'Europe/London',
      local_date: '2026-03-01',
      local_time: '12:00:00.000',
      profile: '{"tz":"Europe/London"}',
      metric: 'words',
      value: 1,
      idempotency_key: 'k-1',
      data: null,
      voided_by: 'entry-9',
      by_key: 'key-1',
    })
  })

  test('a UUID takes sixteen bytes, and an entry of its own instant no second one', async () => {
    const put = [award(UUID, { entryId: UUID, trigger: UUID })]
    await store(database.storage, ANN, { appended: [sampleEvent(1, { id: UUID })], awards: { remove: [], put } })
    const bytes = UUID.replaceAll('-', '')
    expect(await ask(`select ${hexOf('entry_id')} as entry, recorded_at from {log}`)).toEqual([
      { entry: bytes, recorded_at: null },
    ])
    expect(await ask(`select recorded_at - ${NOON} as after from {view_log}`)).toEqual([
      { after: name === 'SQLite' ? 1 : '1' },
    ])
    const ids = ['award_id', 'trigger_id', 'entry_id'].map((column) => `${hexOf(column)} as ${column}`)
    expect(await ask(`select ${ids.join(', ')} from {awards}`)).toEqual([
      { award_id: bytes, trigger_id: bytes, entry_id: bytes },
    ])
    expect(await ask('select award_id, trigger_id, entry_id from {view_awards}')).toEqual([
      { award_id: UUID, trigger_id: UUID, entry_id: UUID },
    ])
  })

  test('every kind of entry has its number, and the view its name', async () => {
    await store(database.storage, ANN, {
      appended: Object.keys(KIND_NUMBERS).map((_, index) => sampleEvent(index + 1)),
    })
    await ask('update {log} set kind = seq - 1')
    const kinds = await ask('select kind from {view_log} order by seq')
    expect(kinds.map(({ kind }) => kind)).toEqual(Object.keys(KIND_NUMBERS))
  })

  test('ids that are no UUIDs stay as they are', async () => {
    await store(database.storage, ANN, { appended: ODD_IDS.map((id, index) => sampleEvent(index + 1, { id })) })
    expect((await ask('select entry_id from {view_log} order by seq')).map((row) => row.entry_id)).toEqual(ODD_IDS)
    expect((await loadLog(database.storage, ANN)).map(({ id }) => id)).toEqual(ODD_IDS)
    for (const [index, id] of ODD_IDS.entries()) {
      expect(await findEntries(database.storage, '', [id])).toMatchObject([{ id, seq: index + 1 }])
    }
  })

  test.each([
    ['0001-01-01', '00:00:00.000', -719_162, 0],
    ['1969-12-31', '00:00:00.001', -1, 1],
    ['2024-02-29', '09:08:07.060', 19_782, 32_887_060],
    ['9999-12-31', '23:59:59.999', 2_932_896, 86_399_999],
  ])('the day and the milliseconds of %s at %s are shown as a date and a time', async (date, time, day, millis) => {
    await store(database.storage, ANN, { appended: [sampleEvent(1)] })
    await ask(`update {log} set local_date = ${day}, local_time = ${millis}`)
    expect(await ask('select local_date, local_time from {view_log}')).toEqual([{ local_date: date, local_time: time }])
    expect(await loadLog(database.storage, ANN)).toMatchObject([{ dating: { date: day, time: millis } }])
  })
})
