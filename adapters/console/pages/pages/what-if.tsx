import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useMayWrite } from '../api.ts'
import { Button, Select, useText } from '../parts/controls.tsx'
import { ErrorText, ShowProgress } from '../parts/notices.tsx'
import { Card, ConsolePage } from '../parts/page.tsx'
import { Apply, DefinitionField, namesOf, parseDefinition } from '../parts/what-if/apply.tsx'
import { Report } from '../parts/what-if/report.tsx'
import type { CurrentGameResponse, WhatIfReport } from '../types.ts'
import { useGet, useStream } from '../use-answer.ts'

const SAMPLES = [
  { key: '1', name: 'All' },
  { key: '0.1', name: 'One of ten' },
  { key: '0.01', name: 'One of a hundred' },
]

const AFTER = 'Nothing was changed. Preview again to start over.'

/** Kept while the user visits other pages. */
let draft = ''

/** Previews another game, and puts it in force. */
export function WhatIfPage(): JSX.Element {
  const mayWrite = useMayWrite()
  const [text, setText] = useState(draft)
  const sample = useText('1')
  const [problem, setProblem] = useState<string | null>(null)
  const [asked, setAsked] = useState<unknown>(null)
  const game = useGet<CurrentGameResponse>('admin/v1/game')
  const stream = useStream<WhatIfReport>('admin/v1/what-if')
  const change = (next: string): void => {
    draft = next
    setText(next)
    setProblem(null)
  }
  const look = (): void => {
    try {
      const definition = parseDefinition(text)
      setAsked(definition)
      stream.start({ definition, ...(sample.value === '1' ? {} : { sample: Number(sample.value) }) })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <ConsolePage title="What if">
      <Card title="What if another game had always been there?">
        <p>The preview replays the logs of all users under this game and compares the results. It changes nothing.</p>
        <DefinitionField text={text} change={change} current={game.data?.definition ?? null} />
        <div class="row choices">
          <Select label="Users" {...sample} choices={SAMPLES} />
          <Button class="primary" disabled={stream.state === 'running'} onClick={look}>
            Preview
          </Button>
        </div>
        <ErrorText text={problem} />
        <ShowProgress stream={stream} what="Replaying the logs" after={AFTER} />
      </Card>
      {stream.report !== null && <Report report={stream.report} names={namesOf(game.data, asked)} />}
      {mayWrite && <Apply text={text} done={game.reload} />}
    </ConsolePage>
  )
}
