interface WithIssues {
  readonly issues: readonly { readonly message: string }[]
}

/** Calls for several users answer what was not done: of one user that is an error. */
export function firstIssue({ issues }: WithIssues): void {
  const [issue] = issues
  if (issue !== undefined) throw new Error(issue.message)
}
