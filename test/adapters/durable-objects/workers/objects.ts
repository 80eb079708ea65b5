/** The binding of a class of Durable Objects. */
export interface Namespace<Instance> {
  getByName(name: string): Instance
}

/** An error with its causes: only text leaves an object. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.stack}${error.cause === undefined ? '' : `\nCause: ${textOf(error.cause)}`}`
}
