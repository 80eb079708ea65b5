import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Where one is in a list that is read page by page, by the cursor that each answer gives for the next. */
export interface Pages<Cursor> {
  /** What the page is asked for with; null: the first. */
  readonly cursor: Cursor | null
  /** From 1 on. */
  readonly number: number
  readonly next: (cursor: Cursor) => void
  readonly back: () => void
}

/** Begins anew when `keys` change. */
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
        <button type="button" class="small" disabled={pages.number === 1} onClick={pages.back}>
          {names.back}
        </button>
        <button
          type="button"
          class="small"
          disabled={next === null || next === undefined}
          onClick={() => next !== null && next !== undefined && pages.next(next)}
        >
          {names.next}
        </button>
      </span>
    </nav>
  )
}
