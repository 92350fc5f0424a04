// For the hosts of adapters: the hub and the testing kit. Adapters import only '@linker/sdk'.

export { startAdapterThread, threadLimits } from './adapter-thread.ts'
export type {
  AdapterThread,
  AdapterThreadOptions,
  EndReason,
  ThreadEnd,
  ThreadMemory,
  ThreadTime
} from './adapter-thread.ts'
export { checkAnswerSize, mostAnswerBytes } from './answer-limits.ts'
export { escapeUnprintable, everyPattern, withoutByteOrderMark } from './text.ts'
export { capabilityUnavailable, capabilityUnavailableCode } from './called-capability.ts'
export { describeTarget } from './carrier.ts'
export type { AdapterCall, CallAnswer, CallEffects, CallTarget, Carrier, ConnectionSnapshot } from './carrier.ts'
export { connectionIdMember, connectionNameMember, returnToMember } from './authorisation-members.ts'
export { authorisationRoute } from './authorisation.ts'
export { conformanceReportFile, digestPackage, PackageReport, readTestedLevel } from './conformance-report.ts'
export type { TestedLevel } from './conformance-report.ts'
export { mostIconBytes, readIcon, withoutWrongPresentation } from './presentation.ts'
export type { Icon } from './presentation.ts'
export { readStartInside } from './read-inside.ts'
export { checkAdapter, manifestProblems, nameOf } from './check.ts'
export type { AdapterFault } from './check.ts'
export type { ContextOptions } from './context.ts'
export { createCurrentCall } from './current-call.ts'
export type { CurrentCall, CurrentCallStorage } from './current-call.ts'
export { budgetLimits, describeAdapter, ShapeError } from './describe.ts'
export type {
  AdapterDescription,
  DescribedVerification,
  MigrationDescription,
  RouteDescription,
  ScheduleDescription,
  WebhooksDescription
} from './describe.ts'
export { createFillDefaults, withInitialValues } from './defaults.ts'
export { findDeprecated } from './deprecated.ts'
export { hasDefault, optionalDefaults } from './optional-defaults.ts'
export { abortError, decodeError, encodeError } from './errors.ts'
export type { ErrorData } from './errors.ts'
export { importAdapter } from './import-adapter.ts'
export type { ImportedAdapter } from './import-adapter.ts'
export { createInlineCarrier } from './inline-carrier.ts'
export type { InlineCarrier } from './inline-carrier.ts'
export type { InlineCarrierOptions } from './inline-carrier.ts'
export { guardGlobals, watchGlobals } from './globals.ts'
export type { ChangedGlobal, GlobalsGuard } from './globals.ts'
export { compileForeignSchema } from './foreign-schema.ts'
export type { FindErrors, FoundErrors } from './foreign-schema.ts'
export { compileOwnSchema, compileSchema, describeProblems } from './json-schema.ts'
export type { SchemaCheck, SchemaProblem, SchemaValidator } from './json-schema.ts'
export { invalidPayload } from './invalid-payload.ts'
export { createMemoryState } from './memory-state.ts'
export type { MemoryState } from './memory-state.ts'
export { escapePointer, valueAt } from './pointer.ts'
export { permitsCapability, permitsJob } from './permissions.ts'
export { callRecorder } from './recording/call-recorder.ts'
export { createRecording, refuseSecrets } from './recording/create-recording.ts'
export { joinTraffic, recordExchanges } from './recording/record-exchanges.ts'
export type { RecordedTraffic } from './recording/record-exchanges.ts'
export { formatRecording, parseRecording, RecordedExchange, Recording } from './recording/recording.ts'
export { findConnectionMembers, permitCapabilityCall } from './connection-members.ts'
export { connectionNamePattern } from './platform-connections.ts'
export { withThreadTimeLimit } from './thread-time-limit.ts'
export type { Spent } from './thread-time-limit.ts'
export { fits, sizeUpTo } from './size.ts'
export { isLabel, mostConnectionBytes, valueBytes } from './storable.ts'
export {
  collectMarked,
  collectSecrets,
  createAnswerRedactor,
  createCallSecrets,
  createValueRedactor,
  markedMembers
} from './redact.ts'
export type { CallSecrets } from './redact.ts'
export { redactEvent } from './redact-event.ts'
export { literalsOf } from './schema-literals.ts'
export type {
  CapabilityAnswer,
  CapabilityRequest,
  CheckedListOptions,
  CheckedNewConnection,
  ContextServices,
  HostServices,
  PlatformServices,
  RefreshRefusal,
  StoredCredentials,
  TakenFlow,
  WrittenConnection
} from './services.ts'
export { answerChallenge, findChallenge } from './answer-challenge.ts'
export type { ChallengeAnswer, ReceivedChallenge } from './answer-challenge.ts'
export { WebhookRefusal } from './verify/received.ts'
export type { ReceivedWebhook, RefusalReason, Verify } from './verify/received.ts'
export { createWebhookSecret } from './verify/secret.ts'
export { proveWebhook } from './verify/sign.ts'
export type { UnsignedWebhook, WebhookProof } from './verify/sign.ts'
export { createVerifier } from './verify/verifier.ts'
export { listOfPlaces } from './webhook-source.ts'
export { isProvedChallenge } from './webhook-challenges.ts'
export { contentOf, readForm } from './webhook-content.ts'
export type { WebhookContent } from './webhook-content.ts'
export { defaultEventJobs, eventJobOf, isTestEvent } from './webhook-events/event-jobs.ts'
export { readBodyForm } from './webhook-events/read-body-form.ts'
export type { BodyEvent } from './webhook-events/read-body-form.ts'
export { readSource, UnreadableEvents } from './webhook-events/read-source.ts'
export type { SourceDelivery, SourceEvent, SourceRules } from './webhook-events/read-source.ts'
export { dateTimePattern } from './webhook-events/values.ts'
export { eventTypeForm, isEventType } from './webhook-words.ts'
export { explainMovedExport } from './moved-exports.ts'
export { createAddressPolicy } from '../http/address-policy.ts'
export type { AddressPolicy, AddressPolicyOptions, ResolveAll } from '../http/address-policy.ts'
export { isArea } from '../http/area.ts'
export { createHttpClientFactory } from '../http/client.ts'
export type { HttpExchange, HttpHost, HttpRequestEvent, RefusedRequest, UnsentRequest } from '../http/client.ts'
