import { defineJob, ExternalObject } from '../jobs/define-job.ts'

export const syncProduct = defineJob({
  type: 'master.product.syncByExternalId',
  lane: 'state',
  object: 'externalId',
  payload: ExternalObject,
  needs: ['ProductMaster']
})
