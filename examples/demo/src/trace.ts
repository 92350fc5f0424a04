import type { Demo } from './demo.ts'

interface Job {
  id: string
  jobType: string
  requestId: string | null
  status: string
  adapter: string | null
  payload: { eventId?: string, publishedAt?: string }
  attempts: { startedAt: string, finishedAt: string }[]
  createdAt: string
}

interface Step {
  at: number
  what: string
  tookMs?: number
}

/**
 * Follows one event through the hub's job records and the logs of shop and marketplace. Each step
 * has the milliseconds since the webhook was sent.
 */
export async function readTrace (
  demo: Demo,
  event: { eventId: string, sentAt: number, connectionId: string, variantId: string }
): Promise<string[]> {
  const jobs = await demo.api.until('the end of every job', async () => {
    const path = `/jobs?connectionId=${event.connectionId}&jobType=shopa.inventory.syncByExternalId`
    const ofShop = await demo.api.get(path) as Job[]
    const first = ofShop.find(job => job.payload.eventId === event.eventId)
    if (first?.requestId === undefined || first.requestId === null) return undefined
    const found = await demo.api.get(`/jobs?requestId=${first.requestId}`) as Job[]
    const hasUpdate = found.some(job => job.jobType === 'marketplace.offerQuantity.update')
    const isComplete = hasUpdate && found.every(job => job.status === 'succeeded')
    return isComplete ? found.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt)) : undefined
  })
  const requestId = jobs[0]?.requestId ?? ''
  const publishedAt = jobs[0]?.payload.publishedAt
  const published = { at: Date.parse(publishedAt ?? ''), what: 'stream  events.inbound.webhooks, answered 202' }
  const steps: Step[] = [
    { at: event.sentAt, what: `webhook stock.changed ${event.eventId} sent by the shop` },
    ...(publishedAt === undefined ? [] : [published]),
    ...jobs.flatMap(jobSteps),
    ...requestSteps(demo, requestId)
  ]
  const sorted = steps.toSorted((a, b) => a.at - b.at)
  return [`trace       request ${requestId}`, ...sorted.map(step => stepLine(step, event.sentAt))]
}

function requestSteps ({ shop, market }: Demo, requestId: string): Step[] {
  const requests = [...shop.requests.entries, ...market.requests.entries]
  return requests.filter(request => request.requestId === requestId).map(request => ({
    at: Date.parse(request.at),
    what: `upstream ${request.method} ${request.path} → ${request.status ?? 'no answer'}`,
    tookMs: request.durationMs ?? 0
  }))
}

function stepLine ({ at, what, tookMs }: Step, sentAt: number): string {
  const since = `+${Math.max(0, at - sentAt)} ms`.padStart(10)
  const duration = tookMs === undefined ? '' : `  (${tookMs.toFixed(1)} ms)`
  return `${since}  ${what}${duration}`
}

function jobSteps (job: Job): Step[] {
  const { startedAt, finishedAt } = job.attempts.at(-1) ?? { startedAt: job.createdAt, finishedAt: job.createdAt }
  return [
    { at: Date.parse(job.createdAt), what: `queued  ${job.jobType} ${job.id}` },
    {
      at: Date.parse(startedAt),
      what: `job     ${job.jobType}${job.adapter === null ? '' : ` on ${job.adapter}`}`,
      tookMs: Date.parse(finishedAt) - Date.parse(startedAt)
    }
  ]
}
