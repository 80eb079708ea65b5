import { spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import ts from 'typescript-5.9'

/** A position in a file. Both are counted from 0. */
interface Place {
  readonly line: number
  readonly character: number
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly items?: readonly unknown[] }
  readonly result?: { readonly contents?: { readonly value?: string } } | null
  readonly error?: { readonly message: string }
}

/** The documentation that an editor shows at these offsets, from the language server of TypeScript 7. */
export async function hoverWithServer(
  tsc: string,
  directory: string,
  file: string,
  code: string,
  offsets: readonly number[],
): Promise<readonly string[]> {
  const server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting = new Map<number, (message: Message) => void>()
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const receive = (message: Message): void => {
    const { id, method, params } = message
    if (id === undefined) return
    if (method === undefined) waiting.get(id)?.(message)
    else send({ id, result: params?.items?.map(() => null) ?? null })
  }
  let unread = Buffer.alloc(0)
  server.stdout.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk])
    for (;;) {
      const [head, length] = /^Content-Length: (\d+)[\s\S]*?\r\n\r\n/.exec(unread.toString('latin1')) ?? []
      if (head === undefined || unread.length < head.length + Number(length)) return
      receive(JSON.parse(unread.toString('utf8', head.length, head.length + Number(length))))
      unread = unread.subarray(head.length + Number(length))
    }
  })
  let count = 0
  const ask = (method: string, params: object): Promise<Message> =>
    new Promise((resolve, reject) => {
      const id = ++count
      waiting.set(id, ({ error, ...message }) => (error ? reject(new Error(error.message)) : resolve(message)))
      send({ id, method, params })
    })
  try {
    const uri = pathToFileURL(file).href
    const rootUri = pathToFileURL(directory).href
    const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } }
    await ask('initialize', { processId: process.pid, rootUri, capabilities })
    send({ method: 'initialized', params: {} })
    send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text: code } },
    })
    const texts: string[] = []
    for (const offset of offsets) {
      const { result } = await ask('textDocument/hover', { textDocument: { uri }, position: placeOf(code, offset) })
      texts.push(withoutSignature(result?.contents?.value ?? ''))
    }
    return texts
  } finally {
    server.kill()
  }
}

/** The same from the language service of TypeScript 5.9. */
export function hoverWithService(
  directory: string,
  file: string,
  options: object,
  offsets: readonly number[],
): readonly string[] {
  const { options: compilerOptions } = ts.convertCompilerOptionsFromJson(options, directory)
  const read = (name: string): ts.IScriptSnapshot | undefined => {
    const text = ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  }
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getCompilationSettings: () => compilerOptions,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: read,
    getCurrentDirectory: () => directory,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  })
  return offsets.map((offset) => ts.displayPartsToString(service.getQuickInfoAtPosition(file, offset)?.documentation))
}

function placeOf(code: string, offset: number): Place {
  const before = code.slice(0, offset).split('\n')
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}

/** A hover begins with the signature, as a block of code. */
function withoutSignature(hover: string): string {
  return hover.replace(/^```[\s\S]*?\n```/, '').trim()
}
