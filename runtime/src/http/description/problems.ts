import type { OpenAPIV3_1 } from 'openapi-types'
import * as errors from '../../errors.ts'
import { codesMember } from './codes.ts'
import { isNode, type Node } from './schema-walk.ts'

/** A known code: its status, and its message with `…` for each value. */
export interface DescribedCode {
  status: number
  message: string
}

const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

/** Any other problem of an operation. */
export const anyProblem = { description: 'A problem (RFC 9457)', content: problemContent }

export function describeCodes (): ReadonlyMap<string, DescribedCode> {
  return new Map(Object.values(errors).map(KnownError => {
    const { code, statusCode = 500, message } = new KnownError()
    return [code, { status: statusCode, message: message === '%s' ? '' : message.replaceAll('%s', '…') }]
  }))
}

/** Adds an answer for each status of a problem to an operation. It refers to a component. */
export function withProblems (operation: Node, method: string, codes: ReadonlyMap<string, DescribedCode>): Node {
  const { [codesMember]: own, responses, ...rest } = operation
  const all = new Set([...commonCodes(operation, method), ...Array.isArray(own) ? own as string[] : []].toSorted())
  const byStatus = Map.groupBy(all, code => codes.get(code)?.status ?? 500)
  const problems = [...byStatus].toSorted(([one], [other]) => one - other).map(([status, found]) => [
    String(status),
    { $ref: `#/components/responses/${found.join('.')}` }
  ])
  const described = isNode(responses) ? responses : {}
  return { ...rest, responses: { ...Object.fromEntries(problems), ...described, default: anyProblem } }
}

/** Returns the components that the operations refer to. */
export function problemResponses (
  operations: readonly Node[],
  codes: ReadonlyMap<string, DescribedCode>
): Record<string, OpenAPIV3_1.ResponseObject> {
  const prefix = '#/components/responses/'
  const names = new Set(operations.flatMap(({ responses }) => Object.values(isNode(responses) ? responses : {}))
    .flatMap(answer => isNode(answer) && typeof answer.$ref === 'string' ? [answer.$ref] : [])
    .filter(reference => reference.startsWith(prefix)).map(reference => reference.slice(prefix.length)))
  return Object.fromEntries([...names].toSorted().map(name => {
    const found = name.split('.')
    const lines = found.map(code => `\`${code}\`${describeMessage(codes.get(code)?.message)}`)
    return [name, { description: lines.join('\n\n'), content: problemContent, [codesMember]: found }]
  }))
}

function describeMessage (message = ''): string {
  return message === '' ? '' : `: ${message}`
}

/** The codes that follow from what an operation takes and needs. */
function commonCodes ({ security, requestBody, parameters }: Node, method: string): string[] {
  const schemes = Array.isArray(security) ? security.flatMap(scheme => isNode(scheme) ? Object.keys(scheme) : []) : []
  const headers = Array.isArray(parameters)
    ? parameters.filter(isNode).filter(({ in: place }) => place === 'header').map(({ name }) => name)
    : []
  const isWebhook = schemes.includes('webhookSignature')
  return [
    ...isWebhook ? [] : ['LNK_REQUEST_INVALID'],
    ...schemes.includes('token') ? ['LNK_UNAUTHORIZED', 'LNK_FORBIDDEN', 'LNK_TOKEN_FAILURES'] : [],
    ...schemes.includes('session') && method !== 'get' ? ['LNK_CROSS_ORIGIN'] : [],
    ...requestBody === undefined ? [] : ['LNK_PAYLOAD_TOO_LARGE'],
    ...requestBody === undefined || isWebhook ? [] : ['LNK_MEDIA_TYPE_UNSUPPORTED'],
    ...headers.includes('idempotency-key') ? ['LNK_IDEMPOTENCY_KEY_RUNNING', 'LNK_IDEMPOTENCY_KEY_REUSED'] : [],
    ...headers.includes('if-match') ? ['LNK_PRECONDITION_FAILED'] : [],
    'LNK_INTERNAL',
    'LNK_DATABASE_UNAVAILABLE',
    'LNK_DISK_FULL'
  ]
}
