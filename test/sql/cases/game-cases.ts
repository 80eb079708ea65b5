import { equal } from 'node:assert/strict'
import { addGame, loadGameSilence, seeGame } from '../../../src/sql/games.ts'
import { type StorageCase, test } from '../../../src/testing/storage/case.ts'
import { game } from '../../../src/testing/storage/commit-cases.ts'
import { NOON } from '../../../src/testing/storage/samples.ts'

export const gameCases: readonly StorageCase[] = [
  test('game/silence: the newest game is silent since it was stored, or since a process with it was seen', async (storage) => {
    const at = (seconds: number) => ({ now: NOON + seconds * 1_000, isHostClock: true })
    equal(await loadGameSilence(storage, at(0)), 0)
    await addGame(storage, game(1, { createdAt: NOON }))
    equal(await loadGameSilence(storage, at(30)), 30_000)
    await seeGame(storage, 'another', at(30))
    equal(await loadGameSilence(storage, at(40)), 40_000)
    await seeGame(storage, 'fingerprint-1', at(40))
    equal(await loadGameSilence(storage, at(45)), 5_000)
    await addGame(storage, game(2, { createdAt: NOON + 50_000 }))
    await seeGame(storage, 'fingerprint-1', at(90))
    equal(await loadGameSilence(storage, at(90)), 40_000)
  }),
  test('game/seen-rarely: a process is noted every 20 seconds at most, and a time in the future is mended', async (storage) => {
    const at = (seconds: number) => ({ now: NOON + seconds * 1_000, isHostClock: true })
    await addGame(storage, game(1, { createdAt: NOON }))
    await seeGame(storage, 'fingerprint-1', at(19))
    equal(await loadGameSilence(storage, at(20)), 20_000)
    await seeGame(storage, 'fingerprint-1', at(20))
    equal(await loadGameSilence(storage, at(20)), 0)
    equal(await loadGameSilence(storage, at(10)), 0)
    await seeGame(storage, 'fingerprint-1', at(10))
    equal(await loadGameSilence(storage, at(15)), 5_000)
  }),
]
