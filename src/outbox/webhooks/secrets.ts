import type { SealedSecret, StoredWebhook } from './stored-webhook.ts'
import type { Vault } from './vault.ts'

/** The newest one, and those before it that still sign. */
const MOST_SECRETS = 3

/**
 * What signs now, the newest first; null: the newest cannot be opened with the host's key. An older one that cannot was
 * sealed before the host had another key, and signs no more.
 */
export function openSecrets({ id, secrets }: StoredWebhook, vault: Vault, now: number): readonly string[] | null {
  const [newest = null, ...older] = secrets
    .filter(({ until }) => until === null || until > now)
    .map(({ sealed }) => vault.open(sealed, id))
  return newest === null ? null : [newest, ...older.filter((secret) => secret !== null)]
}

/** With a new secret before those that there are, the newest of which signs until then; the others as they were to. */
export function rotated(
  secrets: readonly SealedSecret[],
  sealed: string,
  { now, until }: { readonly now: number; readonly until: number },
): readonly SealedSecret[] {
  const old = secrets
    .map((secret) => ({ sealed: secret.sealed, until: secret.until ?? until }))
    .filter((secret) => secret.until > now)
  return [{ sealed, until: null }, ...old].slice(0, MOST_SECRETS)
}
