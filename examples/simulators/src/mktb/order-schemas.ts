import { sellerStatuses } from './order.ts'
import { integer, list, object, text } from './schemas.ts'

/** Vendors whose parcels the marketplace tracks by itself. */
const trackedVendors = ['inpost', 'pocztaPolska', 'dhl', 'dpd', 'ups', 'gls', 'orlen', 'pocztex24']
const untrackedVendors = [
  'ownTransport',
  'selfPickup',
  'ambroExpress',
  'pekaes',
  'tntExpress',
  'schenker',
  'dsv',
  'dts',
  'geis',
  'fedex',
  'jasFBG',
  'patronService',
  'raben',
  'rhenus',
  'rohligSuus',
  'hellmann'
]
const parcelStatuses = [
  'preparing',
  'readyToSend',
  'waitingForCourier',
  'sent',
  'readyToPickup',
  'pickupTimeExpired',
  'delivered',
  'returned',
  'canceled',
  'deliveryUnsuccessful',
  'redirected'
]

const messageId = { type: 'string', pattern: '^[0-9a-f]{24}$' }
const orderId = { type: 'string', pattern: '^\\d{6}x\\d{4,}$' }

export const orderIdParameter = object({ id: orderId }, ['id'])
export const orderBody = object({ externalOrderId: text(2000), deliveryTracking: { type: 'object' } })
export const orderStatusBody = object({ status: { enum: sellerStatuses } }, ['status'])

export const orderSearchBody = object({
  pagination: object({
    sortField: { enum: ['created', 'updated'] },
    after: { type: 'string', pattern: '^(\\d+;\\d+x\\d+|\\d{4}-\\d{2}-\\d{2}T.+)$' },
    order: { enum: ['ASC', 'DESC'] },
    limit: integer(1, 200)
  }),
  filter: object({
    field: { enum: ['id', 'created', 'updated', 'paymentStatus', 'userEmail'] },
    operator: { enum: ['=', '!=', '>', '>=', '<', '<=', 'in', 'nin', 'and', 'or', 'not'] },
    value: {}
  }, ['operator'])
})

/** The inbox has messages of more types than its search knows. */
const searchedTypes = ['orderCreated', 'orderStatusChanged', 'productsNeedSync']
export const inboxSearchBody = object({ types: list({ enum: searchedTypes }, 1) })
export const markReadBody = {
  oneOf: [object({ lastMessageId: messageId }, ['lastMessageId']), object({ ids: list(messageId) }, ['ids'])]
}

const parcel = {
  vendor: { enum: [...trackedVendors, ...untrackedVendors] },
  status: { enum: parcelStatuses },
  trackingNumber: text(200, 1)
}
/** Vendors whose numbers have a form of their own. */
const freeVendors = ['dpd', 'schenker', 'ownTransport', 'selfPickup']
const trackingNumber = { ...text(32, 2), pattern: '^[A-Za-z0-9]+(/[A-Za-z0-9]+){0,2}$' }
const known = {
  allOf: [
    // A parcel needs a status if the marketplace does not track its vendor.
    { anyOf: [{ properties: { vendor: { enum: trackedVendors } } }, { required: ['status'] }] },
    { if: { properties: { vendor: { enum: freeVendors } } }, else: { properties: { trackingNumber } } }
  ]
}

export const parcelIdParameter = object({ id: { type: 'string', pattern: '^\\d+$' } }, ['id'])
export const newParcelsBody = list({
  ...object({ ...parcel, orderId: text(2000, 1) }, ['vendor', 'orderId']),
  ...known
}, 1)
export const parcelBody = { ...object(parcel, ['vendor']), ...known }
