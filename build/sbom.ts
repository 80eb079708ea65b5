// Prints a CycloneDX bill of materials of what the package contains and needs: npm run --silent sbom > sbom.cdx.json
// `npm sbom --omit dev` leaves out each package that a development package needs too. So npm gets a copy of the manifest
// and the lockfile without those.

import { execSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const { name, version, license, description, repository, dependencies, devDependencies } = read('package.json')
const lock = read('package-lock.json')
// Their code is within the package.
const bundled = { 'date-fns-tz': devDependencies['date-fns-tz'], kysely: devDependencies.kysely }
const manifest = { name, version, license, description, repository, dependencies: { ...dependencies, ...bundled } }
lock.packages[''] = { name, version, license, dependencies: manifest.dependencies }

const folder = mkdtempSync(join(tmpdir(), 'laurels-sbom-'))
// npm gives the bill the name of the folder.
const cwd = join(folder, name)
try {
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify(lock))
  execSync('npm install --package-lock-only --ignore-scripts --no-audit --no-fund', { cwd, stdio: 'ignore' })
  execSync('npm sbom --package-lock-only --sbom-format cyclonedx', { cwd, stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
