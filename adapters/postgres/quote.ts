/** An identifier as it stands in SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * The text of a migration for a schema. In the text `"laurels".` stands for the schema before a name, `{schema}` for its
 * name within quotes, and `$laurels$` for where the body of a function begins and ends.
 */
export function inSchema(text: string, schema: string): string {
  let tag = 'laurels'
  while (schema.includes(`$${tag}$`)) tag += '_'
  const marks: { readonly [mark: string]: string } = {
    '"laurels".': `${quote(schema)}.`,
    '{schema}': schema.replaceAll("'", "''"),
    $laurels$: `$${tag}$`,
  }
  return text.replace(/"laurels"\.|\{schema\}|\$laurels\$/g, (mark) => marks[mark] ?? mark)
}
