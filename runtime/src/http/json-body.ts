import { digitKeeper } from '@linker/sdk/host/text'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { TextDecoder } from 'node:util'
import { parse } from 'secure-json-parse'
import { InvalidRequestError, UnsupportedMediaTypeError } from '../errors.ts'
import { findRefusal } from './storable-texts.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A request without a body counts as one with `{}`. */
    allowsNoBody?: boolean
  }
}

/** The media type of a PATCH (RFC 7396). */
const mergePatch = 'application/merge-patch+json'

/**
 * Reads the bodies of the API: JSON in UTF-8 and nothing else, so that a handler can store a body
 * as it is. A route that needs no body accepts an empty one: many clients always announce JSON.
 */
export default fp(async app => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  function read (raw: Buffer): unknown {
    const value = parseJson(decode(decoder, raw))
    const refusal = findRefusal(value)
    if (refusal !== undefined) throw refusal
    return value
  }

  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(
    ['application/json', mergePatch],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      if (
        request.method !== 'PATCH' && request.headers['content-type']?.toLowerCase().startsWith(mergePatch) === true
      ) throw new UnsupportedMediaTypeError()
      if (raw.length > 0) return read(raw)
      const { schema, config } = request.routeOptions
      if (schema?.body !== undefined && config.allowsNoBody !== true) throw new InvalidRequestError('The body is empty')
      return undefined
    }
  )

  app.addHook('onRoute', route => {
    if (route.config?.allowsNoBody !== true) return
    route.preValidation = [allowNoBody, ...[route.preValidation ?? []].flat()]
  })
}, { name: 'json-body' })

async function allowNoBody (request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}

function decode (decoder: TextDecoder, raw: Buffer): string {
  let text: string
  try {
    text = decoder.decode(raw)
  } catch (error) {
    throw Object.assign(new InvalidRequestError('The body is not UTF-8'), { cause: error })
  }
  if (text.startsWith('\uFEFF')) {
    throw new InvalidRequestError('The body starts with a byte order mark, which JSON forbids')
  }
  return text
}

// Keep the parser's error out of the message and the cause: it quotes the body, credentials
// included.
function parseJson (text: string): unknown {
  try {
    return parse(text, digitKeeper(text), { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/forbidden/i.test(message)) {
      throw new InvalidRequestError('The body contains a forbidden member name: `__proto__`, or `constructor` with a ' +
        '`prototype`')
    }
    throw new InvalidRequestError(`The body is not JSON${/ at position \d+/.exec(message)?.[0] ?? ''}`)
  }
}
