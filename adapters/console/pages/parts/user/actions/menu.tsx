import type { ComponentType, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useMayWrite } from '../../../session.ts'
import { useAbout } from '../about.ts'
import { CompleteAchievement } from './complete.tsx'
import { DeleteUser } from './delete.tsx'
import { GiveFreezes } from './freezes.tsx'
import { Merge } from './merge.tsx'
import { PauseStreak } from './pause.tsx'
import { SendEvent } from './send-event.tsx'
import { Restore, Suspend } from './suspend.tsx'
import type { ActionProps } from './types.ts'

interface Action {
  readonly name: string
  readonly dialog: ComponentType<ActionProps>
  readonly isDangerous?: boolean
}

/** What may be done to a user; nothing of it is there in read access. */
export function UserMenu(props: Omit<ActionProps, 'close'>): JSX.Element | null {
  const mayWrite = useMayWrite()
  const { listed } = useAbout()
  const [isOpen, setIsOpen] = useState(false)
  const [Chosen, setChosen] = useState<ComponentType<ActionProps> | null>(null)
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (!isOpen) return
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) setIsOpen(false)
    }
    const closeByKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setIsOpen(false)
      button.current?.focus()
    }
    document.addEventListener('keydown', closeByKey)
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('keydown', closeByKey)
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [isOpen])

  if (!mayWrite) return null
  const actions = toActions(props, listed?.suspended ?? null)
  return (
    <div class="menu" ref={menu}>
      <button type="button" aria-expanded={isOpen} ref={button} onClick={() => setIsOpen(!isOpen)}>
        Change…
      </button>
      {isOpen && (
        <ul class="menu-items">
          {actions.map(({ name, dialog, isDangerous = false }) => (
            <li key={name}>
              <button
                type="button"
                class={isDangerous ? 'bad' : undefined}
                onClick={() => {
                  // The focus returns here when the dialog is closed.
                  button.current?.focus()
                  setIsOpen(false)
                  setChosen(() => dialog)
                }}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {Chosen !== null && <Chosen {...props} close={() => setChosen(null)} />}
    </div>
  )
}

function toActions({ achievements }: Omit<ActionProps, 'close'>, suspended: object | null): readonly Action[] {
  const hasApi = achievements.some(({ trigger }) => trigger === 'api')
  return [
    { name: 'Send an event', dialog: SendEvent },
    { name: 'Give freezes', dialog: GiveFreezes },
    { name: 'Pause the streak', dialog: PauseStreak },
    ...(hasApi ? [{ name: 'Complete an achievement', dialog: CompleteAchievement }] : []),
    suspended === null
      ? { name: 'Suspend from leaderboards', dialog: Suspend }
      : { name: 'Restore to leaderboards', dialog: Restore },
    { name: 'Merge into another user', dialog: Merge, isDangerous: true },
    { name: 'Delete the user', dialog: DeleteUser, isDangerous: true },
  ]
}
