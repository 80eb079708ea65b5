import type { Fault } from './fault.ts'

/** Options of a game that nobody shows, and those that do not go together. */
export const definitionFaults: readonly Fault[] = [
  {
    name: 'The types have an option that no example shows.',
    file: 'src/game/definition.ts',
    find: 'export interface TierDefinition {\n',
    replace: 'export interface TierDefinition {\n  readonly colour?: string\n',
    tests: ['game/every-option'],
  },
  {
    name: 'There is a kind of trigger that no example shows.',
    file: 'src/game/definition.ts',
    find: `  | { readonly type: 'user_creation' }`,
    replace: `  | { readonly type: 'user_creation' }\n  | { readonly type: 'user_deletion' }`,
    tests: ['game/every-option'],
  },
  {
    name: 'A trigger that says it is not exempt makes another game of one that says nothing.',
    file: 'src/game/schema.ts',
    find: 'exempt === true ?',
    replace: 'exempt !== undefined ?',
    tests: ['game/every-option'],
  },
  {
    name: 'The schema takes an option that the types do not have.',
    file: 'src/game/schema.ts',
    find: 'const level = object({ name,',
    replace: 'const level = object({ colour: name.exactOptional(), name,',
    tests: ['game/every-option'],
  },
  {
    name: 'The example with every option lacks one.',
    file: 'examples/everything/game.ts',
    find: '          cooldown: { minutes: 60 },\n',
    replace: '',
    tests: ['game/every-option'],
  },
  {
    name: 'A trigger may pay by hours and by days at once.',
    file: 'src/game/trigger-consistency.ts',
    find: 'if (units.length === 1) return',
    replace: 'if (units.length >= 1) return',
    tests: ['game/together'],
  },
]
