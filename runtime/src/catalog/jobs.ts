import { HubJobType } from '@linker/sdk'
import { defineJob, ExternalObject } from '../jobs/define-job.ts'

export const syncProduct = defineJob({
  type: HubJobType.syncProduct,
  lane: 'state',
  object: 'externalId',
  payload: ExternalObject,
  needs: ['ProductMaster']
})
