import { type ImportSummary, NOT_TWICE } from './import-run.ts'
import { plural, toCount, toJsonText } from './text.ts'

export function toTextSummary(summary: ImportSummary, milliseconds: number): string {
  const { read, recorded, replayed, refused, held = 0 } = summary
  const counts = [
    `${toCount(read)} read`,
    `${toCount(recorded)} recorded${held > 0 ? ` (${toCount(held)} held back)` : ''}`,
    `${toCount(replayed)} replayed`,
    `${toCount(refused)} refused`,
  ]
  return `${counts.join(', ')} in ${(milliseconds / 1_000).toFixed(1)} s\n`
}

export function toJsonSummary(summary: ImportSummary, isInterrupted: boolean): string {
  const { read, recorded, replayed, refused, held, withoutKey, refusals } = summary
  const fields = { read, recorded, replayed, refused, interrupted: isInterrupted, withoutIdempotencyKey: withoutKey }
  return toJsonText({ ...fields, ...(held === undefined ? {} : { held }), refusals })
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
