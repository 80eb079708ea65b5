import { textOf } from '../../src/options.ts'

/** Where a source connects to, as `db.example.com:5432`: never a user or a password. null: it does not say. */
export function addressOf(source: unknown): string | null {
  const text = textOf(source)
  if (text !== null) return addressOfText(text)
  // The member `options` of a pool of pg, which it was made with.
  const options: unknown = typeof source === 'object' && source !== null && 'options' in source ? source.options : null
  if (typeof options !== 'object' || options === null) return null
  const { connectionString, host, port } = options as { readonly [name: string]: unknown }
  return typeof connectionString === 'string' ? addressOfText(connectionString) : toAddress(host, port)
}

function addressOfText(text: string): string | null {
  const readable = [text, text.replace('@/', '@localhost/')].find((each) => URL.canParse(each))
  if (readable === undefined) return null
  const { protocol, hostname, port, searchParams } = new URL(readable)
  if (!/^postgres(ql)?:$/i.test(protocol)) return null
  return toAddress(searchParams.get('host') ?? (readable === text ? hostname : ''), port || searchParams.get('port'))
}

/** A host or a port that is not given comes from the environment, as in pg. */
function toAddress(host: unknown, port: unknown): string {
  const named = typeof host === 'string' && host !== '' ? host : (process.env.PGHOST ?? 'localhost')
  return `${named}:${port || process.env.PGPORT || 5432}`
}
