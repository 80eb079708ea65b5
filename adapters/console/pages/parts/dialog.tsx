import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly isWide?: boolean
  /** Nothing can be lost in it: it has a button to close it, and closes by a click outside. */
  readonly isForReading?: boolean
  readonly close: () => void
}

/** A modal dialog for as long as it is rendered; the focus goes back to where it was. */
export function Dialog({ title, children, isWide = false, isForReading = false, close }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const before = useRef<Element | null>(null)
  // Before the next frame: what is typed at once goes into it.
  useLayoutEffect(() => {
    before.current = document.activeElement
    dialog.current?.showModal()
  }, [])
  useLayoutEffect(() => {
    if (!isForReading) return undefined
    // A click on the backdrop is one on the dialog, outside its box. Escape does the same for the keyboard.
    const onClick = (event: MouseEvent): void => {
      if (dialog.current !== null && isOutside(event, dialog.current)) close()
    }
    const element = dialog.current
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [isForReading, close])
  // Once it is gone: nothing else can have the focus before.
  useEffect(
    () => () => {
      if (before.current instanceof HTMLElement && before.current.isConnected)
        before.current.focus({ preventScroll: true })
      else document.querySelector('h1')?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close} class={isWide ? 'wide' : undefined}>
      <h2 id={id}>{title}</h2>
      {children}
      {isForReading && (
        <div class="row end">
          <button type="button" onClick={close}>
            Close
          </button>
        </div>
      )}
    </dialog>
  )
}

function isOutside({ target, clientX, clientY }: MouseEvent, dialog: HTMLDialogElement): boolean {
  if (target !== dialog) return false
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
