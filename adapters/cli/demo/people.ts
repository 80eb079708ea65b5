import { createRandom, type Random } from './random.ts'
import type { Values } from './scale.ts'

export interface Person {
  readonly id: string
  readonly name: string
  readonly tz: string
  readonly attributes: Readonly<Record<string, string>>
  /** The first day, counted from the first of all. */
  readonly joins: number
  /** The day from which on the person is not seen any more. */
  readonly leaves: number
  /** The chance that the person comes on a day. */
  readonly zeal: number
  /** Of this person alone, so that one more person changes nothing for the others. */
  readonly random: Random
}

const FIRST: readonly [string, ...string[]] = [
  'Ada',
  'Bruno',
  'Chidi',
  'Dalia',
  'Emeka',
  'Farah',
  'Goran',
  'Hana',
  'Ines',
  'Jonas',
]
const LAST: readonly [string, ...string[]] = [
  'Abe',
  'Berg',
  'Costa',
  'Diaz',
  'Evans',
  'Faye',
  'Gupta',
  'Haas',
  'Ito',
  'Jansen',
]
const ZONES: readonly [string, ...string[]] = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Africa/Lagos',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'America/New_York',
  'America/Sao_Paulo',
]

/** How eager people are, one after the other: a few come every day, most now and then. */
const ZEALS: readonly number[] = [0.97, 0.7, 0.5, 0.3, 0.3, 0.2, 0.15, 0.1, 0.1, 0.05]

export function makePeople(count: number, days: number, attributes: ReadonlyMap<string, Values>): readonly Person[] {
  return Array.from({ length: count }, (_, index) => {
    const random = createRandom((index + 1) * 7_919)
    // Half of them were there at the beginning; a fifth of all give up.
    const joins = index % 2 === 0 ? 0 : random.between(0, days - 1)
    return {
      id: `demo-${String(index + 1).padStart(3, '0')}`,
      name: `${random.pick(FIRST)} ${random.pick(LAST)}`,
      tz: random.pick(ZONES),
      attributes: Object.fromEntries([...attributes].map(([name, values]) => [name, random.pick(values)])),
      joins,
      leaves: random.next() < 0.2 ? random.between(joins + 1, days) : days,
      zeal: ZEALS[index % ZEALS.length] ?? 0,
      random,
    }
  })
}
