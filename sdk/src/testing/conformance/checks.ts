import { abortChecks } from './abort-checks.ts'
import { accountChecks } from './account-checks.ts'
import { answerChecks } from './answer-checks.ts'
import { challengeCheck } from './challenge-check.ts'
import type { Check } from './check.ts'
import { errorChecks } from './error-checks.ts'
import { eventsCheck } from './events-check.ts'
import { fixtureChecks } from './fixture-checks.ts'
import { formCheck } from './form-check.ts'
import { importChecks } from './import-checks.ts'
import { manifestChecks } from './manifest-checks.ts'
import { permissionChecks } from './permission-checks.ts'
import { runChecks } from './run-checks.ts'
import { secretChecks } from './secret-checks.ts'
import { settingsCheck } from './settings-check.ts'
import { shapeChecks } from './shape-checks.ts'
import { webhookCheck } from './webhook-check.ts'

const others: readonly Check[] = [
  ...importChecks,
  ...shapeChecks,
  webhookCheck,
  challengeCheck,
  formCheck,
  eventsCheck,
  ...runChecks,
  ...errorChecks,
  ...answerChecks,
  ...accountChecks,
  ...secretChecks,
  ...abortChecks,
  ...permissionChecks,
  ...fixtureChecks
]

/** Every check of the suite, in the order of the report. CONFORMANCE.md has their table. */
export const checks: readonly Check[] = [
  ...manifestChecks,
  settingsCheck([...manifestChecks, ...others].map(({ id }) => id)),
  ...others
]
