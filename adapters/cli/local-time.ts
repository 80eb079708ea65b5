import { formatInTimeZone } from 'date-fns-tz'

/** An instant as a person reads it, in a zone by its IANA name: `2026-03-10 13:00 (Europe/Berlin)`. Default: this machine's. */
export function toLocalText(
  instant: string,
  zone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): string {
  return `${formatInTimeZone(instant, zone, 'yyyy-MM-dd HH:mm')} (${zone})`
}
