import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { scrolls } from './scrolls.ts'

export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row, index: number) => ComponentChildren
  /** `number`: at the end of the cell. `fit`: no wider than what is in it. */
  readonly kind?: 'text' | 'number' | 'fit'
  /** What the row is about: the header of the row. */
  readonly isHeader?: boolean
  /** The name is for screen readers only, as that of a column of buttons. */
  readonly isNameHidden?: boolean
}

interface TableProps<Row> {
  /** What is in it; for screen readers only. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string | number
}

/** Rows with a caption; where there is no room it scrolls in itself, and the page does not. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>): JSX.Element {
  const scroll = useRef<HTMLDivElement>(null)
  const [isWide, setIsWide] = useState(false)
  useLayoutEffect(() => {
    const box = scroll.current
    if (box === null) return
    const measure = (): void => setIsWide(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    measure()
    return () => observer.disconnect()
  }, [rows])

  return (
    <div class="table-scroll" ref={scroll} {...(isWide ? scrolls(caption) : {})}>
      <table>
        <caption class="hidden-visually">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, kind, isNameHidden = false }) => (
              <th key={name} scope="col" class={kind}>
                {isNameHidden ? <span class="hidden-visually">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ name, cell, kind, isHeader = false }) =>
                isHeader ? (
                  <th key={name} scope="row" class={kind}>
                    {cell(row, index)}
                  </th>
                ) : (
                  <td key={name} class={kind}>
                    {cell(row, index)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
