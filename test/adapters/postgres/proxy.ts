import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFraming, errorMessage, type Message, parseQuestion, type ServerError, SHUT_DOWN } from './protocol.ts'

/** The treatment of a request and its answer on their way. */
export type Fate =
  | 'passes'
  /** The connection breaks, and the server never sees it. */
  | 'neverSent'
  /** The connection breaks in the middle of it. */
  | 'halfSent'
  /** The server has all of it when the connection breaks, and has not answered yet. */
  | 'sent'
  /** The connection breaks at once; the server gets it after it has answered another question, or a while later. */
  | 'sentLate'
  /** The same, but the server gets it when the test says so. */
  | 'held'
  | 'halfAnswered'
  /** The server has answered when the connection breaks, and nothing of it arrives. */
  | 'answerLost'
  /** Instead of the answer comes the word that the server is shut down, and the end of the connection. */
  | 'shutDown'
  | 'askedSlowly'
  | 'answeredSlowly'
  /** The connection stays open without an answer, and the server never sees the request. */
  | 'silence'
  /** The same, but the server has got it. */
  | 'silentAnswer'
  /** There is no answer; the server gets the request when the client has given up. */
  | 'silenceThenSent'
  /** The server has answered; instead of that comes this, FATAL or PANIC, and the connection is closed. */
  | { readonly answeredBy: ServerError }
  /** The server never sees it; this comes at once, an ERROR, and the connection stays. */
  | { readonly refusedBy: ServerError }

export interface Question {
  readonly connection: number
  readonly text: string
  /** The name of the prepared statement; empty for an unnamed one. */
  readonly name: string
  readonly values: readonly (string | null)[]
  readonly fate: Fate
  /** True if the server has got all of it. */
  isDelivered: boolean
}

export type ChooseFate = (question: Omit<Question, 'fate' | 'isDelivered'>) => Fate | Promise<Fate>

export interface PostgresProxy {
  readonly url: string
  /** Everything that was asked, in order. */
  readonly questions: readonly Question[]
  /** Decides the treatment of the next requests. */
  choose(fate: ChooseFate): void
  /** The treatment of new connections: `silent` ones are accepted and never answered. */
  accept(how: 'openly' | 'silently' | 'never'): void
  /** True if a client that closes its connection gets the message of a shutdown. */
  bidFarewell(isAnswered: boolean): void
  /** This many of the next connections get that message together with the message that they are ready. */
  endAtOnce(count: number): void
  /** Hands the server what was held. */
  deliverHeld(): Promise<void>
  /** Breaks every connection. */
  breakAll(): void
  /** Resolves when the server has no connection left whose client is gone, or has to give up. */
  quiet(): Promise<void>
  close(): Promise<void>
}

/** Says that the next question may come, outside a transaction. */
const READY = Buffer.from('Z\0\0\0\u0005I')

const SILENCES: ReadonlySet<Fate> = new Set(['silence', 'silentAnswer', 'silenceThenSent'])
const SLOW_MS = 40
const LATE_MS = 300

/**
 * A proxy between a client and the server at `url` that understands enough of the protocol to break it at any point.
 */
export async function startProxy(url: string): Promise<PostgresProxy> {
  const questions: Question[] = []
  const links = new Set<Link>()
  let choose: ChooseFate = () => 'passes'
  let how: 'openly' | 'silently' | 'never' = 'openly'
  let hasFarewell = false
  let brief = 0
  let count = 0
  let waiting: (() => void)[] = []
  let held: (() => void)[] = []
  const nextAnswer = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))
  const answered = (): void => {
    for (const resolve of waiting) resolve()
    waiting = []
  }

  const server = createServer((client) => {
    client.on('error', () => undefined)
    if (how === 'never') {
      client.resetAndDestroy()
      return
    }
    if (how === 'silently') {
      client.resume()
      return
    }
    count += 1
    const connection = count
    const ask = async (messages: readonly Message[]): Promise<Question> => {
      const asked = { connection, ...parseQuestion(messages) }
      const place = questions.push({ ...asked, fate: 'passes', isDelivered: false })
      const question: Question = { ...asked, fate: await choose(asked), isDelivered: false }
      questions[place - 1] = question
      return question
    }
    const link = createLink(url, client, {
      ask,
      answered,
      nextAnswer,
      hasFarewell: () => hasFarewell,
      isBrief: () => brief-- > 0,
      hold: (send) => void held.push(send),
    })
    links.add(link)
    void link.over.then(() => links.delete(link))
  })
  const clients = new Set<Socket>()
  server.on('connection', (client) => {
    clients.add(client)
    client.on('close', () => clients.delete(client))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const breakAll = (): void => {
    for (const client of clients) client.resetAndDestroy()
  }
  const quiet = async (): Promise<void> => {
    await Promise.all([...links].filter((link) => link.isClientGone()).map((link) => link.over))
  }
  return {
    url: through.href,
    questions,
    choose: (next) => {
      choose = next
    },
    accept: (next) => {
      how = next
    },
    endAtOnce: (next) => {
      brief = next
    },
    bidFarewell: (isAnswered) => {
      hasFarewell = isAnswered
    },
    deliverHeld: async () => {
      for (const send of held) send()
      held = []
      await quiet()
    },
    breakAll,
    quiet,
    close: async () => {
      breakAll()
      for (const send of held) send()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([...links].map((link) => link.over))
    },
  }
}

interface Link {
  /** Resolves when the server's side is closed. */
  readonly over: Promise<void>
  isClientGone(): boolean
}

interface Surroundings {
  ask(messages: readonly Message[]): Promise<Question>
  /** Says that the server has answered. */
  answered(): void
  /** Resolves when the server has answered on any connection. */
  nextAnswer(): Promise<void>
  hasFarewell(): boolean
  /** Asked for each connection that was made. */
  isBrief(): boolean
  /** Keeps what the server is to get later. */
  hold(send: () => void): void
}

/** One client and its connection to the server. */
function createLink(
  url: string,
  client: Socket,
  { ask, nextAnswer, answered, hasFarewell, isBrief, hold }: Surroundings,
): Link {
  const { hostname, port } = new URL(url)
  const server = dial(Number(port), hostname)
  const over = new Promise<void>((resolve) => server.once('close', () => resolve()))
  server.on('error', () => undefined)
  const fromClient = createFraming(true)
  const fromServer = createFraming(false)
  let messages: Message[] = []
  let answer: Buffer[] = []
  let current: Question | null = null
  // Then the client gives up one day.
  let isSilent = false
  // The bytes that the server gets although its client has gone.
  let isHeld = false

  const breakOff = (): void => void client.resetAndDestroy()

  async function deliver(asked: readonly Message[]): Promise<void> {
    const bytes = Buffer.concat(asked.map((message) => message.bytes))
    const question = await ask(asked)
    current = question
    isSilent ||= SILENCES.has(question.fate)
    const send = (end = false): void => {
      question.isDelivered = true
      if (end) server.end(bytes)
      else server.write(bytes)
    }
    if (typeof question.fate === 'object' && 'refusedBy' in question.fate) {
      current = null
      client.write(Buffer.concat([errorMessage(question.fate.refusedBy), READY]))
      return
    }
    switch (question.fate) {
      case 'neverSent':
        return breakOff()
      case 'halfSent':
        server.end(bytes.subarray(0, Math.floor(bytes.length / 2)))
        return breakOff()
      case 'sent':
        send(true)
        return breakOff()
      case 'sentLate':
        isHeld = true
        breakOff()
        await Promise.race([nextAnswer(), sleep(LATE_MS)])
        return send(true)
      case 'held':
        isHeld = true
        breakOff()
        return hold(() => send(true))
      case 'askedSlowly':
        await sleep(SLOW_MS)
        return send()
      case 'silence':
        return
      case 'silenceThenSent':
        isHeld = true
        client.once('close', () => send(true))
        return
      default:
        send()
    }
  }

  async function give(bytes: Buffer, question: Question): Promise<void> {
    if (typeof question.fate === 'object' && 'answeredBy' in question.fate) {
      client.end(errorMessage(question.fate.answeredBy))
      return
    }
    switch (question.fate) {
      case 'halfAnswered':
        client.end(bytes.subarray(0, Math.floor(bytes.length / 2)))
        return
      case 'answerLost':
        return breakOff()
      case 'shutDown':
        client.end(errorMessage(SHUT_DOWN))
        return
      case 'silentAnswer':
        return
      case 'answeredSlowly':
        await sleep(SLOW_MS)
    }
    client.write(bytes)
  }

  client.on('data', (chunk) => {
    for (const message of fromClient.push(chunk)) {
      if (message.kind === '' || message.kind === 'p' || message.kind === 'X') {
        if (message.kind === 'X' && hasFarewell()) client.write(errorMessage(SHUT_DOWN))
        server.write(message.bytes)
        continue
      }
      messages.push(message)
      if (message.kind !== 'S' && message.kind !== 'Q') continue
      void deliver(messages)
      messages = []
    }
  })
  server.on('data', (chunk) => {
    for (const { kind, bytes } of fromServer.push(chunk)) {
      if (current === null) {
        if (kind === 'Z' && isBrief()) client.end(Buffer.concat([bytes, errorMessage(SHUT_DOWN)]))
        else client.write(bytes)
        continue
      }
      answer.push(bytes)
      if (kind !== 'Z') continue
      const question = current
      current = null
      // The note that a process is at work runs beside its calls, and says nothing about them.
      if (question?.text.includes('set seen_at =') !== true) answered()
      void give(Buffer.concat(answer), question)
      answer = []
    }
  })
  server.on('close', () => {
    // A word of farewell, as when the server is shut down.
    if (answer.length > 0 && current?.fate === 'passes') client.write(Buffer.concat(answer))
    client.destroySoon()
  })
  client.on('close', () => {
    if (!isHeld) server.end()
  })
  return { over, isClientGone: () => client.destroyed || isSilent }
}
