import t from 'tap'
import type { Query } from '../../src/database/database.ts'
import { findOfferUses } from '../../src/offers/belongings.ts'

t.test('offers that follow the stock of a shop say how to find and unlink them', async t => {
  const followers = [{ id: 'm', name: 'My market', count: 2 }]
  const query: Query = async <Row extends object>() => followers as object[] as Row[]

  t.strictSame(await findOfferUses(query, 'c'), [{
    pointer: '',
    code: 'shop-of-offers',
    message: "offers (2) of connection 'My market' (m) follow its stock. To unlink one: `linker offers unlink OFFER` " +
      'or DELETE /offers/{id}. To end one at its marketplace: POST /listings/connections/m/offers/{id}/end. To see ' +
      'all offers of that marketplace: `linker offers list --connection "My market"` or GET /offers?connectionId=m'
  }])
})
