/** A text with places for values: `'Extend it by {date}'`. Of one that counts a form for each plural of the language. */
export type Label = string | { readonly [Form in Intl.LDMLPluralRule]?: string }

/** Texts by name. */
export type Labels = { readonly [name: string]: Label }

/** What stands in the places: numbers are written as the language writes them, texts as they are. */
export type LabelValues = { readonly [name: string]: number | string }

/** Keeps the direction of a name, whatever stands around it. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`
}

/** The text for these values; the plural is that of `count`. */
export function fill(label: Label, values: LabelValues, numbers: Intl.NumberFormat, plurals: Intl.PluralRules): string {
  const { count } = values
  const form = typeof count === 'number' ? plurals.select(count) : 'other'
  const text = typeof label === 'string' ? label : (label[form] ?? label.other ?? '')
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'number' ? numbers.format(value) : value
  })
}
