import { Type, type Static } from '@sinclair/typebox'

/**
 * The account that a connection opens. The hub compares `id` and shows `name`. `isPersonal`: the id
 * names a person, such as an e-mail address; the hub then keeps only a keyed hash of the id, and no
 * name.
 */
export const Account = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  isPersonal: Type.Optional(Type.Boolean())
}, { additionalProperties: false })
export type Account = Static<typeof Account>
