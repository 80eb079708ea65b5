import { readdirSync, readlinkSync, realpathSync } from 'node:fs'

/** How often this process has a file open; null where the system does not say, as only Linux does. */
export function timesOpen(file: string): number | null {
  try {
    const path = realpathSync(file)
    return readdirSync('/proc/self/fd').filter((descriptor) => pathOf(descriptor) === path).length
  } catch {
    return null
  }
}

function pathOf(descriptor: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // Closed meanwhile, as that of the directory itself.
    return null
  }
}
