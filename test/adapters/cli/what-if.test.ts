import { describe, expect, test } from 'vitest'
import { laurels, useFiles } from '../../support/cli.ts'

const file = useFiles()

const FIRST = {
  metrics: { words: { name: 'Words' } },
  achievements: {
    novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 100 },
    starter: { name: 'Starter', trigger: 'metric', metric: 'words', value: 1 },
  },
  points: {
    xp: {
      name: 'XP',
      triggers: [{ key: 'writing', type: 'metric', metric: 'words', threshold: 10, points: 1 }],
      levels: { bronze: { name: 'Bronze', points: 0 }, silver: { name: 'Silver', points: 10 } },
    },
  },
  challenges: { march: { name: 'March', of: [{ metric: 'words', value: 70 }] } },
  leaderboards: { xp: { name: 'XP', rankBy: 'points', system: 'xp', start: '2026-01-01' } },
}

/** Half the words make a novelist, and fewer complete the challenge; no starter; points for every 70 words, and none from the trigger that was. */
const NEXT = {
  ...FIRST,
  achievements: { novelist: { name: 'Novelist', trigger: 'metric', metric: 'words', value: 50 } },
  challenges: { march: { name: 'March', of: [{ metric: 'words', value: 50 }] } },
  points: { xp: { ...FIRST.points.xp, triggers: [{ type: 'metric', metric: 'words', threshold: 70, points: 1_000 }] } },
}

const game = file('game.json', JSON.stringify(FIRST))
const next = file('next.ts', `export const game = ${JSON.stringify(NEXT)}`)
const csv = file(
  'events.csv',
  `metric,userId,value,occurredAt,idempotencyKey
words,ada,60,2026-03-01T09:00:00Z,k1
words,bob,80,2026-03-01T09:00:00Z,k2
words,cid,5,2026-03-01T09:00:00Z,k3
`,
)

let databases = 0
async function filled(): Promise<string> {
  databases += 1
  const db = file(`${databases}.db`)
  expect((await laurels(['import', csv, '--db', db, '--game', game])).err).toBe('')
  return db
}

const TEXT = `3 users checked: 3 would gain or lose something

achievement  users gain  users lose
novelist              2           0
starter               0           3

points  users gain  minted  users lose  gone
xp               1     992           1     6

trigger                                      users gain  minted  users lose  gone
xp: Pays 1000 "XP" for every 70 of "Words".           1   1,000           0     0
xp: writing                                           0       0           2    14

levels  users up  users down
xp             1           0

challenge  users gain  users lose
march               1           0

leaderboard  users enter  leave  go up  go down
xp                     0      1      0        0

largest differences  points   gains     loses
bob                  xp +992  novelist  starter
ada                  xp -6    novelist  starter
cid                                     starter
`

async function readGames(db: string): Promise<readonly { readonly epoch: number; readonly policy: string }[]> {
  return JSON.parse((await laurels(['info', '--db', db, '--json'])).out).games
}

describe('what-if', () => {
  test('prints what would change, and stores nothing', async () => {
    const db = await filled()
    expect(await laurels(['what-if', '--db', db, '--game', next])).toMatchObject({ code: 0, out: TEXT, err: '' })
    expect(await readGames(db)).toMatchObject([{ epoch: 1, policy: 'forward' }])
    expect((await laurels(['what-if', '--db', db, '--game', game])).out).toBe(
      '3 users checked: none would gain or lose something\n',
    )
  })
})

describe('apply', () => {
  const apply = async (db: string, policy: string, ...args: readonly string[]) =>
    laurels(['apply', '--db', db, '--game', next, '--policy', policy, ...args])

  test('forward: the rules count from now on', async () => {
    const db = await filled()
    expect(await apply(db, 'forward')).toMatchObject({
      code: 0,
      out: 'epoch 2, forward: its rules count from now on\n',
      err: '',
    })
    expect((await apply(db, 'forward')).out).toBe('epoch 2, forward: the game is in force already\n')
    expect(await readGames(db)).toMatchObject([{ epoch: 1 }, { epoch: 2, policy: 'forward' }])
    expect((await laurels(['verify', '--db', db])).code).toBe(0)
  })

  test.each([
    ['forward', 'With forward, no user gains or loses any of this: the rules would count from now on.'],
    ['grant', 'With grant users would be given what they gain, and would lose nothing.'],
    ['recompute', 'With recompute all of this would happen.'],
  ])('--dry-run prints what what-if prints, and what of it %s does', async (policy, note) => {
    const db = await filled()
    expect(await apply(db, policy, '--dry-run')).toMatchObject({
      code: 0,
      out: TEXT,
      err: `${note} Nothing was written.\n`,
    })
    expect(await readGames(db)).toHaveLength(1)
  })
})
