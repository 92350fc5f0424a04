import type { WebhookChallenge } from '@linker/sdk'
import { answerChallenge, findChallenge, type ChallengeAnswer, type ReceivedChallenge } from '@linker/sdk/host'
import type { IncomingHttpHeaders } from 'node:http'
import type { WebhookConnection } from '../connections/connection-cache.ts'
import { WebhookMalformedError } from '../errors.ts'
import { toWebhookError } from './platform-proof.ts'
import type { WebhookSecret } from './secrets.ts'
import { readBody, refuseOtherContent } from './source-events.ts'

/** The parts of a request that may be a challenge. */
export interface ChallengeDelivery {
  method: string
  query: string
  headers: IncomingHttpHeaders
  rawHeaders: readonly string[]
  rawBody: Buffer
}

/** The hub parses no larger body of a stranger. */
const mostUnprovedBytes = 16_384

/**
 * Finds the challenge that a request is: one that the platform proves, or one that it does not. The
 * caller has authenticated the request before it asks for a proved challenge with a body.
 */
export function challengeOf (
  { webhookRules }: WebhookConnection,
  delivery: ChallengeDelivery,
  isProved: boolean
): WebhookChallenge | undefined {
  const { challenges } = webhookRules ?? {}
  if (challenges === undefined) return undefined
  return findChallenge(challenges, receivedOf(delivery, webhookRules?.source?.content, isProved), isProved)
}

/** Makes the answer to the challenge. Throws the error of a challenge that cannot be answered. */
export function answerOf (
  challenge: WebhookChallenge,
  delivery: ChallengeDelivery,
  { connection, secret }: { connection: WebhookConnection, secret: WebhookSecret | undefined }
): ChallengeAnswer {
  const { webhookRules, challengeTokens } = connection
  try {
    return answerChallenge(challenge, receivedOf(delivery, webhookRules?.source?.content, true), {
      verify: webhookRules?.verify,
      secret: secret?.key,
      configOf: member => challengeTokens?.[member]
    })
  } catch (error) {
    throw toWebhookError(error)
  }
}

function receivedOf (
  { method, query, headers, rawHeaders, rawBody }: ChallengeDelivery,
  content: NonNullable<NonNullable<WebhookConnection['webhookRules']>['source']>['content'],
  isProved: boolean
): ReceivedChallenge {
  let body: { value: unknown } | undefined
  return {
    method,
    query,
    rawHeaders,
    readBody () {
      if (rawBody.length > mostUnprovedBytes && !isProved) return undefined
      body ??= { value: bodyOf(headers['content-type'], rawBody, content) }
      return body.value
    }
  }
}

/** A body that cannot be read is no challenge; the checks of deliveries say what is wrong. */
function bodyOf (contentType: string | undefined, rawBody: Buffer, content: Parameters<typeof receivedOf>[1]): unknown {
  try {
    refuseOtherContent(contentType, { content })
    return readBody({ contentType, rawBody })
  } catch (error) {
    if (error instanceof WebhookMalformedError) return undefined
    throw error
  }
}
