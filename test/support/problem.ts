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
 * The problem of an answer. Throws unless it is one in the form of RFC 9457 whose members agree
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

/** The pointers of what a problem says is wrong. */
export function pointersOf (answer: Answer): string[] {
  return (problemOf(answer).errors ?? []).map(error => error.pointer)
}
