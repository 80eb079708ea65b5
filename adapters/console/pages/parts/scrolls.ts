interface Scrolls {
  readonly tabIndex: 0
  readonly role: 'region'
  readonly 'aria-label': string
}

/** What scrolls in itself has to be reached by the keyboard, and so it has a name. */
export function scrolls(label: string): Scrolls {
  return { tabIndex: 0, role: 'region', 'aria-label': label }
}
