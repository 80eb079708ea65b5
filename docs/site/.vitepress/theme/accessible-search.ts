/** What VitePress 1.6 says in its search dialog that is not so: a button with a page inside, and options that hold links. */
const WRONG: { readonly [selector: string]: readonly string[] } = {
  '.VPLocalSearchBox': ['aria-expanded', 'aria-haspopup', 'aria-labelledby', 'aria-owns'],
  '.search-input': ['aria-activedescendant', 'aria-autocomplete', 'aria-controls'],
  '.results': ['role', 'aria-labelledby'],
  '.results > li': ['role', 'aria-selected'],
  '.result': ['aria-label'],
}

const RIGHT: { readonly [selector: string]: { readonly [name: string]: string } } = {
  '.VPLocalSearchBox': { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Search' },
  '.VPLocalSearchBox kbd[aria-label]': { role: 'img' },
}

/** Makes the search a dialog with a list of links, for screen readers. The keyboard works as before. */
export function correctSearch(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector('.VPLocalSearchBox') === null) return
    for (const [selector, names] of Object.entries(WRONG)) {
      for (const element of document.querySelectorAll(selector)) {
        for (const name of names) element.removeAttribute(name)
      }
    }
    for (const [selector, attributes] of Object.entries(RIGHT)) {
      for (const element of document.querySelectorAll(selector)) {
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
      }
    }
    // These writes are no reason to run again.
    observer.takeRecords()
  })
  const attributeFilter = [...new Set(Object.values(WRONG).flat())]
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter })
}
