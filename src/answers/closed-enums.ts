/*
 * Official clients of the hosted service cannot decode a value that its lists lack. Where laurels has such a value, the
 * answer has the nearest one of the service, and the own value as `kind` beside it.
 */

/** By the property that has the value: the own values, and the nearest values of the service. */
const NEAREST: { readonly [property: string]: { readonly [own: string]: string } } = {
  // Like a completion by a call, it has no condition that a client of the service could show.
  trigger: { criteria: 'api' },
  // The only type of trigger without a condition.
  type: { adjustment: 'user_creation', challenge: 'user_creation' },
}

/** True for nearly no text without such a value. Texts of users have a backslash before their quotation marks. */
const MAY_HAVE_OWN = /"(?:trigger":"criteria|type":"(?:adjustment|challenge))"/

/** An answer as JSON that strict clients of the hosted service can decode. */
export function toServiceText(answer: unknown): string {
  const text = JSON.stringify(answer)
  return MAY_HAVE_OWN.test(text) ? JSON.stringify(withServiceValues(answer)) : text
}

/** A copy of an answer or a message with values of the hosted service only. */
export function withServiceValues(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withServiceValues)
  if (typeof answer !== 'object' || answer === null) return answer
  // Achievements and triggers have filters. A map of attributes, whose names are free, has texts only.
  const isRule = 'userAttributes' in answer && Array.isArray(answer.userAttributes)
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) => {
      const nearest = isRule && typeof value === 'string' ? NEAREST[name]?.[value] : undefined
      if (nearest === undefined) return [[name, withServiceValues(value)]]
      return [
        [name, nearest],
        ['kind', value],
      ]
    }),
  )
}
