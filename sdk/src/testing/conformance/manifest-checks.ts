import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contractVersion } from '../../adapter.ts'
import { conformanceReportFile } from '../../host/conformance-report.ts'
import { mostIconBytes, readIcon } from '../../host/presentation.ts'
import { packageFolder } from '../../package-folder.ts'
import { takesVersion } from './caret-range.ts'
import { type Check } from './check.ts'
import { findings } from './finding.ts'
import type { Finding } from './finding.ts'
import { modulesOf, sdkOf, targetsOf, unbuiltModules, type PackageJson, type ReadPackage } from './package-json.ts'
import { settingsFile } from './settings.ts'
import type { Subject } from './subject.ts'

const sdk = '@linker/sdk'
const ownRoot = fileURLToPath(packageFolder).replace(/\/$/, '')

export const manifestChecks: readonly Check[] = [
  {
    id: 'L1-MAN-01',
    level: 1,
    title: 'package.json has a name, a version and a valid manifest',
    prevents: 'the hub could not say what the package is, and refused it at start',
    run: ({ package: { problems } }) => findings(problems)
  },
  {
    id: 'L1-MAN-02',
    level: 1,
    needs: 'package',
    title: 'the keyword linker-adapter is there',
    prevents: 'nobody found the adapter in the registry',
    run: subject =>
      reading(subject, ({ keywords }) => keywords.includes('linker-adapter') ? [] : ["keywords lacks 'linker-adapter'"])
  },
  {
    id: 'L1-MAN-03',
    level: 1,
    needs: 'package',
    title: 'engines.linker takes the contract of this SDK',
    prevents: 'a hub with another contract loaded the adapter, and the first call failed',
    run: subject => reading(subject, ({ engines }) => rangeProblems('engines.linker', engines.linker))
  },
  {
    id: 'L1-MAN-04',
    level: 1,
    needs: 'package',
    title: 'the SDK is a peer dependency and not bundled',
    prevents: 'the adapter brought its own SDK, which became older than the one of the hub',
    run: subject =>
      reading(subject, async content => [
        ...rangeProblems(`peerDependencies['${sdk}']`, content.peerDependencies[sdk]),
        ...(content.dependencies[sdk] === undefined
          ? []
          : [`${sdk} is in dependencies: every install brings another copy`]),
        ...(content.bundled.includes(sdk) ? [`${sdk} is bundled`] : []),
        ...await nestedCopy(subject.package.directory)
      ])
  },
  {
    id: 'L1-MAN-05',
    level: 1,
    needs: 'package',
    title: 'the package resolves to a module that Node runs where it is installed',
    prevents: 'the published package could not be imported: its main file was not there, or was TypeScript',
    run: ({ package: found }) => findings(moduleProblems(found))
  },
  {
    id: 'L1-MAN-06',
    level: 1,
    needs: 'package',
    title: `files names what is published: the module, ${settingsFile}, its recordings, the icon and the report`,
    prevents: 'the published package lacked its code, or carried tests and secrets along',
    run: subject =>
      reading(
        subject,
        content =>
          publishingProblems(content, [
            ...[settingsFile, conformanceReportFile].filter(file => isToPublish(subject, file)),
            ...[...subject.settings.recordings.keys()].map(withoutDot)
          ])
      )
  },
  {
    id: 'L1-MAN-07',
    level: 1,
    needs: 'package',
    title: 'nothing runs when the package is installed',
    prevents: 'an install script ran on the machine of every operator before anybody could look',
    run: subject =>
      reading(
        subject,
        ({ scripts }) =>
          ['preinstall', 'install', 'postinstall'].filter(name => scripts[name] !== undefined).map(name =>
            `scripts.${name} runs '${scripts[name]}'`
          )
      )
  },
  {
    id: 'L1-MAN-09',
    level: 1,
    needs: 'package',
    title: `its icon is an SVG or PNG file of at most ${mostIconBytes / 1024} KiB`,
    prevents: 'the hub left the icon out, and its author did not see the warning',
    run: subject => reading(subject, ({ icon }) => icon === undefined ? [] : iconProblems(subject, icon))
  }
]

function iconProblems ({ package: { directory } }: Subject, icon: string): Promise<string[]> {
  return readIcon(directory, icon).then(() => [], (error: unknown) => [error instanceof Error ? error.message : ''])
}

async function reading (
  { package: { content } }: Subject,
  look: (content: PackageJson) => string[] | Promise<string[]>
): Promise<Finding[]> {
  return content === undefined ? [] : findings(await look(content))
}

function rangeProblems (member: string, range: string | undefined): string[] {
  if (range === undefined) return [`${member} is missing`]
  const takes = takesVersion(range, contractVersion)
  if (takes === undefined) return [`${member} is '${range}'; a caret range such as ^${contractVersion} is expected`]
  return takes ? [] : [`${member} is '${range}', which does not take ${contractVersion}`]
}

/**
 * Reports a copy of the SDK inside the package, except the one that runs this test: the author's
 * own checkout may have it there.
 */
async function nestedCopy (directory: string): Promise<string[]> {
  const found = await sdkOf(directory)
  return found?.startsWith(`${directory}/`) === true && found !== ownRoot
    ? [`it brings a copy of ${sdk} in ${found.slice(directory.length + 1)}`]
    : []
}

/** A first report is not there yet: it is written when the checks have passed. */
function isToPublish ({ package: { directory }, writesReport = false }: Subject, file: string): boolean {
  return existsSync(join(directory, file)) || (file === conformanceReportFile && writesReport)
}

function publishingProblems (content: PackageJson, others: readonly string[]): string[] {
  const { files, exports, icon } = content
  if (files === undefined) return ['files is missing: all of the folder is published']
  const needed = [
    ...new Set([...modulesOf(content), ...targetsOf(exports, published).map(withoutDot)]),
    ...others,
    ...icon === undefined ? [] : [withoutDot(icon)]
  ]
  return needed.filter(path => path !== 'package.json' && !files.some(entry => covers(withoutDot(entry), path))).map(
    path => `files does not take ${path}`
  )
}

const published = ['types', 'import', 'require', 'node', 'default']
const typeScript = /\.[cm]?tsx?$/

function moduleProblems (found: ReadPackage): string[] {
  const { content, entryProblem } = found
  if (content === undefined) return []
  const missing = unbuiltModules(found)
  const { build } = content.scripts
  return [
    ...modulesOf(content).filter(path => typeScript.test(path)).map(path =>
      `it leads to ${path}: Node runs no TypeScript in node_modules, so nobody could import it there. ` +
      'Build the package and name the built file'
    ),
    ...missing.map(path => `${path} is not there: build it first${build === undefined ? '' : ', npm run build'}`),
    ...entryProblem === undefined || missing.length > 0 ? [] : [`'${content.name}' does not resolve: ${entryProblem}`]
  ]
}

function covers (entry: string, path: string): boolean {
  const folder = entry.replace(/\/(\*\*?(\/\*)?)?$/, '')
  return path === entry || path.startsWith(`${folder}/`)
}

function withoutDot (path: string): string {
  return path.replace(/^\.\//, '')
}
