import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { GamesResponse, StoredGameSummary } from '../../../../../src/api/operate/types.ts'
import { call } from '../../api.ts'
import { useAnswer } from '../../use-answer.ts'
import { Json } from '../drift.tsx'
import { Card, Loaded } from '../page.tsx'
import { Time } from '../person.tsx'
import { Pager, Table, usePages } from '../table.tsx'

/** Every game that was ever in force, the newest first, each with its definition. */
export function OlderGames(): JSX.Element {
  const pages = usePages<number>([])
  const [shown, setShown] = useState<StoredGameSummary | null>(null)
  const answer = useAnswer(
    (signal) => call<GamesResponse>('GET', 'admin/v1/games', { query: { limit: 20, before: pages.cursor }, signal }),
    [pages.cursor],
  )
  return (
    <div class="stack">
      <Card title="Games that were put in force" padded={false}>
        <Loaded answer={answer} what="the games">
          {({ games, before }) => (
            <>
              <Table
                caption="Games, the newest first"
                columns={[
                  { name: 'Epoch', isHeader: true, kind: 'number', cell: ({ epoch }) => epoch },
                  { name: 'Put in force', cell: ({ createdAt }) => <Time at={createdAt} /> },
                  { name: 'Policy', cell: ({ policy }) => policy },
                  { name: 'Fingerprint', cell: ({ fingerprint }) => <code>{fingerprint.slice(0, 12)}…</code> },
                  {
                    name: 'Definition',
                    kind: 'fit',
                    isNameHidden: true,
                    cell: (game) => (
                      <button
                        type="button"
                        class="small"
                        aria-expanded={shown?.epoch === game.epoch}
                        aria-label={`Show the definition of epoch ${game.epoch}`}
                        onClick={() => setShown(shown?.epoch === game.epoch ? null : game)}
                      >
                        Definition
                      </button>
                    ),
                  },
                ]}
                rows={games}
                keyOf={({ epoch }) => epoch}
              />
              <Pager pages={pages} next={before} names={{ back: 'Newer', next: 'Older' }} />
            </>
          )}
        </Loaded>
      </Card>
      {shown !== null && (
        <Card title={`The definition of epoch ${shown.epoch}`}>
          <Json value={shown.definition} label={`The definition of epoch ${shown.epoch}`} />
        </Card>
      )}
    </div>
  )
}
