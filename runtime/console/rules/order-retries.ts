import { shellWord } from './shell.ts'

interface ListFilter {
  connectionId?: string
  status?: string
  problem?: string
  externalId?: string
  since?: string
}

type RetryableStatus = 'awaiting_mapping' | 'failed'

export interface RetryFilter {
  connectionId?: string
  status?: RetryableStatus[]
  code?: string
  externalId?: string
  since?: string
}

const retryable: readonly RetryableStatus[] = ['awaiting_mapping', 'failed']

/**
 * The filter of a bulk retry that meets the orders of the list, as far as they can be retried. A
 * retry always needs a filter, so without a status it names both that can be retried.
 */
export function retryFilterOf ({ status, problem, ...rest }: ListFilter): RetryFilter {
  const chosen = retryable.filter(name => status === undefined || name === status)
  return {
    ...rest,
    status: chosen.length === 0 ? [...retryable] : chosen,
    ...problem === undefined || problem === 'any' ? {} : { code: problem }
  }
}

/** The command that does the same. */
export function retryCommandOf ({ connectionId, status = [], code, externalId, since }: RetryFilter): string {
  return [
    'linker orders retry',
    ...status.length === 0 ? [] : [`--status ${status.join(' ')}`],
    ...connectionId === undefined ? [] : [`--connection ${connectionId}`],
    ...code === undefined ? [] : [`--code ${code}`],
    ...externalId === undefined ? [] : [`--external-id ${shellWord(externalId)}`],
    ...since === undefined ? [] : [`--since ${shellWord(since)}`]
  ].join(' ')
}
