import { type ImportSummary, NOT_TWICE } from './import-run.ts'
import { plural, toCount, toJsonText } from './text.ts'

export function toTextSummary({ read, recorded, replayed, refused }: ImportSummary, milliseconds: number): string {
  const counts = [
    `${toCount(read)} read`,
    `${toCount(recorded)} recorded`,
    `${toCount(replayed)} replayed`,
    `${toCount(refused)} refused`,
  ]
  return `${counts.join(', ')} in ${(milliseconds / 1_000).toFixed(1)} s\n`
}

export function toJsonSummary(summary: ImportSummary, isInterrupted: boolean): string {
  const { read, recorded, replayed, refused, withoutKey, refusals } = summary
  const fields = { read, recorded, replayed, refused, interrupted: isInterrupted, withoutIdempotencyKey: withoutKey }
  return toJsonText({ ...fields, refusals })
}

/** What else there is to say, a line each. */
export function toNotes({ refused, refusals, withoutKey }: ImportSummary, isInterrupted: boolean): readonly string[] {
  const unprinted = refused - refusals.length
  return [
    ...(unprinted > 0 ? [`${plural(unprinted, 'more refused line')} not printed (--max-errors)`] : []),
    ...(isInterrupted ? [`Interrupted. Run the same command again to resume; ${NOT_TWICE}.`] : []),
    ...(withoutKey > 0
      ? [`Without idempotencyKey, and recorded again by a next run: ${plural(withoutKey, 'line')}.`]
      : []),
  ]
}
