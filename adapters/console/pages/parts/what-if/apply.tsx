import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ApplyReport, CurrentGameResponse } from '../../types.ts'
import { useStream } from '../../use-answer.ts'
import { Button, Field } from '../controls.tsx'
import { Confirm } from '../dialog.tsx'
import { plural } from '../format.ts'
import { Problem, ShowProgress } from '../notices.tsx'
import { Card } from '../page.tsx'
import type { WhatIfNames } from './report.tsx'

const VERBS: { readonly [Policy in ApplyPolicy]: string } = {
  forward: 'Apply going forward',
  grant: 'Apply and grant',
  recompute: 'Apply and recompute',
}

interface ApplyProps {
  /** null: there is none that can be applied. */
  readonly definition: { readonly [name: string]: unknown } | null
  /** Called after a game was put in force. */
  readonly done: () => void
}

/** Puts the other game in force, by a policy, and goes on where that was interrupted. */
export function Apply({ definition, done }: ApplyProps): JSX.Element {
  const [policy, setPolicy] = useState<ApplyPolicy>('forward')
  const [isAsking, setIsAsking] = useState(false)
  const [kept, setKept] = useState(readBreak)
  const stream = useStream<ApplyReport>('admin/v1/apply')
  const { state, progress, report } = stream
  const isRunning = state === 'running'

  const keep = (next: Break | null): void => {
    keepBreak(next)
    setKept(next)
  }
  const begin = (next: Break): void => {
    keep(next)
    const { after, ...rest } = next
    stream.start(after === null ? rest : { ...rest, after })
  }
  useEffect(() => {
    const last = progress?.last ?? null
    if (kept !== null && last !== null) keep({ ...kept, after: last })
  }, [progress])
  useEffect(() => {
    if (state === 'done') {
      keep(null)
      done()
    }
    // Refused before the first user: nothing is in force.
    if (state === 'failed' && progress === null && kept?.after === null) keep(null)
  }, [state])

  return (
    <Card title="Put it in force">
      <div class="stack">
        {kept !== null && !isRunning && <GoOn kept={kept} goOn={() => begin(kept)} forget={() => keep(null)} />}
        <p>For every process on the database. Users are processed one by one, while others write.</p>
        <div class="row">
          <Button class="primary" disabled={definition === null || isRunning} onClick={() => setIsAsking(true)}>
            Apply…
          </Button>
          {definition === null && <span class="muted">It needs a definition above.</span>}
        </div>
        <ShowProgress
          stream={stream}
          what="Applying"
          after="The game is in force. Go on with the users that are left."
        />
        {report !== null && <p role="status">{toText(report)}</p>}
      </div>
      {isAsking && definition !== null && (
        <Confirm
          title="Put this game in force?"
          verb={VERBS[policy]}
          isDangerous={policy === 'recompute'}
          run={async () => begin({ definition, policy, after: null })}
          close={() => setIsAsking(false)}
        >
          <p>
            Every process on the database decides by it from then on, until one with another game is deployed. It is
            stored as a game of its own; the older ones stay.
          </p>
          <Policies chosen={policy} choose={setPolicy} />
        </Confirm>
      )}
    </Card>
  )
}

interface GoOnProps {
  readonly kept: Break
  readonly goOn: () => void
  readonly forget: () => void
}

function GoOn({ kept: { policy, after }, goOn, forget }: GoOnProps): JSX.Element {
  return (
    <section class="preview stack tight" aria-label="An application that was not finished">
      <p>
        Applying a game by <strong>{policy}</strong> was not finished
        {after === null ? '' : `: it came as far as the user ${after.user}`}. {POLICIES[policy]}
      </p>
      <div class="row">
        <Button class="primary" onClick={goOn}>
          Go on with the users that are left
        </Button>
        <Button onClick={forget}>Leave it</Button>
      </div>
    </section>
  )
}

function toText({ epoch, policy, users, changed, damaged }: ApplyReport): string {
  const done =
    policy === 'forward'
      ? 'its rules count from now on'
      : `${plural(users, 'user')} checked, ${changed} ${policy === 'grant' ? 'were given something' : 'recalculated'}`
  const left = damaged.map(({ user, message }) => ` ${user} was left as it is: ${message}`).join('')
  return `The game is in force as epoch ${epoch}, by ${policy}: ${done}.${left}`
}

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
        <Button disabled={current === null} onClick={() => change(`${JSON.stringify(current, null, 2)}\n`)}>
          Start from the current game
        </Button>
      </div>
      <Problem text={problem} />
    </div>
  )
}

type ApplyPolicy = ApplyReport['policy']

/** What each does, in words. */
export const POLICIES: { readonly [Policy in ApplyPolicy]: string } = {
  forward: 'Its rules count from now on. No user gains or loses anything for past events.',
  grant: 'Users receive what the game would have given them for past events. No user loses anything.',
  recompute:
    'All results are recomputed as if the game had always been in force. Users can lose achievements, points, levels and places.',
}

function isPolicy(text: string): text is ApplyPolicy {
  return Object.hasOwn(POLICIES, text)
}

interface PoliciesProps {
  readonly chosen: ApplyPolicy
  readonly choose: (policy: ApplyPolicy) => void
}

export function Policies({ chosen, choose }: PoliciesProps): JSX.Element {
  return (
    <fieldset class="policies">
      <legend>By which policy</legend>
      {Object.entries(POLICIES).map(([policy, words]) => (
        <label key={policy}>
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

/** An application of a game that was not finished: how to go on with the users that are left. */
export interface Break {
  readonly definition: { readonly [name: string]: unknown }
  readonly policy: ApplyPolicy
  /** The user after whom it goes on; null: from the first. */
  readonly after: { readonly tenant: string; readonly user: string } | null
}

const NAME = 'laurels-console-apply'

/** What this tab was about to apply, should it have been left or reloaded in the middle. */
export function readBreak(): Break | null {
  try {
    const text = sessionStorage.getItem(NAME)
    return text === null ? null : (JSON.parse(text) as Break)
  } catch {
    return null
  }
}

export function keepBreak(kept: Break | null): void {
  try {
    if (kept === null) sessionStorage.removeItem(NAME)
    else sessionStorage.setItem(NAME, JSON.stringify(kept))
  } catch {
    // Without storage, an interrupted run starts again from the first user. That is safe.
  }
}

/** The definition that a text is, or why it is none. */
export type ReadDefinition =
  | { readonly definition: { readonly [name: string]: unknown }; readonly problem: null }
  | { readonly definition: null; readonly problem: string }

/** Reads JSON; whether it is a game says the server. */
export function readDefinition(text: string): ReadDefinition {
  if (text.trim() === '') return { definition: null, problem: 'Paste a definition, or choose a file.' }
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return { definition: value, problem: null }
    return { definition: null, problem: 'The definition must be a JSON object, as { "metrics": … }.' }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { definition: null, problem: `This is not JSON: ${why}` }
  }
}

export function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names of the other game where it has them, else of the game in force, else the keys. */
export function namesOf(game: CurrentGameResponse | null, next: unknown): WhatIfNames {
  const find = (part: string, key: string): string | null =>
    nameIn(next, part, key) ?? nameIn(game?.definition, part, key)
  return {
    achievement: (key) => find('achievements', key) ?? key,
    system: (key) => find('points', key) ?? key,
    leaderboard: (key) => find('leaderboards', key) ?? key,
    trigger: (system, id) => game?.sentences.points[system]?.[id] ?? `a new trigger (${id})`,
  }
}

/** The name of something, or of the tier that its key ends with. */
function nameIn(definition: unknown, part: string, key: string): string | null {
  const all = isRecord(definition) && Object.hasOwn(definition, part) ? definition[part] : null
  if (!isRecord(all)) return null
  if (Object.hasOwn(all, key)) return nameOf(all[key])
  const dot = key.indexOf('.')
  if (dot === -1 || !Object.hasOwn(all, key.slice(0, dot))) return null
  const whole = all[key.slice(0, dot)]
  const tiers = isRecord(whole) ? whole.tiers : null
  const tier = key.slice(dot + 1)
  return isRecord(tiers) && Object.hasOwn(tiers, tier) ? (nameOf(tiers[tier]) ?? `${nameOf(whole)} ${tier}`) : null
}

function nameOf(value: unknown): string | null {
  return isRecord(value) && typeof value.name === 'string' ? value.name : null
}
