import { readFileSync } from 'node:fs'

/** The folder of this package. Its sources and its built files are one level below. */
export const packageFolder = new URL('../', import.meta.url)

interface PackageJson {
  version: string
  license: string
  engines: { node: string }
}

/** The package.json of this package. */
export const packageJson = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as PackageJson
