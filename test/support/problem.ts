import type { Answer } from './api.ts'

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  instance: string
  requestId: string
  errors?: { pointer: string, code: string, message: string }[]
}

/**
 * Returns the problem of an answer. Throws unless it has the form of RFC 9457 and its members agree
 * with the answer.
 */
export function problemOf ({ status, headers, json, text }: Answer): Problem {
  const problem = json as Problem
  const isProblem = String(headers['content-type']).startsWith('application/problem+json') &&
    problem.status === status && problem.requestId === headers['x-request-id']
  if (!isProblem || problem.code === '' || problem.detail === '') {
    throw new Error(`${status} ${String(headers['content-type'])}: ${text}`)
  }
  return problem
}

/** Returns the pointers of the errors that a problem lists. */
export function pointersOf (answer: Answer): string[] {
  return (problemOf(answer).errors ?? []).map(error => error.pointer)
}
