/// <reference lib="dom" preserve="true" />

/** The progress of what `name` says. `text` has it in words. */
export function bar({
  value,
  max,
  name,
  text,
}: Record<'value' | 'max', number> & Record<'name' | 'text', string>): HTMLProgressElement {
  return h('progress', { part: 'progress', value, max, 'aria-label': name, 'aria-valuetext': text })
}

/** The first letters of the first two words, whatever the script. */
export function initialsOf(name: string): string {
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const words = name.split(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}\u200d]+/u).filter((word) => word !== '')
  const [first, second] = words.map((word) => [...characters.segment(word)][0]?.segment.toLocaleUpperCase())
  return `${first ?? ''}${second ?? ''}`
}

/**
 * A round picture, or the initials of the name. The initials show if there is no picture, if pictures are off, or if
 * the picture fails to load. The name is beside it, so it has no text of its own.
 */
export function picture(url: string | null, name: string, isOff: boolean): HTMLElement {
  // Made before it is needed: a name that is none fails while the element is drawn, not when a picture is missing.
  const initials = h('span', { class: 'initials', 'aria-hidden': 'true' }, initialsOf(name))
  const frame = h('span', { class: 'picture', part: 'picture' }, initials)
  if (url === null || isOff) return frame
  const image = h('img', { loading: 'lazy', decoding: 'async', alt: '', referrerpolicy: 'no-referrer' })
  image.addEventListener('error', () => frame.replaceChildren(initials))
  image.src = url
  frame.replaceChildren(image)
  return frame
}

type Attributes = { readonly [name: string]: string | number | boolean | null }
export type Child = Node | string | null

const SVG = 'http://www.w3.org/2000/svg'

/** Creates an element. Attributes: `true` sets an empty value, `false` and `null` omit it. Strings become text nodes. */
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

/** A picture of one path, in the colour of the text, 24 by 24; hidden from screen readers. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  setAttributes(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'icon' })
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

/** A text for screen readers only. */
export function hidden(text: string): HTMLSpanElement {
  return h('span', { class: 'sr' }, text)
}

/** A name, in its own direction; all of it shows on hovering if it is cut. */
export function nameText(name: string): HTMLElement {
  return h('bdi', { title: name }, name)
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
}
