import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

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
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      else document.querySelector('h1')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close} class={isWide ? 'wide' : undefined}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
