import { createElement, type JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface ElementProps {
  /** As `laurels-streak`. */
  readonly name: string
  /** The answer of the API that it shows. */
  readonly data: unknown
  /** Other properties of the element, as `highlight`. */
  readonly with?: { readonly [property: string]: unknown }
  /** Its attributes, as `images`. */
  readonly attributes?: { readonly [attribute: string]: string }
}

/** One of the elements of `laurels/elements`, fed with an answer that is there already. */
export function Element({ name, data, with: more, attributes }: ElementProps): JSX.Element {
  const element = useRef<HTMLElement>(null)
  const properties = JSON.stringify(more)
  useLayoutEffect(() => {
    if (element.current !== null) Object.assign(element.current, more, { data })
  }, [data, properties])
  return createElement(name, { ...attributes, ref: element, class: 'plain-element' })
}
