import type { ComponentChildren, JSX } from 'preact'

/** Names with their values, one a line; what is null is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  )
}
