import type { ComponentChildren, JSX } from 'preact'

export interface Figure {
  readonly name: string
  readonly value: ComponentChildren
  /** Below it, small. */
  readonly note?: ComponentChildren
  /** For programs that read the page. */
  readonly id?: string
}

/** A few figures side by side. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }): JSX.Element {
  return (
    <dl class="figures">
      {figures.map(({ name, value, note, id }) => (
        <div key={id ?? name} data-figure={id}>
          <dt>{name}</dt>
          <dd class="value">{value}</dd>
          {note !== undefined && <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
