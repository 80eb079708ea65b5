import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../field.tsx'

interface DefinitionFieldProps {
  readonly text: string
  readonly change: (text: string) => void
  /** The definition of the game in force; null: it is not known yet. */
  readonly current: unknown
}

const MOST_BYTES = 8 * 1_024 * 1_024

/** A definition as JSON: pasted, from a file, or that of the game in force to begin with. */
export function DefinitionField({ text, change, current }: DefinitionFieldProps): JSX.Element {
  const [problem, setProblem] = useState<string | null>(null)
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > MOST_BYTES) return setProblem(`${file.name} is larger than 8 MB: that is no definition.`)
    try {
      change(await file.text())
      setProblem(null)
    } catch {
      setProblem(`${file.name} cannot be read.`)
    }
  }
  return (
    <div class="stack tight">
      <Field name="The other definition, as JSON">
        <textarea
          class="definition"
          value={text}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => change(event.currentTarget.value)}
        />
      </Field>
      <div class="row choices">
        <Field name="Or a file">
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => void take(event.currentTarget.files?.[0])}
          />
        </Field>
        <button
          type="button"
          disabled={current === null}
          onClick={() => change(`${JSON.stringify(current, null, 2)}\n`)}
        >
          Start from the current game
        </button>
      </div>
      {problem !== null && (
        <p class="failure" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
