import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useMayWrite } from '../api.ts'
import { Button, Field } from '../parts/controls.tsx'
import { Problem, ShowProgress } from '../parts/notices.tsx'
import { Card, Page } from '../parts/page.tsx'
import { Apply, DefinitionField, namesOf, readDefinition } from '../parts/what-if/apply.tsx'
import { Report } from '../parts/what-if/report.tsx'
import type { CurrentGameResponse, WhatIfReport } from '../types.ts'
import { useGet, useStream } from '../use-answer.ts'

/** What was typed is still there when one comes back to the page. */
let draft = ''

/** Who would gain and who would lose what under another game, and putting it in force. */
export function WhatIf(): JSX.Element {
  const mayWrite = useMayWrite()
  const [text, setText] = useState(draft)
  const [sample, setSample] = useState('1')
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
    const read = readDefinition(text)
    setProblem(read.problem)
    if (read.definition === null) return
    setAsked(read.definition)
    stream.start({ definition: read.definition, ...(sample === '1' ? {} : { sample: Number(sample) }) })
  }
  return (
    <Page title="What if">
      <div class="stack">
        <Card title="What if another game had always been there?">
          <div class="stack">
            <p>
              The preview replays the logs of all users under this game and compares the results. It changes nothing.
            </p>
            <DefinitionField text={text} change={change} current={game.data?.definition ?? null} />
            <div class="row choices">
              <Field name="Users">
                <select value={sample} onChange={(event) => setSample(event.currentTarget.value)}>
                  <option value="1">All</option>
                  <option value="0.1">One of ten</option>
                  <option value="0.01">One of a hundred</option>
                </select>
              </Field>
              <Button class="primary" disabled={stream.state === 'running'} onClick={look}>
                Preview
              </Button>
            </div>
            <Problem text={problem} />
            <ShowProgress
              stream={stream}
              what="Replaying the logs"
              after="Nothing was changed. Preview again to start over."
            />
          </div>
        </Card>
        {stream.report !== null && <Report report={stream.report} names={namesOf(game.data, asked)} />}
        {mayWrite && <Apply definition={readDefinition(text).definition} done={game.reload} />}
      </div>
    </Page>
  )
}
