import { conformanceReportFile, readTestedLevel } from '@linker/sdk/host'
import { runConformance, type ConformanceReport } from '@linker/sdk/testing'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import semver from 'semver'
import type { Progress } from '../../terminal/progress.ts'
import { adviseVersion, type VersionAdvice } from './advise-version.ts'
import type { Change } from './change.ts'
import { compareContracts } from './compare-contracts.ts'
import {
  installTarball,
  listFiles,
  readPackageJson,
  type Installed,
  type PackageJson,
  type PackedFile
} from './installed.ts'
import { findNewest, pack } from './npm.ts'
import { findEntry, readContract } from './read-contract.ts'
import { runTools, type ToolReport } from './tools.ts'

/** The findings about an adapter before its publication. Plain data. */
export interface Publication {
  name: string
  version: string
  files: PackedFile[]
  conformance: ConformanceReport
  /** The version that it is compared with. Absent: nobody published one. */
  published?: string
  changes: Change[]
  /** Absent without a published version, or when one of the two does not load. */
  advice?: VersionAdvice
  tools: ToolReport[]
  /** Whether package.json names the repository, without which npm proves no provenance. */
  namesRepository: boolean
  /** The reasons not to publish it. */
  problems: string[]
}

interface TrialOptions {
  /** The author's folder. */
  directory: string
  /** The path of a tarball. Default: the newest version in the registry. */
  against?: string
  progress: Progress
}

/**
 * Does with an adapter package all that comes before its upload, in a temporary folder. Throws when
 * the package cannot be packed or installed.
 */
export async function tryPublication (options: TrialOptions): Promise<Publication> {
  const place = await mkdtemp(join(tmpdir(), 'linker-publish-'))
  try {
    return await tryWithin(place, options)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function tryWithin (place: string, { directory, against, progress }: TrialOptions): Promise<Publication> {
  const content = await readPackageJson(directory)
  const { name = '', version = '' } = content
  if (name === '' || semver.valid(version) === null) {
    throw new Error(`${join(directory, 'package.json')} needs a name and a SemVer version`)
  }
  refuseLocalDependencies(content)
  progress('packing the adapter')
  const tarball = await pack(undefined, join(place, 'packed'), directory)
  progress('installing the tarball')
  const installed = await installTarball(tarball, join(place, 'project'), directory)
  progress('running the conformance suite')
  const conformance = await runConformance(installed.directory)
  const contract = await readContract(installed)
  const stale = await findStaleReport(installed)

  progress('reading the published version')
  const published = against ?? await fetchNewest(name, place, directory)
  const former = published === undefined
    ? undefined
    : await installTarball(published, join(place, 'published'), directory, { ignoresPeers: true })
  const formerContract = former === undefined ? undefined : await readContract(former)
  const changes = contract === undefined || formerContract === undefined
    ? []
    : compareContracts(formerContract, contract)
  const advice = contract === undefined || formerContract === undefined
    ? undefined
    : adviseVersion(former?.content.version ?? '', version, changes)
  progress('running the linters of packages')
  const tools = await runTools(directory, tarball)

  return {
    name,
    version,
    files: await listFiles(tarball),
    conformance,
    ...former === undefined ? {} : { published: former.content.version ?? '' },
    changes,
    ...advice === undefined ? {} : { advice },
    tools,
    namesRepository: installed.content.repository !== undefined,
    problems: [
      ...conformance.isPassed ? [] : ['the conformance suite fails'],
      ...stale,
      ...former === undefined || advice !== undefined || contract === undefined
        ? []
        : [`${former.content.name}@${former.content.version} does not load here, so it cannot be compared`],
      ...former?.content.name === undefined || former.content.name === name
        ? []
        : [`it is compared with a version of another package, ${former.content.name}`],
      ...advice === undefined ? [] : versionProblems(version, former?.content.version ?? '', advice),
      ...tools.filter(({ status }) => status === 'failed').map(tool => `${tool.name} has findings`)
    ]
  }
}

/** Hubs would not know the level of what was packed. */
async function findStaleReport ({ project, directory, content }: Installed): Promise<string[]> {
  const entry = findEntry(project, content.name ?? '')
  const { reason } = (entry === undefined ? undefined : await readTestedLevel(directory, entry)) ?? {}
  return reason === undefined
    ? []
    : [`${conformanceReportFile} is not of what was packed: ${reason}. Run linker conformance --report after the build`]
}

async function fetchNewest (name: string, place: string, directory: string): Promise<string | undefined> {
  const newest = await findNewest(name, directory)
  return newest === undefined ? undefined : pack(`${name}@${newest}`, join(place, 'fetched'), directory)
}

/** Nobody else has the folders of the author, so npm could not even install the tarball. */
function refuseLocalDependencies ({ dependencies = {}, peerDependencies = {} }: PackageJson): void {
  for (const [name, range] of Object.entries({ ...peerDependencies, ...dependencies })) {
    if (/^(?:file|link|portal|workspace):/.test(range)) {
      throw new Error(`the dependency ${name} is '${range}', which nobody else can install: name a version`)
    }
  }
}

function versionProblems (version: string, published: string, { step, least, fits }: VersionAdvice): string[] {
  if (fits) return []
  return [
    semver.lte(version, published)
      ? `version ${version} is not above ${published}, which is published: use ${least} or higher`
      : `version ${version} does not fit a ${step} step from ${published}: use ${least} or higher`
  ]
}
