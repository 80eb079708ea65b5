// @early: It takes long for its size.
// Challenges on every storage beside the naive walk. HISTORIES=… goes through as many; SEED=… repeats a run.

import { describe, expect, it } from 'vitest'
import { type GameDefinition, isGamificationError, type UserQuest } from '../../../src/index.ts'
import { type Engine, openOn } from '../../support/engine.ts'
import { howMany } from '../../support/share.ts'
import { keepSnapshotsEvery } from '../../support/snapshots.ts'
import { SOAK, seedOfRun } from '../../support/zones.ts'
import { STORAGES } from '../storages.ts'
import { GAME, historyOf, STARTS, USERS } from './histories.ts'
import { type Answer, createModel } from './model.ts'
import type { Call, ChallengeLook, Game, Look, QuestLook } from './types.ts'

// Short histories have snapshots too: late events start from them.
keepSnapshotsEvery(3)

const RUNS = howMany(20, 100, 5_000)
const SEED = seedOfRun()

const textOf = (at: number): string => new Date(at).toISOString()

function definitionOf({ achievements, challenges }: Game): GameDefinition {
  const defined = Object.entries(achievements).map(([key, condition]) => [
    key,
    condition === null ? { name: key, trigger: 'api' } : { name: key, trigger: 'metric', ...condition },
  ])
  return {
    metrics: { pages: { name: 'Pages' }, sessions: { name: 'Sessions' } },
    eventAttributes: ['kind'],
    points: { xp: { name: 'XP' } },
    achievements: Object.fromEntries(defined),
    challenges: challenges as unknown as NonNullable<GameDefinition['challenges']>,
  }
}

async function drive(engine: Engine, { user: id, act }: Call): Promise<Answer> {
  try {
    await send(engine, id, act)
    return 'done'
  } catch (error) {
    if (!isGamificationError(error) || error.code === 'internal') throw error
    return 'refused'
  }
}

async function send(
  engine: Engine,
  id: string,
  act: Exclude<Call['act'], { type: 'deploy' }> | Call['act'],
): Promise<void> {
  switch (act.type) {
    case 'event': {
      const { key: idempotencyKey, metric, value, attributes, occurredAt } = act
      const when = occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }
      await engine.metrics.event(metric, { user: { id }, value, attributes, idempotencyKey, ...when })
      return
    }
    case 'void': {
      const metrics = ['pages', 'sessions']
      for (const metric of metrics) {
        try {
          await engine.events.void({ user: id, metric, idempotencyKey: act.key })
          return
        } catch (error) {
          if (metric === metrics.at(-1) || !isGamificationError(error) || error.code !== 'unknown_event') throw error
        }
      }
      return
    }
    case 'move':
      await engine.users.update(id, { tz: act.tz })
      return
    case 'enrol':
    case 'abandon':
      await engine.challenges[act.type](act.challenge, { user: id })
      return
    case 'claim':
      await engine.challenges.claim(act.challenge, { user: id, ...(act.quest === '' ? {} : { quest: act.quest }) })
      return
    case 'reroll':
      await engine.challenges.reroll(act.challenge, { user: id, quest: act.quest, idempotencyKey: act.key })
      return
    case 'suspend':
    case 'restore':
      await engine.users[act.type](id)
      return
    case 'merge':
      await engine.users.merge({ from: id, into: act.into })
      return
    case 'deploy':
      return
  }
}

function lookAtQuest({ key, progress, completedAt, claimed, claimUntil }: UserQuest): QuestLook {
  return {
    key,
    isDone: completedAt !== null,
    isClaimed: claimed,
    claimUntil,
    criteria:
      progress?.criteria?.map(({ satisfied, current }) => ({
        isMet: satisfied,
        current: satisfied ? null : current,
      })) ?? null,
  }
}

async function look(engine: Engine, id: string): Promise<Look> {
  const challenges = (await engine.users.challenges(id)).map((each): [string, ChallengeLook] => [
    each.key,
    {
      window: each.window === null ? null : { start: each.window.start, end: each.window.end },
      endsAt: each.endsAt === null ? null : Date.parse(each.endsAt),
      isEnrolled: each.enrolledAt !== null,
      rerollsLeft: each.rerollsLeft,
      quests: each.quests.map(lookAtQuest),
      waiting: each.waiting.map(({ key, claimUntil }) => `${key} ${claimUntil}`).sort(),
    },
  ])
  return {
    xp: (await engine.users.points(id, 'xp')).total,
    achieved: (await engine.users.achievements(id)).map(({ key }) => key).sort(),
    challenges: Object.fromEntries(challenges),
  }
}

/** One challenge at a time, so that a difference is short. */
function compare(about: object, { challenges, ...found }: Look, { challenges: expected, ...rest }: Look): void {
  expect(found, JSON.stringify(about)).toEqual(rest)
  for (const key of Object.keys(expected))
    expect(challenges[key], JSON.stringify({ key, about })).toEqual(expected[key])
}

async function play(opened: Engine, seed: number): Promise<void> {
  let engine = await opened.redefine(definitionOf(GAME))
  const model = createModel(GAME)
  const calls = historyOf(seed, 40)
  for (const [index, call] of calls.entries()) {
    engine.at(textOf(call.at))
    const expected = model.call(call)
    if (call.act.type === 'deploy') engine = await engine.redefine(definitionOf(call.act.game))
    else expect({ call, answer: await drive(engine, call) }).toEqual({ call, answer: expected })
    // Each look asks for much, so not after every call.
    const seen = index % 3 === seed % 3 ? model.look(call.user, call.at) : null
    if (seen !== null) compare(call, await look(engine, call.user), seen)
  }
  const counted = await engine.challenges.list()
  const counts = counted.map(({ key, participants, completed }) => [key, { participants, completed }])
  expect(Object.fromEntries(counts)).toEqual(model.counts())
  const last = calls.at(-1)?.at ?? STARTS
  for (const wait of [0, 30, 80]) {
    engine.at(textOf(last + wait * 3_600_000))
    for (const id of USERS) {
      const expected = model.look(id, last + wait * 3_600_000)
      if (expected !== null) compare({ id, wait }, await look(engine, id), expected)
    }
  }
  expect((await engine.verify()).drift).toEqual([])
}

describe.each(STORAGES)('On $name', ({ name, open }) => {
  const runs = Number(process.env.HISTORIES ?? (name === 'SQLite in memory' ? RUNS : Math.ceil(RUNS / 5)))
  it(`challenges follow the naive walk in ${runs} histories (seed ${SEED})`, {
    timeout: SOAK ? 14_400_000 : 600_000,
  }, async () => {
    for (let run = 0; run < runs; run += 1) {
      const { storage, end } = open()
      const engine = await openOn(storage, { now: textOf(STARTS) }, definitionOf(GAME))
      try {
        await play(engine, SEED + run)
      } catch (error) {
        throw new Error(`seed ${SEED + run}: ${error instanceof Error ? error.message : error}`, { cause: error })
      } finally {
        await engine.close()
        await end?.()
      }
    }
  })
})
