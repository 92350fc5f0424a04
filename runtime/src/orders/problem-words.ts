import type { OrderProblemCode } from './problem-codes.ts'

/** What a problem says of an order, behind "an order that …", and what a person does about it. */
interface ProblemWords {
  what: string
  next: string
}

const tellAgain = 'mend the cause that the order names, then retry its dead job, or enter it at the marketplace by hand'
const notTold = (what: string): ProblemWords => ({ what: `whose marketplace was not told ${what}`, next: tellAgain })

export const problemWords: Readonly<Record<OrderProblemCode, ProblemWords>> = {
  'unmapped': { what: 'with a line without a variant', next: 'link the offer of the line' },
  'shared-lines': { what: 'with lines of another order', next: 'look which of the two the buyer wants' },
  'held-back': { what: 'that the hub held back', next: 'look at the order, then retry or cancel it' },
  'gone': {
    what: 'that the marketplace does not know any more',
    next: 'ask the marketplace or the buyer before you ship it, and cancel it if nobody wants it'
  },
  'placed-before': { what: 'from before its connection', next: 'retry it if nobody else handles it' },
  'tracking-not-told': notTold('the tracking number'),
  'status-not-told': notTold('the status'),
  'processing-not-told': notTold('that it is processed'),
  'shipped-not-told': notTold('that it is shipped'),
  'delivered-not-told': notTold('that it is delivered'),
  'cancelled-not-told': notTold('that it is cancelled'),
  'not-created': { what: 'that the shop did not take', next: 'mend what the shop refused, then retry the order' },
  'shop-reported': {
    what: 'that the shop took with a difference',
    next: 'compare the order in the shop with the one at the marketplace'
  },
  'LNK_ORDER_CHANGED': {
    what: 'that changed after the shop got it',
    next: 'compare the two, and change the order in the shop or agree with the buyer'
  },
  'not-cancelled-in-shop': { what: 'that is not cancelled in the shop', next: 'cancel it there, and do not ship it' },
  'cancellation-refused': {
    what: 'that the shop did not cancel',
    next: 'stop the parcel, or agree with the buyer on a return'
  },
  'cancelled-in-shop-only': {
    what: 'that is cancelled in the shop only',
    next: 'cancel it at the marketplace, too, or take the cancellation back in the shop'
  },
  'elsewhere-at-shop': {
    what: 'that both the shop and a warehouse of the marketplace may ship',
    next: 'cancel it in the shop before it ships it'
  },
  'missing-in-shop': {
    what: 'that the shop has no more',
    next: 'look why somebody removed it there, then cancel it or ship it without the shop'
  },
  'tracking-not-told-to-shop': {
    what: 'whose shop did not get the tracking number',
    next: 'enter the number in the shop'
  },
  'routing': { what: 'for whose parcel there is no route', next: 'mend the rules of fulfilment' },
  'parcel-not-made': {
    what: 'whose carrier made no parcel',
    next: 'mend what the carrier refused, or ship it by hand'
  },
  'parcel-not-cancelled': { what: 'whose parcel is not cancelled', next: 'cancel the parcel at the carrier' },
  'parcel-cancellation-refused': {
    what: 'whose carrier did not cancel the parcel',
    next: 'stop the parcel at the carrier'
  },
  'connection-deleted': {
    what: 'that lost a connection',
    next: 'finish it by hand, or take the deleted connection over'
  }
}
