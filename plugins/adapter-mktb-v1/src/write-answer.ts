import { TransientError, type HttpResponse, type OfferWriteResult } from '@linker/sdk'
import { hubName } from './offer-fields.ts'

/** What became of the members sent, by the answer to a single write. */
export function readWriteResult (sent: object, response: HttpResponse): OfferWriteResult {
  return compareFields(sent, readAnswer(response))
}

/**
 * What became of the members sent. A write to a frozen field is answered like any other; that its
 * name is missing in `updatedFields` is the only sign. An answer without them says nothing: all
 * counts as applied.
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
 * What a write was answered with, `undefined` for an empty body. A page of something in between is
 * no answer: nothing was written.
 */
export function readAnswer ({ body }: HttpResponse): unknown {
  if (body.trim() === '') return undefined
  try {
    return JSON.parse(body)
  } catch {
    // Without the parser's error as its cause: that quotes the body.
    throw new TransientError('the change was answered with a body that is no JSON')
  }
}
