import { Value } from '@sinclair/typebox/value'
import { Manifest } from '../manifest.ts'
import { reservedPlatformTypes } from '../platform-type.ts'
import { printablePattern } from '../printable.ts'
import { authorisationProblems } from './authorisation.ts'
import { defaultsOfSecrets, wrongDefaults, wrongInitialValues } from './defaults.ts'
import type { AdapterDescription, RouteDescription } from './describe.ts'
import { everyPattern } from './every-pattern.ts'
import { compileSchema } from './json-schema.ts'
import { optionsFromProblems } from './options-from.ts'
import { permitsJob } from './permissions.ts'
import { judgeSchema } from './schema-cost.ts'

/** A disagreement between an adapter's code and its manifest, or a fault in one of them. */
export interface AdapterFault {
  code: 'LNK_ADAPTER_SHAPE_INVALID' | 'LNK_ADAPTER_PERMISSION' | 'LNK_ADAPTER_ROUTE_CONFLICT'
  message: string
}

export const schedulePattern = /^[a-z][a-z0-9-]{0,63}$/
const mostFaults = 5
const jobTypePattern = /^[A-Za-z0-9._-]+$/

/** Lists all faults of a described adapter. An adapter without faults may serve. */
export function checkAdapter (manifest: Manifest, description: AdapterDescription): AdapterFault[] {
  return [
    ...checkIdentity(manifest),
    ...checkCapabilities(manifest, description),
    ...checkSchemas(description),
    ...checkJobs(manifest, description),
    ...checkSchedules(manifest, description),
    ...checkRoutes(manifest, description),
    ...authorisationProblems(description).map(shape)
  ]
}

function shape (message: string): AdapterFault {
  return { code: 'LNK_ADAPTER_SHAPE_INVALID', message }
}

function permission (message: string): AdapterFault {
  return { code: 'LNK_ADAPTER_PERMISSION', message }
}

/** Lists the faults of the member `linker` of a package.json, one sentence each. */
export function manifestProblems (manifest: unknown): string[] {
  return [...Value.Errors(Manifest, manifest)].map(({ path, message, schema }) => {
    const isUnprintable = schema.pattern === printablePattern
    return `/linker${path} ${isUnprintable ? 'holds a control character, which a terminal would obey' : message}`
  })
}

/**
 * The hub finds connections by key and by platform: it would take a key that begins with another
 * platform for one of that platform. It finds jobs by the platform that their type begins with.
 */
export function identityProblems ({ adapterKey, platformType }: Pick<
  Manifest,
  'adapterKey' | 'platformType'
>): string[] {
  return [
    ...(reservedPlatformTypes.includes(platformType)
      ? [`platformType '${platformType}' is reserved for the hub's own jobs: choose another name`]
      : []),
    ...(adapterKey.startsWith(`${platformType}.`)
      ? []
      : [`adapterKey '${adapterKey}' does not begin with the platformType: use ${platformType}.<api>.v<n>`])
  ]
}

function checkIdentity (manifest: Manifest): AdapterFault[] {
  return identityProblems(manifest).map(shape)
}

export function checkCapabilities (manifest: Manifest, description: AdapterDescription): AdapterFault[] {
  const implemented = Object.keys(description.capabilities)
  const missing = manifest.capabilities.filter(name => !implemented.includes(name))
  const undeclared = implemented.filter(name => !manifest.capabilities.includes(name))
  return [
    ...(missing.length > 0
      ? [shape(`the manifest declares ${missing.join(', ')} and the code does not implement it`)]
      : []),
    ...(undeclared.length > 0
      ? [shape(`the code implements ${undeclared.join(', ')} and the manifest does not declare it`)]
      : [])
  ]
}

export function checkSchemas (description: AdapterDescription): AdapterFault[] {
  const { config, credentials, jobs, routes } = description
  const schemas: [string, object][] = [
    ['config', config],
    ['credentials', credentials],
    ...Object.entries(jobs).map(([name, schema]): [string, object] => [`payload of ${name}`, schema]),
    ...routes.flatMap(({ method, path, schema }) =>
      Object.entries({ params: schema.params, query: schema.query, body: schema.body })
        .flatMap(([part, value]): [string, object][] =>
          value === undefined ? [] : [[`${part} of ${method} ${path}`, value]]
        )
    )
  ]
  const faults = schemas.flatMap(([name, schema]) => faultsOf(name, schema))
  return faults.length > 0 ? faults : optionsFromProblems(description).slice(0, mostFaults).map(shape)
}

function faultsOf (name: string, schema: object): AdapterFault[] {
  const { faults } = judgeSchema(schema)
  if (faults.length > 0) {
    return faults.slice(0, mostFaults).map(({ pointer, message }) => {
      return shape(`its ${name} schema ${pointer === '' ? '' : `at ${pointer} `}${message}`)
    })
  }
  try {
    compileSchema(schema)
    return [
      ...wrongDefaults(schema).slice(0, mostFaults).map(({ pointer, message }) =>
        shape(`its ${name} schema has a default at ${pointer} that it refuses itself: it ${message}`)
      ),
      ...(name === 'config' ? wrongInitialValues(schema) : []).slice(0, mostFaults).map(({ pointer, message }) =>
        shape(`its ${name} schema has an initial value at ${pointer} that is wrong: it ${message}`)
      ),
      ...defaultsOfSecrets(schema).slice(0, mostFaults).map(pointer =>
        shape(`its ${name} schema has a default at ${pointer} of a secret member: schemas are public`)
      )
    ]
  } catch (error) {
    return [shape(`its ${name} schema does not compile: ${error instanceof Error ? error.message : ''}`)]
  }
}

export function checkJobs (
  { platformType, permissions }: Manifest,
  { jobs, jobCapabilities = {}, capabilities }: AdapterDescription
): AdapterFault[] {
  return Object.keys(jobs).flatMap(name => [
    ...(jobCapabilities[name] ?? []).filter(capability => !Object.hasOwn(capabilities, capability)).map(capability =>
      shape(`job ${name} serves '${capability}', which the adapter does not implement`)
    ),
    ...(jobTypePattern.test(name)
      ? []
      : [shape(`'${name}' is not a valid name of a job: use letters, digits, dots, dashes and underscores`)]),
    ...(name.startsWith(`${platformType}.`) ? [] : [shape(`job ${name} does not start with '${platformType}.'`)]),
    ...(permitsJob(permissions, name)
      ? []
      : [permission(`it has the job ${name}, which permissions.jobs of the manifest does not name`)])
  ])
}

export function checkSchedules ({ permissions }: Manifest, { schedules }: AdapterDescription): AdapterFault[] {
  const names = schedules.map(({ name }) => name)
  return schedules.flatMap(({ name, every, job }, index) => [
    ...(permissions?.schedules === true
      ? []
      : [permission(`it has the schedule ${name}, and permissions.schedules of the manifest is not true`)]),
    ...(permitsJob(permissions, job)
      ? []
      : [
        permission(`its schedule ${name} makes the job ${job}, which permissions.jobs of the manifest does not name`)
      ]),
    ...(schedulePattern.test(name) ? [] : [shape(`'${name}' is not a valid name of a schedule`)]),
    ...(everyPattern.test(every)
      ? []
      : [shape(`schedule ${name}: '${every}' is not a length such as 30s, 2m, 6h or 1d`)]),
    ...(names.indexOf(name) === index ? [] : [shape(`it has two schedules ${name}`)])
  ])
}

export function checkRoutes ({ permissions }: Manifest, { routes }: AdapterDescription): AdapterFault[] {
  const names = routes.map(nameOf)
  return [
    ...(routes.length > 0 && permissions?.routes !== true
      ? [permission('it has routes, and permissions.routes of the manifest is not true')]
      : []),
    ...routes.filter(({ path }) => !/^\/[A-Za-z0-9._~:/-]*$/.test(path)).map(({ path }) =>
      shape(`'${path}' is not a valid path of a route`)
    ),
    ...routes.filter(({ path }) => hasDotSegment(path)).map(({ path }) =>
      shape(`the path '${path}' of a route has a segment . or .., which clients and proxies resolve to another path`)
    ),
    ...routes.filter((route, index) => names.indexOf(nameOf(route)) !== index)
      .map(({ method, path }): AdapterFault => ({
        code: 'LNK_ADAPTER_ROUTE_CONFLICT',
        message: `it has the route ${method} ${path} twice`
      }))
  ]
}

function hasDotSegment (path: string): boolean {
  return path.split('/').some(segment => segment === '.' || segment === '..')
}

/**
 * Returns a route's name without the names of its parameters: two routes that differ only in those
 * would answer the same requests.
 */
export function nameOf ({ method, path }: Pick<RouteDescription, 'method' | 'path'>): string {
  return `${method} ${path.replace(/:[A-Za-z0-9_]+/g, ':')}`
}
