import { expect, test } from 'vitest'
import { createLoader } from '../../../adapters/elements/parts/element.ts'

interface Question {
  readonly signal: AbortSignal
  answer(value: string): void
  fail(error: Error): void
}

/** Questions that are answered when the test says so. */
function createQuestions() {
  const asked: Question[] = []
  const ask = (signal: AbortSignal): Promise<string> =>
    new Promise((answer, fail) => {
      asked.push({ signal, answer, fail })
    })
  return { asked, ask }
}

test('An answer is loaded, and a failure is told', async () => {
  const loader = createLoader()
  expect(await loader.ask(async () => 'yes')).toEqual({ type: 'loaded', answer: 'yes' })
  const error = new Error('no')
  expect(await loader.ask(() => Promise.reject(error))).toEqual({ type: 'failed', error })
  expect(loader.isLoading).toBe(false)
})

test('The newest question counts, in whatever order the answers come', async () => {
  const loader = createLoader()
  const { asked, ask } = createQuestions()
  const [first, second] = [loader.ask(ask), loader.ask(ask)]
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
  asked[1]?.answer('new')
  expect(await second).toEqual({ type: 'loaded', answer: 'new' })
  asked[0]?.answer('old')
  expect(await first).toEqual({ type: 'superseded' })
})

test('An old failure is not told while a newer question waits', async () => {
  const loader = createLoader()
  const { asked, ask } = createQuestions()
  const [first, second] = [loader.ask(ask), loader.ask(ask)]
  asked[0]?.fail(new Error('old'))
  expect(await first).toEqual({ type: 'superseded' })
  expect(loader.isLoading).toBe(true)
  asked[1]?.answer('new')
  expect(await second).toEqual({ type: 'loaded', answer: 'new' })
})

test('What is stopped is aborted, and its answer is not taken', async () => {
  const loader = createLoader()
  const { asked, ask } = createQuestions()
  const only = loader.ask(ask)
  loader.stop()
  expect([asked[0]?.signal.aborted, loader.isLoading]).toEqual([true, false])
  asked[0]?.answer('late')
  expect(await only).toEqual({ type: 'superseded' })
})
