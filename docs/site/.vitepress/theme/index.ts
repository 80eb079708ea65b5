import type { EnhanceAppContext } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { correctSearch } from './accessible-search.ts'
import Mermaid from './Mermaid.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: EnhanceAppContext) {
    app.component('Mermaid', Mermaid)
    // The site is built without a browser.
    if (typeof document !== 'undefined') correctSearch()
  },
}
