import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './controls.tsx'

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

/** Where one is in a list that is read page by page, by the cursor that each answer gives for the next. */
export interface Pages<Cursor> {
  /** What the page is asked for with; null: the first. */
  readonly cursor: Cursor | null
  /** From 1 on. */
  readonly number: number
  readonly next: (cursor: Cursor) => void
  readonly back: () => void
}

/** Returns to the first page when `keys` change. */
export function usePages<Cursor extends string | number>(keys: readonly unknown[]): Pages<Cursor> {
  const id = JSON.stringify(keys)
  const [state, setState] = useState<{ readonly id: string; readonly cursors: readonly Cursor[] }>({ id, cursors: [] })
  useEffect(() => setState((before) => (before.id === id ? before : { id, cursors: [] })), [id])
  const cursors = state.id === id ? state.cursors : []
  return {
    cursor: cursors.at(-1) ?? null,
    number: cursors.length + 1,
    next: (cursor) => setState({ id, cursors: [...cursors, cursor] }),
    back: () => setState({ id, cursors: cursors.slice(0, -1) }),
  }
}

interface PagerProps<Cursor> {
  readonly pages: Pages<Cursor>
  /** What the answer gave for the next page; null or undefined: there is none. */
  readonly next: Cursor | null | undefined
  readonly names?: { readonly back: string; readonly next: string }
}

const NAMES = { back: 'Previous', next: 'Next' }

/** Not there where everything is on one page. */
export function Pager<Cursor>({ pages, next, names = NAMES }: PagerProps<Cursor>): JSX.Element | null {
  if (pages.number === 1 && (next === null || next === undefined)) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="muted">Page {pages.number}</span>
      <span class="row">
        <Button class="small" disabled={pages.number === 1} onClick={pages.back}>
          {names.back}
        </Button>
        <Button
          class="small"
          disabled={next === null || next === undefined}
          onClick={() => next !== null && next !== undefined && pages.next(next)}
        >
          {names.next}
        </Button>
      </span>
    </nav>
  )
}

interface Scrolls {
  readonly tabIndex: 0
  readonly role: 'region'
  readonly 'aria-label': string
}

/** What scrolls in itself has to be reached by the keyboard, and so it has a name. */
export function scrolls(label: string): Scrolls {
  return { tabIndex: 0, role: 'region', 'aria-label': label }
}
