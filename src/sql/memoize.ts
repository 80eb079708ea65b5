/** Makes a promise once, and again after it was rejected. `current` is null until the first call. */
export interface Memoized<Given extends unknown[], T> {
  get(...given: Given): Promise<T>
  current(): Promise<T> | null
}

export function memoize<Given extends unknown[], T>(make: (...given: Given) => Promise<T>): Memoized<Given, T> {
  let promise: Promise<T> | null = null
  return {
    get: (...given) => {
      promise ??= make(...given).catch((error) => {
        promise = null
        throw error
      })
      return promise
    },
    current: () => promise,
  }
}
