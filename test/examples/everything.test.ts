import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { useCompiledPackage } from '../support/compiled-package.ts'

const packed = useCompiledPackage()

const OUTPUT = `Six days of Mia, a pupil of a school that is called north

Friday: more than a day pays for, and mistakes
  50 XP for Words learned
  50 of 80 XP were paid, more from 2026-03-13T23:00:00.000Z
  energy after four mistakes: 1
  energy at eleven: 2

Saturday: all that is paid counts twice, but for the call that comes too soon
  energy in the morning: 5
  Linguist Bronze (linguist.bronze)
  40 XP for Words learned, by Double weekend (2)
  200 XP for Linguist Bronze, by Double weekend (2)
  Half an hour (listener), time 1
  50 XP for Half an hour, by Double weekend (2)
  40 XP for Conversations, by Double weekend (2)
  0 of 40 XP were paid, more from 2026-03-14T10:00:00.000Z

Sunday: a tier, a streak of three, and half an hour again
  Well-read (linguist.silver)
  Regular Bronze (regular.bronze)
  50 XP for Words learned, by Double weekend (2)
  60 XP for the streak, by Double weekend (2)
  50 of 100 XP were paid, more from 2026-03-15T23:00:00.000Z
  Half an hour (listener), time 2
  50 XP for Half an hour, by Double weekend (2)
  Two weeks of talk (talks)
  streaks: words 3, listening 3, talking 2
  freezes: words and listening 3, talking 1

Tuesday: Monday was missed, and two streaks took a freeze each; the week has paid what it can
  streaks: words 3, listening 3, talking 2
  freezes: words and listening 1, talking 1
  10 XP for Daily quests
  0 of 10 XP were paid, more from 2026-03-21T23:00:00.000Z
  the app sees: Something at night (no more), ??? (no more)
  Night owl (night-owl)
  Polyglot (polyglot)
  Daily quests until 2026-03-17: First words, then a call 50 %, Ten words completed
  Find your way: completed
  Words of the month until 2026-03-31: completed
  Sprint: to join
  the app sees: Night owl (Ten minutes in the middle of the night), Polyglot (no more)
  streaks: words 4, listening 4, talking 2
  freezes: words and listening 1, talking 1

Wednesday: what is too much waits, and nothing is in a hurry
  held: true, words: 165
  invited a friend: 1, then 2
  XP: 640, Speaker
  words remembered: 140 of 165
  this week: rank 1 with 60 words
`

test('the example of everything prints what there is to look at', async () => {
  const main = join(packed(), 'dist/examples/everything/main.js')
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main], { cwd: packed() })
  expect(stderr).toBe('')
  expect(stdout).toBe(OUTPUT)
})
