/// <reference lib="dom" preserve="true" />
import { h } from './dom.ts'
import { initialsOf } from './initials.ts'

/**
 * A round picture, or the initials of what it stands for where there is none, where pictures are off, or where it cannot be
 * loaded. The name stands beside it, so it says nothing by itself.
 */
export function picture(url: string | null, name: string, isOff: boolean): HTMLElement {
  // Made before it is needed: a name that is none fails while the element is drawn, not when a picture is missing.
  const initials = h('span', { class: 'initials', 'aria-hidden': 'true' }, initialsOf(name))
  const frame = h('span', { class: 'picture', part: 'picture' })
  if (url === null || isOff) {
    frame.append(initials)
    return frame
  }
  const image = h('img', { loading: 'lazy', decoding: 'async', alt: '', referrerpolicy: 'no-referrer' })
  image.addEventListener('error', () => frame.replaceChildren(initials))
  image.src = url
  frame.append(image)
  return frame
}
