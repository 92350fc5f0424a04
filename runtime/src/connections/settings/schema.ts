import { Type, type Static } from '@sinclair/typebox'

const longestHours = 8_760
const mostPieces = 2_147_483_647

const sellsInactive = Type.Boolean({
  title: 'Sell what the shop switched off',
  description: 'Offers keep the quantity of products and variants that the shop switched off or does not sell now'
})
const shipsWithin = Type.Integer({
  title: 'Ships within',
  description: 'An order that is older and not shipped becomes an item of what needs attention. Empty: no order does',
  minimum: 1,
  maximum: longestHours,
  unit: 'hours'
})
const confirmStockJump = Type.Integer({
  title: 'Confirm a jump of stock',
  description: 'When the stock of a variant grows by more pieces at once, its offers keep the old quantity until a ' +
    'person confirms the new one. Stock that falls is always passed on. Empty: nothing waits',
  minimum: 1,
  maximum: mostPieces,
  unit: 'pieces'
})
const orderPollDays = Type.Integer({
  title: 'Read orders again for',
  description: 'The hub reads an order that it made in the shop again and again, until it is delivered, cancelled or ' +
    'returned, and for so long at most',
  minimum: 1,
  maximum: 365,
  unit: 'days'
})

/** The settings of a connection that the hub owns. The adapter never sees them. */
export const ConnectionSettings = Type.Object({
  sellsInactive: Type.Optional(sellsInactive),
  shipsWithin: Type.Optional(shipsWithin),
  confirmStockJump: Type.Optional(confirmStockJump),
  orderPollDays: Type.Optional(orderPollDays)
}, { additionalProperties: false })
export type ConnectionSettings = Static<typeof ConnectionSettings>

// Not in the schema: the hub would store the defaults with the first setting that somebody makes.
export const settingDefaults = { sellsInactive: false, orderPollDays: 60 } as const

/** A JSON merge patch (RFC 7396) of the settings. */
export const SettingsPatch = Type.Object({
  sellsInactive: Type.Optional(Type.Union([sellsInactive, Type.Null()])),
  shipsWithin: Type.Optional(Type.Union([shipsWithin, Type.Null()])),
  confirmStockJump: Type.Optional(Type.Union([confirmStockJump, Type.Null()])),
  orderPollDays: Type.Optional(Type.Union([orderPollDays, Type.Null()]))
}, { additionalProperties: false, description: "The hub's own settings of the connection" })
export type SettingsPatch = Static<typeof SettingsPatch>
