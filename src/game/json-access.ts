import type { Json } from './json.ts'

/*
 * Looking into data that may have any shape: what is not there, or is something else, is empty.
 */

export type Maybe = Json | undefined

/** The property itself, never an inherited one: `constructor` is a name like any other. */
export function propertyOf(value: Maybe, key: string): Maybe {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function entriesOf(value: Maybe): readonly [key: string, value: Json][] {
  return isRecord(value) ? Object.entries(value) : []
}

export function keysOf(value: Maybe): readonly string[] {
  return isRecord(value) ? Object.keys(value) : []
}

export function itemsOf(value: Maybe): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function isRecord(value: Maybe): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
