export interface ApplicationKeyRequest {
  readonly userId: string
}
