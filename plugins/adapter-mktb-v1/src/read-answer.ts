import { parseJson, TransientError, type HttpResponse } from '@linker/sdk'

/**
 * Parses the answer to a write; `undefined` for an empty body. The page of a proxy is not an
 * answer: the write did not happen.
 */
export function readAnswer ({ body }: HttpResponse): unknown {
  if (body.trim() === '') return undefined
  try {
    return parseJson(body)
  } catch {
    // Give no cause: the parser's error quotes the body.
    throw new TransientError('the marketplace answered the change with a body that is not JSON')
  }
}
