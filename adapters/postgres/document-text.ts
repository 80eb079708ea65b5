import { setImmediate as nextTurn } from 'node:timers/promises'

/** What is JSON already: of a long list it is made part by part, in turns of the event loop. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** As `JSON.stringify`; what is JSON already is not gone through again. */
export function toDocumentText(document: { readonly [name: string]: unknown }): string {
  const members = Object.entries(document)
  if (!members.some(([, value]) => value instanceof JsonText)) return JSON.stringify(document)
  let text = ''
  for (const [name, value] of members) {
    if (value === undefined) continue
    const json = value instanceof JsonText ? value.text : JSON.stringify(value)
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${json}`
  }
  return `${text}}`
}

const MOST_IN_A_TURN = 1_000

/** What `toPart` makes of parts of a list, between `open` and `close`; the event loop has its turn between the parts. */
export async function toJsonInTurns<Item>(
  items: readonly Item[],
  [open, close]: readonly [string, string],
  toPart: (items: readonly Item[]) => string,
): Promise<JsonText> {
  const parts: string[] = []
  for (let from = 0; from < items.length; from += MOST_IN_A_TURN) {
    await nextTurn()
    parts.push(toPart(items.slice(from, from + MOST_IN_A_TURN)))
  }
  if (parts.length === 1) return new JsonText(`${open}${parts[0]}${close}`)
  await nextTurn()
  const json = new JsonText(`${open}${parts.join(',')}${close}`)
  // To go on with the text takes as long as to join its parts.
  await nextTurn()
  return json
}
