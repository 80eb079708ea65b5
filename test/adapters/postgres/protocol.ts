/** A message as it goes over the wire: one byte for its kind (none for the first of a connection), length, content. */
export interface Message {
  readonly kind: string
  readonly bytes: Buffer
}

/** Cuts what arrives into whole messages. */
interface Framing {
  push(chunk: Buffer): readonly Message[]
}

/** `startsBare`: the first message has no kind, as that of a client. */
export function createFraming(startsBare: boolean): Framing {
  let rest: Buffer = Buffer.alloc(0)
  let isBare = startsBare
  return {
    push: (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const messages: Message[] = []
      for (;;) {
        const kindLength = isBare ? 0 : 1
        if (rest.length < kindLength + 4) return messages
        const length = kindLength + rest.readUInt32BE(kindLength)
        if (rest.length < length) return messages
        const bytes = rest.subarray(0, length)
        messages.push({ kind: isBare ? '' : String.fromCharCode(bytes[0] ?? 0), bytes })
        rest = rest.subarray(length)
        isBare = false
      }
    },
  }
}

interface Parsed {
  readonly text: string
  /** The name of the statement; empty for an unnamed one. */
  readonly name: string
  readonly values: readonly (string | null)[]
}

/** The requests of a client with the messages up to Sync, or with one simple query. */
export function parseQuestion(messages: readonly Message[]): Parsed {
  let parsed: Parsed = { text: '', name: '', values: [] }
  for (const { kind, bytes } of messages) {
    const read = createReader(bytes)
    if (kind === 'Q') parsed = { ...parsed, text: read.text() }
    if (kind === 'P') parsed = { ...parsed, name: read.text(), text: read.text() }
    if (kind === 'B') parsed = { ...parsed, values: readValues(read) }
  }
  return parsed
}

interface Reader {
  text(): string
  short(): number
  value(): string | null
}

function createReader(bytes: Buffer): Reader {
  let place = 5
  return {
    text: () => {
      const end = bytes.indexOf(0, place)
      const text = bytes.toString('utf8', place, end)
      place = end + 1
      return text
    },
    short: () => {
      place += 2
      return bytes.readUInt16BE(place - 2)
    },
    value: () => {
      const length = bytes.readInt32BE(place)
      place += 4
      if (length === -1) return null
      place += length
      return bytes.toString('utf8', place - length, place)
    },
  }
}

/** After the names of portal and statement: formats, then the values, all sent as text. */
function readValues(read: Reader): readonly (string | null)[] {
  read.text()
  read.text()
  const formats = read.short()
  for (let index = 0; index < formats; index += 1) read.short()
  return Array.from({ length: read.short() }, () => read.value())
}

/** `local`: the severity in the language of the server; else in English, too. */
export interface ServerError {
  readonly severity: 'ERROR' | 'FATAL' | 'PANIC'
  readonly local?: string
  readonly code: string
  readonly message?: string
}

/** The message of a server to a client at a shutdown by an administrator. */
export const SHUT_DOWN: ServerError = {
  severity: 'FATAL',
  code: '57P01',
  message: 'terminating connection due to administrator command',
}

export function errorMessage({ severity, local = severity, code, message = 'a fault' }: ServerError): Buffer {
  const fields = [`S${local}`, `V${severity}`, `C${code}`, `M${message}`]
  const content = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}
