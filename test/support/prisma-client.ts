import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/**
 * The files that `prisma generate` needs besides the schema. It looks for the program that changes databases, which it
 * does not run, and would fetch it from Prisma's own server.
 */
export const PRISMA_ENVIRONMENT = {
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
}

const PRISMA_CLI: string = join(modules, 'prisma/build/index.js')

const SCHEMA = `
generator client {
  provider = "prisma-client-js"
  output   = "./client"
}
datasource db {
  provider = "postgresql"
}
model Order {
  note String @id
}
`

/** The path of a client of Prisma, generated once for each version of Prisma. */
export function generatedClient(): string {
  const versions = ['prisma', '@prisma/client'].map((name) => readFileSync(join(modules, name, 'package.json'), 'utf8'))
  const hash = createHash('sha256')
    .update([SCHEMA, ...versions].join('\n'))
    .digest('hex')
    .slice(0, 16)
  const target = join(modules, '.cache/laurels-prisma', hash)
  if (!existsSync(target)) generateInto(target)
  return join(target, 'client/index.js')
}

function generateInto(target: string): void {
  mkdirSync(join(modules, '.cache/laurels-prisma'), { recursive: true })
  const draft = mkdtempSync(join(modules, '.cache/laurels-prisma/draft-'))
  writeFileSync(join(draft, 'schema.prisma'), SCHEMA)
  const options = { cwd: draft, env: { ...process.env, ...PRISMA_ENVIRONMENT }, stdio: 'pipe' } as const
  execFileSync(process.execPath, [PRISMA_CLI, 'generate', '--schema', 'schema.prisma'], options)
  try {
    renameSync(draft, target)
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(target)) throw error
    rmSync(draft, { recursive: true, force: true })
  }
}
