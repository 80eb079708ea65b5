/** A mistake such as somebody could make, and what is expected to notice it. */
export interface Fault {
  /** What is wrong then, as a sentence. */
  readonly name: string
  /** Path from the root of the project. */
  readonly file: string
  /** Text that is in the file exactly once. */
  readonly find: string
  readonly replace: string
  /**
   * What is run, one after the other until something fails: files below `test` without `.test.ts`, each perhaps followed
   * by ` > ` and words of the one test in it to be run.
   */
  readonly tests: readonly string[]
}
