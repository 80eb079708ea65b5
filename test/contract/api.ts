import type { GameDefinition, PreferencesUpdate } from '../../src/index.ts'

/* The documented calls, in types of their own: the tests use nothing else of an engine. */

type Aggregation = 'daily' | 'weekly' | 'monthly'

interface SummaryRequest {
  readonly aggregation: Aggregation
  readonly startDate: string
  readonly endDate: string
}

interface SummaryItem {
  readonly date: string
  readonly total: number
  readonly change: number
}

export interface BatchItem {
  readonly key: string
  readonly user: { readonly id: string; readonly [field: string]: unknown }
  readonly value: number
  readonly attributes?: { readonly [name: string]: string }
  readonly idempotencyKey?: string
  /** An ISO 8601 instant over HTTP, a Date in-process. */
  readonly occurredAt?: string | Date
}

interface BatchIssue {
  readonly index: number
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly code: string
}

interface BatchAnswer {
  readonly accepted: number
  readonly replayed: number
  readonly issues: readonly BatchIssue[]
}

interface StreakRanking {
  readonly userId: string
  readonly name: string | null
  readonly streakLength: number
}

interface ContractApi {
  readonly users: {
    pointsEventSummary(id: string, system: string, request: SummaryRequest): Promise<readonly SummaryItem[]>
    /** Its shape is that of the model: `Wrapped` in wrapped-model.ts, with what the model leaves out. */
    wrapped(id: string, request?: { readonly year?: number }): Promise<unknown>
    pointsBoosts(id: string, system: string): Promise<readonly unknown[]>
  }
  readonly points: {
    boosts(system: string, request?: { readonly includeFinished?: boolean }): Promise<readonly unknown[]>
  }
  readonly streaks: {
    rankings(request?: {
      readonly limit?: number
      readonly type?: 'active' | 'longest'
    }): Promise<readonly StreakRanking[]>
  }
  readonly leaderboards: {
    all(request?: { readonly includeFinished?: boolean }): Promise<readonly { readonly key: string }[]>
  }
  readonly admin: {
    readonly metrics: {
      events(items: readonly BatchItem[]): Promise<BatchAnswer>
    }
  }
}

/** An engine as the documents have it: instants of a batch are texts over HTTP, and Dates in-process. */
export function contractOf(engine: object): ContractApi {
  return engine as ContractApi
}

/** A definition as the documents have it, mistakes included. */
export function definitionOf(definition: object): GameDefinition {
  return definition as GameDefinition
}

/** A preference as the documents have it, mistakes included. */
export function preferencesOf(update: object): PreferencesUpdate {
  return update
}
