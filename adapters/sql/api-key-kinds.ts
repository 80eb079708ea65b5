/**
 * What holds of every row since the migration of this name: the kind and the owner of a key say the same. Released: not to
 * be changed.
 */
export const KINDS_MIGRATION = '0012-api-key-kinds'

export const KIND_IS_SOUND: string = `(kind = 'admin' and tenant_id is null and user_id is null)
  or (kind = 'application' and tenant_id is not null and user_id is not null)`
