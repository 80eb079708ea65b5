import type { JSX } from 'preact'
import { useMayWrite } from '../api.ts'
import { Button, Input, useText } from '../parts/controls.tsx'
import { Confirm, DialogOpener } from '../parts/dialog.tsx'
import { DriftReport } from '../parts/drift.tsx'
import { ShowProgress } from '../parts/notices.tsx'
import { Card, ConsolePage } from '../parts/page.tsx'
import type { AuditReport } from '../types.ts'
import { useStream } from '../use-answer.ts'

const AFTER = 'Repaired rows stay repaired. Rebuild again to find the rest.'

export function IntegrityPage(): JSX.Element {
  const mayWrite = useMayWrite()
  const text = useText()
  const verify = useStream<AuditReport>('admin/v1/verify')
  const rebuild = useStream<AuditReport>('admin/v1/rebuild')
  const users = [...new Set(text.value.split(/[\s,]+/).filter((id) => id !== ''))]
  const body = users.length === 0 ? {} : { users }
  const whom = users.length === 0 ? 'all users' : users.length === 1 ? `the user ${users[0]}` : `${users.length} users`
  const isRunning = verify.state === 'running' || rebuild.state === 'running'
  return (
    <ConsolePage title="Integrity">
      <Card title="Is the database right?">
        <p>
          Everything that the console shows of a user follows from the user's log. Verify replays the logs and compares
          every row. It changes nothing and can run while others write.
        </p>
        <Input label="Users" hint="Ids, separated by spaces or commas. Empty: all users of all tenants." {...text} />
        <div class="row">
          <Button class="primary" disabled={isRunning} onClick={() => verify.start(body)}>
            Verify {whom}
          </Button>
          {mayWrite && (
            <DialogOpener
              disabled={isRunning}
              dialog={(close) => <Rebuild whom={whom} start={() => rebuild.start(body)} close={close} />}
            >
              Rebuild {whom}…
            </DialogOpener>
          )}
        </div>
        <ShowProgress stream={verify} what="Verifying" after="Nothing was changed. Verify again to start over." />
        <ShowProgress stream={rebuild} what="Rebuilding" after={AFTER} />
      </Card>
      {verify.report !== null && <DriftReport title="What verifying found" report={verify.report} isRepaired={false} />}
      {rebuild.report !== null && <DriftReport title="What was repaired" report={rebuild.report} isRepaired />}
    </ConsolePage>
  )
}

function Rebuild({ whom, start, close }: { whom: string; start: () => void; close: () => void }): JSX.Element {
  return (
    <Confirm title={`Rebuild ${whom}?`} verb="Rebuild" isDangerous run={async () => start()} close={close}>
      <p>
        Rebuild replaces each row that differs from the logs of {whom}, user by user, while others write. The logs do
        not change. Verify first to see which rows differ.
      </p>
    </Confirm>
  )
}
