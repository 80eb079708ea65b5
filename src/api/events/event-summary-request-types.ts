export interface EventSummaryRequest {
  readonly aggregation: 'daily' | 'weekly' | 'monthly'
  /** `YYYY-MM-DD`, inclusive. */
  readonly startDate: string
  /** `YYYY-MM-DD`, inclusive: after `startDate`, at most 400 days after it. */
  readonly endDate: string
}
