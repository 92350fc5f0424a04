import { TransientError, type HttpResponse, type OfferWriteResult } from '@linker/sdk'
import { hubName } from './offer-fields.ts'

/** Reads from the answer to a single write which members the marketplace applied. */
export function readWriteResult (sent: object, response: HttpResponse): OfferWriteResult {
  return compareFields(sent, readAnswer(response))
}

/**
 * Answers which sent members were applied and which are frozen. The marketplace answers a write to
 * a frozen field like any other: only `updatedFields` lacks its name. Without `updatedFields` all
 * members count as applied.
 */
export function compareFields (sent: object, answer: unknown): OfferWriteResult {
  const names: unknown = typeof answer === 'object' && answer !== null && 'updatedFields' in answer
    ? answer.updatedFields
    : undefined
  const isApplied = (name: string): boolean => !Array.isArray(names) || names.includes(name)
  const fields = Object.keys(sent)
  return {
    applied: fields.filter(isApplied).map(hubName),
    frozen: fields.filter(name => !isApplied(name)).map(hubName)
  }
}

/**
 * Parses the answer to a write; `undefined` for an empty body. The page of a proxy is not an
 * answer: the write did not happen.
 */
export function readAnswer ({ body }: HttpResponse): unknown {
  if (body.trim() === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    // Give no cause: the parser's error quotes the body.
    throw new TransientError('the marketplace answered the change with a body that is not JSON')
  }
}
