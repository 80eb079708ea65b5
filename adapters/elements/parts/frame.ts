/// <reference lib="dom" preserve="true" />
import { h } from './dom.ts'
import { BASE_STYLES } from './styles.ts'

/** What stays in an element while its content is drawn again. */
export interface Frame {
  readonly content: HTMLElement
  /** What it says is read to those who do not see the page. */
  say(text: string): void
  /** Draws the content; the focus stays on what has the same `data-focus`, and else within the content. */
  draw(nodes: readonly (Node | null)[], isLoading: boolean): void
}

const sheets = new Map<string, CSSStyleSheet>()

/** One sheet of styles for all elements of a kind. A content security policy without `unsafe-inline` lets it through. */
function sheetOf(styles: string): CSSStyleSheet {
  const known = sheets.get(styles)
  if (known !== undefined) return known
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
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
      content.replaceChildren(...nodes.filter((node) => node !== null))
      content.setAttribute('aria-busy', String(isLoading))
      if (active === null || active.isConnected) return
      const again = focus === null ? null : content.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focus)}"]`)
      ;(again ?? content).focus({ preventScroll: true })
    },
  }
}

/** Lines in place of what is being loaded. */
export function waiting(): HTMLElement {
  return h('div', { class: 'wait', part: 'loading', 'aria-hidden': 'true' }, h('span'), h('span'), h('span'))
}

/** `retry` null: there is nobody to ask again. */
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
