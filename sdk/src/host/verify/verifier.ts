import type { WebhookVerification } from '../../webhooks.ts'
import { createHmacVerify } from './hmac.ts'
import { createJwtVerify } from './jwt.ts'
import type { Verify } from './received.ts'
import { createBasicVerify, createBearerVerify, createQueryVerify } from './tokens.ts'

/**
 * Makes the verification that a platform declares. Make it once for a declaration: it remembers the
 * secrets in the form that it compares.
 */
export function createVerifier (declared: WebhookVerification): Verify {
  switch (declared.kind) {
    case 'hmac':
      return createHmacVerify(declared)
    case 'bearer':
      return createBearerVerify(declared)
    case 'basic':
      return createBasicVerify(declared)
    case 'query':
      return createQueryVerify(declared)
    case 'jwt':
      return createJwtVerify(declared)
  }
}
