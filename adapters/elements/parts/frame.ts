/// <reference lib="dom" preserve="true" />
import { h } from './markup.ts'

/** The part of an element that stays while its content is drawn again. */
export interface Frame {
  readonly content: HTMLElement
  /** Announces a text to screen readers. */
  say(text: string): void
  /** Draws the content. The focus stays on the element with the same `data-focus`, or else within the content. */
  draw(nodes: readonly (Node | null)[], isLoading: boolean): void
}

const sheets = new Map<string, CSSStyleSheet>()

/** One sheet of styles for all elements of a kind. A content security policy without `unsafe-inline` lets it through. */
function sheetOf(styles: string): CSSStyleSheet {
  const sheet = sheets.get(styles) ?? new CSSStyleSheet()
  if (!sheets.has(styles)) sheet.replaceSync(styles)
  sheets.set(styles, sheet)
  return sheet
}

export function createFrame(element: HTMLElement, styles: string): Frame {
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheetOf(BASE_STYLES), sheetOf(styles)]
  const content = h('div', { class: 'content', part: 'content', tabindex: '-1' })
  const status = h('p', { class: 'sr', role: 'status' })
  root.append(h('div', { class: 'box', part: 'box' }, h('slot', { name: 'heading' }), content, status))
  return {
    content,
    say: (text) => {
      if (status.textContent !== text) status.textContent = text
    },
    draw: (nodes, isLoading) => {
      const active = root.activeElement
      const focus = active?.getAttribute('data-focus') ?? null
      const drawn = nodes.filter((node) => node !== null)
      const isSame =
        drawn.length === content.childNodes.length && drawn.every((node, index) => node === content.childNodes[index])
      if (!isSame) content.replaceChildren(...drawn)
      content.setAttribute('aria-busy', String(isLoading))
      if (active === null || root.activeElement === active) return
      const again = focus === null ? null : content.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focus)}"]`)
      ;(again ?? content).focus({ preventScroll: true })
    },
  }
}

/** Placeholder lines while data is loading. */
export function waiting(): HTMLElement {
  return h('div', { class: 'wait', part: 'loading', 'aria-hidden': 'true' }, h('span'), h('span'), h('span'))
}

/** `retry` is `null` if no client can load the data. */
export function failure(
  texts: { readonly failed: string; readonly retry: string },
  retry: (() => void) | null,
): HTMLElement {
  const failed = h('div', { class: 'failed', role: 'alert', part: 'error' }, h('span', {}, texts.failed))
  if (retry === null) return failed
  const button = h('button', { type: 'button', part: 'retry', 'data-focus': 'retry' }, texts.retry)
  button.addEventListener('click', retry)
  failed.append(button)
  return failed
}

/** The language that holds for an element, around which there may be others with a shadow root. */
export function langOf(element: Element): string {
  const own = element.closest('[lang]')?.getAttribute('lang')
  if (own !== undefined && own !== null) return own
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? langOf(root.host) : ''
}

const PALETTE = `
  --_color: var(--laurels-color, light-dark(#1b2026, #eceff3));
  --_background: var(--laurels-background, light-dark(#ffffff, #15191e));
  --_muted: var(--laurels-muted, light-dark(#59626d, #a4aeba));
  --_accent: var(--laurels-accent, light-dark(#15784a, #45c486));
  --_on-accent: var(--laurels-on-accent, light-dark(#ffffff, #06170e));
  --_surface: var(--laurels-surface, light-dark(#f2f5f7, #20262d));
  --_border: var(--laurels-border, light-dark(#dce1e6, #313943));
  --_frozen: var(--laurels-frozen, light-dark(#1a61ba, #6db3ff));
  --_paused: var(--laurels-paused, light-dark(#7a6590, #b9a4d6));
  --_lost: var(--laurels-lost, light-dark(#bc3a14, #ff9478));
  --_warm: var(--laurels-warm, light-dark(#c2560a, #ffab4d));
  --_radius: var(--laurels-radius, 14px);`

/** The style that all elements share. Light or dark follows the page's `color-scheme`. */
export const BASE_STYLES: string = `
:host { display: block; isolation: isolate; min-inline-size: 0; ${PALETTE} }
:host([hidden]) { display: none; }
*, ::before, ::after { box-sizing: border-box; }
.box {
  container-type: inline-size; contain-intrinsic-inline-size: 20rem; position: relative;
  display: grid; grid-template-columns: minmax(0, 1fr); align-content: start; gap: .875rem; min-block-size: 100%;
  padding: var(--laurels-padding, 1.125rem); border: 1px solid var(--_border); border-radius: var(--_radius);
  color: var(--_color); background: var(--_background);
  font-family: var(--laurels-font, inherit); font-size: 1rem; line-height: 1.45; text-align: start; overflow-wrap: anywhere;
}
slot[name=heading]::slotted(*) { margin: 0; }
p, ul, ol { margin: 0; padding: 0; }
ul, ol { list-style: none; }
.box bdi { text-align: match-parent; }
.sr {
  position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.muted { color: var(--_muted); font-size: .875rem; text-wrap: pretty; }
.icon { inline-size: 1.25em; block-size: 1.25em; fill: currentColor; flex: none; }
.picture {
  display: inline-grid; place-items: center; vertical-align: top; flex: none; inline-size: var(--picture, 3.5rem); block-size: var(--picture, 3.5rem);
  border-radius: 50%; overflow: hidden; background: var(--_surface); color: var(--_muted); font-weight: 650;
  letter-spacing: .02em;
}
.picture img { inline-size: 100%; block-size: 100%; object-fit: cover; }
button {
  font: inherit; font-size: .875rem; font-weight: 600; color: inherit; background: var(--_surface); cursor: pointer;
  border: 1px solid var(--_border); border-radius: calc(var(--_radius) / 1.75); padding: .4rem .8rem; min-block-size: 2.25rem;
}
button:hover { border-color: var(--_muted); }
button[aria-disabled=true] { color: var(--_muted); cursor: default; border-color: var(--_border); }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
:focus:not(:focus-visible) { outline: none; }
.failed { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; justify-content: space-between; }
* + .failed { margin-block-start: .875rem; }
.content[aria-busy=true] > :not(.wait, .failed) { opacity: .6; }
.wait { display: grid; gap: .75rem; }
.wait span { block-size: 1rem; border-radius: .5rem; background: var(--_surface); }
.wait span:first-child { block-size: 2.25rem; inline-size: 45%; }
.wait span:last-child { inline-size: 70%; }
progress {
  appearance: none; display: block; inline-size: 100%; block-size: .5rem; border: 0; border-radius: 1rem; overflow: hidden;
  background: color-mix(in srgb, var(--_muted) 26%, var(--_background));
}
progress::-webkit-progress-bar { background: none; }
progress::-webkit-progress-value { background: var(--_accent); border-radius: 1rem; }
progress::-moz-progress-bar { background: var(--_accent); border-radius: 1rem; }
@media (prefers-reduced-motion: no-preference) {
  .content { transition: opacity .15s; }
  .wait span { animation: wait 1.4s ease-in-out infinite alternate; }
}
@media (forced-colors: active) {
  progress { border: 1px solid CanvasText; forced-color-adjust: none; background: Canvas; --_accent: Highlight; }
}
@keyframes wait { from { opacity: 1; } to { opacity: .45; } }
`
