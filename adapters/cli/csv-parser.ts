import { CsvError, Parser } from 'csv-parse'

export interface Found {
  readonly fields: readonly string[]
  /** Where it ends, in bytes from where the parser began. */
  readonly end: number
}

export interface CsvParser {
  /** The records found since they were last taken. */
  take(): readonly Found[]
  /** Why the parser stopped, null when it did not. */
  feed(bytes: Buffer, isLast: boolean): Promise<string | null>
}

const PROBLEMS: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'has a quote in a field that does not begin with one: quote the whole field',
  CSV_INVALID_CLOSING_QUOTE: 'has text behind a closing quote: a quote inside a quoted field is written twice',
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is not closed',
}

/** csv-parse, which keeps what it found when it stops at a mistake. */
export function startCsvParser(): CsvParser {
  let found: Found[] = []
  const parser = new Parser({
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    relax_column_count: true,
    on_record: (fields: string[], { bytes }) => {
      found.push({ fields, end: bytes })
      return null
    },
  })
  parser.on('error', () => undefined).resume()

  return {
    take: () => {
      const taken = found
      found = []
      return taken
    },
    feed: (bytes, isLast) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error | null): void => {
          if (!error) resolve(null)
          else if (error instanceof CsvError) resolve(PROBLEMS[error.code] ?? error.message)
          else reject(error)
        }
        if (isLast) parser.end(bytes, () => done(parser.errored))
        else parser.write(bytes, done)
      }),
  }
}
