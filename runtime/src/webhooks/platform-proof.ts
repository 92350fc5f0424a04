import type { WebhookVerification } from '@linker/sdk'
import { createVerifier, WebhookRefusal, type ReceivedWebhook, type RefusalReason, type Verify } from '@linker/sdk/host'
import type { WebhookConnection } from '../connections/connection-cache.ts'
import {
  SignatureMismatchError,
  TimestampOutsideWindowError,
  WebhookHeaderMissingError,
  WebhookMalformedError,
  WebhookNotReadyError,
  WebhookSecretMissingError
} from '../errors.ts'
import { callbackUrlOf } from './callback-url.ts'
import type { WebhookSecret } from './secrets.ts'

export interface PlatformDelivery extends Omit<ReceivedWebhook, 'callbackUrl'> {
  secrets: readonly WebhookSecret[]
}

/**
 * Throws unless the delivery is proved as the platform of its connection declares. Returns the time
 * at which the platform signed it. Undefined: it signs none.
 */
export type RefuseUnproved = (
  connection: WebhookConnection,
  declared: WebhookVerification,
  delivery: PlatformDelivery
) => string | undefined

const errors: Readonly<Record<RefusalReason, (message: string) => Error>> = {
  missing: message => new WebhookHeaderMissingError(message),
  malformed: message => new WebhookMalformedError(message),
  mismatch: message => Object.assign(new SignatureMismatchError(), { message }),
  stale: message => new TimestampOutsideWindowError(message),
  secret: message => Object.assign(new WebhookSecretMissingError(), { message }),
  // The sender must not learn about the config, and it repeats what the operator mends meanwhile.
  address: () => new WebhookNotReadyError()
}

interface Ready {
  verify: Verify
  callbackUrl: string | undefined
}

export function createPlatformProof (): RefuseUnproved {
  // Made once for each connection that was read, not for each delivery.
  const known = new WeakMap<WebhookConnection, Ready>()

  function readyFor (connection: WebhookConnection, declared: WebhookVerification): Ready {
    const ready = known.get(connection) ?? { verify: createVerifier(declared), callbackUrl: addressOf(connection) }
    known.set(connection, ready)
    return ready
  }

  return function refuseUnproved (connection, declared, { secrets, ...received }) {
    const { verify, callbackUrl } = readyFor(connection, declared)
    try {
      return verify({ ...received, callbackUrl }, secrets.map(({ key }) => key))
    } catch (error) {
      throw toWebhookError(error)
    }
  }
}

/** Turns a refusal of the SDK into the error of the hub with its status. */
export function toWebhookError (error: unknown): unknown {
  return error instanceof WebhookRefusal ? errors[error.reason](error.message) : error
}

/** Returns the address that the platform was given. Undefined: the config has none. */
export function addressOf ({ id, platformType, callbackBaseUrl }: WebhookConnection): string | undefined {
  try {
    return callbackUrlOf({ id, platformType, config: { callbackBaseUrl: callbackBaseUrl ?? undefined } })
  } catch {
    return undefined
  }
}
