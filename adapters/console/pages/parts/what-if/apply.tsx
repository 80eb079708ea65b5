import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ApplyReport, CurrentGameResponse } from '../../types.ts'
import { useStream } from '../../use-answer.ts'
import { Button, Field } from '../controls.tsx'
import { Confirm, DialogOpener } from '../dialog.tsx'
import { countOf } from '../format.ts'
import { ShowProgress } from '../notices.tsx'
import { Card } from '../page.tsx'
import type { WhatIfNames } from './report.tsx'

const VERBS: { readonly [Policy in ApplyPolicy]: string } = {
  forward: 'Apply going forward',
  grant: 'Apply and grant',
  recompute: 'Apply and recompute',
}

/** Puts the other game in force, by a policy. `done` is called after that. */
export function Apply({ text, done }: { readonly text: string; readonly done: () => void }): JSX.Element {
  const [policy, setPolicy] = useState<ApplyPolicy>('forward')
  const stream = useStream<ApplyReport>('admin/v1/apply')
  const { state, report } = stream
  useEffect(() => (state === 'done' ? done() : undefined), [state])
  return (
    <Card title="Put it in force">
      <p>For every process on the database. Users are processed one by one, while others write.</p>
      <div class="row">
        <DialogOpener
          class="primary"
          disabled={state === 'running'}
          dialog={(close) => (
            <Confirm
              title="Put this game in force?"
              verb={VERBS[policy]}
              isDangerous={policy === 'recompute'}
              run={async () => stream.start({ definition: parseDefinition(text), policy })}
              close={close}
            >
              <p>
                Every process on the database uses this game until another one is deployed. Older games stay stored.
              </p>
              <Policies chosen={policy} choose={setPolicy} />
            </Confirm>
          )}
        >
          Apply…
        </DialogOpener>
      </div>
      <ShowProgress
        stream={stream}
        what="Applying"
        after="The game is in force. Apply it again to process the users that are left."
      />
      {report !== null && <p role="status">{toText(report)}</p>}
    </Card>
  )
}

function toText({ epoch, policy, users, changed, damaged }: ApplyReport): string {
  const done =
    policy === 'forward'
      ? 'its rules count from now on'
      : `${countOf(users, 'user')} checked, ${changed} ${policy === 'grant' ? 'were given something' : 'recalculated'}`
  const left = damaged.map(({ user, message }) => ` ${user} was left as it is: ${message}`).join('')
  return `The game is in force as epoch ${epoch}, by ${policy}: ${done}.${left}`
}

interface DefinitionFieldProps {
  readonly text: string
  readonly change: (text: string) => void
  /** The definition of the game in force. `null` if not loaded yet. */
  readonly current: unknown
}

/** Asks for a definition as JSON: pasted, from a file, or the current game as a start. */
export function DefinitionField({ text, change, current }: DefinitionFieldProps): JSX.Element {
  const take = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) change(await file.text())
  }
  return (
    <div class="stack tight">
      <Field name="The other definition, as JSON">
        <textarea
          class="definition"
          value={text}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => change(currentTarget.value)}
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
        <Button disabled={current === null} onClick={() => change(`${JSON.stringify(current, null, 2)}\n`)}>
          Start from the current game
        </Button>
      </div>
    </div>
  )
}

type ApplyPolicy = ApplyReport['policy']

const POLICIES: { readonly [Policy in ApplyPolicy]: string } = {
  forward: 'Its rules count from now on. No user gains or loses anything for past events.',
  grant: 'Users receive what the game would have given them for past events. No user loses anything.',
  recompute:
    'All results are recomputed as if the game had always been in force. Users can lose achievements, points, levels and places.',
}

function isPolicy(text: string): text is ApplyPolicy {
  return Object.hasOwn(POLICIES, text)
}

function Policies({ chosen, choose }: { chosen: ApplyPolicy; choose: (policy: ApplyPolicy) => void }): JSX.Element {
  return (
    <fieldset class="policies">
      <legend>By which policy</legend>
      {Object.entries(POLICIES).map(([policy, words]) => (
        <label key={policy} class="row">
          <input
            type="radio"
            name="policy"
            value={policy}
            checked={policy === chosen}
            onChange={() => isPolicy(policy) && choose(policy)}
          />
          <strong>{policy}</strong>
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Reads JSON, and throws if it is no object. The server checks that it is a game. */
export function parseDefinition(text: string): { readonly [name: string]: unknown } {
  if (text.trim() === '') throw new Error('Paste a definition, or choose a file.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`This is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  if (isRecord(value)) return value
  throw new Error('The definition must be a JSON object, as { "metrics": … }.')
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names from the other game, else from the game in force, else the keys. */
export function namesOf(game: CurrentGameResponse | null, next: unknown): WhatIfNames {
  const find = (part: string, key: string): string =>
    nameIn(next, part, key) ?? nameIn(game?.definition, part, key) ?? key
  return {
    achievement: (key) => find('achievements', key),
    system: (key) => find('points', key),
    challenge: (key) => find('challenges', key),
    leaderboard: (key) => find('leaderboards', key),
    trigger: (system, id) => game?.sentences.points[system]?.[id] ?? `a new trigger (${id})`,
  }
}

function nameIn(definition: unknown, part: string, key: string): string | null {
  const all = isRecord(definition) ? definition[part] : null
  const entry = isRecord(all) && Object.hasOwn(all, key) ? all[key] : null
  return isRecord(entry) && typeof entry.name === 'string' ? entry.name : null
}
