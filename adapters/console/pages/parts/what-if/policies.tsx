import type { JSX } from 'preact'

export type ApplyPolicy = 'forward' | 'grant' | 'recompute'

/** What each does, in words. */
export const POLICIES: { readonly [Policy in ApplyPolicy]: string } = {
  forward: 'Its rules count from now on. Nobody is looked at; nobody gains or loses anything for the past.',
  grant: 'Users are given what it would have given them for the past. Nothing is taken away from anybody.',
  recompute:
    'Everything becomes as if it had always been there: achievements, points, levels and places may also be lost.',
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
