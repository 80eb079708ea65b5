import type { JSX } from 'preact'
import { toPath } from '../../router.ts'
import type { GameNode } from './game-node.ts'
import { KIND_NAMES } from './picture.tsx'

interface ChosenProps {
  readonly node: GameNode | null
  readonly close: () => void
}

/** What was chosen in the picture, in words. */
export function Chosen({ node, close }: ChosenProps): JSX.Element {
  return (
    <div class="card-body" role="status">
      {node === null ? (
        <p class="muted">Point at a part, or choose one, to see what belongs to it.</p>
      ) : (
        <div class="row">
          <span>
            {KIND_NAMES[node.kind]} <strong dir="auto">{node.name}</strong>
            {node.sentence === '' ? '' : `: ${node.sentence}`}
          </span>
          {node.page !== null && <a href={toPath(node.page)}>Open its page</a>}
          <button type="button" class="quiet small" onClick={close}>
            Show all
          </button>
        </div>
      )}
    </div>
  )
}
