/** The tenant as messages tell it; null: the game has none, or it is about all of them. */
export function toldTenant(tenant: string, isMultiTenant: boolean): string | null {
  return isMultiTenant && tenant !== '' ? tenant : null
}
