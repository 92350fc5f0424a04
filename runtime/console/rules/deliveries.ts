import type { Schemas } from '@linker/client'
import { countOf } from './words.ts'

export type Delivery = Schemas['WebhookDelivery']
export type ReplaySummary = Schemas['WebhookReplaySummary']
export type DeliveryStatus = Delivery['status']

export const deliveryStatuses: readonly DeliveryStatus[] = [
  'queued',
  'waiting',
  'running',
  'succeeded',
  'dead',
  'cancelled',
  'ignored'
]

/** Why the event started no job, or why its job does not run yet or ended without success. */
export function reasonOfDelivery ({ ignored = null, waitsFor, problem }:
  & Pick<Delivery, 'waitsFor' | 'problem'>
  & Partial<Pick<Delivery, 'ignored'>>): string
{
  if (ignored !== null) return ignored
  if (waitsFor !== null) return `${waitsFor.reason}: ${waitsFor.detail}`
  return problem === null ? '' : `${problem.code}: ${problem.message}`
}

/** The type of its event, or the id when another program wrote the job in another form. */
export function nameOfEvent ({ eventType, eventId }: Pick<Delivery, 'eventType' | 'eventId'>): string {
  return eventType ?? eventId
}

export function canReplay ({ replayableUntil }: Pick<Delivery, 'replayableUntil'>, nowMs: number): boolean {
  return Date.parse(replayableUntil) > nowMs
}

/** Says in lines what a replay of many deliveries would do, besides the ones that it replays. */
export function leftOutOf (summary: ReplaySummary, includeReplayed: boolean): string[] {
  const { alreadyReplayed, ignored, refused } = summary
  return [
    ...alreadyReplayed === 0 ? [] : [
      includeReplayed
        ? `${alreadyReplayed} of them had been replayed already`
        : `${alreadyReplayed} left out: an earlier replay succeeded or has not ended`
    ],
    ...ignored.map(({ reason, count }) => `${countOf(count, 'stays', 'stay')} ignored: ${reason}`),
    ...refused.map(({ code, detail, count }) => `${count} refused: ${code}: ${detail}`)
  ]
}
