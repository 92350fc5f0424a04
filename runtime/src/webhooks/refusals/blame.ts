/** Refusals for which the sender is not to blame: it repeats the delivery. */
export const ownFaults: ReadonlySet<string> = new Set([
  'LNK_INTAKE_FULL',
  'LNK_PUBLISH_FAILED',
  'LNK_DATABASE_UNAVAILABLE',
  'LNK_DISK_FULL'
])

/**
 * Whether a refusal may mean nothing: the connection was disabled for a while, or somebody sent to
 * the address of a connection that never had webhooks.
 */
export function isDoubtful (code: string, lastDeliveryAt: string | null): boolean {
  return code === 'LNK_WEBHOOK_CONNECTION_NOT_FOUND' ||
    (code === 'LNK_WEBHOOK_SECRET_MISSING' && lastDeliveryAt === null)
}
