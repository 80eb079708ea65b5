const DAY_MS = 86_400_000

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A smaller unit below two of the next. */
const UNITS = [
  { unit: 'day', size: DAY_MS },
  { unit: 'hour', size: HOUR_MS },
] as const

/** How a language writes things. Dates of a user are `YYYY-MM-DD`, and the same date everywhere. */
export interface Formats {
  number(value: number): string
  /** 12.5 as `12.5%`. */
  percent(value: number): string
  /** `Monday, March 9` */
  day(date: string): string
  /** `Monday, March 9, 2026` */
  longDate(date: string): string
  /** `Mar 9` */
  shortDate(date: string): string
  /** `Mar`, or with its year if this is `long`. */
  month(date: string, style?: 'short' | 'long'): string
  /** `M`, or `Mon`. */
  weekday(date: string, style: 'narrow' | 'short' | 'long'): string
  /** `March 1 – 31, 2026` */
  range(from: string, to: string): string
  /** A time that is left, in minutes, or in hours or days from two on: `5 hours`. At least a minute. */
  duration(ms: number): string
  /** The date of an instant, in the viewer's time zone. */
  instant(instant: string): string
  label(label: Label, values?: LabelValues): string
  /** The first day of the week: 1 is Monday, 7 Sunday. */
  readonly weekStartsOn: number
}

/** The number of days since 1970, or null if the text is not a date. */
export function toDayNumber(date: string): number | null {
  const at = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(at) ? null : Math.floor(at / DAY_MS)
}

const known = new Map<string, Formats>()

/** `lang` is the HTML attribute. An invalid language counts as none, so the browser decides. */
export function formatsOf(lang: string): Formats {
  const locale = toLocale(lang)
  const formats = known.get(locale ?? '') ?? createFormats(locale)
  known.set(locale ?? '', formats)
  return formats
}

function createFormats(locale: string | undefined): Formats {
  const numbers = new Intl.NumberFormat(locale)
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const plurals = new Intl.PluralRules(locale)
  const instants = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const dates = new Map<string, Intl.DateTimeFormat>()

  const formatOf = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
    const key = JSON.stringify(options)
    const format = dates.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    dates.set(key, format)
    return format
  }
  const write = (date: string, options: Intl.DateTimeFormatOptions): string => {
    const day = toDayNumber(date)
    return day === null ? date : formatOf(options).format(day * DAY_MS)
  }

  return {
    number: (value) => numbers.format(value),
    percent: (value) => percents.format(value / 100),
    day: (date) => write(date, { weekday: 'long', month: 'long', day: 'numeric' }),
    longDate: (date) => write(date, { dateStyle: 'full' }),
    shortDate: (date) => write(date, { month: 'short', day: 'numeric' }),
    month: (date, style = 'short') =>
      write(date, style === 'short' ? { month: 'short' } : { month: 'long', year: 'numeric' }),
    weekday: (date, weekday) => write(date, { weekday }),
    range: (from, to) => {
      const [first, last] = [toDayNumber(from), toDayNumber(to)]
      if (first === null || last === null) return `${from} – ${to}`
      return formatOf({ dateStyle: 'long' }).formatRange(first * DAY_MS, last * DAY_MS)
    },
    instant: (instant) => {
      const at = Date.parse(instant)
      return Number.isNaN(at) ? instant : instants.format(at)
    },
    duration: (ms) => {
      const whole = Math.max(1, Math.ceil(ms / MINUTE_MS)) * MINUTE_MS
      const { unit, size } = UNITS.find((each) => whole >= 2 * each.size) ?? { unit: 'minute', size: MINUTE_MS }
      const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
      return format.format(Math.floor(whole / size))
    },
    label: (label, values = {}) => fill(label, values, numbers, plurals),
    weekStartsOn: weekStartOf(numbers.resolvedOptions().locale),
  }
}

function toLocale(lang: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(lang)[0]
  } catch {
    return undefined
  }
}

interface WeekInfo {
  readonly firstDay: number
}

/**
 * The first day of the week; Monday if the browser does not know it. Some have it as a method, others as a property.
 */
function weekStartOf(name: string): number {
  const locale: Intl.Locale & { getWeekInfo?(): WeekInfo; readonly weekInfo?: WeekInfo } = new Intl.Locale(name)
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}

/** A text with places for values: `'Extend it by {date}'`. A text with a count has a form for each plural of the language. */
export type Label = string | { readonly [Form in Intl.LDMLPluralRule]?: string }

/** The values for the names in braces. Numbers are formatted in the language; texts stay unchanged. */
export type LabelValues = { readonly [name: string]: number | string }

/** Isolates a name, so that it keeps its own text direction. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`
}

/** The text for these values. The plural form follows `count`. */
function fill(label: Label, values: LabelValues, numbers: Intl.NumberFormat, plurals: Intl.PluralRules): string {
  const { count } = values
  const form = typeof count === 'number' ? plurals.select(count) : 'other'
  const text = typeof label === 'string' ? label : (label[form] ?? label.other ?? '')
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'number' ? numbers.format(value) : value
  })
}
