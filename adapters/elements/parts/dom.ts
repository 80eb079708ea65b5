/// <reference lib="dom" preserve="true" />

type Attributes = { readonly [name: string]: string | number | boolean | null }
export type Child = Node | string | null

const SVG = 'http://www.w3.org/2000/svg'

/** An element with attributes (true: without a value; false and null: not there) and children, of which texts stay texts. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  setAttributes(element, attributes)
  element.append(...children.filter((child) => child !== null))
  return element
}

/** A picture of one path, in the colour of the text, 24 by 24; those who do not see it are told nothing. */
export function icon(path: string, name = ''): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  setAttributes(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: `icon ${name}` })
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

/** A text for those who do not see the page. */
export function hidden(text: string): HTMLSpanElement {
  return h('span', { class: 'sr' }, text)
}

/** A name, in its own direction; all of it shows on hovering where it is cut. */
export function named(name: string): HTMLElement {
  return h('bdi', { title: name }, name)
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
}
