import type { ComponentChildren, JSX } from 'preact'
import { Copy } from './copy.tsx'
import { scrolls } from './scrolls.ts'

interface JsonProps {
  readonly value: unknown
  /** What it is, for screen readers: `The definition of the game`. */
  readonly label: string
}

/** JSON as it was answered, indented, with a button that copies it. */
export function Json({ value, label }: JsonProps): JSX.Element {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return (
    <div class="stack tight">
      <div class="row end">
        <Copy text={text} name="Copy JSON" />
      </div>
      <pre class="json" {...scrolls(label)}>
        {highlight(text)}
      </pre>
    </div>
  )
}

const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g
/** Spans cost more than they help in what nobody reads whole. */
const MOST_HIGHLIGHTED = 50_000

function highlight(text: string): ComponentChildren {
  if (text.length > MOST_HIGHLIGHTED) return text
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [token, colon] = match
    parts.push(text.slice(end, match.index))
    const kind = !token.startsWith('"') ? 'value' : colon === undefined ? 'text' : 'key'
    parts.push(<span class={kind}>{token}</span>)
    end = match.index + token.length
  }
  parts.push(text.slice(end))
  return parts
}
