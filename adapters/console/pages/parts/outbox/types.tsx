import type { JSX } from 'preact'
import { Badge } from '../badge.tsx'

const AT_FIRST = 3

/** Types of messages: the first ones, and the others to be opened. */
export function Types({ types }: { readonly types: readonly string[] }): JSX.Element {
  const [shown, rest] = types.length <= AT_FIRST + 1 ? [types, []] : [types.slice(0, AT_FIRST), types.slice(AT_FIRST)]
  return (
    <div class="stack tight">
      <List types={shown} />
      {rest.length > 0 && (
        <details>
          <summary>{`${rest.length} more`}</summary>
          <List types={rest} />
        </details>
      )}
    </div>
  )
}

function List({ types }: { readonly types: readonly string[] }): JSX.Element {
  return (
    <span class="row">
      {types.map((type) => (
        <Badge key={type}>{type}</Badge>
      ))}
    </span>
  )
}
