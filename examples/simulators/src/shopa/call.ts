import type { FastifyRequest } from 'fastify'
import type { Query } from '../request-log.ts'
import type { Key, Method } from './authentication.ts'
import { webserviceError } from './errors.ts'
import type { Format } from './render.ts'
import { isResourceName, resources, type ResourceName } from './resources.ts'

export interface Call {
  method: Method
  resource: ResourceName
  /**
   * Absent for a list, and for a write that names its records only in the body. NaN when a read
   * names no number.
   */
  id: number | undefined
}

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]

/** Reads what a request asks for. Throws the error of the first check that it fails. */
export function parseCall (path: string, method: string, key: Key, isPatchKnown: boolean): Call {
  const [resource = '', id, ...rest] = path.replace(/\/$/, '').split('/')
  if (!isResourceName(resource)) {
    const names = Object.keys(resources).join(', ')
    throw webserviceError(400, 27, `Resource of type "${resource}" does not exist. The full list is: ${names}`)
  }
  const permitted = key.permissions[resource]
  if (permitted === undefined) {
    throw webserviceError(401, 26, `Resource of type "${resource}" is not allowed with this authentication key`)
  }
  if (!isMethod(method) || (method === 'PATCH' && !isPatchKnown)) {
    throw webserviceError(405, 23, `Method ${method} is not valid`)
  }
  if (resources[resource].forbiddenMethods.includes(method)) {
    throw webserviceError(405, 101, `Method ${method} is forbidden for ${resource}`)
  }
  if (!permitted.includes(method)) {
    throw webserviceError(405, 25, `Method ${method} is not allowed for ${resource} with this authentication key`)
  }
  if (id === undefined) return { method, resource, id }
  if (rest.length === 0 && /^\d+$/.test(id)) return { method, resource, id: Number(id) }
  if (isRead(method)) return { method, resource, id: Number.NaN }
  throw webserviceError(404, 92, `Invalid id "${[id, ...rest].join('/')}"`)
}

/** Returns the parameters as PHP reads them: the last value of a repeated one counts. */
export function singleValues (request: FastifyRequest): ReadonlyMap<string, string> {
  const lastOf = (value: string | string[]): string => typeof value === 'string' ? value : value.at(-1) ?? ''
  return new Map(Object.entries(request.query as Query).map(([name, value]) => [name, lastOf(value)]))
}

/** Returns the format. The first of the four places that names one decides, also for XML. */
export function outputFormat (request: FastifyRequest): Format {
  const { headers } = request
  const query = singleValues(request)
  const ofHeaders = headers['io-format'] ?? headers['output-format']
  const wanted = ofHeaders ?? query.get('output_format') ?? query.get('io_format')
  return String(wanted).toUpperCase() === 'JSON' ? 'json' : 'xml'
}

/** Reads `language=1`, `language=[1|2]` and `language=[2,5]`; any other value selects all. */
export function selectLanguages (languages: readonly number[], wanted: string | undefined): readonly number[] {
  const operand = wanted?.replace(/^\[(.*)\]$/, '$1')
  if (operand === undefined) return languages
  const [, from, to] = /^(\d+),(\d+)$/.exec(operand) ?? []
  if (from !== undefined && to !== undefined) return languages.filter(id => id >= Number(from) && id <= Number(to))
  return /^\d+(?:\|\d+)*$/.test(operand) ? languages.filter(id => operand.split('|').includes(String(id))) : languages
}

export function isRead (method: Method): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isMethod (method: string): method is Method {
  return methods.includes(method)
}
