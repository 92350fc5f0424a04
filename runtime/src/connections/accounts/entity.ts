import { defineEntity, p } from '@mikro-orm/core'

/** The key of the hashes that stand for account ids of persons. There is one at most. */
export const AccountKey = defineEntity({
  name: 'AccountKey',
  tableName: 'account_keys',
  properties: {
    isOnly: p.boolean().primary(),
    key: p.text()
  }
})
