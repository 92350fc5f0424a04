import t from 'tap'
import { pageOf } from '../../console/rules/addresses.ts'

t.test('each path at which the hub says to look has its page', t => {
  const id = '0198c3a1-7f2e-7c41-9d0a-5b7e3c1f2a64'
  const pages = {
    [`/connections/${id}/diagnostics`]: `/console/connections/${id}`,
    [`/connections/${id}/webhooks/status`]: `/console/connections/${id}/webhooks`,
    [`/v1/connections/${id}`]: `/console/connections/${id}`,
    [`/schedules?connectionId=${id}`]: `/console/connections/${id}/schedules`,
    '/schedules': '/console/connections',
    '/jobs?status=dead&code=LNK_ADAPTER_TIMEOUT': '/console/jobs?status=dead&code=LNK_ADAPTER_TIMEOUT',
    '/jobs/groups?status=dead': '/console/jobs?status=dead&view=groups',
    [`/redrives/${id}`]: `/console/redrives/${id}`,
    [`/orders?connectionId=${id}&status=failed`]: `/console/orders?connectionId=${id}&status=failed`,
    [`/webhook-deliveries?status=ignored&connectionId=${id}`]: `/console/deliveries?status=ignored&connectionId=${id}`,
    [`/stock/sweeps?connectionId=${id}`]: `/console/stock/sweeps?connectionId=${id}`,
    [`/offers?connectionId=${id}&warning=oversell`]: `/console/offers?connectionId=${id}&warning=oversell`,
    '/tokens': '/console/access',
    '/readyz': '/console/system'
  }
  for (const [target, page] of Object.entries(pages)) t.equal(pageOf(target), page, target)
  t.end()
})
