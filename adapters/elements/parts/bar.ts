/// <reference lib="dom" preserve="true" />
import { h } from './dom.ts'

export interface BarOptions {
  readonly value: number
  readonly max: number
  /** What it is the progress of. */
  readonly name: string
  /** How far it is, in words. */
  readonly text: string
}

/** How far something is. */
export function bar({ value, max, name, text }: BarOptions): HTMLProgressElement {
  return h('progress', { part: 'progress', value, max, 'aria-label': name, 'aria-valuetext': text })
}
