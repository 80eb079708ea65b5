import { localDay } from './days.ts'
import type { History, Step } from './histories.ts'
import type { Placed, User } from './user.ts'
import { call, isClearSince, read } from './user.ts'

/** One call, or none, with the expected answer and reads after it. */
export interface Moment {
  readonly now: number
  readonly asked: { readonly placed: Placed; readonly isBack: boolean; readonly accepted: boolean } | null
  readonly read: object
  /** The first date of the history that is compared. */
  readonly since: string
  /** As a message tells it. */
  readonly told: string
}

/** Answers whether calls were accepted, and reads as the model does. */
export interface Player {
  call(placed: Placed, now: number, isBack: boolean): boolean
  read(now: number, periods: number): object
}

export const PERIODS = 7
const HOUR = 3_600_000
/** How long after the last call it is read again. */
const LATER = [26 * HOUR, 5 * 24 * HOUR, 400 * 24 * HOUR]

/** The model's answer to a history. */
export function* momentsOf({ games, start, steps }: History): Iterable<Moment> {
  const user: User = { games, log: [], lives: null }
  const pauses: string[] = []
  const see = (now: number, asked: Moment['asked'], told: string): Moment => {
    const since = isClearSince(user, now)
    return { now, asked, read: read(user, now, PERIODS) ?? {}, since, told: `${new Date(now).toISOString()} ${told}` }
  }
  let now = start
  for (const step of steps) {
    now += step.wait
    const told = `${zoneOf(user) ?? '-'} ${JSON.stringify(step.act)}`
    const { placed, isBack } = place(step, user, now, pauses)
    yield see(now, { placed, isBack, accepted: call(user, placed) }, told)
  }
  for (const later of LATER) yield see(now + later, null, 'is read')
}

function zoneOf({ lives }: User): string | undefined {
  return lives?.[0].life.zone
}

function place({ act }: Step, user: User, now: number, pauses: string[]): { placed: Placed; isBack: boolean } {
  const newest = user.log.at(-1)?.at ?? now
  const at = Math.max(now, newest)
  switch (act.do) {
    case 'event':
      return {
        placed: { at: act.back === undefined ? at : now - act.back, entry: act },
        isBack: act.back !== undefined,
      }
    case 'pause': {
      const start = localDay(zoneOf(user) ?? 'UTC', at) + act.from
      const id = `pause-${pauses.length + 1}`
      pauses.push(id)
      return { placed: { at, entry: { do: 'pause', id, start, end: start + act.days - 1 } }, isBack: false }
    }
    case 'unpause':
      return { placed: { at, entry: { do: 'unpause', id: pauses.at(-act.ago) ?? 'none' } }, isBack: false }
    default:
      return { placed: { at, entry: act }, isBack: false }
  }
}

/** How what was answered and read differs from the model, or `null` if it does not. */
export function compare(
  { asked, read: expected, since }: Moment,
  accepted: boolean | null,
  actual: object,
): string | null {
  const isCompared = (item: object): boolean => !('periodStart' in item) || String(item.periodStart) >= since
  const toText = (read: object): string =>
    JSON.stringify(read, (key, value) => (key === 'history' ? value.filter(isCompared) : value))
  const [model, engine] = [toText(expected), toText(actual)]
  if (asked !== null && asked.accepted !== accepted) return `model: accepted ${asked.accepted}, engine: ${accepted}`
  return model === engine ? null : `model  ${model}\nengine ${engine}`
}

/** The first difference, with all calls before it. Returns null if the two agree everywhere. */
export function differenceIn(history: History, player: Player): string | null {
  const told = [JSON.stringify(history.games)]
  for (const moment of momentsOf(history)) {
    const { now, asked } = moment
    told.push(moment.told)
    const accepted = asked === null ? null : player.call(asked.placed, now, asked.isBack)
    const found = compare(moment, accepted, player.read(now, PERIODS))
    if (found !== null) return [...told, found].join('\n')
  }
  return null
}

/** The shortest history that still differs, by leaving out calls one after the other. */
export function shortest(history: History, create: () => Player): string | null {
  let found = differenceIn(history, create())
  let { steps } = history
  for (let index = steps.length - 1; found !== null && index > 0; index -= 1) {
    const [left, next] = [steps[index], steps[index + 1]]
    const without = steps.filter((_, at) => at !== index)
    // The others stay at their instants, if it shows then too.
    const still = without.map((step) => (step === next ? { ...step, wait: step.wait + (left?.wait ?? 0) } : step))
    for (const attempt of [still, without]) {
      const difference = differenceIn({ ...history, steps: attempt }, create())
      if (difference === null) continue
      found = difference
      steps = attempt
      break
    }
  }
  return found
}
