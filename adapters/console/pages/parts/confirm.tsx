import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { notify } from './notices.tsx'

interface ConfirmProps {
  readonly title: string
  /** What the change does, and what it would lead to where that is known; inputs too. */
  readonly children: ComponentChildren
  /** What the button says: `Void the event`. */
  readonly verb: string
  readonly isDangerous?: boolean
  /** false: something is missing yet, as an input. */
  readonly isReady?: boolean
  /** Carries it out; what it rejects with is shown, and the dialog stays. A text that it answers is said afterwards. */
  readonly run: () => Promise<unknown>
  readonly close: () => void
}

/** Asks once more before something is changed. */
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
      if (typeof said === 'string') notify(said)
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
        {error !== null && (
          <p role="alert" class="failure">
            {error}
          </p>
        )}
        <div class="row end">
          <button type="button" onClick={close} disabled={isRunning}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isRunning || !isReady}>
            {isRunning ? 'Working…' : verb}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
