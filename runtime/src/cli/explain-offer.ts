import { escapeUnprintable } from '@linker/sdk/host/text'
import type { OfferExplanation } from '../offers/explanation/schemas.ts'
import { formatTable } from '../terminal/table.ts'
import { findConnection } from './connection-name.ts'
import { findOffer } from './find-offer.ts'
import type { HubClient } from './hub-client.ts'

/** Asks the hub why an offer shows its quantity. `connection`: name or id of its marketplace. */
export async function explainOffer (
  hub: HubClient,
  offer: string,
  connection: string | undefined
): Promise<OfferExplanation> {
  const connectionId = connection === undefined ? undefined : await findConnection(hub, connection)
  const id = await findOffer(hub, offer, { connectionId })
  return await hub.call('GET', `/offers/${id}/explanation`) as OfferExplanation
}

export function formatExplanation (explanation: OfferExplanation): string {
  const { sentence, contributing, nextAction, verdict, price } = explanation
  return [
    `${describeOffer(explanation)}\n${escapeUnprintable(sentence)}`,
    formatChain(explanation),
    ...contributing.length === 0
      ? []
      : [formatTable(['also', 'because'], contributing.map(({ verdict: other, sentence: why }) => [other, why]))],
    [
      ...price === null ? [] : [`Price: ${escapeUnprintable(price.sentence)}`],
      `Verdict: ${verdict}`,
      `Next: ${escapeUnprintable(nextAction.sentence)}`,
      ...nextAction.command === null ? [] : [`  ${escapeUnprintable(nextAction.command)}`]
    ].join('\n')
  ].join('\n\n')
}

function describeOffer ({ offerId, externalId, variant, connection }: OfferExplanation): string {
  const { name = null, sku = null, ean = null } = variant ?? {}
  const codes = [...sku === null ? [] : [`SKU ${sku}`], ...ean === null ? [] : [`EAN ${ean}`]].join(', ')
  return escapeUnprintable([
    `Offer ${offerId}, '${externalId}' at '${connection.name}'`,
    ...name === null ? [] : [`, ${name}`],
    ...codes === '' ? [] : [` (${codes})`]
  ].join(''))
}

function formatChain ({ chain, checkedAt }: OfferExplanation): string {
  return formatTable(
    ['step', 'quantity', 'age', 'at', 'job', 'note'],
    chain.map(({ step, quantity, at, jobId, note }) => [
      step,
      quantity === null ? '?' : String(quantity),
      at === null ? '' : describeAge(Date.parse(checkedAt) - Date.parse(at)),
      at ?? '',
      jobId ?? '',
      note ?? ''
    ])
  )
}

const units = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1_000]] as const

/** Returns a length in its largest unit, such as `3 h`. */
export function describeAge (milliseconds: number): string {
  const [unit, length] = units.find(([, each]) => milliseconds >= each) ?? ['s', 1_000]
  return `${Math.max(0, Math.floor(milliseconds / length))} ${unit}`
}
