/** A value if the database is in the process, a promise if a call has to wait for it. */
export type Eventually<T> = T | Promise<T>

/**
 * Work on a database, as a `function*`. It gives control away only for what the database has not answered yet, so on a
 * database in the process it never does. `yield* other(…)` runs other steps and returns their answer.
 */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>

/** The answer of one call: at once if it is there, else when its promise resolves. A rejection is thrown here. */
export function* wait<T>(answer: Eventually<T>): Steps<T> {
  return answer instanceof Promise ? ((yield answer) as T) : answer
}

/** Changes an answer by `to`: at once if the answer is there. */
export function mapAnswer<T, Made>(answer: Eventually<T>, to: (answer: T) => Made): Eventually<Made> {
  return answer instanceof Promise ? answer.then(to) : to(answer)
}

/** Runs steps to their end: at once if no step has to wait, else as a promise. */
export function runSteps<T>(steps: Steps<T>): Eventually<T> {
  const first = steps.next()
  return first.done === true ? first.value : resume(steps, first)
}

async function resume<T>(steps: Steps<T>, first: IteratorResult<Promise<unknown>, T>): Promise<T> {
  let step = first
  while (step.done !== true) {
    let answer: unknown
    try {
      answer = await step.value
    } catch (error) {
      step = steps.throw(error)
      continue
    }
    // An error of the steps themselves ends them, so this is not in the `try`.
    step = steps.next(answer)
  }
  return step.value
}
