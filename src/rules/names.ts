/** How many names of a list a message shows, and how many characters of a long name. */
const MOST_LISTED = 10
const LONGEST = 60

/** A name as a message quotes it. A name with many characters to escape is cut off sooner. */
export function quoteName(name: string): string {
  const quoted = JSON.stringify(name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name)
  return quoted.length > 2 * LONGEST ? `${quoted.slice(0, LONGEST)}…"` : quoted
}

/** The message about a name that the game does not have. `where`: its place, such as ` in streak`. */
export function unknownName(kind: string, name: string, known: Iterable<string>, where = ''): string {
  const listed = listNames(known)
  return `Unknown ${kind} ${quoteName(name)}${where}: the game has ${listed === '' ? 'none' : listed}.`
}

export function listNames(names: Iterable<string>): string {
  const all = [...names]
  const listed = all.slice(0, MOST_LISTED).map(quoteName).join(', ')
  return all.length > MOST_LISTED ? `${listed} and ${all.length - MOST_LISTED} more` : listed
}
