import { accessExamples } from '../access/examples.ts'
import { adapterExamples } from '../adapter-routes/examples.ts'
import { alertExamples } from '../alerts/examples.ts'
import { attentionExamples } from '../attention/examples.ts'
import { auditExamples } from '../audit/examples.ts'
import { backupExamples } from '../backup/examples.ts'
import { catalogExamples } from '../catalog/examples.ts'
import { connectionExamples } from '../connections/examples.ts'
import { rewrapExamples } from '../credentials/rewrap/examples.ts'
import { diagnosticsExamples } from '../diagnostics/examples.ts'
import { figureExamples } from '../figures/examples.ts'
import { fulfilmentExamples } from '../fulfilment/examples.ts'
import { runJobExamples } from '../handlers/examples.ts'
import { hintExamples } from '../hints/examples.ts'
import { joinExamples } from '../http/description/examples.ts'
import { jobExamples } from '../jobs/examples.ts'
import { operationExamples } from '../observability/examples.ts'
import { offerExamples } from '../offers/examples.ts'
import { listingExamples } from '../offers/listing/examples.ts'
import { orderExamples } from '../orders/examples.ts'
import { scheduleExamples } from '../schedules/examples.ts'
import { searchExamples } from '../search/examples.ts'
import { stockExamples } from '../stock/examples.ts'
import { systemExamples } from '../system/examples.ts'
import { webhookExamples } from '../webhooks/examples.ts'

/** The examples of all folders with routes. */
export const apiExamples = joinExamples([
  accessExamples,
  adapterExamples,
  alertExamples,
  attentionExamples,
  auditExamples,
  backupExamples,
  catalogExamples,
  connectionExamples,
  diagnosticsExamples,
  figureExamples,
  fulfilmentExamples,
  hintExamples,
  jobExamples,
  listingExamples,
  offerExamples,
  operationExamples,
  orderExamples,
  rewrapExamples,
  runJobExamples,
  scheduleExamples,
  searchExamples,
  stockExamples,
  systemExamples,
  webhookExamples
])
