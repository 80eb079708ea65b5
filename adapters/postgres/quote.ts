/** An identifier as it stands in SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
