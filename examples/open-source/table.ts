/** A heading and aligned columns; numbers are aligned to the right. */
export function toTable(title: string, rows: readonly (readonly (string | number)[])[], empty: string): string {
  if (rows.length === 0) return `${title}\n  ${empty}`
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0
      return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)
    })
    return `  ${cells.join('  ').trimEnd()}`
  })
  return [title, ...lines].join('\n')
}
