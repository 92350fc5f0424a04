import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { contractVersion } from '../../adapter.ts'
import { authorisationProblems, authorisationRoute } from '../../host/authorisation.ts'
import {
  checkCapabilities,
  checkJobs,
  checkRoutes,
  checkSchedules,
  checkSchemas,
  type AdapterFault
} from '../../host/check.ts'
import type { AdapterDescription } from '../../host/describe.ts'
import { compileSchema, type SchemaProblem } from '../../host/json-schema.ts'
import type { Manifest } from '../../manifest.ts'
import { FieldError } from '../../schemas/values.ts'
import { takesVersion } from './caret-range.ts'
import { type Check } from './check.ts'
import { answersAtStart, importedAdapter } from './evidence.ts'
import { findings } from './finding.ts'
import type { Finding } from './finding.ts'
import { settingsFile, withOrigin } from './settings.ts'
import type { Subject } from './subject.ts'

export const shapeChecks: readonly Check[] = [
  {
    id: 'L1-SHP-01',
    level: 1,
    needs: 'module',
    evidence: importedAdapter,
    title: 'the default export is the result of defineAdapter, with every required method ' +
      'and no member of another name or form',
    prevents:
      'the hub noticed a missing method at the first job only, or never ran a schedule because its member was misspelt',
    async run ({ imported }) {
      const failure = (await imported()).report?.failure
      return findings(failure?.isShape === true ? [failure.message] : [])
    }
  },
  {
    id: 'L1-SHP-02',
    level: 1,
    needs: 'import',
    title: 'it was made with the contract of this SDK',
    prevents: 'an SDK bundled into the code used another contract than the manifest stated',
    run: subject =>
      describing(
        subject,
        ({ contractVersion: made }) =>
          takesVersion(`^${made}`, contractVersion) === true
            ? []
            : [`it was made with the contract ${made}, this SDK has ${contractVersion}`]
      )
  },
  {
    id: 'L1-SHP-03',
    level: 1,
    needs: 'import',
    title: 'manifest and code name the same capabilities',
    prevents: 'the hub offered what the adapter could not do, or hid what it could',
    run: subject => describing(subject, (description, manifest) => messages(checkCapabilities(manifest, description)))
  },
  {
    id: 'L1-SHP-04',
    level: 1,
    needs: 'import',
    title: 'its schemas compile, and checking with them takes time in proportion to the value',
    prevents:
      'the hub refused every connection with an error about the schema, not the config, or one request stopped the hub',
    run: subject => describing(subject, description => messages(checkSchemas(description)))
  },
  {
    id: 'L1-SHP-05',
    level: 1,
    needs: 'import',
    title: 'its jobs, schedules and routes have valid names and no two routes are one',
    prevents: 'two adapters answered one job or one address, and nobody could say which',
    run: subject =>
      describing(
        subject,
        (description, manifest) =>
          messages(faultsOf(manifest, description).filter(({ code }) => code !== 'LNK_ADAPTER_PERMISSION'))
      )
  },
  {
    id: 'L1-SHP-06',
    level: 1,
    needs: 'settings',
    evidence: answersAtStart(['normalizeCredentials', 'checkConfig']),
    title: `config and credentials of ${settingsFile} pass its schemas and checkConfig`,
    prevents: 'the operator could not fill in the form of the schema in a way that makes the adapter work',
    run: subject => checkSettings(subject)
  },
  {
    id: 'L1-SHP-07',
    level: 1,
    needs: 'settings',
    evidence: answersAtStart(['normalizeCredentials']),
    title: 'a config or credentials of another type are refused',
    prevents: 'the hub stored a number instead of a key, and every job failed with a TypeError',
    run: subject => checkRefusals(subject)
  },
  {
    id: 'L1-SHP-08',
    level: 1,
    needs: 'authorisation',
    title:
      'its authorisation begins at a POST route of its own, whose body is the form and whose answer has an address',
    prevents: 'the operator filled in a form that began nothing, or got an answer without the address to open',
    run: subject => describing(subject, authorisationProblems)
  },
  {
    id: 'L1-SHP-13',
    level: 1,
    needs: 'import',
    title: 'it has an account, which says which account a connection opens',
    prevents: 'two connections to one account made each of its orders twice',
    run: subject =>
      describing(subject, ({ hasAccount }) => hasAccount ? [] : ['it has no account: the hub knows orders by it'])
  },
  {
    id: 'L1-PRM-01',
    level: 1,
    needs: 'import',
    title: 'the manifest permits its jobs, schedules and routes',
    prevents: 'the operator confirmed other permissions than the adapter used',
    run: subject =>
      describing(
        subject,
        (description, manifest) =>
          messages(faultsOf(manifest, description).filter(({ code }) => code === 'LNK_ADAPTER_PERMISSION'))
      )
  },
  {
    id: 'L1-SEC-01',
    level: 1,
    needs: 'import',
    title: 'members that are secret are marked `secret: true`, where the hub sees the mark',
    prevents: 'a key was shown in an answer of the API and written to the log',
    run: subject =>
      describing(
        subject,
        description => [
          ...unmarkedSecrets('config', description.config),
          ...unmarkedSecrets('credentials', description.credentials),
          ...unmarkedSecrets('authorisation', authorisationRoute(description)?.schema.body ?? {})
        ]
      )
  }
]

async function describing (
  { imported, package: { manifest } }: Subject,
  look: (description: AdapterDescription, manifest: Manifest) => string[]
): Promise<Finding[]> {
  const description = (await imported()).report?.description
  return description === undefined || manifest === undefined ? [] : findings(look(description, manifest))
}

function faultsOf (manifest: Manifest, description: AdapterDescription): AdapterFault[] {
  return [
    ...checkJobs(manifest, description),
    ...checkSchedules(manifest, description),
    ...checkRoutes(manifest, description)
  ]
}

function messages (faults: readonly AdapterFault[]): string[] {
  return faults.map(({ message }) => message)
}

/** An address for `{origin}`: schemas may require one there. */
const someOrigin = 'http://127.0.0.1:80'

/** `found`: the answer of its `checkConfig`. */
interface Stored {
  description: AdapterDescription
  config: unknown
  credentials: unknown
  found: unknown
}

/** Returns config and credentials in the form that a hub would check. */
async function storedOf ({ imported, settings, started }: Subject): Promise<Stored | undefined> {
  const description = (await imported()).report?.description
  if (description === undefined) return undefined
  const { config = {}, credentials = null } = withOrigin(settings.settings, someOrigin)
  const outcomes = (await started()).report?.results.flatMap(result => result.outcomes) ?? []
  const valueOf = (wanted: string, otherwise: unknown): unknown => {
    const outcome = outcomes.find(({ id }) => id === wanted)
    return outcome === undefined || outcome.error !== undefined ? otherwise : outcome.value
  }
  return {
    description,
    config,
    credentials: valueOf('start-credentials', credentials),
    found: valueOf('start-config', [])
  }
}

async function checkSettings (subject: Subject): Promise<Finding[]> {
  const stored = await storedOf(subject)
  if (stored === undefined) return []
  const secrets = await subject.secrets()
  return findings([
    ...refusalsOf(stored).map(describe),
    ...secrets.filter(secret => secret.length < shortestSecret).map(() =>
      `a secret of fewer than ${shortestSecret} characters cannot be told from other text: make it longer`
    )
  ])
}

/** Whether the adapter's schemas refuse config or credentials: a hub would then never call it. */
export async function refusesSettings (subject: Subject): Promise<boolean> {
  const stored = await storedOf(subject)
  return stored !== undefined && refusalsOf(stored).length > 0
}

function refusalsOf ({ description, config, credentials, found }: Stored): SchemaProblem[] {
  return [
    ...problemsOf(description.config, config, '/config'),
    ...problemsOf(description.credentials, credentials, '/credentials'),
    ...Value.Check(Type.Array(FieldError), found)
      ? found.map(problem => ({ ...problem, pointer: `/config${problem.pointer}` }))
      : [{
        pointer: '/config',
        code: 'answer',
        message: 'makes checkConfig return something else than a list of { pointer, code, message }'
      }]
  ]
}

/** Shorter secrets appear in other text by chance. */
const shortestSecret = 16

async function checkRefusals (subject: Subject): Promise<Finding[]> {
  const stored = await storedOf(subject)
  if (stored === undefined) return []
  const { description } = stored
  return findings([
    ...acceptedWrongs('config', description.config, stored.config),
    ...acceptedWrongs('credentials', description.credentials, stored.credentials)
  ])
}

function acceptedWrongs (name: string, schema: object, value: unknown): string[] {
  const accepts = (wrong: unknown): boolean => problemsOf(schema, wrong, '').length === 0
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [
    ...(accepts(42) ? [`${name} may be the number 42`] : []),
    ...members.filter(([member, given]) =>
      accepts({ ...Object.fromEntries(members), [member]: typeof given === 'object' ? 42 : { unexpected: true } })
    ).map(([member]) => `${name}.${member} may be of any type`)
  ]
}

function problemsOf (schema: object, value: unknown, pointer: string): SchemaProblem[] {
  try {
    return compileSchema(schema)(value, pointer).problems
  } catch {
    // Another check reports it.
    return []
  }
}

function describe ({ pointer, message }: SchemaProblem): string {
  return `${settingsFile}${pointer} ${message}`
}

interface SchemaNode {
  properties?: Record<string, SchemaNode>
  secret?: boolean
  type?: string
}

const secretName = /(key|secret|token|password|passphrase)$/i

function unmarkedSecrets (name: string, schema: object): string[] {
  return Object.entries((schema as SchemaNode).properties ?? {}).flatMap(([member, node]) => {
    if (node.secret === true) return []
    if (isSecret(member, node)) return [`${name}.${member} is not marked`]
    // The hub reads only the mark of the topmost member.
    return hasSecretBelow(node) ? [`${name}.${member} has a secret in it and is not marked itself`] : []
  })
}

function isSecret (name: string, { type }: SchemaNode): boolean {
  return secretName.test(name) && type === 'string'
}

function hasSecretBelow ({ properties = {} }: SchemaNode): boolean {
  return Object.entries(properties).some(([name, node]) =>
    node.secret === true || isSecret(name, node) || hasSecretBelow(node)
  )
}
