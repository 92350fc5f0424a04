const amount = '^\\d+(\\.\\d{1,2})?$'

const money = {
  type: 'object',
  required: ['amount', 'currency'],
  properties: { amount: { type: 'string', pattern: amount }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } }
}

const section = {
  type: 'object',
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 2,
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: { enum: ['TEXT', 'IMAGE'] }, content: { type: 'string' }, url: { type: 'string' } }
      }
    }
  }
}

export const patchBody = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    sellingMode: { type: 'object', properties: { price: money } },
    description: {
      type: ['object', 'null'],
      required: ['sections'],
      properties: { sections: { type: 'array', items: section } }
    },
    external: { type: ['object', 'null'], required: ['id'], properties: { id: { type: 'string' } } },
    stock: {
      type: 'object',
      properties: { available: { type: 'integer', minimum: 0 }, unit: { enum: ['UNIT', 'PAIR', 'SET'] } }
    },
    publication: {
      type: 'object',
      properties: { status: { enum: ['ACTIVE', 'INACTIVE', 'ENDED'] }, republish: { type: 'boolean' } }
    },
    images: { type: 'array', items: { type: 'string' } },
    parameters: { type: 'array' },
    category: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    delivery: {
      type: 'object',
      required: ['shippingRates'],
      properties: {
        shippingRates: { type: ['object', 'null'], required: ['id'], properties: { id: { type: 'string' } } }
      }
    }
  },
  additionalProperties: false
}

export const newOfferBody = { ...patchBody, required: ['name', 'sellingMode'] }

export const commandParameter = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' } }
}

const offerCriterion = {
  type: 'object',
  required: ['type', 'offers'],
  properties: {
    type: { const: 'CONTAINS_OFFERS' },
    offers: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
    }
  }
}

const offerCriteria = { type: 'array', minItems: 1, maxItems: 1, items: offerCriterion }

export const quantityCommandBody = {
  type: 'object',
  required: ['modification', 'offerCriteria'],
  properties: {
    modification: {
      type: 'object',
      required: ['changeType', 'value'],
      properties: { changeType: { enum: ['FIXED', 'GAIN'] }, value: { type: 'integer' } }
    },
    offerCriteria
  }
}

export const priceCommandBody = {
  type: 'object',
  required: ['modification', 'offerCriteria'],
  properties: {
    modification: {
      type: 'object',
      required: ['type', 'marketplaceId'],
      properties: {
        type: {
          enum: ['FIXED_PRICE', 'INCREASE_PRICE', 'DECREASE_PRICE', 'INCREASE_PERCENTAGE', 'DECREASE_PERCENTAGE']
        },
        marketplaceId: { type: 'string' },
        price: money,
        value: money,
        percentage: { type: 'string', pattern: amount }
      },
      oneOf: [
        { required: ['price'], properties: { type: { const: 'FIXED_PRICE' } } },
        { required: ['value'], properties: { type: { enum: ['INCREASE_PRICE', 'DECREASE_PRICE'] } } },
        { required: ['percentage'], properties: { type: { enum: ['INCREASE_PERCENTAGE', 'DECREASE_PERCENTAGE'] } } }
      ]
    },
    offerCriteria
  }
}

export const publicationCommandBody = {
  type: 'object',
  required: ['publication', 'offerCriteria'],
  properties: {
    publication: {
      type: 'object',
      required: ['action'],
      properties: { action: { enum: ['ACTIVATE', 'END'] }, scheduledFor: { type: 'string' } }
    },
    offerCriteria
  }
}

export const shipmentBody = {
  type: 'object',
  required: ['carrierId', 'waybill'],
  properties: {
    carrierId: { type: 'string' },
    waybill: { type: 'string' },
    carrierName: { type: 'string' },
    lineItems: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
    }
  }
}
