/** Which part of a list is asked for. */
export interface ConfigurationListRequest {
  /** How many items there are at most, 1 to 100. Default 10. */
  readonly limit?: number
  /** How many items to pass over. Default 0. */
  readonly skip?: number
}
