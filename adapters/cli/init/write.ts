import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { wrongCall } from '../text.ts'
import type { NewFile } from './files.ts'

/** Writes all of the files, or none: throws `invalid_request` where one of them is there already. */
export async function writeFiles(directory: string, files: readonly NewFile[]): Promise<void> {
  const present = files.map(({ path }) => path).filter((path) => existsSync(join(directory, path)))
  if (present.length > 0) {
    const are = present.length === 1 ? 'is' : 'are'
    throw wrongCall(
      `${present.join(', ')} ${are} there already, and nothing was written: move what is there, or take another folder`,
    )
  }
  for (const { path, content } of files) {
    const file = join(directory, path)
    await mkdir(dirname(file), { recursive: true })
    // Whoever has made it meanwhile keeps it.
    await writeFile(file, content, { flag: 'wx' })
  }
}
