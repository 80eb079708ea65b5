/** The migrations of each database in order, with a hash of their texts. What is released keeps its line as it is. */
export const SQLITE_HASHES: { readonly [name: string]: string } = {
  '0001-tables': 'dbfe460565da87d6d54363f20b52ad5fb66cba2f08fa8da20db1f40c1bc5fbc6',
}
export const POSTGRES_HASHES: { readonly [name: string]: string } = {
  '0001-tables': '22ac787fd025efa26bca23f956eda9163fe3c3da4cf49246426ecd8083ed2c53',
}

export const SQLITE_NAMES: readonly string[] = Object.keys(SQLITE_HASHES)
export const POSTGRES_NAMES: readonly string[] = Object.keys(POSTGRES_HASHES)
