import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly isWide?: boolean
  readonly close: () => void
}

/** A modal dialog for as long as it is rendered; the focus goes back to where it was. */
export function Dialog({ title, children, isWide = false, close }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const before = useRef<Element | null>(null)
  // Before the next frame: what is typed at once goes into it.
  useLayoutEffect(() => {
    before.current = document.activeElement
    dialog.current?.showModal()
  }, [])
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
    </dialog>
  )
}
