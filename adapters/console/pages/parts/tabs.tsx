import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { navigate, withQuery } from '../router.ts'

export interface Tab {
  /** In the address, as `?tab=log`; that of the first tab is not there. */
  readonly key: string
  readonly name: string
  readonly content: () => ComponentChildren
}

interface TabsProps {
  /** What they are of, for screen readers. */
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly query: URLSearchParams
}

/** Tabs that the address names, so that a link leads to one; by arrow keys as others are. */
export function Tabs({ label, tabs, query }: TabsProps): JSX.Element {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const wanted = tabs.findIndex(({ key }) => key === query.get('tab'))
  const shown = Math.max(0, wanted)

  const choose = (index: number): void => {
    const at = (index + tabs.length) % tabs.length
    navigate(withQuery({ tab: at === 0 ? null : (tabs[at]?.key ?? null) }), { replace: true })
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const targets: { readonly [key: string]: number } = {
      ArrowRight: shown + 1,
      ArrowLeft: shown - 1,
      Home: 0,
      End: tabs.length - 1,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    choose(target)
  }

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ key, name }, index) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={index === shown}
            aria-controls={`${id}-panel`}
            tabIndex={index === shown ? 0 : -1}
            onClick={() => choose(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[shown]?.key}`} key={tabs[shown]?.key}>
        {tabs[shown]?.content()}
      </div>
    </>
  )
}
