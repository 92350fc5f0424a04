import type { FastifyRequest } from 'fastify'
import type { Query } from '../request-log.ts'
import type { Key, Method } from './authentication.ts'
import { webserviceError } from './errors.ts'
import type { Format } from './render.ts'
import { isResourceName, resources, type ResourceName } from './resources.ts'

export interface Call {
  method: Method
  resource: ResourceName
  /** Absent for a list, and for a write whose records are named in the body only. */
  id: number | undefined
}

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]

/** What the request asks for, or the error of the first check that it fails. */
export function parseCall (path: string, method: string, key: Key, isPatchKnown: boolean): Call {
  const [resource = '', id, ...rest] = path.replace(/\/$/, '').split('/')
  if (!isResourceName(resource)) {
    throw webserviceError(
      400,
      27,
      `Resource of type "${resource}" does not exist. The full list is: ${Object.keys(resources).join(', ')}`
    )
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
  if (id !== undefined && (rest.length > 0 || !/^\d+$/.test(id))) {
    throw webserviceError(404, 92, `Invalid id "${[id, ...rest].join('/')}"`)
  }
  return { method, resource, id: id === undefined ? undefined : Number(id) }
}

/** PHP keeps the last of a repeated parameter. */
export function singleValues (request: FastifyRequest): ReadonlyMap<string, string> {
  const query = request.query as Query
  return new Map(Object.entries(query).map(
    ([name, value]) => [name, typeof value === 'string' ? value : value.at(-1) ?? '']
  ))
}

/** The first of the four that is present decides, also when it asks for XML. */
export function outputFormat (request: FastifyRequest): Format {
  const query = singleValues(request)
  const wanted = request.headers['io-format'] ?? request.headers['output-format'] ?? query.get('output_format') ??
    query.get('io_format')
  return String(wanted).toUpperCase() === 'JSON' ? 'json' : 'xml'
}

/** `language=1`, `language=[1|2]`, `language=[2,5]`; anything else shows all. */
export function selectLanguages (languages: readonly number[], wanted: string | undefined): readonly number[] {
  const operand = wanted?.replace(/^\[(.*)\]$/, '$1')
  if (operand === undefined) return languages
  const [, from, to] = /^(\d+),(\d+)$/.exec(operand) ?? []
  if (from !== undefined && to !== undefined) return languages.filter(id => id >= Number(from) && id <= Number(to))
  return /^\d+(?:\|\d+)*$/.test(operand) ? languages.filter(id => operand.split('|').includes(String(id))) : languages
}

function isMethod (method: string): method is Method {
  return methods.includes(method)
}
