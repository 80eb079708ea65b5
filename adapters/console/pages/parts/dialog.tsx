import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './controls.tsx'
import { ErrorText, showNotice } from './notices.tsx'
import type { Column } from './table.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** The dialog has a button to close it, and closes after a click outside. */
  readonly isForReading?: boolean
  readonly close: () => void
}

/** A modal dialog. When it closes, the element that had the focus gets it again. */
export function Dialog({ title, children, isForReading = false, close }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const before = useRef<Element | null>(null)
  // Runs before the next frame, so that the dialog gets the user's first keystrokes.
  useLayoutEffect(() => {
    before.current = document.activeElement
    dialog.current?.showModal()
  }, [])
  // The focus cannot move before the dialog is closed.
  useEffect(
    () => () => {
      if (before.current instanceof HTMLElement && before.current.isConnected)
        before.current.focus({ preventScroll: true })
      else document.querySelector('h1')?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close} closedby={isForReading ? 'any' : undefined}>
      <h2 id={id}>{title}</h2>
      {children}
      {isForReading && (
        <div class="row end">
          <Button onClick={close}>Close</Button>
        </div>
      )}
    </dialog>
  )
}

type OpenerProps = JSX.IntrinsicElements['button'] & {
  readonly dialog: (close: () => void) => ComponentChildren
}

/** A button that opens a dialog. */
export function DialogOpener({ dialog, ...props }: OpenerProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button {...props} onClick={() => setIsOpen(true)} />
      {isOpen && dialog(() => setIsOpen(false))}
    </>
  )
}

/**
 * A column with a small button that opens a dialog about its row. `toLabel` names it for screen readers, or `null` if
 * there is no button.
 */
export function dialogColumn<Row>(
  name: string,
  text: string,
  toLabel: (row: Row) => string | null,
  dialog: (row: Row, close: () => void) => ComponentChildren,
): Column<Row> {
  const cell = (row: Row): ComponentChildren => {
    const label = toLabel(row)
    return (
      label !== null && (
        <DialogOpener class="small" aria-label={label} dialog={(close) => dialog(row, close)}>
          {text}
        </DialogOpener>
      )
    )
  }
  return { name, kind: 'fit', isNameHidden: true, cell }
}

/** Properties of a dialog that makes a change. It calls `done` after the change. */
export interface AskingProps {
  readonly done: () => void
  readonly close: () => void
}

interface ConfirmProps {
  readonly title: string
  /** The description of the change, and inputs. */
  readonly children: ComponentChildren
  /** The text of the button: `Void the event`. */
  readonly verb: string
  readonly isDangerous?: boolean
  /** `false` if an input is missing. */
  readonly isReady?: boolean
  /** Makes the change. If it rejects, the dialog shows why and stays. A returned text becomes a notice. */
  readonly run: () => Promise<unknown>
  readonly close: () => void
}

export function Confirm(props: ConfirmProps): JSX.Element {
  const { title, children, verb, isDangerous = false, isReady = true, run, close } = props
  const [error, setError] = useState<string | null>(null)
  const [isRunning, setIsRunning] = useState(false)
  const submit = async (): Promise<void> => {
    setIsRunning(true)
    setError(null)
    try {
      const said = await run()
      close()
      if (typeof said === 'string') showNotice(said)
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : String(problem))
      setIsRunning(false)
    }
  }

  return (
    <Dialog title={title} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isRunning) void submit()
        }}
      >
        {children}
        <ErrorText text={error} />
        <div class="row end">
          <Button onClick={close} disabled={isRunning}>
            Cancel
          </Button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isRunning || !isReady}>
            {isRunning ? 'Working…' : verb}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** A button that copies a text. Default: the address of the page. */
export function Copy({ text, name = 'Copy link' }: { text?: string; name?: string }): JSX.Element {
  const copy = async (): Promise<void> => {
    // Without https there is no clipboard for pages.
    try {
      await navigator.clipboard.writeText(text ?? location.href)
      showNotice('Copied.')
    } catch {
      showNotice('The browser does not let this page copy: take it from the address bar.')
    }
  }
  return (
    <Button class="quiet small" onClick={() => void copy()}>
      {name}
    </Button>
  )
}

/** A secret that is shown once, until the reader confirms that it is saved. */
export function Secret({ title, secret, close }: { title: string; secret: string; close: () => void }): JSX.Element {
  return (
    <section class="secret" aria-label={title}>
      <p role="status">
        <strong>{title}</strong> Keep it now: it is never shown again.
      </p>
      <p>
        <code class="secret-text">{secret}</code>
      </p>
      <div class="row">
        <Copy text={secret} name="Copy" />
        <Button onClick={close}>I have kept it</Button>
      </div>
    </section>
  )
}
