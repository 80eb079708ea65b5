import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Notice {
  readonly id: number
  readonly text: string
}

const SHOWN_MS = 6_000
let latest = 0
let notices: readonly Notice[] = []
let redraw: (notices: readonly Notice[]) => void = () => undefined

/** Says for some seconds that something was done; screen readers say it too. */
export function notify(text: string): void {
  latest += 1
  const id = latest
  show([...notices.slice(-2), { id, text }])
  setTimeout(() => show(notices.filter((notice) => notice.id !== id)), SHOWN_MS)
}

function show(next: readonly Notice[]): void {
  notices = next
  redraw(next)
}

/** Where notices are shown: once, in the frame. */
export function Notices(): JSX.Element {
  const [shown, setShown] = useState(notices)
  useEffect(() => {
    redraw = setShown
    return () => {
      redraw = () => undefined
    }
  }, [])
  return (
    <div class="notices" role="status">
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
