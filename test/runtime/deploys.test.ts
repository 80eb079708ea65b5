// Deploys and rollbacks at random, with three processes on one database. SOAK=1 runs 200 on each database; SEED=… repeats a run.

import { afterAll, describe, expect, test } from 'vitest'
import { postgres } from '../../adapters/postgres/index.ts'
import { sqlite } from '../../adapters/sqlite/index.ts'
import { loadGames } from '../../src/sql/games.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { createRandom, type Random, seedOfSoak } from '../crash/random.ts'
import { databaseUrl, sharedPool, useEmptySchemas } from '../support/postgres.ts'
import { howMany } from '../support/share.ts'
import { useDatabaseFiles } from '../support/sqlite-files.ts'
import { type Child, type Place, startChild } from './deploy-child.ts'

const SECOND = 1_000
const SEED = seedOfSoak(7)
const SLOTS = [0, 1, 2] as const
const COMMAND = 'npx laurels apply --policy forward --game <file>'

const nextFile = useDatabaseFiles()
const nextSchema = useEmptySchemas()

const PLACES: readonly { readonly name: string; readonly create: () => readonly [Place, Storage] }[] = [
  {
    name: 'one SQLite file',
    create: () => {
      const file = nextFile()
      return [{ file }, sqlite(file)]
    },
  },
  {
    name: 'Postgres',
    create: () => {
      const schema = nextSchema()
      return [{ url: databaseUrl(), schema }, postgres(sharedPool(), { schema, deadlineMs: 60_000 })]
    },
  },
]

/** Processes of Node that run no engine. A killed process is not used again. */
const idle: Child[] = []
const takeChild = (): Child => idle.pop() ?? startChild()
afterAll(async () => {
  for (const child of idle.splice(0)) await child.kill()
})

/** A process of a fleet, with the version that it runs. */
interface Slot {
  child: Child
  version: string
}

/** Three processes behind one database, whose clock is that of the schedule. */
function createFleet(place: Place, storage: Storage, random: Random) {
  const slots = new Map<number, Slot>()
  /** The versions in force, each once for as long as it stayed. */
  const inForce: string[] = []
  let now = Date.parse('2026-03-10T12:00:00.000Z')
  let starts = 0

  async function look(): Promise<string> {
    const stored = await loadGames(storage)
    const texts = stored.map(({ definition }) => Object.keys(JSON.parse(definition).metrics)[0] ?? '')
    inForce.splice(0, inForce.length, ...texts)
    return texts.at(-1) ?? ''
  }

  async function call(slot: number): Promise<void> {
    const own = slots.get(slot)
    if (own === undefined) return
    const reply = await own.child.call(now)
    if (reply === 'ok') expect(await look()).toBe(own.version)
    else expect(reply).toMatch(/^unknown_metric: .* The rules of another deploy \(epoch \d+\) are in force/)
    if (reply !== 'ok') expect(reply).toContain(COMMAND)
  }

  async function start(slot: number, version: string): Promise<void> {
    const child = takeChild()
    starts += 1
    expect(await child.start(place, version, now)).toBe('ok')
    slots.set(slot, { child, version })
  }

  async function end(slot: number): Promise<void> {
    const own = slots.get(slot)
    slots.delete(slot)
    if (own === undefined) return
    if (random.chance(0.1)) return own.child.kill(random.chance(0.5) ? now : undefined)
    await own.child.stop(now)
    idle.push(own.child)
  }

  return {
    inForce: inForce as readonly string[],
    look,
    starts: () => starts,
    start,
    end,
    call,
    /** Lets time pass. Every process has a call every ten seconds, or, if the fleet is idle, now and then. */
    pass: async (seconds: number, isIdle = false): Promise<void> => {
      for (const last = now + seconds * SECOND; now < last; ) {
        now += isIdle ? random.whole(5, 600) * SECOND : 10 * SECOND
        for (const slot of slots.keys()) if (!isIdle || random.chance(0.4)) await call(slot)
      }
    },
    restart: async (): Promise<void> => {
      const slot = random.whole(0, 2)
      const version = slots.get(slot)?.version
      if (version === undefined) return
      await end(slot)
      now += random.whole(0, 10) * SECOND
      await start(slot, version)
    },
    close: async (): Promise<void> => {
      for (const slot of SLOTS) await end(slot)
    },
  }
}

type Fleet = ReturnType<typeof createFleet>

/** Replaces one process after the other. Some restart meanwhile. `between` runs after each step. */
async function deploy(
  fleet: Fleet,
  random: Random,
  version: string,
  isIdle: boolean,
  between: () => Promise<void>,
): Promise<void> {
  for (const slot of SLOTS) {
    await fleet.end(slot)
    await fleet.start(slot, version)
    await between()
    await fleet.pass(random.whole(0, 4) * 10, isIdle)
    if (random.chance(0.3)) await fleet.restart()
    await between()
  }
}

/** Without versions that follow themselves: the epochs of boosts, or a deploy of the same. */
const changes = (versions: readonly string[]): string[] => versions.filter((each, at) => each !== versions[at - 1])

describe.each(PLACES)(
  `Random deploys on $name, from the seed ${SEED}`,
  ({ create }) => {
    const count = howMany(2, 10, 100)

    test(`of ${count} busy fleets: each deploy changes the game once, and a rollback a minute after its end`, async () => {
      for (let run = 0; run < count; run += 1) {
        const random = createRandom(SEED + run)
        const [place, storage] = create()
        const fleet = createFleet(place, storage, random)
        const targets: string[] = []
        for (let turn = random.whole(2, 4); turn > 0; turn -= 1) {
          const before = targets.at(-1)
          const version = `v${random.whole(1, 3)}`
          const isNew = !targets.includes(version)
          targets.push(version)
          await deploy(fleet, random, version, false, async () => {
            const allowed = isNew || before === undefined ? [version] : [before, version]
            expect(allowed, `run ${run}: ${targets}`).toContain(await fleet.look())
          })
          await fleet.pass(80)
          expect(await fleet.look(), `run ${run}: ${targets}`).toBe(version)
          expect(changes(fleet.inForce), `run ${run}`).toEqual(changes(targets))
          await fleet.pass(random.whole(0, 10) * 10)
        }
        await fleet.close()
        await storage.close()
      }
    })

    test(`of ${count} idle fleets: whatever came into force meanwhile, the deployed game is in the end, and stays`, async () => {
      for (let run = 0; run < count; run += 1) {
        const random = createRandom(SEED + 100_000 + run)
        const [place, storage] = create()
        const fleet = createFleet(place, storage, random)
        let version = ''
        for (let turn = random.whole(2, 4); turn > 0; turn -= 1) {
          version = `v${random.whole(1, 3)}`
          await deploy(fleet, random, version, true, async () => undefined)
        }
        // No process waits for more than an hour.
        for (let minute = 0; minute < 65; minute += 5) await fleet.pass(300, true)
        expect(await fleet.look(), `run ${run}`).toBe(version)
        const settled = [...fleet.inForce]
        await fleet.pass(3_600, true)
        await fleet.look()
        expect(fleet.inForce, `run ${run}`).toEqual(settled)
        expect(settled.length, `run ${run}`).toBeLessThanOrEqual(fleet.starts())
        await fleet.close()
        await storage.close()
      }
    })
  },
  1_800_000,
)
