export type { Expectation, Followed } from './expectation.ts'
export { createScenario, type Outcome, type Scenario, type ScenarioOptions } from './scenario.ts'
export {
  type AtStep,
  at,
  type ChallengeStep,
  type ClaimStep,
  challenge,
  claim,
  type EventStep,
  type EventStepOptions,
  event,
  type PreferencesStep,
  preferences,
  repeat,
  type Step,
  type Steps,
  type UserStep,
  user,
  type WaitStep,
  wait,
} from './steps.ts'
export { createTestClock, type Duration, type TestClock } from './test-clock.ts'
