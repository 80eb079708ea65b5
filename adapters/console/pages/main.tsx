import { render } from 'preact'
import '../../elements/index.ts'
import { App } from './app.tsx'
import './styles/base.css'
import './styles/parts.css'
import './styles/pages.css'
import 'uplot/dist/uPlot.min.css'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
