import { randomUUID } from 'node:crypto'
import type { Job, TestHub } from './hub.ts'

/** Reconciles a connection and waits for the job and its follow-ups. */
export async function reconcile (hub: TestHub, connectionId: string): Promise<Job> {
  const requestId = randomUUID()
  const { json, text, status } = await hub.call('POST', '/stock/reconcile', {
    body: { connectionId },
    headers: { 'x-request-id': requestId }
  })
  if (status !== 202) throw new Error(text)
  await hub.jobsOf(requestId)
  return hub.endOf((json as { jobIds: string[] }).jobIds[0] ?? '')
}
