import { z } from 'zod'
import type { ImportCompletion, ImportItem } from '../../src/requests/types/metric-event.ts'

/** What a line of the file says: an item, or why it is none. The number is that of its first line, from 1. */
export type Line = { readonly line: number } & Reading

export type Reading = { readonly item: ImportItem | ImportCompletion | ExportedLine } | { readonly problem: string }

/** A line of an export, which the import itself reads. */
export interface ExportedLine {
  readonly laurels: unknown
}

export function isExported(item: object): item is ExportedLine {
  return 'laurels' in item
}

/** No line or record of an import is as long. */
export const MOST_BYTES: number = 1 << 20

const instant = z.iso.datetime({ offset: true })

/** Null for anything but an instant with its zone: without it, the date would be that of whatever machine reads it. */
export function readInstant(text: unknown): Date | null {
  return typeof text === 'string' && instant.safeParse(text).success ? new Date(text) : null
}

export const NO_INSTANT = 'must be an ISO 8601 instant with its zone, such as 2026-03-02T09:10:00Z'
