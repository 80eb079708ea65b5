/// <reference lib="dom" preserve="true" />
import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type {
  BadgesElement,
  ChallengeAct,
  ChallengesElement,
  Choices,
  ChoicesElement,
  LeaderboardElement,
  LevelElement,
  RewardAct,
  RewardsElement,
  StreakElement,
  WalletElement,
} from './index.ts'
import type { ErrorDetail, LoadedDetail } from './parts/element.ts'
import './index.ts'

type Attribute = string | number

/** Props of every element: the attributes of HTML, `ref`, `key` and the properties that are named. */
type Props<Element, Property extends keyof Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element> & {
  readonly [Name in Property]?: Element[Name] | null | undefined
} & {
  readonly 'base-url'?: string | undefined
  readonly 'user-id'?: string | undefined
  /** React 19 and later. With an earlier React, use a `ref` and `addEventListener`. */
  readonly 'onlaurels-loaded'?: ((event: CustomEvent<LoadedDetail<unknown>>) => void) | undefined
  readonly 'onlaurels-error'?: ((event: CustomEvent<ErrorDetail>) => void) | undefined
}

/** The elements as React has them: `<laurels-streak base-url="/game" periods={365} />`. */
export interface LaurelsElements {
  'laurels-streak': Omit<Props<StreakElement, 'client' | 'data' | 'labels'>, 'periods'> & {
    readonly streak?: string | undefined
    readonly periods?: Attribute | undefined
  }
  'laurels-badges': Props<BadgesElement, 'client' | 'data' | 'labels'> & {
    readonly show?: 'earned' | undefined
    readonly images?: 'off' | undefined
  }
  'laurels-challenges': Props<ChallengesElement, 'client' | 'data' | 'labels'> & {
    readonly challenge?: string | undefined
    readonly actions?: 'off' | undefined
    readonly 'onlaurels-acted'?: ((event: CustomEvent<ChallengeAct>) => void) | undefined
    readonly 'onlaurels-act'?: ((event: CustomEvent<ChallengeAct>) => void) | undefined
  }
  'laurels-choices': Props<ChoicesElement, 'client' | 'data' | 'labels'> & {
    readonly 'onlaurels-choose'?: ((event: CustomEvent<Partial<Choices>>) => void) | undefined
  }
  'laurels-leaderboard': Props<LeaderboardElement, 'client' | 'data' | 'labels' | 'earlier' | 'highlight'> & {
    readonly leaderboard?: string | undefined
    readonly limit?: Attribute | undefined
    readonly run?: string | undefined
    readonly group?: string | undefined
    readonly around?: boolean | '' | undefined
  }
  'laurels-rewards': Props<RewardsElement, 'client' | 'data' | 'labels' | 'balances' | 'redemptions'> & {
    readonly actions?: 'off' | undefined
    readonly 'onlaurels-act'?: ((event: CustomEvent<RewardAct>) => void) | undefined
    readonly 'onlaurels-acted'?: ((event: CustomEvent<RewardAct>) => void) | undefined
  }
  'laurels-wallet': Props<WalletElement, 'client' | 'data' | 'labels' | 'statement'> & {
    readonly system?: string | undefined
    readonly limit?: Attribute | undefined
  }
  'laurels-level': Props<LevelElement, 'client' | 'data' | 'labels' | 'levels'> & {
    readonly system?: string | undefined
    readonly images?: 'off' | undefined
  }
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends LaurelsElements {}
  }
}
