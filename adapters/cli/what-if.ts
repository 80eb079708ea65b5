import { toGameSentences } from '../../src/api/explain/game-sentences.ts'
import type { ApplyPolicy, ApplyReport, DefinedGame, WhatIfReport, WhatIfUser } from '../../src/index.ts'
import { toDamagedText } from './audit.ts'
import { type Answer, type CliCommand, type CommandCall, defineCommand } from './command.ts'
import type { Opened } from './database.ts'
import type { Option } from './options.ts'
import { choice, DATABASE, flagOption, GAME, GAME_FILES, required, TENANT, textOption, texts } from './options.ts'
import { type Cell, type ExitCode, toCount, toTable, toUsers, wrongCall } from './terminal.ts'
import { type ChosenUsers, readUsers, runWalk, toExit, type Walk } from './walk.ts'

const SHARE: Option<number> = {
  value: '<share>',
  help: `replay this share of the users only, above 0 and at most 1; always the same users. Ranks are then among these`,
  read: (given) => {
    const share = given === undefined ? 1 : String(given).trim() === '' ? Number.NaN : Number(given)
    if (share > 0 && share <= 1) return share
    throw wrongCall(`--sample must be a number above 0 and at most 1, such as 0.1, not '${given}'`)
  },
}

export const whatIfCommand: CliCommand = defineCommand({
  name: 'what-if',
  summary: 'preview what another game would change',
  usage: ['[--db <file|url>] --game <file> [options]'],
  about: `Prints who would gain and who would lose what if another game had always been there: replays the logs under it and compares. Changes nothing, and may run while others write.`,
  options: {
    ...DATABASE,
    game: required(textOption('<file>', `the other game: ${GAME_FILES}`), 'the module or JSON file of the other game'),
    user: texts('<id>', 'replay this user only; repeat it for more'),
    tenant: TENANT,
    sample: SHARE,
    json: flagOption(
      'print the report as JSON, with the ids of triggers and up to 100 users with the largest differences',
    ),
  },
  exits: { 1: 'done, except for the damaged users that it names', 130: 'interrupted' },
  run: async (call) => {
    const { game, user, sample } = call.values
    return compare(call, game, readUsers(user, call.tenant), sample)
  },
})

function compare(call: CommandCall, game: string, chosen: ChosenUsers, sample: number): Promise<Answer | ExitCode> {
  const toWalk = ({ gamification, users, given, game: inForce }: Opened): Walk<WhatIfReport> => ({
    total: (chosen.users?.length ?? users) * sample,
    nextStep: 'Nothing was written. Run the same command to start again.',
    work: (options) => gamification.whatIf(given, { ...chosen, ...options, sample }),
    answer: (report) => ({ value: report, text: toWhatIfText(report, [given, inForce]), code: toExit(report) }),
  })
  return runWalk(call, toWalk, { chosen, game, acceptsOther: true })
}

const POLICIES: readonly ApplyPolicy[] = ['forward', 'grant', 'recompute']

const NOTES: Readonly<Record<ApplyPolicy, string>> = {
  forward: 'With forward, no user gains or loses any of this: the rules would count from now on.',
  grant: 'With grant users would be given what they gain, and would lose nothing.',
  recompute: 'With recompute all of this would happen.',
}

export const applyCommand: CliCommand = defineCommand({
  name: 'apply',
  summary: 'put another game in force',
  usage: ['[--db <file|url>] --game <file> --policy <policy> [options]'],
  about: `Puts a game in force for every process on the database, by a policy:

  forward    its rules count from now on; no past event is looked at
  grant      what it would have given for the past is given, and nothing is
             taken away
  recompute  everything becomes as if it had always been there: achievements,
             points, levels and places may also be lost`,
  options: {
    ...DATABASE,
    policy: required(
      choice(POLICIES, '<policy>', 'forward, grant or recompute'),
      'forward, grant or recompute; see laurels what-if before',
    ),
    game: GAME,
    'dry-run': flagOption('print what laurels what-if prints, and write nothing'),
  },
  notes: 'Users are processed one by one, while others write.',
  exits: {
    1: 'done, except for the damaged users that it names',
    130: 'interrupted: the game is in force, and the same command continues',
  },
  run: async (call) => {
    const { game, policy, 'dry-run': isDry } = call.values
    if (!isDry) return applyGame(call, game, policy)
    const answer = await compare(call, game, {}, 1)
    return typeof answer === 'number' ? answer : { ...answer, note: `${NOTES[policy]} Nothing was written.` }
  },
})

function applyGame(call: CommandCall, game: string, policy: ApplyPolicy): Promise<Answer | ExitCode> {
  const toWalk = ({ gamification, epoch, users, given }: Opened): Walk<ApplyReport> => ({
    total: users,
    nextStep: 'The game is in force. Run the same command again to continue with the remaining users.',
    work: (options) => gamification.apply(given, { policy, ...options }),
    answer: (report) => ({ value: report, text: toApplyText(report, report.epoch > epoch), code: toExit(report) }),
  })
  return runWalk(call, toWalk, { game, acceptsOther: true })
}

const DONE = { grant: 'were given something', recompute: 'recalculated' } as const

function toApplyText({ epoch, policy, users, changed, damaged }: ApplyReport, isNew: boolean): string {
  const forward = isNew ? 'its rules count from now on' : 'the game is in force already'
  const done = policy === 'forward' ? forward : `${toUsers(users)} checked, ${toCount(changed)} ${DONE[policy]}`
  return `${toDamagedText(damaged)}epoch ${epoch}, ${policy}: ${done}\n`
}

const MOST_USERS = 10

function toWhatIfText(report: WhatIfReport, games: readonly DefinedGame[]): string {
  const {
    users,
    changed,
    achievements,
    points,
    triggers,
    levels,
    balances,
    challenges,
    leaderboards,
    largest,
    damaged,
  } = report
  const nameTrigger = nameTriggers(games)
  const sections: readonly (readonly [header: readonly string[], rows: readonly (readonly Cell[])[]])[] = [
    [['achievement', 'users gain', 'users lose'], achievements.map(({ key, gained, lost }) => [key, gained, lost])],
    [['points', ...PAID], points.map(({ system, gains, minted, loses, gone }) => [system, gains, minted, loses, gone])],
    [
      ['trigger', ...PAID],
      triggers.map(({ system, trigger, gains, minted, loses, gone }) => {
        return [nameTrigger(system, trigger), gains, minted, loses, gone]
      }),
    ],
    [['balance', 'users below 0'], balances.map(({ system, negative }) => [system, negative])],
    [['levels', 'users up', 'users down'], levels.map(({ system, up, down }) => [system, up, down])],
    [['challenge', 'users gain', 'users lose'], challenges.map(({ key, gained, lost }) => [key, gained, lost])],
    [
      ['leaderboard', 'users enter', 'leave', 'go up', 'go down'],
      leaderboards.map(({ key, entered, left, up, down }) => [key, entered, left, up, down]),
    ],
    toLargest(largest),
  ]
  const blocks = [
    `${toUsers(users)} checked: ${changed === 0 ? 'none' : toCount(changed)} would gain or lose something\n`,
    ...sections.map(([header, rows]) => toTable(header, rows, '')),
    toDamagedText(damaged),
  ]
  return blocks.filter((block) => block !== '').join('\n')
}

const PAID = ['users gain', 'minted', 'users lose', 'gone']

function toLargest(largest: readonly WhatIfUser[]): readonly [readonly string[], readonly (readonly Cell[])[]] {
  const hasTenants = largest.some(({ tenant }) => tenant !== '')
  const rows = largest.slice(0, MOST_USERS).map(({ tenant, user, points, gained, lost }) => {
    const amounts = Object.entries(points).map(([system, by]) => `${system} ${by > 0 ? '+' : ''}${toCount(by)}`)
    const cells = [user, amounts.join(', '), gained.join(', '), lost.join(', ')]
    return hasTenants ? [tenant, ...cells] : cells
  })
  const header = ['largest differences', 'points', 'gains', 'loses']
  return [hasTenants ? ['tenant', ...header] : header, rows]
}

/** The name of a trigger by its id: its key, or else its sentence, in the first game that has it. */
function nameTriggers(games: readonly DefinedGame[]): (system: string, trigger: string) => string {
  const names = new Map<string, string>()
  for (const { definition, rules } of games) {
    for (const { id } of rules.points.values()) names.set(id, 'adjustments by support')
    for (const [system, sentences] of Object.entries(toGameSentences(rules).points)) {
      // Sentences and stored triggers have the same order.
      const stored = definition.points[system]?.triggers ?? []
      for (const [index, [id, sentence]] of Object.entries(sentences).entries()) {
        if (!names.has(id)) names.set(id, stored[index]?.key ?? sentence)
      }
    }
  }
  return (system, trigger) => `${system}: ${names.get(trigger) ?? trigger}`
}
