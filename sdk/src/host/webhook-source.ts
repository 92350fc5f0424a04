import type { WebhookPlace, WebhookPlaces, WebhookSource } from '../webhooks.ts'
import { eachOf, isObject, listOf, membersOf, must, oneOf, optional, type Look } from './look.ts'
import { eventType, headerName } from './webhook-words.ts'

/** The largest body that an operator can allow (LINKER_WEBHOOK_MOST_BYTES of the hub). */
const mostWebhookBytes = 10_485_760

// The empty pointer is the whole value (RFC 6901).
const pointerPattern = /^(?:\/(?:[^~/]|~[01])*)*$/

export const pointer = must('a JSON pointer', value => typeof value === 'string' && pointerPattern.test(value))
const shortText = must(
  'a text of 1 to 200 characters',
  value => typeof value === 'string' && /^[^]{1,200}$/.test(value)
)

const places: ReadonlyMap<string, Look> = new Map([
  ['header', headerName],
  ['query', shortText],
  ['body', pointer],
  ['item', pointer],
  ['text', shortText]
])

const place: Look = (value, path) => {
  const members = isObject(value) ? Object.entries(value) : []
  const [[name, member] = ['', undefined], ...others] = members
  const look = places.get(name)
  return look === undefined || others.length > 0
    ? must(`an object with one of ${[...places.keys()].join(', ')}`, () => false)(value, path)
    : look(member, `${path}.${name}`)
}

const somePlaces: Look = (value, path) => {
  if (!Array.isArray(value)) return place(value, path)
  return value.length === 0 ? must('at least one place', () => false)(value, path) : listOf(place)(value, path)
}

const members = membersOf<WebhookSource>({
  content: optional(listOf(oneOf('form', 'text'))),
  mostBytes: optional(must(
    `a whole number of bytes from 1 to ${mostWebhookBytes}`,
    value => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostWebhookBytes
  )),
  list: optional(pointer),
  topic: somePlaces,
  eventTypes: optional(eachOf((value, path) => value === null ? [] : eventType(value, path))),
  objectType: optional(somePlaces),
  externalId: somePlaces,
  eventId: optional(somePlaces),
  occurredAt: optional(membersOf<NonNullable<WebhookSource['occurredAt']>>({
    at: somePlaces,
    unit: oneOf('s', 'ms', 'iso')
  }))
})

/** Lists the faults of `webhooks.source`. */
export const webhookSource: Look = (value, path) => {
  const faults = members(value, path)
  return faults.length > 0 ? faults : conflicts(value as WebhookSource, path)
}

function conflicts (source: WebhookSource, path: string): string[] {
  const { list, topic, objectType = [], externalId, eventId = [], occurredAt } = source
  const given: [string, WebhookPlaces][] = [
    ['topic', topic],
    ['objectType', objectType],
    ['externalId', externalId],
    ['eventId', eventId],
    ['occurredAt.at', occurredAt?.at ?? []]
  ]
  return given.flatMap(([member, of]) =>
    listOfPlaces(of).some(one => 'item' in one) && list === undefined
      ? [`its ${path}.${member} is in an item, and ${path}.list does not say where the items are`]
      : []
  )
}

/** The places in the order in which the hub looks at them. */
export function listOfPlaces (of: WebhookPlaces): readonly WebhookPlace[] {
  return 'length' in of ? of : [of]
}
