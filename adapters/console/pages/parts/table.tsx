import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { QueryValues } from '../api.ts'
import { type Loadable, useGet } from '../use-answer.ts'
import { Button } from './controls.tsx'
import { formatNumber } from './format.ts'
import { Card, Loaded } from './page.tsx'

export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row, index: number) => ComponentChildren
  /** `number`: at the end of the cell. `fit`: no wider than the content. */
  readonly kind?: 'text' | 'number' | 'fit'
  /** True for the cell that names the row. */
  readonly isHeader?: boolean
  /** Hides the name from sight, for example in a column of buttons. Screen readers read it. */
  readonly isNameHidden?: boolean
}

interface TableProps<Row> {
  /** For screen readers only. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Shown in place of the table if there are no rows. */
  readonly empty?: ComponentChildren
  /** How many rows are shown at first, and more at each request. Default: all. */
  readonly most?: number
  /** Below the rows. */
  readonly children?: ComponentChildren
}

/** Rows with a caption. If there is no room, the table scrolls and the page does not. */
export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { caption, columns, rows, empty, most = rows.length, children } = props
  const [added, setAdded] = useState(0)
  if (rows.length === 0 && empty !== undefined) {
    return (
      <>
        {empty}
        {children}
      </>
    )
  }
  const shown = rows.slice(0, most + added)
  return (
    <>
      <Rows caption={caption} columns={columns} rows={shown} />
      {rows.length > shown.length && (
        <div class="pager">
          <span class="muted">
            {formatNumber(shown.length)} of {formatNumber(rows.length)}
          </span>
          <Button class="small" onClick={() => setAdded(added + most)}>
            Show more
          </Button>
        </div>
      )}
      {children}
    </>
  )
}

function Rows<Row>({ caption, columns, rows }: TableProps<Row>): JSX.Element {
  const scroll = useRef<HTMLDivElement>(null)
  const isWide = useIsWide(scroll, rows)
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
            <tr key={index}>
              {columns.map(({ name, cell, kind, isHeader = false }) => {
                const Cell = isHeader ? 'th' : 'td'
                return (
                  <Cell key={name} scope={isHeader ? 'row' : undefined} class={kind}>
                    {cell(row, index)}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns `true` if the box has no room for its content. */
function useIsWide(scroll: RefObject<HTMLElement | null>, content: unknown): boolean {
  const [isWide, setIsWide] = useState(false)
  useLayoutEffect(() => {
    const box = scroll.current
    if (box === null) return
    const measure = (): void => setIsWide(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    measure()
    return () => observer.disconnect()
  }, [content])
  return isWide
}

/** The position in a list of pages. Each answer has the cursor of the next page. */
export interface Pages<Cursor> {
  /** The cursor of the page, or `null` for the first. */
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
  /** The cursor of the next page. `null` or `undefined`: there is none. */
  readonly next: Cursor | null | undefined
  readonly names?: { readonly back: string; readonly next: string }
}

const NAMES = { back: 'Previous', next: 'Next' }

/** Renders nothing if everything is on one page. */
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

type Cursor = string | number | null | undefined

/** Loads a list page by page. `cursor` is the parameter of the next page. The pager has the buttons. */
export function useList<Data>(
  path: string,
  cursor: 'after' | 'before',
  query: QueryValues,
  toNext: (data: Data) => Cursor,
): { readonly answer: Loadable<Data>; readonly pager: JSX.Element } {
  const pages = usePages<string | number>([path, query])
  const answer = useGet<Data>(path, { ...query, [cursor]: pages.cursor })
  return { answer, pager: <Pager pages={pages} next={answer.data && toNext(answer.data)} /> }
}

interface TableCardProps<Data, Row> extends Omit<TableProps<Row>, 'rows' | 'children'> {
  readonly title: string
  /** Beside the heading. */
  readonly actions?: ComponentChildren
  readonly above?: ComponentChildren
  readonly answer: Loadable<Data>
  /** The content, in words: `the users`. */
  readonly what: string
  readonly rowsOf: (data: Data) => readonly Row[]
  readonly pager?: ComponentChildren
}

/** A card with a table of the loaded data. */
export function TableCard<Data, Row>(props: TableCardProps<Data, Row>): JSX.Element {
  const { title, actions, above, answer, what, rowsOf, pager, ...table } = props
  return (
    <Card title={title} padded={false} actions={actions}>
      {above}
      <Loaded answer={answer} what={what}>
        {(data) => (
          <Table {...table} rows={rowsOf(data)}>
            {pager}
          </Table>
        )}
      </Loaded>
    </Card>
  )
}

/** For a box that scrolls: the keyboard can reach it, so it needs a name. */
export function scrolls(label: string): { tabIndex: 0; role: 'region'; 'aria-label': string } {
  return { tabIndex: 0, role: 'region', 'aria-label': label }
}
