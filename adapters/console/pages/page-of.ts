/** What a page is told: the second segment of its address, where it has one, and the query. */
export interface PageOf {
  readonly id: string
  readonly query: URLSearchParams
}
