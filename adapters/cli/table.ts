import { toCount, toLine } from './text.ts'

export type Cell = string | number

const GAP = '  '

/** A table in columns: texts begin at the left, numbers end at the right. Lines without what is blank at their end. */
export function toTable(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? toCount(cell) : toLine(cell))))
  const widths = header.map((_, column) => Math.max(...[header, ...texts].map((row) => (row[column] ?? '').length)))
  const isNumber = header.map((_, column) => typeof rows[0]?.[column] === 'number')
  const toRow = (row: readonly string[]): string => {
    const cells = row.map((text, column) => {
      const width = widths[column] ?? 0
      return isNumber[column] ? text.padStart(width) : text.padEnd(width)
    })
    return `${cells.join(GAP).trimEnd()}\n`
  }
  return [header, ...texts].map(toRow).join('')
}
