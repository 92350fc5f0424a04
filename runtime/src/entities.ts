import { Product, Variant } from './catalog/entity.ts'
import { Connection } from './connections/entity.ts'
import { Credential } from './credentials/entity.ts'
import { Offer } from './offers/entity.ts'
import { Stock } from './stock/entity.ts'

/** Every entity of the hub: the database, which is below their folders, is handed them. */
export const entities = [Connection, Credential, Product, Variant, Stock, Offer]
